//! The fuzz test for MySQL's dialect, on a MariaDB server with a login that has all rights.

use super::*;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, OptsBuilder, Row};
use vitrine_test_servers::mysql_server::MysqlServer;

const MYSQL_ONLY: &[&str] = &[
    "SELECT a DIV 2, b <=> NULL, a RLIKE '^x' FROM `t` WHERE a XOR b ORDER BY a LIMIT 1, 2",
    "SELECT GROUP_CONCAT(DISTINCT a ORDER BY b DESC SEPARATOR '; ') FROM t GROUP BY b WITH ROLLUP",
    "SELECT 'it\\'s', \"a text\", 'x' 'y', x'1f', 0x1F, b'01', _utf8mb4'z' FROM t -- the end",
    "SELECT a FROM t STRAIGHT_JOIN t AS u USING (a) WHERE MATCH (b) AGAINST ('x') # a comment",
    "SELECT /*! STRAIGHT_JOIN */ a FROM t /*!50000 FOR UPDATE */",
    "SELECT a INTO OUTFILE 'FOLDER/out.csv' FROM t",
    "SELECT a FROM t INTO @x",
    "SELECT LOAD_FILE('FOLDER/secret.csv'), GET_LOCK('x', 0), RELEASE_ALL_LOCKS()",
    "SELECT @x := a, @@global.max_connections, NEXTVAL(s), LASTVAL(s), writes(a) FROM t",
    "SELECT a FROM t FOR UPDATE; SELECT b FROM t LOCK IN SHARE MODE",
    "INSERT INTO t VALUES (3, 'z') ON DUPLICATE KEY UPDATE a = 1",
    "REPLACE INTO t SELECT * FROM t; DELETE FROM t WHERE a = 1 RETURNING a",
    "UPDATE t SET a = 1 ORDER BY b LIMIT 1",
    "CREATE TABLE u AS SELECT * FROM t; DROP TABLE t; TRUNCATE t",
    "SET @x = 1, SESSION sql_mode = ''; COMMIT; BEGIN; HANDLER t OPEN",
    "LOAD DATA INFILE 'FOLDER/secret.csv' INTO TABLE t",
    "CALL writes(1); DO SLEEP(1); PREPARE x FROM 'DELETE FROM t'; EXECUTE x; KILL 1; FLUSH TABLES",
    "EXPLAIN DELETE FROM t; ANALYZE DELETE FROM t; SHOW TABLES; DESCRIBE t",
];

const TABLES: &str = "CREATE TABLE t (a int, b varchar(20)); INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE SEQUENCE s; \
    CREATE FUNCTION writes(a int) RETURNS int MODIFIES SQL DATA RETURN NEXTVAL(s)";
/// Everything that a text could change: rows, the sequence, tables, locks, variables and settings of the session.
const STATE: &str = "SELECT (SELECT GROUP_CONCAT(a, b ORDER BY a) FROM t), (SELECT next_not_cached_value FROM s),
    (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'shop'), IS_FREE_LOCK('x'), @x, @@sql_mode, @@autocommit,
    @@global.max_connections";
/// Error codes of a statement that would write in a read-only transaction.
const WOULD_WRITE: [u16; 2] = [1792, 1290];

/// Runs all statements of a text in one request, as some clients send them, and returns the answers.
async fn run(conn: &mut Conn, text: &str) -> Result<String, Error> {
    let mut answers = conn.query_iter(text).await?;
    let mut all = String::new();
    while !answers.is_empty() {
        for row in answers.collect::<Row>().await? {
            let cells =
                row.unwrap_raw().into_iter().map(|cell| cell.map_or_else(String::new, |cell| cell.as_sql(true)));
            all.push_str(&cells.collect::<Vec<_>>().join(" "));
            all.push('\n');
        }
    }
    Ok(all)
}

#[test]
fn what_is_accepted_only_reads_to_mysql() {
    let server = MysqlServer::start_with(&["--secure-file-priv="]);
    server.script("shop", TABLES);
    let folder = server.socket().parent().unwrap().to_owned();
    std::fs::write(folder.join("secret.csv"), format!("1,{SECRET}\n")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let socket = server.socket().display().to_string();
    let options = OptsBuilder::default().user(Some("root")).socket(Some(socket)).db_name(Some("shop"));
    let conn = runtime.block_on(Conn::new(options)).unwrap();
    let conn = std::cell::RefCell::new(conn);
    let ask = |text: &str| runtime.block_on(run(&mut conn.borrow_mut(), text));
    ask("SET max_statement_time = 2").unwrap();
    let state = || {
        let out = folder.join("out.csv").exists();
        (out, ask(STATE).unwrap())
    };
    let before = state();
    let ran = AtomicU32::new(0);
    // Effects of a text other than reading.
    let noticed = |text: &str| {
        ask("START TRANSACTION READ ONLY").unwrap();
        let within = match ask(text) {
            Ok(answers) => {
                ran.fetch_add(1, Ordering::AcqRel);
                answers.contains(SECRET).then_some("a file was read")
            }
            Err(Error::Server(error)) if WOULD_WRITE.contains(&error.code) => Some("it would write"),
            Err(Error::Server(_)) => None,
            Err(_) => Some("the connection is gone"),
        };
        // Remaining results, including an error, arrive with the next statement.
        let later = match ask("DO 0") {
            Err(Error::Server(error)) if WOULD_WRITE.contains(&error.code) => Some("a later statement would write"),
            _ => None,
        };
        let within = within.or(later);
        ask("ROLLBACK").unwrap();
        let after = within.or_else(|| (state() != before).then_some("it changed something"));
        if after.is_some() {
            ask("DO RELEASE_ALL_LOCKS(); SET @x = NULL").unwrap();
            let _ = std::fs::remove_file(folder.join("out.csv"));
        }
        after
    };
    for text in [
        "SELECT writes(1)",
        "SELECT NEXTVAL(s)",
        "SELECT 1; DELETE FROM t",
        "SELECT @x := 5",
        "SELECT GET_LOCK('x', 0)",
        "SELECT LOAD_FILE('FOLDER/secret.csv')",
        "SELECT a INTO OUTFILE 'FOLDER/out.csv' FROM t",
    ] {
        assert!(noticed(&text.replace("FOLDER", &folder.display().to_string())).is_some(), "{text}");
        assert_eq!(state(), before, "{text}");
    }
    ran.store(0, Ordering::Release);
    let accepted = hold((Dialect::Mysql, MYSQL_ONLY, 1_500), &folder, noticed);
    // A statement that the server rejects has no effect.
    let ran = ran.load(Ordering::Acquire);
    assert!(accepted > 100 && ran > 50, "{accepted} accepted, {ran} ran");
}
