use super::super::*;
use std::path::Path;
use std::sync::Mutex;
use vitrine_domain::{TestState, TestStep};
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

const LIMIT: Duration = Duration::from_secs(20);

async fn tested(address: &str) -> ConnectionTest {
    let options = OpenOptions { engine: None, ..OpenOptions::default() };
    inspect_connection(WarehouseUri::parse(address), &options, LIMIT, &|_| {}, CancellationToken::new()).await
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

#[tokio::test]
async fn a_login_that_only_reads_passes_and_what_another_may_change_is_told() {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "REVOKE CREATE ON SCHEMA public FROM public;
         CREATE SCHEMA sales; CREATE SCHEMA hidden;
         CREATE TABLE sales.orders (id int, total int); CREATE TABLE sales.customers (id int);
         CREATE TABLE hidden.pay (id int); INSERT INTO sales.orders VALUES (1, 1);
         CREATE SEQUENCE sales.numbers;
         CREATE ROLE reader LOGIN PASSWORD 'r'; CREATE ROLE writer LOGIN PASSWORD 'w';
         GRANT USAGE ON SCHEMA sales TO reader, writer;
         GRANT SELECT ON ALL TABLES IN SCHEMA sales TO reader, writer;
         GRANT DELETE ON sales.orders TO writer; GRANT UPDATE (total) ON sales.orders TO writer;
         GRANT USAGE ON SEQUENCE sales.numbers TO writer;
         GRANT CREATE ON SCHEMA sales TO writer; GRANT pg_read_server_files TO writer;",
    );
    let as_user = |name: &str, word: &str| {
        server.address("shop").replace(&format!("owner:{PASSWORD}"), &format!("{name}:{word}"))
    };
    let reader = tested(&as_user("reader", "r")).await;
    assert!(reader.done && reader.failed_step().is_none(), "{reader:?}");
    assert_eq!(step(&reader, TestStage::Rights).state, TestState::Ok, "{reader:?}");
    assert!(text(&reader, TestStage::Role).contains("reader, no superuser"));
    let readable = text(&reader, TestStage::Readable);
    assert!(readable.contains("2 tables in 1 schema") && readable.contains("hidden: none of 1"), "{readable}");

    let writer = tested(&as_user("writer", "w")).await;
    let rights = text(&writer, TestStage::Rights);
    assert_eq!(step(&writer, TestStage::Rights).state, TestState::Warning);
    for told in [
        "DELETE on 1 table: sales.orders",
        "UPDATE on 1 table: sales.orders",
        "CREATE on 1 schema: sales",
        "USAGE on 1 sequence: sales.numbers",
        "pg_read_server_files",
        "GRANT SELECT",
    ] {
        assert!(rights.contains(told), "{told}: {rights}");
    }
    assert!(!rights.contains("INSERT") && !rights.contains("TRUNCATE on"), "{rights}");

    let owner = tested(&server.address("shop")).await;
    assert!(text(&owner, TestStage::Role).contains("superuser"));
    assert!(text(&owner, TestStage::Rights).contains("superuser: everything"));
    assert_eq!(server.psql("shop", "SELECT count(*) FROM sales.orders"), "1", "nothing was tried");
}

#[tokio::test]
async fn the_first_stage_that_fails_says_what_to_do_and_the_rest_is_skipped() {
    let server = PostgresServer::start();
    let address = server.address("shop");
    let wrong = tested(&address.replace(PASSWORD, "wrong")).await;
    assert!(wrong.password_wanted, "{wrong:?}");
    use TestState::{Failed, Ok, Skipped};
    assert_eq!(states(&wrong), [Ok, Ok, Ok, Failed, Skipped, Skipped, Skipped]);
    assert!(text(&wrong, TestStage::Login).contains("refused the password"));
    assert!(!format!("{wrong:?}").contains("wrong@") && !format!("{wrong:?}").contains(":wrong"));

    let elsewhere = tested(&server.address("nowhere")).await;
    assert!(text(&elsewhere, TestStage::Login).contains("nowhere") && !elsewhere.password_wanted);

    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = tested(&format!("postgresql://ann@127.0.0.1:{closed}/shop")).await;
    assert_eq!(states(&refused)[..3], [Ok, Failed, Skipped]);
    assert!(text(&refused, TestStage::Reach).contains("nothing listens at this port"), "{refused:?}");

    let unknown = tested("postgresql://ann@no-such-host.invalid/shop").await;
    assert_eq!(states(&unknown)[0], Failed);
    assert!(text(&unknown, TestStage::Name).contains("no-such-host.invalid"));

    let unread = tested("postgresql://ann:hidden@host:door/shop").await;
    assert_eq!(states(&unread), [Failed]);
    assert!(!format!("{unread:?}").contains("hidden"));
}

