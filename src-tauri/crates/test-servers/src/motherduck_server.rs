//! A DuckDB process, started per test and removed with it, behind a small server that speaks PostgreSQL's protocol
//! (`motherduck_server.py`, which documents its own decisions).

use crate::{installed, process};
use std::process::Child;

/// The only token that the server accepts.
pub const TOKEN: &str = "token:1";

/// A running server with the databases `shop`, and `shared`, which is read-only.
pub struct MotherduckServer {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl MotherduckServer {
    /// Starts a server whose database `shop` is created by a script.
    ///
    /// # Panics
    /// If the wheel is not installed, or the server does not start.
    pub fn start(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = process::free_port();
        let number = port.to_string();
        let arguments = [number.as_ref(), folder.path().as_os_str(), script.as_ref()];
        let process = installed::python_server("motherduck", &arguments);
        let mut server = Self { process, port, folder };
        process::await_port(&mut server.process, port, 60);
        server
    }

    /// Returns the address of a database, with the token.
    pub fn address(&self, database: &str) -> String {
        self.address_of(TOKEN, database)
    }

    /// Returns the address of a database, with another token.
    pub fn address_of(&self, token: &str, database: &str) -> String {
        format!("motherduck://:{}@127.0.0.1:{}/{database}", token.replace(':', "%3A"), self.port)
    }

    /// Runs a statement directly on the engine.
    pub async fn run(&self, sql: &str) -> Result<(), String> {
        let mut config = tokio_postgres::Config::new();
        config.host("127.0.0.1").port(self.port).user("postgres").password(TOKEN).dbname("shop");
        let (client, connection) = config.connect(tokio_postgres::NoTls).await.unwrap();
        let attended = tokio::spawn(connection);
        let ran = client.batch_execute(sql).await;
        drop(client);
        let _ = attended.await;
        ran.map_err(|error| error.to_string())
    }

    /// Returns the statements so far, one per line: its session, a tab, and the statement.
    pub fn statements(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("statements.txt")).unwrap()
    }

    /// Kills the server, like a machine that fails.
    pub fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for MotherduckServer {
    fn drop(&mut self) {
        self.end();
    }
}
