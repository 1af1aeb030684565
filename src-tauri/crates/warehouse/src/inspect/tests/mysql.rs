//! The stages of a connection test and the safety layers, on a real MariaDB.

use super::super::*;
use crate::open_warehouse;
use vitrine_domain::{SafetyKind, SafetyState, TestState, TestStep};
use vitrine_test_servers::mysql_server::{MysqlServer, PASSWORD};

const LIMIT: Duration = Duration::from_secs(20);

async fn tested(address: &str) -> ConnectionTest {
    inspect_connection(WarehouseUri::parse(address), &OpenOptions::default(), LIMIT, &|_| {}, CancellationToken::new())
        .await
}

fn step(test: &ConnectionTest, stage: TestStage) -> &TestStep {
    test.steps.iter().find(|step| step.stage == stage).unwrap()
}

fn states(test: &ConnectionTest) -> Vec<TestState> {
    test.steps.iter().map(|step| step.state).collect()
}

/// Returns all texts of a stage that a user reads.
fn text(test: &ConnectionTest, stage: TestStage) -> String {
    let step = step(test, stage);
    format!("{} {} {}", step.message, step.detail.join("; "), step.advice.as_deref().unwrap_or_default())
}

/// Starts a server with a login that only reads and one with more rights.
fn server(options: &[&str]) -> MysqlServer {
    let server = MysqlServer::start_with(options);
    server.script(
        "shop",
        &format!(
            "CREATE TABLE orders (id int, total int); CREATE TABLE customers (id int); INSERT INTO orders VALUES (1, 1);
             CREATE DATABASE hidden; CREATE TABLE hidden.pay (id int);
             CREATE USER reader IDENTIFIED BY '{PASSWORD}'; GRANT SELECT, SHOW VIEW ON shop.* TO reader;
             CREATE USER writer IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON shop.* TO writer; GRANT FILE ON *.* TO writer;
             GRANT DELETE, UPDATE (total) ON shop.orders TO writer;"
        ),
    );
    server
}

#[tokio::test]
async fn a_login_that_only_reads_passes_and_what_another_may_change_is_told() {
    let server = server(&[]);
    let reader = tested(&server.address_of("reader", "shop")).await;
    assert!(reader.done && reader.failed_step().is_none(), "{reader:?}");
    assert_eq!(states(&reader), [TestState::Ok; 7], "{reader:?}");
    assert!(text(&reader, TestStage::Reach).contains("Something listens at 127.0.0.1:"), "{reader:?}");
    assert!(text(&reader, TestStage::Tls).contains("Not encrypted: the server does not encrypt"), "{reader:?}");
    assert!(text(&reader, TestStage::Login).contains("Signed in to the database shop"), "{reader:?}");
    assert!(text(&reader, TestStage::Role).contains("You are reader@%"), "{reader:?}");
    let readable = text(&reader, TestStage::Readable);
    assert!(readable.contains("2 tables can be read") && !readable.contains("hidden"), "{readable}");
    assert_eq!(reader.schemas.iter().map(|schema| schema.name.as_str()).collect::<Vec<_>>(), ["shop"]);

    let writer = tested(&server.address_of("writer", "shop")).await;
    let rights = text(&writer, TestStage::Rights);
    assert_eq!(step(&writer, TestStage::Rights).state, TestState::Warning);
    for told in ["FILE on *.*", "UPDATE", "DELETE", "on `shop`.`orders`", "GRANT SELECT, SHOW VIEW"] {
        assert!(rights.contains(told), "{told}: {rights}");
    }
    assert_eq!(server.script("shop", "SELECT COUNT(*), SUM(total) FROM orders"), "1\t1", "nothing was tried");

    // Over a socket, no name is resolved and no data leaves the machine.
    let socket = tested(&format!("mysql://root@localhost/shop?socket={}", server.socket().display())).await;
    assert!(text(&socket, TestStage::Reach).contains("listens on this computer"), "{socket:?}");
    assert_eq!(step(&socket, TestStage::Tls).state, TestState::Skipped);
    assert!(text(&socket, TestStage::Rights).contains("ALL PRIVILEGES on *.*"), "{socket:?}");
}

