//! ClickHouse's own engine, started per test and removed with it, behind a small HTTP server
//! (`clickhouse_server.py`, which documents its own decisions). Other decisions of a real server are tested with
//! exchanges written from ClickHouse's documentation (the tests of its engine).

use crate::{installed, process};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The accepted password of every user.
pub const PASSWORD: &str = "pass-word:1";

/// A running server with an empty database `shop`.
pub struct ClickhouseServer {
    process: Child,
    port: u16,
    is_encrypted: bool,
    /// The folder with the data and the log of the server.
    pub folder: tempfile::TempDir,
}

/// Returns the folder in which the engine is installed.
///
/// # Panics
/// If it is missing, because a skipped test must not look like a passed one.
fn installed() -> PathBuf {
    let installed = installed::installed("clickhouse");
    installed.expect("ClickHouse's engine is installed by: node setup/run.mjs emulator")
}

impl ClickhouseServer {
    /// Starts a server without encryption.
    ///
    /// # Panics
    /// If the engine is not installed or does not start.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server that encrypts with a certificate and its key.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub fn start_with(certificate: &[&Path]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = process::free_port();
        let process = Command::new(installed().join("bin").join("python"))
            .arg("-I")
            .arg("-c")
            .arg(include_str!("clickhouse_server.py"))
            .arg(port.to_string())
            .arg(folder.path())
            .args(certificate)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Self { process, port, is_encrypted: !certificate.is_empty(), folder };
        process::await_port(&mut server.process, port, 60);
        server
    }

    /// Returns the address of the database `shop` for a user with all rights, with the password.
    pub fn address(&self) -> String {
        self.address_of("ann", "shop")
    }

    /// Returns the address of a database for a user.
    pub fn address_of(&self, user: &str, database: &str) -> String {
        let mode = if self.is_encrypted { "?sslmode=require" } else { "" };
        format!("clickhouse://{user}:{}@127.0.0.1:{}/{database}{mode}", PASSWORD.replace(':', "%3A"), self.port)
    }

    /// Returns the port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the statements so far of all users except the owner, one per line.
    pub fn statements(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("statements.txt")).unwrap_or_default()
    }

    /// Returns the memory of the process in kilobytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    /// Runs statements without a read-only proof, one by one.
    ///
    /// # Panics
    /// If a statement fails.
    pub async fn script(&self, statements: &[impl AsRef<str>]) {
        for sql in statements {
            let sql = sql.as_ref();
            self.run(sql).await.unwrap_or_else(|answer| panic!("{sql}: {answer}"));
        }
    }

    /// Runs a statement directly on the engine; returns its error message on failure.
    pub async fn run(&self, sql: &str) -> Result<String, String> {
        let http = reqwest::Client::builder().no_proxy().tls_danger_accept_invalid_certs(true).build().unwrap();
        let scheme = if self.is_encrypted { "https" } else { "http" };
        let url = format!("{scheme}://127.0.0.1:{}/?database=shop&default_format=TabSeparated", self.port);
        let answer = http.post(url).basic_auth("owner", Some(PASSWORD)).body(sql.to_owned()).send().await.unwrap();
        let is_good = answer.status().is_success();
        let text = answer.text().await.unwrap();
        if is_good { Ok(text) } else { Err(text) }
    }
}

impl Drop for ClickhouseServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
