//! Finds packages of the Python package index through pip, because it knows the user's own index, proxy and
//! certificates.

use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::process::Command;

/// A package with an exact version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The name of the package.
    pub package: String,
    /// The exact version of the package.
    pub version: String,
}

/// The location of a package's wheel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedWheel {
    /// The address, `http(s):` or `file:`.
    pub url: String,
    /// SHA-256 of the wheel, if the index states it.
    pub sha256: Option<String>,
}

/// A service that locates packages.
#[async_trait]
pub trait Registry: Send + Sync {
    /// Returns the wheels of the packages in the same order. Fails with a reason for the user.
    async fn locate_wheels(&self, packages: &[Requirement]) -> Result<Vec<LocatedWheel>, String>;
}

/// The pip of an installed Python.
#[derive(Debug, Clone)]
pub struct Pip {
    /// The interpreters to try, in order.
    pub interpreters: Vec<String>,
}

impl Default for Pip {
    fn default() -> Self {
        Self { interpreters: vec!["python3".into(), "python".into()] }
    }
}

/// Timeout for pip. It usually answers in seconds, but retries for long without a connection.
const PATIENCE: Duration = Duration::from_secs(180);

#[async_trait]
impl Registry for Pip {
    async fn locate_wheels(&self, packages: &[Requirement]) -> Result<Vec<LocatedWheel>, String> {
        // Python searches its start folder for modules, so a `pip.py` there would run.
        let folder = tempfile::tempdir().map_err(|error| format!("there is no folder to run pip in: {error}"))?;
        for interpreter in &self.interpreters {
            let mut command = Command::new(interpreter);
            // A dry run installs nothing, and the target need not exist.
            command
                .current_dir(folder.path())
                .args(["-I", "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--no-deps"])
                .args(["--only-binary", ":all:", "--retries", "2", "--no-input", "--disable-pip-version-check"])
                .arg("--target")
                .arg(folder.path().join("target"))
                .args(["--report", "-"])
                .args(packages.iter().map(|p| format!("{}=={}", p.package, p.version)))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .kill_on_drop(true);
            let output = match tokio::time::timeout(PATIENCE, command.output()).await {
                Ok(Ok(output)) => output,
                Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Ok(Err(error)) => return Err(format!("{interpreter} could not be started: {error}")),
                Err(_) => return Err(format!("pip gave no answer within {} s", PATIENCE.as_secs())),
            };
            if !output.status.success() {
                return Err(format!("pip: {}", last_line(&output.stderr)));
            }
            return read_report(&output.stdout, packages);
        }
        Err(format!(
            "Python with pip is needed for this source, and none of {} was found",
            self.interpreters.join(", ")
        ))
    }
}

fn last_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it failed without a message");
    line.trim().trim_start_matches("ERROR: ").to_owned()
}

/// Parses pip's installation report (format version 1).
fn read_report(bytes: &[u8], packages: &[Requirement]) -> Result<Vec<LocatedWheel>, String> {
    let report: Value = serde_json::from_slice(bytes).map_err(|e| format!("pip's report cannot be read: {e}"))?;
    let installs = report["install"].as_array().ok_or("pip's report lists no packages")?;
    packages
        .iter()
        .map(|wanted| {
            let found = installs
                .iter()
                .find(|i| i["metadata"]["name"].as_str().is_some_and(|n| same_name(n, &wanted.package)))
                .ok_or_else(|| format!("pip did not find {}", wanted.package))?;
            let info = &found["download_info"];
            let url = info["url"].as_str().ok_or_else(|| format!("pip gave no address for {}", wanted.package))?;
            let archive = &info["archive_info"];
            let sha256 = archive["hashes"]["sha256"]
                .as_str()
                .or_else(|| archive["hash"].as_str().and_then(|h| h.strip_prefix("sha256=")));
            Ok(LocatedWheel { url: url.to_owned(), sha256: sha256.map(str::to_owned) })
        })
        .collect()
}

/// Compares package names, ignoring case and the difference between `-`, `_` and `.`.
fn same_name(a: &str, b: &str) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '.'], "-");
    plain(a) == plain(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_requirement(package: &str) -> Requirement {
        Requirement { package: package.into(), version: "1".into() }
    }

    #[test]
    fn a_report_is_read_in_the_order_asked() {
        let report = br#"{"version": "1", "install": [
            {"metadata": {"name": "B_part2"}, "download_info": {"url": "http://x/b2.whl", "archive_info": {"hashes": {"sha256": "22"}}}},
            {"metadata": {"name": "b-part1"}, "download_info": {"url": "http://x/b1.whl", "archive_info": {"hash": "sha256=11"}}}]}"#;
        let wheels = read_report(report, &[build_requirement("b-part1"), build_requirement("b-part2")]).unwrap();
        assert_eq!(wheels[0], LocatedWheel { url: "http://x/b1.whl".into(), sha256: Some("11".into()) });
        assert_eq!(wheels[1].url, "http://x/b2.whl");
        let error = read_report(report, &[build_requirement("c")]).unwrap_err();
        assert!(error.contains("c"), "{error}");
    }

    #[tokio::test]
    async fn without_python_the_message_says_so() {
        let pip = Pip { interpreters: vec!["no-such-python-here".into()] };
        let error = pip.locate_wheels(&[build_requirement("x")]).await.unwrap_err();
        assert!(error.contains("Python with pip is needed"), "{error}");
    }

    const STARTED: &str = "VITRINE_TEST_PIP";

    /// A helper of the next test: starts pip in a folder of another user.
    #[tokio::test]
    #[ignore = "started by the test below"]
    async fn what_is_started_in_that_folder() {
        if std::env::var_os(STARTED).is_some() {
            let _ = Pip::default().locate_wheels(&[build_requirement("x")]).await;
        }
    }

    #[test]
    fn nothing_in_the_current_folder_is_run() {
        let here = tempfile::tempdir().unwrap();
        let text = format!("open({:?}, 'w').close()", here.path().join("it-ran"));
        std::fs::write(here.path().join("pip.py"), text).unwrap();
        let done = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "registry::tests::what_is_started_in_that_folder", "--ignored", "--nocapture"])
            .env(STARTED, "1")
            .env("PYTHONPATH", here.path())
            // Prevents pip from accessing the network.
            .env("PIP_NO_INDEX", "1")
            .current_dir(here.path())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && printed.contains("1 passed"), "{printed}");
        assert!(!here.path().join("it-ran").exists());
    }
}