#[tokio::test]
async fn the_first_stage_that_fails_says_what_to_do_and_the_rest_is_skipped() {
    use TestState::{Failed, Ok, Skipped};
    let server = server(&[]);
    let address = server.address_of("reader", "shop");
    let wrong = tested(&address.replace(PASSWORD, "wrong")).await;
    assert!(wrong.password_wanted, "{wrong:?}");
    assert_eq!(states(&wrong), [Ok, Ok, Ok, Failed, Skipped, Skipped, Skipped]);
    assert!(text(&wrong, TestStage::Login).contains("refused the password"));
    assert!(!format!("{wrong:?}").contains(":wrong"));

    let elsewhere = tested(&server.address_of("reader", "hidden")).await;
    assert_eq!(elsewhere.failed_step().unwrap().stage, TestStage::Login);
    assert!(text(&elsewhere, TestStage::Login).contains("hidden") && !elsewhere.password_wanted, "{elsewhere:?}");

    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = tested(&format!("mysql://ann@127.0.0.1:{closed}/shop")).await;
    assert_eq!(states(&refused)[..3], [Ok, Failed, Skipped]);
    assert!(text(&refused, TestStage::Reach).contains("bind-address"), "{refused:?}");

    let unknown = tested("mysql://ann@no-such-host.invalid/shop").await;
    assert_eq!(states(&unknown)[0], Failed);

    // Another program listens there and does not answer.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("mysql://ann@127.0.0.1:{}/shop", listener.local_addr().unwrap().port());
    let short = Duration::from_millis(300);
    let silent = inspect_connection(
        WarehouseUri::parse(&silent),
        &OpenOptions::default(),
        short,
        &|_| {},
        CancellationToken::new(),
    )
    .await;
    assert_eq!(silent.failed_step().unwrap().stage, TestStage::Tls, "{silent:?}");
}

#[tokio::test]
async fn a_certificate_is_verified_only_where_it_can_be_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = MysqlServer::certificate(folder.path());
    let server = server(&[&certificate, &key]);
    let good = server.address_of("reader", "shop").replace("127.0.0.1", "localhost");
    let encrypted = tested(&good).await;
    let tls = text(&encrypted, TestStage::Tls);
    assert!(tls.contains("Encrypted with TLS 1.") && tls.contains("not verified"), "{tls}");
    assert!(tls.contains("ssl-mode=VERIFY_IDENTITY") && encrypted.failed_step().is_none(), "{encrypted:?}");
    let strict = tested(&format!("{good}?ssl-mode=VERIFY_IDENTITY")).await;
    assert_eq!(strict.failed_step().unwrap().stage, TestStage::Tls, "{strict:?}");
    assert!(text(&strict, TestStage::Tls).contains("ssl-ca=PATH"), "{strict:?}");
    let trusted = tested(&format!("{good}?ssl-ca={}", folder.path().join("ca.pem").display())).await;
    assert!(text(&trusted, TestStage::Tls).contains("one that this computer trusts for localhost"), "{trusted:?}");
    assert!(trusted.failed_step().is_none(), "{trusted:?}");
    let disabled = tested(&format!("{good}?ssl-mode=DISABLED")).await;
    assert!(text(&disabled, TestStage::Tls).contains("ssl-mode=DISABLED") && disabled.failed_step().is_none());
}

#[tokio::test]
async fn the_layers_that_hold_are_told_by_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = MysqlServer::certificate(folder.path());
    let server = server(&[&certificate, &key]);
    let layers = async |address: String| {
        let opened = open_warehouse(&WarehouseUri::parse(&address).unwrap()).await.unwrap();
        opened.safety_layers().await.unwrap()
    };
    let state = |layers: &[vitrine_domain::SafetyLayer], kind: SafetyKind| {
        let layer = layers.iter().find(|layer| layer.kind == kind).unwrap_or_else(|| panic!("{layers:?}"));
        (layer.state, layer.says.clone())
    };
    let reader = layers(server.address_of("reader", "shop")).await;
    for kind in [SafetyKind::Engine, SafetyKind::Rights, SafetyKind::Connection] {
        assert_eq!(state(&reader, kind).0, SafetyState::Holds, "{reader:?}");
    }
    assert!(state(&reader, SafetyKind::Rights).1.contains("reader@% may only read"), "{reader:?}");
    assert!(state(&reader, SafetyKind::Connection).1.contains("encrypted"), "{reader:?}");
    let writer = layers(server.address_of("writer", "shop")).await;
    let rights = state(&writer, SafetyKind::Rights);
    assert_eq!(rights.0, SafetyState::Missing);
    assert!(rights.1.contains("FILE on *.*") && rights.1.contains("DELETE"), "{rights:?}");
    assert_eq!(state(&writer, SafetyKind::Engine).0, SafetyState::Holds, "the session is held to reading all the same");
}

