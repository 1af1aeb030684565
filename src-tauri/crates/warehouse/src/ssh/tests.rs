//! Servers behind an SSH host: a real sshd on this computer, with PostgreSQL and MariaDB behind it.

use super::*;
use crate::{
    Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, inspect_connection, open_with, prove_read_only,
    read_page,
};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ConnectionTest, TestStage, TestState};
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::{self, PostgresServer};
use vitrine_test_servers::ssh_server::SshServer;

fn options(ssh: &SshServer) -> OpenOptions {
    OpenOptions { ssh_config: Some(ssh.config()), ..OpenOptions::default() }
}

async fn open_over_ssh(address: &str, ssh: &SshServer) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    open_with(&WarehouseUri::parse(address)?, &options(ssh)).await
}

async fn cell(warehouse: &dyn Warehouse, sql: &str) -> Result<Option<String>, WarehouseError> {
    let catalog = warehouse.load_catalog().await?;
    let sql = prove_read_only(sql, &catalog).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let rows = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await?;
    Ok(read_page(rows, 1).await?.rows.remove(0).remove(0))
}

async fn fault(address: &str, ssh: &SshServer) -> (SshFault, AppError) {
    match open_over_ssh(address, ssh).await.err().expect("there is no way") {
        WarehouseError::Ssh { fault, message, hint, detail } => {
            (fault, AppError::from(WarehouseError::Ssh { fault, message, hint, detail }))
        }
        other => panic!("{other:?}"),
    }
}

async fn tested(address: &str, ssh: &SshServer) -> ConnectionTest {
    let limit = Duration::from_secs(15);
    inspect_connection(WarehouseUri::parse(address), &options(ssh), limit, &|_| {}, CancellationToken::new()).await
}

/// Returns the IDs of running `ssh` processes that this process has started.
fn tunnels() -> Vec<u32> {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_ours = |stat: &str| {
        let (name, rest) = stat.rsplit_once(") ").unwrap_or_default();
        let mut fields = rest.split(' ');
        let (state, parent) = (fields.next(), fields.next());
        name.ends_with("(ssh") && parent == Some(own.as_str()) && state != Some("Z")
    };
    let number = |entry: std::fs::DirEntry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        is_ours(&std::fs::read_to_string(entry.path().join("stat")).ok()?).then_some(number)
    };
    processes.filter_map(number).collect()
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(15), "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn kill(number: u32) {
    let killed = std::process::Command::new("kill").args(["-KILL", &number.to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
}

/// A proven statement that runs for a minute.
const LONG: [&str; 2] = [
    "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE a + b < 0",
    "SELECT count(*) FROM big a, big b, big c WHERE a.n + b.n + c.n < 0",
];

/// Runs the typical actions of a user with either kind of server.
async fn works(address: &str, ssh: &SshServer, long: &str, busy: impl Fn() -> bool) {
    let warehouse = open_over_ssh(address, ssh).await.unwrap();
    assert_eq!(cell(&*warehouse, "SELECT name FROM customer WHERE id = 2").await.unwrap().as_deref(), Some("Bob"));
    assert_eq!(tunnels().len(), 1, "all connections go through one");

    // A cancelled query is stopped on the server.
    let catalog = warehouse.load_catalog().await.unwrap();
    let proven = prove_read_only(long, &catalog).unwrap_or_else(|error| panic!("{error}"));
    let cancel = CancellationToken::new();
    let at_work = {
        let (warehouse, proven, cancel) = (warehouse.clone(), proven.clone(), cancel.clone());
        tokio::spawn(async move {
            let rows = warehouse.run_query(&proven, Limits::default(), cancel).await?;
            read_page(rows, 1).await
        })
    };
    until("the server is at work", &busy).await;
    cancel.cancel();
    assert_eq!(at_work.await.unwrap().err(), Some(WarehouseError::Cancelled));
    until("the server stopped", || !busy()).await;
    assert_eq!(cell(&*warehouse, "SELECT count(*) FROM customer").await.unwrap().as_deref(), Some("2"));

    // So is a query that exceeds its time limit.
    let limits = Limits { timeout: Duration::from_millis(700), ..Limits::default() };
    let late = match warehouse.run_query(&proven, limits, CancellationToken::new()).await {
        Ok(rows) => read_page(rows, 1).await.err(),
        Err(error) => Some(error),
    };
    assert!(matches!(late, Some(WarehouseError::Timeout { .. })), "{late:?}");
    until("the server stopped in time", || !busy()).await;

    // A tunnel that ends during a query is reported, and the next question opens another.
    let at_work = {
        let (warehouse, proven) = (warehouse.clone(), proven.clone());
        tokio::spawn(async move {
            let rows = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await?;
            read_page(rows, 1).await
        })
    };
    until("the server is at work again", &busy).await;
    let first = tunnels();
    first.iter().for_each(|number| kill(*number));
    let ended = at_work.await.unwrap().unwrap_err();
    assert!(matches!(ended, WarehouseError::Ssh { fault: SshFault::Ended, .. }), "{ended:?}");
    assert_eq!(cell(&*warehouse, "SELECT count(*) FROM customer").await.unwrap().as_deref(), Some("2"));
    let second = tunnels();
    assert!(second.len() == 1 && second != first, "{first:?} {second:?}");

    // Other users of this computer must not be able to use it.
    let folders = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let prefix = format!("vitrine-ssh-{}-", std::process::id());
    let ours = folders.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix)));
    let modes: Vec<u32> = ours
        .map(|entry| std::os::unix::fs::PermissionsExt::mode(&entry.metadata().unwrap().permissions()) & 0o777)
        .collect();
    // The folder of the killed tunnel may still exist.
    assert!(!modes.is_empty() && modes.iter().all(|mode| *mode == 0o700), "{modes:?}");

    // It ends with the connection, even while the warehouse is still referenced.
    warehouse.close().await;
    until("the tunnel ended", || tunnels().is_empty()).await;
}

