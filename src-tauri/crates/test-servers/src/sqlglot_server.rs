//! A DuckDB process, started per test and removed with it, that accepts another dialect: sqlglot translates it, and a
//! small server speaks Flight SQL (`sqlglot_server.py`, which documents its own decisions). Its driver is one
//! that the user would add.

use crate::{installed, process};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Child;

/// A running server with the catalog `shop`.
pub struct SqlglotServer {
    process: Child,
    port: u16,
    dialect: &'static str,
    folder: tempfile::TempDir,
}

impl SqlglotServer {
    /// Starts a server for a dialect, named as in addresses. The script is in DuckDB's dialect.
    ///
    /// # Panics
    /// If sqlglot is not installed, or the server does not start.
    pub fn start(dialect: &'static str, script: &str) -> Self {
        Self::launch(dialect, script, None)
    }

    /// Starts a server that accepts only this login `NAME:PASSWORD`.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub fn start_guarded(dialect: &'static str, script: &str, login: &str) -> Self {
        Self::launch(dialect, script, Some(login))
    }

    fn launch(dialect: &'static str, script: &str, login: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = process::free_port();
        let number = port.to_string();
        let known = if dialect == "mssql" { "tsql" } else { dialect };
        let mut arguments = vec![number.as_ref(), folder.path().as_os_str(), known.as_ref(), script.as_ref()];
        arguments.extend(login.map(OsStr::new));
        let process = installed::python_server("sqlglot", &arguments);
        let mut server = Self { process, port, dialect, folder };
        process::await_port(&mut server.process, port, 60);
        server
    }

    /// Returns the address of its catalog, with a driver named after the dialect.
    pub fn address(&self) -> String {
        format!("adbc:{}?uri=grpc://127.0.0.1:{}", self.dialect, self.port)
    }

    /// Returns the statements so far, one per line.
    pub fn statements(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("statements.txt")).unwrap_or_default()
    }
}

/// Returns the library of the driver.
///
/// # Panics
/// If it is not installed.
pub fn driver() -> PathBuf {
    let home = installed::installed("sqlglot").expect("sqlglot is installed by: node setup/run.mjs emulator");
    let python = std::fs::read_dir(home.join("lib")).unwrap().flatten().next().expect("an interpreter's folder").path();
    let library = python.join("site-packages/adbc_driver_flightsql/libadbc_driver_flightsql.so");
    assert!(library.exists(), "{} is missing", library.display());
    library
}

impl Drop for SqlglotServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
