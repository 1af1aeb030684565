//! The trait of all databases, the limits of queries, and their results.

use crate::engines::bigquery::oauth::GoogleLogin;
use crate::walls::Walls;
use crate::{JoinedTable, Metering, Meters, WarehouseError, cage};
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, ResultColumn, SafetyLayer, Table, TableOptions};
use vitrine_sql::{DialectExt, ReadOnlySql};

/// A database that can only be read.
#[async_trait]
pub trait Warehouse: Send + Sync {
    /// Returns the dialect of its queries.
    fn dialect(&self) -> Dialect;
    /// Reads the current tables, columns, keys and comments.
    async fn load_catalog(&self) -> Result<Catalog, WarehouseError>;
    /// Returns how the tables of data files were read; empty for other databases.
    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        Ok(Vec::new())
    }
    /// Prepares a query without running it. A statement that is not a query is an error.
    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError>;
    /// Runs a query within limits. Rows are streamed during the computation; dropping the stream stops the query.
    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError>;
    /// Returns the engine's own plan of a query. Only the time and memory limits apply.
    ///
    /// # Errors
    /// [`WarehouseError::NoPlan`] if the engine provides no plan without running a part of the query.
    async fn query_plan(&self, _: &ReadOnlySql, _: Limits, _: CancellationToken) -> Result<QueryPlan, WarehouseError> {
        Err(WarehouseError::NoPlan { engine: self.dialect().sql().display_name().to_owned() })
    }
    /// Returns the way in which the bytes of its queries are known.
    fn metering(&self) -> Metering {
        Metering::Untold
    }
    /// Lists at most `_rows` rows of a table, spread over it, if the database can do so without a query and without
    /// cost.
    ///
    /// # Errors
    /// [`WarehouseError::NoPreview`] with the reason if rows cannot be listed.
    async fn preview_rows(&self, table: &Table, _rows: u64) -> Result<Preview, WarehouseError> {
        let reason = "rows of this database are read by queries".to_owned();
        Err(WarehouseError::NoPreview { table: table.name.to_string(), reason })
    }
    /// Returns the restrictions of the engine process; `None` for engines without one, such as servers.
    async fn sandbox_state(&self) -> Result<Option<Walls>, WarehouseError> {
        Ok(None)
    }
    /// Returns the current protections against changes and data leaks besides the proof of every statement. Checks
    /// nothing by an attempt that would change data if it succeeded.
    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        Ok(Vec::new())
    }
    /// Stops running queries and releases the files.
    async fn close(&self);
}

/// The engine's description of a prepared query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The columns of its result.
    pub columns: Vec<ResultColumn>,
    /// The bytes that the engine estimates it would read; `None` if it makes no such estimate.
    pub bytes: Option<u64>,
    /// The estimate as it counts for limits and cost, if these apply; billed bytes may be rounded up.
    pub metered: Option<u64>,
}

impl Checked {
    /// Creates the description for an engine without estimates.
    pub(crate) fn from_columns(columns: Vec<ResultColumn>) -> Self {
        Self { columns, bytes: None, metered: None }
    }
}

/// Rows of one table, listed without a query.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The names and types of the listed columns.
    pub schema: SchemaRef,
    /// The listed rows in batches.
    pub batches: Vec<RecordBatch>,
    /// The number of rows in the whole table; equal to the number in `batches` only if these are all. `None` if
    /// unknown.
    pub total: Option<u64>,
}

/// The limits of a single query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The maximum number of rows to read; `None` reads all.
    pub rows: Option<u64>,
    /// The time that the engine may work, without the time spent waiting for a slow reader of the rows.
    pub timeout: Duration,
    /// The memory for the query in bytes; `None` uses the warehouse's own limit.
    pub memory_bytes: Option<u64>,
    /// The maximum of billed bytes, or of read bytes if the engine reports only these; `None` uses the warehouse's own
    /// limit, which also caps larger values.
    pub billed_bytes: Option<u64>,
    /// The meters that also limit the billed bytes.
    #[serde(skip)]
    pub meters: Meters,
}

impl Default for Limits {
    fn default() -> Self {
        let timeout = Duration::from_secs(60);
        Self { rows: Some(10_000), timeout, memory_bytes: None, billed_bytes: None, meters: Meters::default() }
    }
}