/// Returns true if one query besides the test's own runs there.
fn postgres_is_busy(server: &PostgresServer) -> bool {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%' AND pid <> pg_backend_pid()";
    server.psql("shop", sql) != "0"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_behind_another_machine_is_read_stopped_and_reached_again() {
    let ssh = SshServer::start();
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "CREATE TABLE customer (id int PRIMARY KEY, name text); INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob')",
    );
    let address = format!("{}?{}", server.address("shop"), ssh.option());
    works(&address, &ssh, LONG[0], || postgres_is_busy(&server)).await;

    // A name of the configuration, and a host that only the SSH host resolves.
    let by_name = format!("{}?ssh=bastion", server.address("shop").replace("127.0.0.1", "localhost"));
    let test = tested(&by_name, &ssh).await;
    let stages: Vec<_> = test.steps.iter().map(|step| step.stage).collect();
    assert_eq!(stages[..4], [TestStage::Name, TestStage::Ssh, TestStage::Reach, TestStage::Tls]);
    assert!(test.failed_step().is_none() && test.steps.iter().all(|step| step.state != TestState::Skipped), "{test:?}");
    until("the test's tunnel ended", || tunnels().is_empty()).await;

    // The certificate must match the database's own name, also through a tunnel.
    server.encrypt();
    let encrypted = open_over_ssh(&format!("{address}&sslmode=require"), &ssh).await.unwrap();
    let sql =
        "SELECT bool_or(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'vitrine'";
    assert_eq!(server.psql("shop", sql), "t");
    encrypted.close().await;
    let strict = open_over_ssh(&format!("{address}&sslmode=verify-full"), &ssh).await.err().unwrap();
    assert!(
        matches!(&strict, WarehouseError::Unreachable { detail, .. } if detail.contains("certificate")),
        "{strict:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mysql_behind_another_machine_is_read_stopped_and_reached_again() {
    let ssh = SshServer::start();
    let certificates = tempfile::tempdir().unwrap();
    let encrypts = MysqlServer::certificate(certificates.path());
    let server = MysqlServer::start_with(&[&encrypts[0], &encrypts[1]]);
    server.script(
        "shop",
        "CREATE TABLE customer (id int PRIMARY KEY, name varchar(20)); INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob');
         CREATE TABLE big (n int); INSERT INTO big SELECT seq FROM seq_1_to_5000",
    );
    let address = format!("{}?{}", server.address("shop"), ssh.option());
    let busy = || {
        server.script(
            "",
            "SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%big a%' AND id <> connection_id()",
        ) != "0"
    };
    works(&address, &ssh, LONG[1], busy).await;

    let by_name = format!("{}?ssh=bastion", server.address("shop").replace("127.0.0.1", "localhost"));
    let test = tested(&by_name, &ssh).await;
    let stages: Vec<TestStage> = test.steps.iter().map(|step| step.stage).collect();
    assert_eq!(stages[..4], [TestStage::Name, TestStage::Ssh, TestStage::Reach, TestStage::Tls]);
    assert!(test.failed_step().is_none(), "{test:?}");
    let strict = open_over_ssh(&format!("{by_name}&ssl-mode=VERIFY_IDENTITY"), &ssh).await.err().unwrap();
    assert!(
        matches!(&strict, WarehouseError::Unreachable { detail, .. } if detail.contains("certificate")),
        "{strict:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stands_in_the_way_is_told_apart() {
    let mut ssh = SshServer::start();
    let server = PostgresServer::start();
    let address = format!("{}?{}", server.address("shop"), ssh.option());

    ssh.know("nobody");
    let (unknown, told) = fault(&address, &ssh).await;
    assert_eq!(unknown, SshFault::HostKeyUnknown, "{told}");
    assert!(told.hint.unwrap().contains("ssh -p"), "the line to run is told");
    ssh.know("other");
    let (changed, told) = fault(&address, &ssh).await;
    assert_eq!(changed, SshFault::HostKeyChanged, "{told}");
    assert!(told.hint.unwrap().contains("ssh-keygen -R '[127.0.0.1]:"));
    let test = tested(&address, &ssh).await;
    assert_eq!(test.failed_step().unwrap().stage, TestStage::Ssh);
    ssh.know("host");

    ssh.sign_in_with("stranger");
    assert_eq!(fault(&address, &ssh).await.0, SshFault::LoginRefused);
    ssh.sign_in_with("clerk");

    let port = server.address("shop").rsplit_once(':').unwrap().1.split('/').next().unwrap().to_owned();
    let elsewhere = address.replace(&format!("127.0.0.1:{port}"), "127.0.0.1:1");
    assert_eq!(fault(&elsewhere, &ssh).await.0, SshFault::DatabaseUnreachable);
    let test = tested(&elsewhere, &ssh).await;
    assert_eq!(test.failed_step().unwrap().stage, TestStage::Reach, "{test:?}");
    let mysql = elsewhere.replace("postgresql:", "mysql:");
    assert_eq!(fault(&mysql, &ssh).await.0, SshFault::DatabaseUnreachable);
    // A rejected password is the server's error, not the tunnel's.
    let wrong = address.replace(postgres_server::PASSWORD, "wrong");
    let error = open_over_ssh(&wrong, &ssh).await.err().unwrap();
    assert!(matches!(error, WarehouseError::Password { refused: true, .. }), "{error:?}");

    let closed = SshServer::start_with("AllowTcpForwarding no");
    let refused = format!("{}?{}", server.address("shop"), closed.option());
    assert_eq!(fault(&refused, &closed).await.0, SshFault::ForwardingRefused);

    ssh.stop();
    assert_eq!(fault(&address, &ssh).await.0, SshFault::Unreachable);
    assert_eq!(tunnels(), Vec::<u32>::new(), "no tunnel is left behind");

    // An address from another person never signs in.
    let foreign = OpenOptions { own_address: false, ..options(&closed) };
    let error = open_with(&WarehouseUri::parse(&refused).unwrap(), &foreign).await.err().unwrap();
    assert!(matches!(error, WarehouseError::Ssh { fault: SshFault::Foreign, .. }), "{error:?}");
}

/// A host that accepts the connection and sends nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_stops_waiting_for_a_tunnel_leaves_no_process() {
    let ssh = SshServer::start();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().unwrap().port();
    let address = format!("postgresql://ann@127.0.0.1:5432/shop?ssh=ann@127.0.0.1:{silent}");
    let waiting = tokio::time::timeout(Duration::from_secs(1), open_over_ssh(&address, &ssh)).await;
    assert!(waiting.is_err(), "nothing is known of it yet");
    until("ssh ended", || tunnels().is_empty()).await;
}

/// The `ssh` process ends with the program that has started it, however that ends.
#[cfg(target_os = "linux")]
#[test]
fn a_tunnel_ends_with_the_program() {
    const NAMED: &str = "VITRINE_TEST_TUNNEL";
    if let Ok(address) = std::env::var(NAMED) {
        let (config, address) = address.split_once(' ').unwrap();
        let options = OpenOptions { ssh_config: Some(config.into()), ..OpenOptions::default() };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _open = runtime.block_on(open_with(&WarehouseUri::parse(address).unwrap(), &options)).unwrap();
        println!("tunnel {}", tunnels()[0]);
        std::thread::sleep(Duration::from_secs(60));
        return;
    }
    let ssh = SshServer::start();
    let server = PostgresServer::start();
    let address = format!("{} {}?{}", ssh.config().display(), server.address("shop"), ssh.option());
    let name = std::thread::current().name().unwrap().to_owned();
    let mut program = std::process::Command::new(std::env::current_exe().unwrap())
        .args([name.as_str(), "--exact", "--nocapture"])
        .env(NAMED, address)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(program.stdout.take().unwrap()));
    let tunnel = lines.map_while(Result::ok).find_map(|line| Some(line.split_once("tunnel ")?.1.to_owned())).unwrap();
    let there = || std::fs::read_to_string(format!("/proc/{tunnel}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(there());
    program.kill().unwrap();
    program.wait().unwrap();
    let began = Instant::now();
    while there() {
        assert!(began.elapsed() < Duration::from_secs(10), "ssh outlives the program");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A machine without OpenSSH, simulated by starting the test's own program with an empty PATH.
#[test]
fn a_machine_without_ssh_is_told_what_to_install() {
    const NAMED: &str = "VITRINE_TEST_NO_SSH";
    if std::env::var(NAMED).is_ok() {
        let address = "postgresql://ann@127.0.0.1:5432/shop?ssh=office";
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let opened = runtime.block_on(open_with(&WarehouseUri::parse(address).unwrap(), &OpenOptions::default()));
        let error = opened.err().unwrap();
        assert!(matches!(error, WarehouseError::Ssh { fault: SshFault::NotInstalled, .. }), "{error:?}");
        let told = AppError::from(error);
        println!("told {} {}", told.message, told.hint.unwrap());
        return;
    }
    let nothing = tempfile::tempdir().unwrap();
    let name = std::thread::current().name().unwrap().to_owned();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([name.as_str(), "--exact", "--nocapture"])
        .env(NAMED, "1")
        .env("PATH", nothing.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the program ssh is not installed here"), "{said}");
    assert!(said.to_lowercase().contains("install"), "{said}");
}
