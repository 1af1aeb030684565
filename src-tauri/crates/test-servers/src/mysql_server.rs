//! A MariaDB server, started per test with the programs of Debian's package and removed with it.

use crate::process::{free_port, is_root, run_command};
use crate::server_files;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The password of the server's owner.
pub const PASSWORD: &str = "pass-word:1";

/// A running server with an empty database `shop`.
pub struct MysqlServer {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
    options: Vec<String>,
}

impl MysqlServer {
    /// Creates and starts a server.
    ///
    /// # Panics
    /// If MariaDB is not installed or does not start.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with further options of the server.
    pub fn start_with(options: &[&str]) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "these tests need MariaDB: apt-get install -y --no-install-recommends mariadb-server"
        );
        let folder = server_files::copy_files("mariadb", Path::new(PROGRAM), install);
        let port = free_port();
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        let process = spawn(folder.path(), port, &options);
        let server = Self { process, folder, port, options };
        server.await_ready();
        server.script(
            "",
            &format!(
                "CREATE DATABASE shop CHARACTER SET utf8mb4; CREATE USER owner@'%' IDENTIFIED BY '{PASSWORD}'; \
                 GRANT ALL ON *.* TO owner@'%' WITH GRANT OPTION"
            ),
        );
        server
    }

    /// Returns the address of a database, with the owner's password.
    pub fn address(&self, database: &str) -> String {
        self.address_of("owner", database)
    }

    /// Returns the address of a database for another user with the same password.
    pub fn address_of(&self, user: &str, database: &str) -> String {
        format!("mysql://{user}:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    /// Returns the path of the server's local socket.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Returns the options of a server that encrypts, with a certificate for `localhost` in this folder, signed by the
    /// authority in `ca.pem`.
    ///
    /// # Panics
    /// If `openssl` is missing.
    pub fn certificate(folder: &Path) -> [String; 2] {
        let at = |name: &str| folder.join(name).display().to_string();
        let openssl = |arguments: &[&str]| run_command(Command::new("openssl").args(arguments));
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
        let authority = ["req", "-x509", "-subj", "/CN=authority", "-days", "2"];
        openssl(&[&authority[..], &key[..], &["-keyout", &at("ca.key"), "-out", &at("ca.pem")]].concat());
        let request = ["req", "-subj", "/CN=localhost"];
        openssl(&[&request[..], &key[..], &["-keyout", &at("server.key"), "-out", &at("server.csr")]].concat());
        std::fs::write(at("names"), "subjectAltName=DNS:localhost").unwrap();
        let sign = ["x509", "-req", "-CAcreateserial", "-days", "2", "-in", &at("server.csr"), "-CA", &at("ca.pem")];
        let signed = ["-CAkey", &at("ca.key"), "-extfile", &at("names"), "-out", &at("server.pem")];
        openssl(&[&sign[..], &signed[..]].concat());
        if is_root() {
            run_command(Command::new("chown").args(["-R", "mysql"]).arg(folder));
        }
        [format!("--ssl-cert={}", at("server.pem")), format!("--ssl-key={}", at("server.key"))]
    }

    /// Runs a script as root and returns its output: one line per row, cells separated by tabs.
    pub fn script(&self, database: &str, script: &str) -> String {
        self.attempt(database, script).expect("the script failed")
    }

    /// The same; returns `None` if the server rejects it.
    pub fn attempt(&self, database: &str, script: &str) -> Option<String> {
        let mut client = Command::new("mariadb")
            .args(["--no-defaults", "-u", "root", "-N", "-B", "--default-character-set=utf8mb4"])
            .arg(format!("--socket={}", self.socket().display()))
            .arg(database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        client.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = client.wait_with_output().unwrap();
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Kills the server and starts it again.
    pub fn restart(&mut self) {
        self.stop();
        self.process = spawn(self.folder.path(), self.port, &self.options);
        self.await_ready();
    }

    /// Kills the server without a shutdown.
    pub fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    fn await_ready(&self) {
        let began = Instant::now();
        loop {
            let ping = Command::new("mariadb-admin")
                .args(["--no-defaults", "-u", "root", "ping"])
                .arg(format!("--socket={}", self.socket().display()))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            if ping.is_ok_and(|status| status.success()) {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "MariaDB does not start");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for MysqlServer {
    fn drop(&mut self) {
        self.stop();
    }
}

const PROGRAM: &str = "/usr/sbin/mariadbd";

/// A redo log of the default size would take 96 MB per test.
const SMALL: &str = "--innodb-log-file-size=8M";

/// Writes the system tables to `data` in a folder.
fn install(folder: &Path) {
    let data = folder.join("data");
    if is_root() {
        run_command(Command::new("chown").args(["-R", "mysql"]).arg(folder));
    }
    run_command(
        Command::new("mariadb-install-db")
            .args(["--no-defaults", "--skip-test-db", "--auth-root-authentication-method=normal", SMALL])
            .args(owner())
            .arg(format!("--datadir={}", data.display()))
            .arg(format!("--tmpdir={}", folder.display())),
    );
}

fn spawn(folder: &Path, port: u16, options: &[String]) -> Child {
    let at = |name: &str| folder.join(name).display().to_string();
    Command::new(PROGRAM)
        .arg("--no-defaults")
        .args(owner())
        .args([format!("--datadir={}", at("data")), format!("--socket={}", at("socket"))])
        .arg(format!("--tmpdir={}", folder.display()))
        .args([format!("--pid-file={}", at("pid")), format!("--port={port}")])
        .args(["--bind-address=127.0.0.1", "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=0"])
        .args(["--innodb-buffer-pool-size=32M", "--skip-log-bin", SMALL])
        .args(options)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the option without which the server refuses to run as root.
fn owner() -> Vec<&'static str> {
    if is_root() { vec!["--user=mysql"] } else { Vec::new() }
}
