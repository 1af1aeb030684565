use super::super::*;
use crate::{Warehouse, WarehouseUri, open_warehouse, read_page};
use vitrine_domain::{AppError, CellType, ErrorCode, Page, TableKind};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_test_servers::mysql_server::{MysqlServer, PASSWORD};

async fn opened(address: &str) -> Result<MysqlWarehouse, WarehouseError> {
    let uri = WarehouseUri::parse(address)?;
    MysqlWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await
}

async fn warehouse(server: &MysqlServer, script: &str) -> MysqlWarehouse {
    server.script("shop", script);
    opened(&server.address("shop")).await.unwrap()
}

async fn page(warehouse: &MysqlWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?;
    read_page(batches, u64::MAX).await
}

async fn rows(warehouse: &MysqlWarehouse, sql: &str) -> Vec<Vec<Option<String>>> {
    page(warehouse, sql, Limits::default()).await.unwrap_or_else(|error| panic!("{sql}: {error}")).rows
}

async fn cell(warehouse: &MysqlWarehouse, sql: &str) -> Option<String> {
    rows(warehouse, sql).await.remove(0).remove(0)
}

#[tokio::test]
async fn every_type_comes_out_exactly() {
    let server = MysqlServer::start();
    let warehouse = warehouse(
        &server,
        "SET sql_mode = ''; CREATE TABLE t (
           tiny tinyint, flag tinyint(1), small smallint unsigned, medium mediumint, whole int, big bigint, huge bigint unsigned,
           money decimal(65,30), round decimal(20,0), single float, twice double, bits bit(10), y year,
           day date, zero date, part date, moment datetime(6), zeros datetime, stamp timestamp(3) NULL, clock time, long_time time(3),
           word varchar(20), old varchar(20) CHARACTER SET latin1, fixed char(5), kind enum('new', 'paid'), many set('a', 'b', 'c'),
           doc json, bytes varbinary(10), big_bytes blob, place point, id uuid, net inet6) CHARACTER SET utf8mb4;
         SET time_zone = '+02:00';
         INSERT INTO t VALUES (-128, 2, 65535, -8388608, -2147483648, -9223372036854775808, 18446744073709551615,
           12345678901234567890123456789012345.678901234567890123456789012345, 12345678901234567890, 0.1, 0.1, b'1000000001', 1901,
           '2024-02-29', '0000-00-00', '2024-00-31', '2024-02-29 23:59:59.000001', '0000-00-00 00:00:00', '2024-02-29 23:59:59.5',
           '-838:59:59', '25:00:00.250',
           'größe 😀', 'größe', 'ab', 'paid', 'a,c', '{\"a\": 1.10}', x'00ff', x'00', point(1, 2),
           '9a3e6e4c-0000-4000-8000-0123456789ab', '::1');",
    )
    .await;
    use CellType as C;
    for (expression, expected, cell_type) in [
        ("tiny", "-128", C::Integer),
        ("flag", "2", C::Integer),
        ("small", "65535", C::Integer),
        ("medium", "-8388608", C::Integer),
        ("whole", "-2147483648", C::Integer),
        ("big", "-9223372036854775808", C::Integer),
        ("huge", "18446744073709551615", C::Integer),
        ("money", "12345678901234567890123456789012345.678901234567890123456789012345", C::Decimal),
        ("round", "12345678901234567890", C::Integer),
        ("SUM(huge)", "18446744073709551615", C::Integer),
        ("single", "0.1", C::Float),
        ("twice", "0.1", C::Float),
        ("bits", "513", C::Integer),
        ("y", "1901", C::Integer),
        ("day", "2024-02-29", C::Date),
        ("zero", "0000-00-00", C::Date),
        ("part", "2024-00-31", C::Date),
        ("moment", "2024-02-29 23:59:59.000001", C::Timestamp),
        ("zeros", "0000-00-00 00:00:00", C::Timestamp),
        ("stamp", "2024-02-29 21:59:59.5", C::Timestamp),
        ("clock", "-838:59:59", C::Time),
        ("long_time", "25:00:00.25", C::Time),
        ("word", "größe 😀", C::Text),
        ("old", "größe", C::Text),
        ("fixed", "ab", C::Text),
        ("kind", "paid", C::Text),
        ("many", "a,c", C::Text),
        ("doc", "{\"a\": 1.10}", C::Text),
        ("JSON_VALUE(doc, '$.a')", "1.10", C::Text),
        ("bytes", "00ff", C::Binary),
        ("big_bytes", "00", C::Binary),
        ("place", "000000000101000000000000000000f03f0000000000000040", C::Binary),
        ("ST_AsText(place)", "POINT(1 2)", C::Text),
        ("id", "9a3e6e4c-0000-4000-8000-0123456789ab", C::Text),
        ("net", "::1", C::Text),
        ("1 = 1", "1", C::Integer),
        ("10 / 4", "2.5000", C::Decimal),
        ("small - 65536", "-1", C::Integer),
        ("'it''s \\'quoted\\' \\\\ \\%'", "it's 'quoted' \\ \\%", C::Text),
        ("\"a text\"", "a text", C::Text),
        ("DATE '2024-02-29' + INTERVAL 1 DAY", "2024-03-01", C::Date),
        ("CONCAT(word, 1)", "größe 😀1", C::Text),
    ] {
        let sql = format!("SELECT {expression} FROM t");
        match page(&warehouse, &sql, Limits::default()).await {
            Ok(page) => assert_eq!(
                (page.rows[0][0].as_deref(), page.columns[0].cell_type),
                (Some(expected), cell_type),
                "{expression}"
            ),
            Err(error) => panic!("{expression}: {error}"),
        }
        assert_eq!(warehouse.check_text(&sql).await.unwrap().columns[0].cell_type, cell_type, "{expression}");
    }
    server.script("shop", "TRUNCATE t; INSERT INTO t () VALUES ()");
    let nothing = rows(&warehouse, "SELECT *, NULL FROM t").await.remove(0);
    assert!(nothing.iter().all(Option::is_none) && nothing.len() == 33, "{nothing:?}");
    // More than one batch, in the order of the query.
    let all = Limits { rows: None, ..Limits::default() };
    let sql = "SELECT seq, CAST(seq AS DECIMAL(20,2)) FROM seq_1_to_10000 ORDER BY seq DESC";
    let many = page(&warehouse, sql, all).await.unwrap();
    assert_eq!((many.row_count, many.rows[9_999][1].as_deref(), many.truncated), (10_000, Some("1.00"), false));
    let empty = page(&warehouse, "SELECT day, word FROM t WHERE 1 = 0", Limits::default()).await.unwrap();
    assert_eq!((empty.rows.len(), empty.columns.len()), (0, 2));
}