#[tokio::test]
async fn a_certificate_is_verified_only_where_it_can_be_and_that_is_said() {
    let server = PostgresServer::start();
    let plain = tested(&server.address("shop")).await;
    assert!(text(&plain, TestStage::Tls).contains("Not encrypted"), "{plain:?}");
    server.encrypt();
    let encrypted = tested(&server.address("shop")).await;
    let tls = text(&encrypted, TestStage::Tls);
    assert!(tls.contains("TLS 1.3") && tls.contains("not verified") && tls.contains("verify-full"), "{tls}");
    assert!(encrypted.failed_step().is_none());
    let strict = tested(&format!("{}?sslmode=verify-full", server.address("shop"))).await;
    assert_eq!(strict.failed_step().unwrap().stage, TestStage::Tls, "{strict:?}");
    let disabled = tested(&format!("{}?sslmode=disable", server.address("shop"))).await;
    assert!(text(&disabled, TestStage::Tls).contains("sslmode=disable") && disabled.failed_step().is_none());
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up_and_a_test_can_be_stopped() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("postgresql://ann@127.0.0.1:{}/shop", listener.local_addr().unwrap().port());
    let options = OpenOptions::default();
    let short = Duration::from_millis(300);
    let test =
        inspect_connection(WarehouseUri::parse(&address), &options, short, &|_| {}, CancellationToken::new()).await;
    assert_eq!(test.failed_step().unwrap().stage, TestStage::Tls, "{test:?}");
    assert!(text(&test, TestStage::Tls).contains("no answer"));

    let cancel = CancellationToken::new();
    let (stop, seen) = (cancel.clone(), Mutex::new(Vec::new()));
    let told = |test: &ConnectionTest| {
        seen.lock().unwrap().push(states(test));
        if step(test, TestStage::Tls).state == TestState::Running {
            stop.cancel();
        }
    };
    let test = inspect_connection(WarehouseUri::parse(&address), &options, LIMIT, &told, cancel).await;
    assert!(test.done && test.failed_step().is_none(), "{test:?}");
    assert_eq!(text(&test, TestStage::Tls).trim(), "Stopped.");
    let seen = seen.into_inner().unwrap();
    assert!(seen.iter().any(|states| states[1] == TestState::Running), "stages are told as they begin");
}

#[tokio::test]
async fn a_file_is_tested_too_and_who_may_change_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE a (x); CREATE TABLE b (x);").unwrap();
    let address = format!("sqlite:{}", path.display());
    let before = std::fs::read(&path).unwrap();
    let test = tested(&address).await;
    assert_eq!(states(&test), [TestState::Ok; 4], "{test:?}");
    assert!(text(&test, TestStage::Readable).contains("2 tables"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
        let open = tested(&address).await;
        assert_eq!(step(&open, TestStage::Rights).state, TestState::Warning);
        assert!(text(&open, TestStage::Rights).contains("chmod o-w"));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let missing = tested(&format!("sqlite:{}", Path::new("/no/such.db").display())).await;
    assert_eq!(missing.failed_step().unwrap().stage, TestStage::Name);
    std::fs::write(&path, "no database").unwrap();
    let wrong = tested(&address).await;
    assert_eq!(wrong.failed_step().unwrap().stage, TestStage::Readable);
}
