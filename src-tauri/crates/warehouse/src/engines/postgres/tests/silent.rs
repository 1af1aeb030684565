//! A server that stops responding after login, callers that are dropped, endless rows.

use super::super::*;
use crate::{Warehouse, WarehouseUri};
use std::time::Instant;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_test_servers::silent_way::SilentWay;

async fn opened(address: &str, looking: Duration) -> PostgresWarehouse {
    let uri = WarehouseUri::parse(address).unwrap();
    let opened = PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    PostgresWarehouse { looking, ..opened }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_given_up() {
    let server = PostgresServer::start();
    let way = SilentWay::to(&server.address("shop")).await;
    let warehouse = opened(&way.address, Duration::from_millis(700)).await;
    assert!(warehouse.load_catalog().await.is_ok());
    way.falls_silent();
    let began = Instant::now();
    assert_eq!(warehouse.load_catalog().await.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    assert_eq!(warehouse.check_text("SELECT 1").await.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_stopped_at_the_server() {
    let server = PostgresServer::start();
    let at_work = || {
        server.psql("shop", "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()")
    };
    let until = async |count: &str| {
        let began = Instant::now();
        while at_work() != count {
            assert!(began.elapsed() < Duration::from_secs(20), "the server works on {} of it", at_work());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let address = server.address("shop");
    // First by a dropped caller, then by the limit.
    let warehouse = opened(&address, LOOKING).await;
    let sleeps = warehouse.with_session(async |session| session.client.batch_execute("SELECT pg_sleep(600)").await);
    tokio::select! { _ = sleeps => panic!("it sleeps for ten minutes"), () = until("1") => {} }
    until("0").await;
    let warehouse = opened(&address, Duration::from_millis(500)).await;
    let late = warehouse.with_session(async |session| session.client.batch_execute("SELECT pg_sleep(600)").await).await;
    assert_eq!(late.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    until("0").await;
}

/// A row is held in memory completely, so its size is limited.
#[tokio::test]
async fn a_row_that_is_too_long_is_an_error_and_the_next_query_runs() {
    let server = PostgresServer::start();
    let warehouse = opened(&server.address("shop"), LOOKING).await;
    let asked = async |sql: &str| {
        let batches = warehouse.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await?;
        crate::read_page(batches, 10).await
    };
    let error = asked("SELECT repeat('x', 200000000), repeat('y', 100000000)").await.unwrap_err();
    assert!(matches!(&error, WarehouseError::Query { message } if message.contains("256 MB")), "{error:?}");
    let long = asked("SELECT length(repeat('x', 200000000)), repeat('y', 3000000)").await.unwrap();
    assert_eq!(long.rows[0][1].as_ref().map(String::len), Some(3_000_000));
}