const SCHEMA: &str = "
    CREATE TABLE customer (id int PRIMARY KEY, name varchar(40) NOT NULL COMMENT 'full name', mood text, UNIQUE (name))
      COMMENT 'who buys';
    CREATE TABLE purchase (id int, line int, customer_id int, total decimal(38,10), state enum('new', 'paid'),
                           PRIMARY KEY (line, id), FOREIGN KEY (customer_id) REFERENCES customer(id));
    CREATE TABLE ship (line int, purchase_id int, FOREIGN KEY (line, purchase_id) REFERENCES purchase(line, id));
    CREATE VIEW big AS SELECT * FROM customer; CREATE SEQUENCE numbers;
    CREATE DATABASE hr; CREATE TABLE hr.staff (id int PRIMARY KEY, customer_id int, FOREIGN KEY (customer_id) REFERENCES shop.customer(id));
    INSERT INTO customer VALUES (1, 'Ann', NULL), (2, 'Bob', NULL); ANALYZE TABLE customer;";

#[tokio::test]
async fn the_catalog_has_what_the_person_can_read() {
    let server = MysqlServer::start();
    let owner = warehouse(&server, SCHEMA).await;
    let catalog = owner.load_catalog().await.unwrap();
    assert_eq!((catalog.database.as_str(), catalog.dialect), ("shop", Dialect::Mysql));
    assert_eq!(catalog.search_path, ["shop"]);
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["big", "customer", "purchase", "ship"]);
    let customer = catalog.find_table("customer").unwrap();
    assert_eq!((customer.row_count, customer.comment.as_deref()), (Some(2), Some("who buys")));
    assert_eq!(customer.unique_keys, [["name"]]);
    let name = customer.find_column("name").unwrap();
    assert_eq!((name.data_type.as_str(), name.nullable), ("varchar(40)", false));
    assert_eq!(name.comment.as_deref(), Some("full name"));
    let purchase = catalog.find_table("purchase").unwrap();
    assert_eq!(purchase.primary_key, ["line", "id"]);
    assert_eq!(purchase.find_column("total").unwrap().data_type, "decimal(38,10)");
    assert_eq!(purchase.find_column("state").unwrap().data_type, "enum('new','paid')");
    assert_eq!(purchase.foreign_keys[0].ref_table.to_string(), "customer");
    assert_eq!(catalog.find_table("ship").unwrap().foreign_keys[0].ref_columns, ["line", "id"]);
    let big = catalog.find_table("big").unwrap();
    assert_eq!((big.kind, big.comment.as_deref()), (TableKind::View, None));
    assert!(big.definition.as_deref().unwrap().contains("`customer`"), "{big:?}");
    assert_eq!(owner.load_catalog().await.unwrap().fingerprint, catalog.fingerprint, "nothing has changed");
    server.script("shop", "ALTER TABLE ship ADD COLUMN day date");
    assert_ne!(owner.load_catalog().await.unwrap().fingerprint, catalog.fingerprint);
    // A server without a database: tables with their databases.
    let all = opened(&server.address("")).await.unwrap().load_catalog().await.unwrap();
    let names: Vec<String> = all.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["hr.staff", "shop.big", "shop.customer", "shop.purchase", "shop.ship"]);
    assert_eq!(all.find_table("hr.staff").unwrap().foreign_keys[0].ref_table.to_string(), "shop.customer");
    // Names are resolved as the server resolves them.
    for (sql, good) in [
        ("SELECT c.name FROM shop.customer AS c", true),
        ("SELECT `name` FROM `customer`", true),
        ("SELECT NAME FROM customer GROUP BY Name HAVING COUNT(*) > 0", true),
        ("SELECT COUNT(*) AS many FROM customer HAVING many > 0", true),
        ("SELECT nam FROM customer", false),
        ("SELECT name FROM nowhere", false),
        ("SELECT name AS n FROM customer WHERE n = 'x'", false),
    ] {
        let sql = ReadOnlySql::parse(sql, Dialect::Mysql).unwrap();
        assert_eq!(bind_names(&sql, &catalog).problems.is_empty(), good, "{sql:?}");
        assert_eq!(owner.check_query(&sql).await.is_ok(), good, "{sql:?}");
    }
    // A user with few rights.
    server.script(
        "shop",
        &format!(
            "CREATE USER guest IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON shop.ship TO guest; GRANT SELECT (id, name) ON customer TO guest"
        ),
    );
    let uri = WarehouseUri::parse(&server.address_of("guest", "shop")).unwrap();
    let seen = open_warehouse(&uri).await.unwrap().load_catalog().await.unwrap();
    let names: Vec<String> = seen.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!((names, seen.tables[0].columns.len()), (vec!["customer".to_owned(), "ship".to_owned()], 2));
    // Over the socket, where no password is requested.
    let socket = opened(&format!("mysql://root@localhost/shop?socket={}", server.socket().display())).await.unwrap();
    assert_eq!(cell(&socket, "SELECT COUNT(*) FROM customer").await.as_deref(), Some("2"));
}

