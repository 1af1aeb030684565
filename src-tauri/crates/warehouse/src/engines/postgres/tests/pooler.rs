//! PgBouncer in transaction mode, like the poolers of Neon and Supabase: each transaction may use another session of
//! the server, and session state remains for other clients.

use super::super::*;
use crate::{Warehouse, WarehouseUri, read_page};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

/// A pooler for a server, with two sessions for all clients; it accepts every login.
struct Pooler {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl Pooler {
    /// # Panics
    /// If PgBouncer is not installed or does not start.
    fn start(server: &str) -> Self {
        let server = server.rsplit('@').next().unwrap();
        let (place, database) = server.split_once('/').unwrap();
        let (host, server_port) = place.split_once(':').unwrap();
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let log = folder.path().join("log").display().to_string();
        let settings = folder.path().join("pgbouncer.ini");
        std::fs::write(
            &settings,
            format!(
                "[databases]\n{database} = host={host} port={server_port} dbname={database} user=owner password='{PASSWORD}'\n\
                 [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n\
                 pool_mode = transaction\ndefault_pool_size = 2\nlogfile = {log}\nserver_login_retry = 1\n"
            ),
        )
        .unwrap();
        // PgBouncer refuses to run as root.
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
        let mut command = Command::new(PROGRAM);
        if is_root {
            let owned = Command::new("chown").args(["-R", "postgres"]).arg(folder.path()).status();
            assert!(owned.is_ok_and(|status| status.success()), "chown failed");
            command.args(["-u", "postgres"]);
        }
        let process = command
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("these tests need PgBouncer (apt-get install -y pgbouncer): {error}"));
        let pooler = Self { process, folder, port };
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            let log = std::fs::read_to_string(pooler.folder.path().join("log")).unwrap_or_default();
            assert!(began.elapsed() < Duration::from_secs(20), "PgBouncer does not start: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }

    fn address(&self) -> String {
        format!("postgresql://owner:{PASSWORD}@127.0.0.1:{}/shop", self.port)
    }

    /// Runs a script of another client through the pooler.
    fn psql(&self, script: &str) -> String {
        let mut client = Command::new("psql")
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", &self.address()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        client.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "psql failed: {script}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const PROGRAM: &str = "/usr/sbin/pgbouncer";

async fn page(warehouse: &PostgresWarehouse, sql: &str) -> Result<vitrine_domain::Page, WarehouseError> {
    let limits = Limits { rows: None, ..Limits::default() };
    let batches = warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?;
    read_page(batches, u64::MAX).await
}

async fn opened(address: &str) -> PostgresWarehouse {
    let uri = WarehouseUri::parse(address).unwrap();
    PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap()
}

#[tokio::test]
async fn queries_go_through_a_pooler_and_leave_nothing_for_others() {
    let server = PostgresServer::start();
    server
        .psql("shop", "CREATE TABLE item (id int PRIMARY KEY, name text); INSERT INTO item VALUES (1, 'a'), (2, 'b')");
    let pooler = Pooler::start(&server.address("shop"));
    let (warehouse, other) = (opened(&pooler.address()).await, opened(&pooler.address()).await);
    assert_eq!(warehouse.load_catalog().await.unwrap().tables[0].name.name, "item");
    // More concurrent queries than sessions, with values that are not text and rows in batches.
    let many = (1..=12).map(|number| {
        let warehouse = if number % 2 == 0 { &warehouse } else { &other };
        async move {
            let sql = format!("SELECT i * {number} AS n, i::text AS t FROM generate_series(1, 20000) AS i");
            let page = page(warehouse, &sql).await.unwrap();
            assert_eq!((page.row_count, page.rows[19_999][0].clone()), (20_000, Some((20_000 * number).to_string())));
        }
    });
    futures::future::join_all(many).await;
    let sql = ReadOnlySql::parse("SELECT name FROM item", Dialect::Postgres).unwrap();
    assert_eq!(warehouse.check_query(&sql).await.unwrap().columns[0].name, "name");
    let error = page(&warehouse, "INSERT INTO item VALUES (3, 'c') RETURNING id").await.unwrap_err();
    assert!(matches!(error, WarehouseError::Refused { .. }), "{error:?}");
    let error = page(&warehouse, "SELECT 1 / 0").await.unwrap_err();
    assert!(matches!(error, WarehouseError::Query { .. }), "{error:?}");

    // A cancelled query is stopped on the server.
    let cancel = CancellationToken::new();
    let sleeping = async {
        let sql = "SELECT pg_sleep(600)".to_owned();
        match warehouse.query_text(sql, Limits::default(), cancel.clone()).await {
            Ok(batches) => read_page(batches, 1).await.unwrap_err(),
            Err(error) => error,
        }
    };
    let (error, ()) = tokio::join!(sleeping, async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancel.cancel();
    });
    assert_eq!(error, WarehouseError::Cancelled);
    let began = Instant::now();
    let busy = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()";
    while server.psql("shop", busy) != "0" {
        assert!(began.elapsed() < Duration::from_secs(20), "the server still sleeps");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(page(&warehouse, "SELECT 7 AS n").await.unwrap().rows[0][0].as_deref(), Some("7"));

    // The next client of both sessions may write, and finds no remaining state.
    for _ in 0..2 {
        let left = "BEGIN; SELECT pg_sleep(0.2); SELECT current_setting('default_transaction_read_only') || current_setting('statement_timeout')
            || (SELECT count(*) FROM pg_prepared_statements); COMMIT";
        let (one, two) = std::thread::scope(|scope| {
            let two = scope.spawn(|| pooler.psql(left));
            (pooler.psql(left), two.join().unwrap())
        });
        assert_eq!((one.trim(), two.trim()), ("off00", "off00"));
    }
    pooler.psql("INSERT INTO item VALUES (3, 'c')");
    assert_eq!(page(&other, "SELECT count(*) FROM item").await.unwrap().rows[0][0].as_deref(), Some("3"));
}
