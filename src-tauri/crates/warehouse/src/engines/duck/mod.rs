//! DuckDB: its own database files, and other data files through it. The engine is locked when it is opened: read-only,
//! no other files, no extensions, limited memory, and an immutable configuration.

mod engine;
mod errors;
mod introspect;
pub(crate) mod listing;
pub(crate) mod open;
mod query;
mod select;

use crate::engine::Engine;
use crate::run::{run_blocking, stream_batches};
use crate::{Batches, Checked, Limits, OpenOptions, WarehouseError, fingerprint, safety};
use ::duckdb::Connection;
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, SafetyLayer};
use vitrine_sql::AllowedFunctions;

pub(crate) use engine::ENGINE;
pub use engine::duckdb_address;
pub(crate) use errors::{error_from_message, error_message, in_query};
pub(crate) use open::{quote_identifier, quote_literal};

/// A database that is open in DuckDB.
pub(crate) struct DuckWarehouse {
    root: Arc<Root>,
    name: String,
    /// Files whose modification means that the data changed.
    files: Vec<PathBuf>,
    memory_bytes: u64,
    /// Descriptions of how the tables of data files were read.
    readings: Vec<FileReading>,
    closed: CancellationToken,
}

/// The first connection, which is cloned for each query.
struct Root {
    path: PathBuf,
    connection: Mutex<Option<Connection>>,
}

impl Root {
    fn connect(&self) -> Result<Connection, WarehouseError> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection =
            connection.as_ref().ok_or_else(|| WarehouseError::query("the connection to this database was closed"))?;
        connection.try_clone().map_err(|error| in_query(&self.path, &error))
    }
}

impl DuckWarehouse {
    /// Opens a DuckDB database file.
    pub(crate) fn open_database(path: &Path, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let connection = open::open_database(path, options)?;
        let log = path.with_file_name(format!("{}.wal", path.file_name().unwrap_or_default().to_string_lossy()));
        Ok(Self::new(connection, path, vec![path.to_path_buf(), log], options))
    }

    /// Wraps a connection that is configured and locked. `path` identifies it; `files` are the files that it reads.
    pub(crate) fn new(connection: Connection, path: &Path, files: Vec<PathBuf>, options: &OpenOptions) -> Self {
        Self {
            root: Arc::new(Root { path: path.to_path_buf(), connection: Mutex::new(Some(connection)) }),
            name: path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            files,
            memory_bytes: options.memory_bytes,
            readings: Vec::new(),
            closed: CancellationToken::new(),
        }
    }

    /// Sets the descriptions of how the tables were read.
    pub(crate) fn with_readings(self, readings: Vec<FileReading>) -> Self {
        Self { readings, ..self }
    }
}

#[async_trait]
impl Engine for DuckWarehouse {
    const DIALECT: Dialect = Dialect::Duckdb;
    const IN_THIS_PROCESS: bool = true;
    const TELLS_PLANS: bool = true;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let (root, name, files) = (self.root.clone(), self.name.clone(), self.files.clone());
        // With other reading options, the same files contain other data.
        let read = match self.readings.as_slice() {
            [] => String::new(),
            readings => serde_json::to_string(readings).unwrap_or_default(),
        };
        run_blocking(move || {
            let tables = introspect::read_tables(&root.connect()?).map_err(|error| in_query(&root.path, &error))?;
            let catalog = Catalog {
                database: name,
                dialect: Self::DIALECT,
                search_path: Vec::new(),
                own_functions: Vec::new(),
                fingerprint: String::new(),
                tables,
            };
            Ok(fingerprint::set_fingerprint(catalog, &(fingerprint::data_version(&files) + &read)))
        })
        .await
    }

    fn readings(&self) -> Vec<FileReading> {
        self.readings.clone()
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        let (root, sql) = (self.root.clone(), sql.to_owned());
        run_blocking(move || query::describe_columns(&root.connect()?, &root.path, &sql).map(Checked::from_columns))
            .await
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let root = self.root.clone();
        // Only a limit below the engine's own must be monitored.
        let watch_memory = limits.memory_bytes.is_some_and(|bytes| bytes < self.memory_bytes);
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            let connection = root.connect()?;
            if watch_memory {
                let probe = root.connect()?;
                sink.on_memory(move || query::memory_used(&probe));
            }
            query::run_query(&connection, &root.path, &sql, sink)
        })
        .await
    }

    async fn ask_plan(
        &self,
        sql: &str,
        question: String,
        _allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (root, sql) = (self.root.clone(), sql.to_owned());
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            query::explain_query(&root.connect()?, &root.path, &sql, &question, sink)
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let root = self.root.clone();
        run_blocking(move || {
            let locks = open::check_locks(&root.connect()?).map_err(|error| in_query(&root.path, &error))?;
            Ok(vec![locks, safety::of_file(&root.path)])
        })
        .await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {
        *self.root.connection.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests;