#[tokio::test]
async fn nothing_is_changed() {
    let server = MysqlServer::start_with(&["--secure-file-priv="]);
    let script = "CREATE TABLE t (a int); INSERT INTO t VALUES (1); CREATE SEQUENCE s; \
        CREATE FUNCTION touch() RETURNS int MODIFIES SQL DATA RETURN (SELECT NEXTVAL(s));";
    let warehouse = warehouse(&server, script).await;
    for sql in [
        "INSERT INTO t VALUES (2)",
        "INSERT INTO t VALUES (2) RETURNING a",
        "UPDATE t SET a = 2",
        "DELETE FROM t",
        "REPLACE INTO t VALUES (3)",
        "CREATE TABLE u (a int)",
        "DROP TABLE t",
        "TRUNCATE TABLE t",
        "SELECT NEXTVAL(s)",
        "SELECT touch()",
        "SELECT 1; DROP TABLE t",
    ] {
        match page(&warehouse, sql, Limits::default()).await {
            Ok(page) => panic!("{sql} ran and gave {page:?}"),
            Err(WarehouseError::Refused { .. } | WarehouseError::Query { .. }) => {}
            Err(error) => panic!("{sql}: {error:?}"),
        }
    }
    assert_eq!(server.script("shop", "SELECT SUM(a), COUNT(*) FROM t"), "1\t1");
    assert_eq!(cell(&warehouse, "SELECT @@tx_read_only").await.as_deref(), Some("1"));
    // A name that is built in only on some servers may be a function of the database.
    server.script("shop", "CREATE FUNCTION any_value(a int) RETURNS int RETURN NEXTVAL(s)");
    let catalog = warehouse.load_catalog().await.unwrap();
    assert!(
        crate::prove_read_only("SELECT ANY_VALUE(a) FROM t", &catalog)
            .unwrap_err()
            .to_string()
            .contains("a function of its own")
    );
    assert!(crate::prove_read_only("SELECT MAX(a) FROM t", &catalog).is_ok());
    // A name in double quotes is a constant text.
    assert!(
        crate::prove_read_only("SELECT SUM(\"a\") FROM t", &catalog).unwrap_err().to_string().contains("write `a`")
    );
    assert!(crate::prove_read_only("SELECT a FROM t WHERE a = \"b\"", &catalog).is_ok());
    // The proof blocks functions that a read-only transaction permits.
    let file = server.socket().with_file_name("never-written").display().to_string();
    for sql in [
        &format!("SELECT 1 INTO OUTFILE '{file}'"),
        &format!("SELECT a INTO DUMPFILE '{file}' FROM t"),
        "SELECT LOAD_FILE('/etc/passwd')",
        "SELECT GET_LOCK('x', 1)",
        "SELECT SLEEP(9)",
        "SELECT touch()",
        "SELECT 1 FROM t FOR UPDATE",
    ] {
        assert!(ReadOnlySql::parse(sql, Dialect::Mysql).is_err(), "{sql}");
    }
    assert!(!std::path::Path::new(&file).exists());
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Work {
    Going,
    Over,
}

/// Waits until the server reports that it runs a statement of this test, or none. On a busy machine, either may take
/// some time.
async fn until(server: &MysqlServer, wanted: Work) {
    let busy =
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = 'owner' AND COMMAND IN ('Execute', 'Query')";
    for _ in 0..300 {
        let work = if server.script("", busy) == "0" { Work::Over } else { Work::Going };
        if work == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the server's work is never {wanted:?}: {}", server.script("", "SHOW FULL PROCESSLIST"));
}

#[tokio::test]
async fn queries_are_stopped() {
    let mut server = MysqlServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE t (a int)").await;
    let cancel = CancellationToken::new();
    let sleeping = async {
        let sql = "SELECT 'cancelled', SLEEP(600)".to_owned();
        match warehouse.query_text(sql, Limits::default(), cancel.clone()).await {
            Ok(batches) => read_page(batches, 1).await.unwrap_err(),
            Err(error) => error,
        }
    };
    let stopping = async {
        until(&server, Work::Going).await;
        cancel.cancel();
    };
    let (error, ()) = tokio::join!(sleeping, stopping);
    assert_eq!(error, WarehouseError::Cancelled);
    until(&server, Work::Over).await;

    let short = Limits { timeout: Duration::from_millis(200), ..Limits::default() };
    let error = page(&warehouse, "SELECT 'timed out', SLEEP(600)", short).await.unwrap_err();
    assert_eq!(error, WarehouseError::Timeout { seconds: 1 });
    until(&server, Work::Over).await;

    let few = Limits { rows: Some(10), ..Limits::default() };
    let long = "SELECT a.seq FROM seq_1_to_100000 a, seq_1_to_100000 b";
    let some = page(&warehouse, long, few).await.unwrap();
    assert_eq!((some.rows.len(), some.truncated), (10, true));
    // Dropping the reader stops the query, too.
    let all = Limits { rows: None, ..Limits::default() };
    drop(warehouse.query_text(long.to_owned(), all.clone(), CancellationToken::new()).await.unwrap());
    until(&server, Work::Over).await;
    assert_eq!(cell(&warehouse, "SELECT 1").await.as_deref(), Some("1"));

    // A server that stops during a query and restarts.
    let reading = async { page(&warehouse, "SELECT 'ended', SLEEP(600)", all).await.unwrap_err() };
    let ending = async {
        until(&server, Work::Going).await;
        server.stop();
    };
    let (error, ()) = tokio::join!(reading, ending);
    assert!(matches!(error, WarehouseError::Unreachable { .. }), "{error:?}");
    let error = page(&warehouse, "SELECT 1", Limits::default()).await.unwrap_err();
    assert!(matches!(error, WarehouseError::Unreachable { .. }), "{error:?}");
    server.restart();
    assert_eq!(cell(&warehouse, "SELECT 2").await.as_deref(), Some("2"));
    // An idle connection that the server has closed is not used.
    let kill =
        server.script("", "SELECT CONCAT('KILL ', ID, ';') FROM information_schema.PROCESSLIST WHERE USER = 'owner'");
    server.script("", &kill);
    assert_eq!(cell(&warehouse, "SELECT 3").await.as_deref(), Some("3"));
    warehouse.close().await;
    assert!(page(&warehouse, "SELECT 1", Limits::default()).await.is_err());
    assert!(warehouse.load_catalog().await.is_err());
}

/// The session is equal for every query, independent of the settings of previous ones.
#[tokio::test]
async fn nothing_of_a_query_stays_in_its_session() {
    let server = MysqlServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE t (a int)").await;
    let who = "SELECT CONNECTION_ID()";
    let before = cell(&warehouse, who).await;
    cell(&warehouse, "SELECT @left := 5").await;
    cell(&warehouse, "SELECT GET_LOCK('held', 1)").await;
    assert_eq!(cell(&warehouse, who).await, before, "the same session");
    assert_eq!(cell(&warehouse, "SELECT @left").await, None);
    assert_eq!(server.script("", "SELECT IS_FREE_LOCK('held')"), "1");
    // A reused session is configured like a new one.
    for (setting, value) in [
        ("@@tx_read_only", "1"),
        ("@@time_zone", "+00:00"),
        ("@@character_set_client", "utf8mb4"),
        ("@@group_concat_max_len", "16777216"),
        ("@@sql_mode", "NO_UNSIGNED_SUBTRACTION,NO_ENGINE_SUBSTITUTION"),
    ] {
        assert_eq!(cell(&warehouse, &format!("SELECT {setting}")).await.as_deref(), Some(value), "{setting}");
    }
}

/// A row is held in memory completely, so its size is limited.
#[tokio::test]
async fn a_row_that_is_too_long_is_an_error_and_the_next_query_runs() {
    let server = MysqlServer::start_with(&["--max-allowed-packet=1G"]);
    let warehouse = warehouse(&server, "CREATE TABLE t (a int)").await;
    let long = "SELECT REPEAT('x', 200000000), REPEAT('y', 100000000)";
    let error = page(&warehouse, long, Limits::default()).await.unwrap_err();
    assert!(matches!(error, WarehouseError::Query { .. }), "{error:?}");
    assert_eq!(cell(&warehouse, "SELECT 7").await.as_deref(), Some("7"));
}

#[tokio::test]
async fn errors_say_what_is_wrong_and_never_the_password() {
    let server = MysqlServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE t (name text)").await;
    let check = async |sql: &str| warehouse.check_text(sql).await.unwrap_err();
    assert!(check("SELECT nam FROM t").await.to_string().contains("Unknown column 'nam'"));
    assert!(check("SELECT * FROM nowhere").await.to_string().contains("doesn't exist"));
    assert!(matches!(check("DROP TABLE t").await, WarehouseError::Refused { .. }));

    let mut texts = Vec::new();
    let mut fault = async |address: String| {
        let uri = WarehouseUri::parse(&address).map_err(AppError::from);
        texts.push(format!("{uri:?}"));
        let error: AppError = match uri {
            Err(error) => error,
            Ok(uri) => match open_warehouse(&uri).await {
                Err(error) => error.into(),
                Ok(_) => panic!("{uri} opened"),
            },
        };
        texts.push(format!("{error:?} {error}"));
        error
    };
    let good = server.address("shop");
    let wrong = fault(good.replace("word", "phrase")).await;
    assert_eq!(wrong.code, ErrorCode::Password);
    assert!(wrong.message.contains("refused the password for mysql://owner@127.0.0.1"), "{wrong:?}");
    assert!(wrong.detail.clone().unwrap().contains("Access denied"), "{wrong:?}");
    assert!(wrong.hint.unwrap().contains("MYSQL_PWD"));
    let none = fault(good.replace(&format!(":{PASSWORD}"), "")).await;
    assert_eq!(none.code, ErrorCode::Password);
    assert!(none.message.contains("asks for a password"), "{none:?}");
    let missing = fault(server.address("nothing")).await;
    assert_eq!(missing.code, ErrorCode::Connection);
    assert!(missing.message.contains("refused the connection to mysql://owner@127.0.0.1"), "{missing:?}");
    assert!(missing.detail.clone().unwrap().contains("Unknown database"), "{missing:?}");
    let closed = fault(format!("mysql://owner:{PASSWORD}@127.0.0.1:1/shop")).await;
    assert!(closed.message.contains("cannot be reached"), "{closed:?}");
    let plain = fault(format!("{good}?ssl-mode=REQUIRED")).await;
    assert!(plain.detail.clone().unwrap().contains("TLS"), "{plain:?}");
    fault(format!("{good}?ssl-mode=odd")).await;
    fault(format!("mysql://owner:{PASSWORD}@host:port/shop")).await;
    for text in texts {
        assert!(!text.contains("pass-word") && !text.contains("pass-phrase"), "{text}");
    }
}

#[tokio::test]
async fn a_connection_is_encrypted_where_the_server_can() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = MysqlServer::certificate(folder.path());
    let server = MysqlServer::start_with(&[&certificate, &key]);
    let good = server.address("shop").replace("127.0.0.1", "localhost");
    let cipher =
        "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'";
    for (mode, encrypted) in [("", "1"), ("?ssl-mode=REQUIRED", "1"), ("?ssl-mode=DISABLED", "0")] {
        let warehouse = opened(&format!("{good}{mode}")).await.unwrap();
        assert_eq!(cell(&warehouse, cipher).await.as_deref(), Some(encrypted), "{mode}");
        // More than one packet in both directions.
        let long = "x".repeat(200_000);
        let sql = format!("SELECT CHAR_LENGTH(REPEAT('ab', 7000000)), CHAR_LENGTH('{long}'), REPEAT('ab', 7000000)");
        let row = rows(&warehouse, &sql).await.remove(0);
        assert_eq!((row[0].as_deref(), row[1].as_deref()), (Some("14000000"), Some("200000")));
        assert_eq!(row[2].as_ref().map(String::len), Some(14_000_000));
    }
    // This computer trusts no authority of the server's certificate.
    let error = opened(&format!("{good}?ssl-mode=VERIFY_IDENTITY")).await.err().unwrap();
    assert!(AppError::from(error).detail.unwrap().contains("certificate"));
}

/// A result that the server itself calls incomplete is an error.
#[tokio::test]
async fn a_part_of_a_result_is_not_taken_for_the_whole() {
    let server = MysqlServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE words (w text); INSERT INTO words VALUES ('12x'), ('a');").await;
    let count = |rounds: &str| {
        format!("WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r {rounds}) SELECT count(*) FROM r")
    };
    assert_eq!(cell(&warehouse, &count("WHERE n < 5000")).await.as_deref(), Some("5000"));
    for (sql, said) in [
        (count(""), "max_recursive_iterations"),
        ("SELECT length(group_concat(repeat('x', 1000000))) FROM seq_1_to_20".to_owned(), "GROUP_CONCAT"),
    ] {
        let error = page(&warehouse, &sql, Limits::default()).await.unwrap_err().to_string();
        assert!(error.contains("only a part") && error.contains(said), "{sql}: {error}");
    }
    // A value of another type is noted beside the rows, without the value.
    let notes = async |sql: &str| {
        let batches = warehouse.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await.unwrap();
        let notes = batches.notes();
        read_page(batches, 10).await.unwrap();
        notes.texts()
    };
    let told = notes("SELECT w FROM words WHERE w = 12").await;
    assert!(
        matches!(told.as_slice(), [note] if note.contains("read as a number") && !note.contains("12x")),
        "{told:?}"
    );
    assert_eq!(notes("SELECT w FROM words WHERE w = '12'").await, [] as [String; 0]);
    // Other warnings do not cause an error, and the session continues.
    assert_eq!(cell(&warehouse, "SELECT sum(w) FROM words").await.as_deref(), Some("12.0"));
    assert_eq!(
        cell(&warehouse, "SELECT length(group_concat(repeat('x', 1000000))) FROM seq_1_to_2").await.as_deref(),
        Some("2000001")
    );
}

/// The server resolves its own functions first; if it lacks one that the proof allows, the owner's function is not
/// called.
#[tokio::test]
async fn functions_of_the_owners_are_not_called_in_the_place_of_the_servers() {
    use vitrine_sql::known_functions;
    let server = MysqlServer::start();
    let names = known_functions(Dialect::Mysql);
    let functions: Vec<String> = names
        .iter()
        .map(|name| format!("CREATE FUNCTION `{name}`() RETURNS varchar(20) RETURN 'the owner''s';"))
        .collect();
    let warehouse = warehouse(&server, &functions.concat()).await;
    let catalog = warehouse.load_catalog().await.unwrap();
    let (mut called, mut refused) = (Vec::new(), Vec::new());
    for name in &names {
        let sql = format!("SELECT {name}()");
        match crate::prove_read_only(&sql, &catalog) {
            Err(_) => refused.push(*name),
            Ok(proven) => {
                let batches = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await;
                let page = match batches {
                    Ok(batches) => read_page(batches, 10).await.unwrap_or_default(),
                    Err(_) => Page::default(),
                };
                if page.rows.iter().flatten().flatten().any(|cell| cell == "the owner's") {
                    called.push(*name);
                }
            }
        }
    }
    assert!(called.is_empty(), "{called:?}");
    assert!(refused.contains(&"grouping") && refused.contains(&"any_value"), "{refused:?}");
    // Built-in functions still work.
    for (sql, value) in [("SELECT upper('a')", "A"), ("SELECT round(2.5)", "3"), ("SELECT concat('a', 1)", "a1")] {
        let proven = crate::prove_read_only(sql, &catalog).unwrap();
        let batches = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await.unwrap();
        assert_eq!(read_page(batches, 10).await.unwrap().rows[0][0].as_deref(), Some(value), "{sql}");
    }
}
