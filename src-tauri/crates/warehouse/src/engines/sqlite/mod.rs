//! SQLite with four read-only protections: the file is opened read-only, `query_only` is set, an authorizer allows only
//! reads, and the prepared statement itself reports that it is read-only.

mod column;
mod engine;
mod errors;
mod introspect;
mod open;
mod query;
mod reader;

use crate::engine::Engine;
use crate::run::{run_blocking, stream_batches};
use crate::{Batches, Checked, Limits, OpenOptions, WarehouseError, fingerprint, safety};
use async_trait::async_trait;
use reader::{Reader, Source};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer};
use vitrine_words::tr;

pub(crate) use engine::ENGINE;
pub use engine::sqlite_address;

/// An SQLite database file with its connections.
pub(crate) struct SqliteWarehouse {
    pool: Arc<Pool>,
    memory_bytes: u64,
    closed: CancellationToken,
}

/// Idle connections; each query uses its own.
struct Pool {
    path: PathBuf,
    source: Source,
    idle: Mutex<Vec<Reader>>,
}

/// Maximum number of idle connections.
const IDLE: usize = 4;

impl Pool {
    fn take_reader(&self) -> Result<Reader, WarehouseError> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(Reader::is_current);
        let waiting = idle.pop();
        drop(idle);
        waiting.map_or_else(|| self.source.connect(), Ok)
    }

    fn return_reader(&self, reader: Reader) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if reader.can_wait() && idle.len() < IDLE {
            idle.push(reader);
        }
    }

    fn with_reader<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, WarehouseError> {
        let reader = self.take_reader()?;
        let result = work(&reader).map_err(|error| errors::in_query(&self.path, &error));
        self.return_reader(reader);
        result
    }
}

impl SqliteWarehouse {
    pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let source = Source::new(path, options.temp_folder.clone());
        let pool = Pool { path: path.to_path_buf(), source, idle: Mutex::default() };
        pool.return_reader(pool.source.connect()?);
        Ok(Self { pool: Arc::new(pool), memory_bytes: options.memory_bytes, closed: CancellationToken::new() })
    }
}

#[async_trait]
impl Engine for SqliteWarehouse {
    const DIALECT: Dialect = Dialect::Sqlite;
    const IN_THIS_PROCESS: bool = true;
    const TELLS_PLANS: bool = true;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let pool = self.pool.clone();
        run_blocking(move || {
            let tables = pool.with_reader(introspect::read_tables)?;
            let catalog = Catalog {
                database: pool.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
                dialect: Self::DIALECT,
                search_path: Vec::new(),
                own_functions: Vec::new(),
                fingerprint: String::new(),
                tables,
            };
            let log = pool
                .path
                .with_file_name(format!("{}-wal", pool.path.file_name().unwrap_or_default().to_string_lossy()));
            Ok(fingerprint::set_fingerprint(catalog, &fingerprint::data_version(&[&pool.path, &log])))
        })
        .await
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        let (pool, sql) = (self.pool.clone(), sql.to_owned());
        run_blocking(move || {
            let reader = pool.take_reader()?;
            let result = query::result_columns(&reader, &pool.path, &sql);
            pool.return_reader(reader);
            result.map(Checked::from_columns)
        })
        .await
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let pool = self.pool.clone();
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            let reader = pool.take_reader()?;
            let result = reader.check_unchanged(query::run_statement(&reader, &pool.path, &sql, sink));
            sink.disable_interrupt();
            if query::reset_connection(&reader).is_ok() {
                pool.return_reader(reader);
            }
            result
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let pool = self.pool.clone();
        run_blocking(move || {
            let reader = pool.take_reader()?;
            let mut locks = open::read_lock_layer(&reader).map_err(|error| errors::in_query(&pool.path, &error))?;
            if reader.is_copy() {
                locks.says.push(' ');
                locks.says += &tr!("Changes wait in a log beside the file, so that a copy with them is read.");
            }
            pool.return_reader(reader);
            Ok(vec![locks, safety::of_file(&pool.path)])
        })
        .await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {
        self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests;
