//! A login that expires while the database is open: one error that reports it, and one login attempt per query.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_warehouse::{Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, open_with, read_page};

/// Forwards connections to a port of this computer and counts them.
async fn counted(address: &str) -> (String, Arc<AtomicU32>) {
    let port: u16 =
        address.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()?.parse().ok()).expect("a port");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let own = listener.local_addr().expect("an address").port();
    let count = Arc::new(AtomicU32::new(0));
    let counter = count.clone();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            counter.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(async move {
                if let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await {
                    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                }
            });
        }
    });
    (address.replace(&format!(":{port}/"), &format!(":{own}/")), count)
}

async fn seven(warehouse: &dyn Warehouse) -> Result<(), WarehouseError> {
    let sql = ReadOnlySql::parse("SELECT 7 AS n", warehouse.dialect()).expect("a read");
    read_page(warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await?, u64::MAX).await.map(drop)
}

/// Opens a database through the counter, invalidates the login, and queries again.
async fn expires(address: &str, spoil: impl FnOnce()) {
    let (address, count) = counted(address).await;
    let uri = WarehouseUri::parse(&address).expect("an address");
    let warehouse = open_with(&uri, &OpenOptions::default()).await.expect("opens");
    seven(warehouse.as_ref()).await.expect("works");
    let before = count.load(Ordering::SeqCst);
    spoil();
    for time in 1..=3 {
        let asked = tokio::time::timeout(Duration::from_secs(20), seven(warehouse.as_ref())).await.expect("an answer");
        let error = asked.expect_err("the login is spoiled");
        assert!(matches!(error, WarehouseError::SignInAgain { .. }), "{error:?}");
        assert_eq!(count.load(Ordering::SeqCst) - before, time, "one login for each question");
        let told = AppError::from(error);
        assert_eq!(told.code, ErrorCode::Password, "the password is asked for");
    }
    // Reading the catalog or preparing a query returns the same error.
    let error = warehouse.load_catalog().await.expect_err("the login is spoiled");
    assert!(matches!(error, WarehouseError::SignInAgain { .. }), "{error:?}");
    // A new connection with the old password gets another error, because its login never worked.
    let error = open_with(&uri, &OpenOptions::default()).await.map(drop).expect_err("refused");
    assert!(matches!(error, WarehouseError::Password { refused: true, .. }), "{error:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_that_changes_at_postgresql_is_asked_for_once() {
    let server = PostgresServer::start();
    server.psql("shop", "CREATE ROLE reader LOGIN PASSWORD 'only-reads'");
    let address = server.address("shop").replace("owner:pass-word:1@", "reader:only-reads@");
    expires(&address, || {
        server.psql(
            "shop",
            "ALTER ROLE reader PASSWORD 'another'; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'",
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_that_changes_at_mysql_is_asked_for_once() {
    let server = MysqlServer::start();
    server.script("", "CREATE USER reader@'%' IDENTIFIED BY 'only-reads'; GRANT SELECT ON shop.* TO reader@'%'");
    let address = server.address("shop").replace("owner:pass-word:1@", "reader:only-reads@");
    expires(&address, || {
        server.script("", "ALTER USER reader@'%' IDENTIFIED BY 'another'; KILL USER reader");
    })
    .await;
}
