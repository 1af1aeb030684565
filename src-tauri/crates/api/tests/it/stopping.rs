//! Stopping the opening of a warehouse: callers return immediately, and no work remains on the server.

use crate::support::Desk;
use std::time::{Duration, Instant};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_test_servers::silent_way::SilentWay;

/// Sufficient for slow machines, and much shorter than a driver's timeout for a server.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Stops an address and checks that its caller returns immediately.
async fn stopped<T>(desk: &Desk, address: &str, waits: tokio::task::JoinHandle<Result<T, AppError>>) {
    let began = Instant::now();
    while !waits.is_finished() {
        assert!(began.elapsed() < AT_ONCE, "it is still being opened");
        desk.app.stop_opening(address.to_owned()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let error = waits.await.unwrap().err().expect("it was stopped before it was open");
    assert_eq!(error.code, ErrorCode::Cancelled, "{error:?}");
}

async fn until(what: &str, done: impl Fn() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_falls_silent_is_not_waited_for() {
    let server = PostgresServer::start();
    let way = SilentWay::to(&server.address("shop")).await;
    way.falls_silent();
    let desk = Desk::new(Vec::<&str>::new()).await;

    let (app, address) = (desk.app.clone(), way.address.clone());
    let opens = tokio::spawn(async move { app.open_warehouse(address).await });
    until("nobody has come to the server", || way.open() > 0).await;
    stopped(&desk, &way.address, opens).await;
    until("the connection stays open", || way.open() == 0).await;

    // A question to it, and a sign-in.
    let (app, mut question) = (desk.app.clone(), desk.question("How many?"));
    question.warehouse.clone_from(&way.address);
    let asks = tokio::spawn(async move { app.ask(question).await });
    until("nobody has come to the server", || way.open() > 0).await;
    stopped(&desk, &way.address, asks).await;
    let (app, address) = (desk.app.clone(), way.address.clone());
    let signs_in = tokio::spawn(async move { app.sign_in(address, "pass-phrase".to_owned()).await });
    stopped(&desk, &way.address, signs_in).await;
    until("the connection stays open", || way.open() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalog_that_takes_long_is_stopped_at_the_server_and_opens_later() {
    let server = PostgresServer::start();
    server.psql("shop", "CREATE TABLE customer (name text)");
    let at_work = || {
        server.psql(
            "shop",
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vitrine' AND wait_event_type = 'Lock'",
        )
    };
    // Comments cannot be read while this lock is held.
    let held = server.hold("shop", "LOCK TABLE pg_catalog.pg_description IN ACCESS EXCLUSIVE MODE");
    let desk = Desk::new(Vec::<&str>::new()).await;
    let (app, address) = (desk.app.clone(), server.address("shop"));
    let opens = tokio::spawn(async move { app.open_warehouse(address).await });
    until("nothing waits for the lock", || at_work() == "1").await;
    stopped(&desk, &server.address("shop"), opens).await;
    until("the server still works for it", || at_work() == "0").await;
    drop(held);

    let open = desk.app.open_warehouse(server.address("shop")).await.unwrap();
    assert_eq!(open.title, "shop");
    // An open warehouse is not affected.
    desk.app.stop_opening(server.address("shop")).await.unwrap();
    desk.app.catalog(open.uri).await.unwrap();
}
