//! A server that stops responding after login, and callers that are dropped.

use super::super::*;
use crate::{Warehouse, WarehouseUri};
use mysql_async::prelude::Queryable;
use std::time::Instant;
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::silent_way::SilentWay;

async fn opened(address: &str, looking: Duration) -> MysqlWarehouse {
    let uri = WarehouseUri::parse(address).unwrap();
    let opened = MysqlWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    MysqlWarehouse { looking, ..opened }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_given_up() {
    let server = MysqlServer::start();
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
    let server = MysqlServer::start();
    let at_work = || {
        server.script("", "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP(600)%'")
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
    let sleeps = warehouse.with_session(async |session| session.conn.query_drop("SELECT SLEEP(600)").await);
    tokio::select! { _ = sleeps => panic!("it sleeps for ten minutes"), () = until("1") => {} }
    until("0").await;
    let warehouse = opened(&address, Duration::from_millis(500)).await;
    let late = warehouse.with_session(async |session| session.conn.query_drop("SELECT SLEEP(600)").await).await;
    assert_eq!(late.unwrap_err(), WarehouseError::Timeout { seconds: 1 });
    until("0").await;
}
