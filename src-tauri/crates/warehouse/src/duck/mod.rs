//! DuckDB: its own database files, and other data files through it. The engine is locked when it is opened: read-only,
//! no files but its own, no extensions, bounded memory, and a configuration that cannot be changed any more.

mod errors;
mod introspect;
pub(crate) mod open;
mod query;

use crate::run::{blocking, stream};
use crate::{Batches, Limits, OpenOptions, Warehouse, WarehouseError, fingerprint};
use ::duckdb::Connection;
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, ResultColumn};
use vitrine_sql::ReadOnlySql;

pub(crate) use errors::{in_query, message};
pub(crate) use open::{literal, quoted};
pub(crate) use query::declared_type;

/// A database that DuckDB has open.
pub(crate) struct DuckWarehouse {
    engine: Arc<Engine>,
    name: String,
    /// Files whose change means that the data changed.
    files: Vec<PathBuf>,
    memory_bytes: u64,
    closed: CancellationToken,
}

/// The first connection, from which each query gets its own.
struct Engine {
    path: PathBuf,
    root: Mutex<Option<Connection>>,
}

impl Engine {
    fn connect(&self) -> Result<Connection, WarehouseError> {
        let root = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        let root = root.as_ref().ok_or_else(|| WarehouseError::query("the connection to this database was closed"))?;
        root.try_clone().map_err(|error| in_query(&self.path, &error))
    }
}

impl DuckWarehouse {
    /// Opens a DuckDB database file.
    pub(crate) fn open_database(path: &Path, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let connection = open::database(path, options)?;
        let log = path.with_file_name(format!("{}.wal", path.file_name().unwrap_or_default().to_string_lossy()));
        Ok(Self::new(connection, path, vec![path.to_path_buf(), log], options))
    }

    /// Takes over a connection that is set up and locked. `path` names it, `files` are what it reads.
    pub(crate) fn new(connection: Connection, path: &Path, files: Vec<PathBuf>, options: &OpenOptions) -> Self {
        Self {
            engine: Arc::new(Engine { path: path.to_path_buf(), root: Mutex::new(Some(connection)) }),
            name: path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            files,
            memory_bytes: options.memory_bytes,
            closed: CancellationToken::new(),
        }
    }

    /// Runs text that nobody has proven to be a read; the engine's own locks are all that is left.
    pub(crate) async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let engine = self.engine.clone();
        // Only a limit below the engine's own needs watching.
        let watch_memory = limits.memory_bytes.is_some_and(|bytes| bytes < self.memory_bytes);
        stream(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            let connection = engine.connect()?;
            if watch_memory {
                let probe = engine.connect()?;
                sink.on_memory(move || query::memory_used(&probe));
            }
            query::run(&connection, &engine.path, &sql, sink)
        })
        .await
    }

    async fn check_text(&self, sql: String) -> Result<Vec<ResultColumn>, WarehouseError> {
        let engine = self.engine.clone();
        blocking(move || query::columns(&engine.connect()?, &engine.path, &sql)).await
    }
}

#[async_trait]
impl Warehouse for DuckWarehouse {
    fn dialect(&self) -> Dialect {
        Dialect::Duckdb
    }

    async fn catalog(&self) -> Result<Catalog, WarehouseError> {
        let (engine, name, files) = (self.engine.clone(), self.name.clone(), self.files.clone());
        blocking(move || {
            let tables = introspect::tables(&engine.connect()?).map_err(|error| in_query(&engine.path, &error))?;
            let catalog = Catalog { database: name, dialect: Dialect::Duckdb, fingerprint: String::new(), tables };
            Ok(fingerprint::seal(catalog, &fingerprint::data_version(&files)))
        })
        .await
    }

    async fn check(&self, sql: &ReadOnlySql) -> Result<Vec<ResultColumn>, WarehouseError> {
        self.check_text(sql.as_str().to_owned()).await
    }

    async fn query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_text(sql.as_str().to_owned(), limits, cancel).await
    }

    async fn close(&self) {
        self.closed.cancel();
        *self.engine.root.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
#[path = "../tests/duck.rs"]
mod tests;