/// A result as a stream of batches.
pub struct Batches {
    /// The names and types of the columns.
    pub schema: SchemaRef,
    /// The rows, in batches of limited size; an error ends the stream.
    pub stream: BoxStream<'static, Result<RecordBatch, WarehouseError>>,
    pub(crate) truncated: Arc<AtomicBool>,
    pub(crate) billed: Arc<AtomicU64>,
    pub(crate) notes: ResultNotes,
}

/// Notes of the server about the values of a result, without these values.
#[derive(Debug, Clone, Default)]
pub struct ResultNotes(Arc<Mutex<Vec<String>>>);

impl ResultNotes {
    /// Returns the notes. Known once the stream has ended.
    pub fn texts(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn add(&self, note: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }
}

impl Batches {
    /// Creates a result from its parts.
    pub fn new(schema: SchemaRef, stream: BoxStream<'static, Result<RecordBatch, WarehouseError>>) -> Self {
        Self { schema, stream, truncated: Arc::default(), billed: Arc::default(), notes: ResultNotes::default() }
    }

    /// Returns the bytes that the query was billed for, or has read if the engine reports only that; 0 if it reports
    /// neither.
    pub fn billed_bytes(&self) -> u64 {
        self.billed.load(Ordering::Acquire)
    }

    /// Returns the notes of the server about the values.
    pub fn notes(&self) -> ResultNotes {
        self.notes.clone()
    }

    /// Returns true if the row limit truncated the result. Known once the stream has ended.
    pub fn is_truncated(&self) -> bool {
        self.truncated.load(Ordering::Acquire)
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// The options of a warehouse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenOptions {
    /// The memory for the engine in bytes, and for a query whose limits specify none.
    pub memory_bytes: u64,
    /// The number of threads for the engine; 0 uses all processors.
    pub threads: u32,
    /// The folder for spilled sorts and for copies of SQLite databases with a pending log. A separate engine process
    /// has its own folder. In this process, `None` leaves the choice to SQLite and disables spilling in DuckDB.
    pub temp_folder: Option<PathBuf>,
    /// The maximum size in bytes of CSV and JSON files that are loaded into memory once; larger files are read again by
    /// each query.
    pub load_bytes: u64,
    /// The user's options for tables of data files, which replace detected ones.
    #[serde(default)]
    pub tables: TableOptions,
    /// The program that is run as the engine of a database file or of data files: this program if it has called
    /// [`crate::run_engine_if_asked`]. Without a program, the engine runs in this process, where an uninterruptible
    /// call continues after its time limit.
    pub engine: Option<PathBuf>,
    /// True if the user wrote the address. Only then may it request sending a password without encryption.
    pub own_address: bool,
    /// The `ssh` configuration that replaces the user's and the system's, for an address with an SSH host.
    #[serde(default)]
    pub ssh_config: Option<PathBuf>,
    /// The schemas in scope; all if empty.
    pub schemas: Vec<String>,
    /// The file with Google's credentials for a BigQuery address that names none. The caller must locate it, because
    /// this crate does not read the environment for it.
    #[serde(default, skip_serializing)]
    pub google_credentials: Option<PathBuf>,
    /// The login through the browser, for a BigQuery address that names a client for it.
    #[serde(skip)]
    pub google_login: Option<GoogleLogin>,
    /// The library of the driver that an address needs. The caller must locate it.
    #[serde(default, skip_serializing)]
    pub driver: Option<PathBuf>,
    /// The SHA-256 that the library must have when it is loaded, 64 hex digits; `None` accepts any.
    #[serde(default)]
    pub driver_sha256: Option<String>,
    /// The tables of a join, for the address of the folder with their files.
    #[serde(default)]
    pub joined: Option<Vec<JoinedTable>>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            threads: 0,
            temp_folder: None,
            load_bytes: 64 << 20,
            tables: TableOptions::new(),
            engine: cage::own_program(),
            own_address: true,
            ssh_config: None,
            schemas: Vec::new(),
            google_credentials: None,
            google_login: None,
            driver: None,
            driver_sha256: None,
            joined: None,
        }
    }
}
