//! Snowflake's emulator (`fakesnow`, over DuckDB), started per test and removed with it, and the drivers installed
//! beside it. It supports no rights; the refused login is an exchange written from Snowflake's documentation
//! (`snowflake_emulator.py`).

use crate::{installed, process};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The accepted password of every user.
pub const PASSWORD: &str = "pass-word:1";

/// A running emulator with an empty schema `SHOP.PUBLIC`.
pub struct SnowflakeEmulator {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
}

/// Returns the folder in which it is installed.
///
/// # Panics
/// If it is missing, because a skipped test must not look like a passed one.
fn installed() -> PathBuf {
    let installed = installed::installed("snowflake");
    installed.expect("Snowflake's emulator and its driver are installed by: node setup/run.mjs emulator")
}

/// Returns the library of a driver: `snowflake` or `sqlite`.
///
/// # Panics
/// If it is not installed.
pub fn driver(name: &str) -> PathBuf {
    let lib = installed().join("lib");
    let python = std::fs::read_dir(&lib).unwrap().flatten().next().expect("an interpreter's folder").path();
    let package = python.join("site-packages").join(format!("adbc_driver_{name}"));
    let library = package.join(format!("libadbc_driver_{name}.so"));
    assert!(library.exists(), "{} is missing", library.display());
    library
}

impl SnowflakeEmulator {
    /// Starts the emulator.
    ///
    /// # Panics
    /// If it is not installed or does not start.
    pub async fn start() -> Self {
        let script = installed::source("snowflake_emulator.py");
        let folder = tempfile::tempdir().unwrap();
        let port = process::free_port();
        let process = Command::new(installed().join("bin").join("python"))
            .arg("-I")
            .arg(script)
            .arg(port.to_string())
            .arg(folder.path().join("log"))
            .arg(PASSWORD)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut emulator = Self { process, port, folder };
        process::await_port(&mut emulator.process, port, 60);
        emulator.script(&["CREATE DATABASE IF NOT EXISTS SHOP", "CREATE SCHEMA IF NOT EXISTS SHOP.PUBLIC"]).await;
        emulator
    }

    /// Returns the address of the schema, with the password.
    pub fn address(&self) -> String {
        let password = PASSWORD.replace(':', "%3A");
        format!("snowflake://ann:{password}@acme-shop/SHOP/PUBLIC?warehouse=WH&endpoint=http://127.0.0.1:{}", self.port)
    }

    /// Returns the requests so far, one line per login, statement and cancellation.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Expires all sessions, and changes the password if one is given.
    pub async fn expire(&self, password: &str) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = http.post(format!("http://127.0.0.1:{}/test/expire", self.port)).body(password.to_owned());
        assert!(request.send().await.unwrap().status().is_success());
    }

    /// Runs statements without a read-only proof, one by one.
    ///
    /// # Panics
    /// If a statement fails.
    pub async fn script(&self, statements: &[&str]) {
        for sql in statements {
            self.run(sql).await.unwrap_or_else(|answer| panic!("{sql}: {answer}"));
        }
    }

    /// Runs a statement directly on the emulator; returns its error message on failure.
    pub async fn run(&self, sql: &str) -> Result<(), String> {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let at = |path: &str| format!("http://127.0.0.1:{}{path}", self.port);
        let post = async |url: String, token: Option<&str>, body: serde_json::Value| {
            let request = http.post(url).header("content-type", "application/json").body(body.to_string());
            let request = match token {
                Some(token) => request.header("authorization", format!("Snowflake Token=\"{token}\"")),
                None => request,
            };
            let text = request.send().await.unwrap().text().await.unwrap();
            serde_json::from_str::<serde_json::Value>(&text).map_err(|_| text)
        };
        let login =
            serde_json::json!({"data": {"LOGIN_NAME": "owner", "PASSWORD": PASSWORD, "SESSION_PARAMETERS": {}}});
        let url = at("/session/v1/login-request?databaseName=SHOP&schemaName=PUBLIC");
        let answer = post(url, None, login).await?;
        let token = answer["data"]["token"].as_str().unwrap().to_owned();
        let answer = post(at("/queries/v1/query-request"), Some(&token), serde_json::json!({"sqlText": sql})).await?;
        if answer["success"] == true { Ok(()) } else { Err(answer.to_string()) }
    }
}

impl Drop for SnowflakeEmulator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
