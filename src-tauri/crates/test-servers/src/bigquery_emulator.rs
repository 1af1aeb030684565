//! BigQuery's emulator (`local-bigquery`, over DuckDB), started per test and removed with it. It supports no logins,
//! rights and billing; these are tested with exchanges written from Google's documentation (`bigquery_exchanges.rs`).

use crate::{installed, process};
use std::process::{Child, Command, Stdio};

/// The project of the emulator.
const PROJECT: &str = "test-project";

/// A running emulator with an empty dataset `shop`.
pub struct BigqueryEmulator {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

/// Returns the installation; `None` if it is missing and may be skipped.
fn needed(installed: Option<std::path::PathBuf>, left_out: bool) -> Option<std::path::PathBuf> {
    assert!(
        installed.is_some() || left_out,
        "BigQuery's emulator is installed by: node setup/run.mjs emulator (it needs Python 3.13). \
         VITRINE_WITHOUT_BIGQUERY_EMULATOR=1 leaves its tests out"
    );
    installed
}

#[test]
#[should_panic(expected = "BigQuery's emulator is installed by")]
fn without_the_emulator_nothing_passes_unasked() {
    let _ = needed(None, false);
}

impl BigqueryEmulator {
    /// Starts it; returns `None` if it is not installed and the user has chosen to skip it.
    ///
    /// # Panics
    /// If it is missing without this choice, or does not start, because a skipped test must not look like a passed one.
    pub fn start() -> Option<Self> {
        let left_out = std::env::var_os("VITRINE_WITHOUT_BIGQUERY_EMULATOR").is_some_and(|value| value == "1");
        let Some(installed) = needed(installed::installed("bigquery"), left_out) else {
            eprintln!("skipped: BigQuery's emulator is left out");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (process::free_port(), process::free_port());
        let process = Command::new(installed.join("bin").join("local-bigquery"))
            .args(["--host", "127.0.0.1", "--project", PROJECT, "--dataset", "shop"])
            .args(["--port", &own.to_string(), "--grpc-port", &other.to_string()])
            .arg("--data-dir")
            .arg(folder.path())
            // The folder with the extensions of its engine.
            .env("HOME", installed.join("home"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut emulator = Self { process, port: own, _folder: folder };
        process::await_port(&mut emulator.process, own, 60);
        Some(emulator)
    }

    /// Returns the address of the dataset, or of the whole project if `dataset` is empty.
    pub fn address(&self, dataset: &str) -> String {
        format!("bigquery://{PROJECT}/{dataset}?endpoint=http://127.0.0.1:{}", self.port)
    }

    /// Returns the IDs of all jobs so far.
    pub async fn jobs(&self) -> Vec<String> {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("http://127.0.0.1:{}/bigquery/v2/projects/{PROJECT}/jobs", self.port);
        let answer = http.get(&url).send().await.unwrap().text().await.unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let jobs = answer["jobs"].as_array().cloned().unwrap_or_default();
        jobs.iter().map(|job| job["id"].as_str().unwrap_or_default().to_owned()).collect()
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

    /// Runs a statement directly on the emulator; returns its response, or the error.
    pub async fn run(&self, sql: &str) -> Result<String, String> {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("http://127.0.0.1:{}/bigquery/v2/projects/{PROJECT}/queries", self.port);
        let dataset = serde_json::json!({"projectId": PROJECT, "datasetId": "shop"});
        let body = serde_json::json!({
            "query": sql, "useLegacySql": false, "timeoutMs": 60_000, "defaultDataset": dataset,
        });
        let request = http.post(&url).header("content-type", "application/json").body(body.to_string());
        let answer = request.send().await.unwrap().text().await.unwrap();
        if answer.contains("\"jobComplete\": true") { Ok(answer) } else { Err(answer) }
    }
}

impl Drop for BigqueryEmulator {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