#[tokio::test]
async fn roles_that_are_granted_and_not_active_are_told_with_what_they_would_allow() {
    let server = server(&[]);
    server.script(
        "shop",
        &format!(
            "CREATE ROLE seller; GRANT SELECT ON shop.* TO seller; GRANT DELETE ON shop.orders TO seller;
             CREATE ROLE `odd ``one`; GRANT SELECT ON hidden.* TO `odd ``one`;
             CREATE ROLE chief; GRANT seller TO chief;
             CREATE USER idle IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON shop.* TO idle; GRANT chief TO idle; GRANT `odd ``one` TO idle;
             CREATE USER looker IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON shop.* TO looker; GRANT `odd ``one` TO looker;
             CREATE USER active IDENTIFIED BY '{PASSWORD}'; GRANT seller TO active; GRANT `odd ``one` TO active; SET DEFAULT ROLE seller FOR active;"
        ),
    );
    let idle = tested(&server.address_of("idle", "shop")).await;
    assert_eq!(step(&idle, TestStage::Rights).state, TestState::Warning, "{idle:?}");
    let rights = text(&idle, TestStage::Rights);
    assert!(
        rights.contains("Role chief is granted and not active: it would allow DELETE on `shop`.`orders`"),
        "{rights}"
    );
    assert!(!rights.contains("odd"), "what only reads is no danger: {rights}");
    let role = text(&idle, TestStage::Role);
    assert!(
        role.contains("Role odd `one is granted and not active: it would allow to read.")
            && role.contains("DEFAULT ROLE"),
        "{role}"
    );

    let looker = tested(&server.address_of("looker", "shop")).await;
    assert_eq!(step(&looker, TestStage::Rights).state, TestState::Ok, "{looker:?}");
    // Privileges of active roles count for the login.
    let active = tested(&server.address_of("active", "shop")).await;
    let rights = text(&active, TestStage::Rights);
    assert!(rights.contains("DELETE on `shop`.`orders`") && !rights.contains("not active"), "{active:?}");
    assert!(text(&active, TestStage::Role).contains("odd `one is granted and not active"), "{active:?}");
    let reader = tested(&server.address_of("reader", "shop")).await;
    assert!(!format!("{reader:?}").contains("not active"), "{reader:?}");

    for (user, state, says) in [
        ("idle", SafetyState::Partly, "it would allow DELETE on `shop`.`orders`"),
        ("looker", SafetyState::Holds, "it would allow to read"),
        ("active", SafetyState::Missing, "DELETE on `shop`.`orders`"),
    ] {
        let opened = open_warehouse(&WarehouseUri::parse(&server.address_of(user, "shop")).unwrap()).await.unwrap();
        let layers = opened.safety_layers().await.unwrap();
        let layer = layers.iter().find(|layer| layer.kind == SafetyKind::Rights).unwrap();
        assert_eq!(layer.state, state, "{layer:?}");
        assert!(layer.says.contains(says), "{layer:?}");
    }
    assert_eq!(server.script("shop", "SELECT COUNT(*) FROM orders"), "1", "nothing was tried");

    // Roles that were enabled for the test are disabled again, and the previous ones are restored.
    for user in ["idle", "active", "looker"] {
        let opened = open_warehouse(&WarehouseUri::parse(&server.address_of(user, "shop")).unwrap()).await.unwrap();
        opened.safety_layers().await.unwrap();
        let runs = async |sql: &str| {
            let sql = vitrine_sql::ReadOnlySql::parse(sql, opened.dialect()).unwrap();
            opened.run_query(&sql, crate::Limits::default(), CancellationToken::new()).await.is_ok()
        };
        assert!(runs("SELECT COUNT(*) FROM orders").await, "{user}");
        assert!(!runs("SELECT COUNT(*) FROM hidden.pay").await, "{user}");
    }
}
