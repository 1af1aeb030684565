//! A Spark process, started per test and removed with it, behind a small server that implements the Statement Execution
//! API (`databricks_server.py`, which documents its own decisions).

use crate::{installed, process};
use serde_json::{Value, json};
use std::process::Child;
use std::time::{Duration, Instant};

/// The token of the owner of all tables.
pub const TOKEN: &str = "token:1";
/// The ID of the only warehouse.
pub const WAREHOUSE: &str = "abc123def456";
const STATEMENTS: &str = "api/2.0/sql/statements";

/// A running server with an empty schema `shop` in the catalog `spark_catalog`.
pub struct DatabricksServer {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl DatabricksServer {
    /// Starts a server, which takes about ten seconds.
    ///
    /// # Panics
    /// If Spark is not installed or does not start.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = process::free_port();
        let number = port.to_string();
        let arguments = [number.as_ref(), folder.path().as_os_str()];
        let process = installed::python_server("databricks", &arguments);
        let mut server = Self { process, port, _folder: folder };
        process::await_port(&mut server.process, port, 240);
        server
    }

    /// Returns the address of the schema `shop` for the owner of all tables, with the token.
    pub fn address(&self) -> String {
        self.address_of(&format!("token:{}", TOKEN.replace(':', "%3A")), "spark_catalog/shop")
    }

    /// Returns the address of a schema for a login.
    pub fn address_of(&self, login: &str, place: &str) -> String {
        format!("databricks://{login}@127.0.0.1:{}/{WAREHOUSE}/{place}", self.port)
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

    /// Runs a statement directly on Spark; returns its rows, or its error message.
    pub async fn run(&self, sql: &str) -> Result<String, String> {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = json!({
            "statement": sql, "warehouse_id": WAREHOUSE, "catalog": "spark_catalog", "schema": "shop", "wait_timeout": "50s",
        });
        let request = http
            .post(format!("http://127.0.0.1:{}/{STATEMENTS}", self.port))
            .bearer_auth(TOKEN)
            .body(request.to_string());
        let answer: Value = serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap();
        match answer["status"]["state"].as_str() {
            Some("SUCCEEDED") => Ok(answer["result"]["data_array"].to_string()),
            _ => Err(answer["status"].to_string()),
        }
    }

    /// Sets the maximum size in bytes of an inline result.
    pub async fn set_inline_bytes(&self, bytes: u64) {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = http.post(format!("http://127.0.0.1:{}/test/inline_bytes", self.port)).body(bytes.to_string());
        assert!(request.send().await.unwrap().status().is_success());
    }

    /// Returns the statements that were cancelled, as one text.
    pub async fn stopped(&self) -> String {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = http.get(format!("http://127.0.0.1:{}/test/stopped", self.port)).send().await.unwrap();
        answer.text().await.unwrap()
    }
}

impl Drop for DatabricksServer {
    fn drop(&mut self) {
        // Closing the input ends the engine; Python waits for neither.
        drop(self.process.stdin.take());
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(5) && matches!(self.process.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
