//! The trait that every database implements, what a query may use, and what it gives.

use crate::bigquery::oauth::GoogleLogin;
use crate::walls::Walls;
use crate::{Metering, Meters, WarehouseError, cage};
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, ResultColumn, SafetyLayer, Table, TableOptions};
use vitrine_sql::ReadOnlySql;

/// A database that can be read and not changed.
#[async_trait]
pub trait Warehouse: Send + Sync {
    /// The dialect that its queries are written in.
    fn dialect(&self) -> Dialect;
    /// Reads tables, columns, keys and comments as they are now.
    async fn load_catalog(&self) -> Result<Catalog, WarehouseError>;
    /// How the tables of data files were read; none where the database says by itself what it holds.
    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        Ok(Vec::new())
    }
    /// Prepares a query without running it. A statement that is no query is an error.
    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError>;
    /// Runs a query within limits. Rows come as they are computed; dropping the stream stops the query.
    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError>;
    /// The engine's own plan of a query. Only time and memory of the limits count.
    ///
    /// # Errors
    /// [`WarehouseError::NoPlan`] where there is none that could be had without running a part of the query.
    async fn query_plan(&self, _: &ReadOnlySql, _: Limits, _: CancellationToken) -> Result<QueryPlan, WarehouseError> {
        Err(WarehouseError::NoPlan { engine: self.dialect().display_name().to_owned() })
    }
    /// How the bytes of its queries are known.
    fn metering(&self) -> Metering {
        Metering::Untold
    }
    /// At most so many rows of a table, spread over it, where the database lists them without a query and without a bill.
    ///
    /// # Errors
    /// [`WarehouseError::NoPreview`] says why there are none.
    async fn preview_rows(&self, table: &Table, _rows: u64) -> Result<Preview, WarehouseError> {
        let reason = "rows of this database are read by queries".to_owned();
        Err(WarehouseError::NoPreview { table: table.name.to_string(), reason })
    }
    /// What holds the engine in; `None` where it does not work in a process of this program's own, as on a server.
    async fn sandbox_state(&self) -> Result<Option<Walls>, WarehouseError> {
        Ok(None)
    }
    /// What keeps the database from being changed or left, besides the proof of every statement, as it is found now. Nothing is
    /// tried that would change something if it worked.
    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        Ok(Vec::new())
    }
    /// Stops what is running and lets go of the files.
    async fn close(&self);
}

/// What an engine says of a query that it has prepared and not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The columns that its result would have.
    pub columns: Vec<ResultColumn>,
    /// Bytes that the engine estimates it would read; `None` where it makes no such estimate.
    pub bytes: Option<u64>,
    /// The same as it counts for limits and money, where these can hold it: what is billed may be rounded up.
    pub metered: Option<u64>,
}

impl Checked {
    /// Columns, of an engine that estimates nothing.
    pub(crate) fn from_columns(columns: Vec<ResultColumn>) -> Self {
        Self { columns, bytes: None, metered: None }
    }
}

/// Rows of one table, listed and not queried.
#[derive(Debug, Clone)]
pub struct Preview {
    /// Names and types of the columns that could be listed.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
    /// Rows of the whole table; as many as there are in `batches` only where these are all. `None` where nobody knows.
    pub total: Option<u64>,
}

/// What one query may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Rows to read at most; `None` reads all.
    pub rows: Option<u64>,
    /// Time that the engine may work; waiting for a slow reader of the rows does not count.
    pub timeout: Duration,
    /// Memory that the engine may take for it; `None` leaves the warehouse's own limit.
    pub memory_bytes: Option<u64>,
    /// Bytes that it may be billed for, or read where the engine tells only that; `None` leaves the warehouse's own limit, and a
    /// larger one than that does not count.
    pub billed_bytes: Option<u64>,
    /// What else holds what it is billed for.
    #[serde(skip)]
    pub meters: Meters,
}

impl Default for Limits {
    fn default() -> Self {
        let timeout = Duration::from_secs(60);
        Self { rows: Some(10_000), timeout, memory_bytes: None, billed_bytes: None, meters: Meters::default() }
    }
}

/// A result on its way.
pub struct Batches {
    /// Names and types of the columns.
    pub schema: SchemaRef,
    /// The rows, in bounded pieces; an error ends it.
    pub stream: BoxStream<'static, Result<RecordBatch, WarehouseError>>,
    pub(crate) truncated: Arc<AtomicBool>,
    pub(crate) billed: Arc<AtomicU64>,
}

impl Batches {
    /// A result made of its parts.
    pub fn new(schema: SchemaRef, stream: BoxStream<'static, Result<RecordBatch, WarehouseError>>) -> Self {
        Self { schema, stream, truncated: Arc::default(), billed: Arc::default() }
    }

    /// Bytes that the query was billed for, or read where the engine tells only that; 0 where it tells nothing.
    pub fn billed_bytes(&self) -> u64 {
        self.billed.load(Ordering::Acquire)
    }

    /// Whether the row limit cut the result short. Known once the stream has ended.
    pub fn is_truncated(&self) -> bool {
        self.truncated.load(Ordering::Acquire)
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// What a warehouse as a whole may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenOptions {
    /// Memory for the engine, and for one query where the query's limits name none.
    pub memory_bytes: u64,
    /// Threads for the engine; 0 takes as many as there are processors.
    pub threads: u32,
    /// Where large sorts may spill, and where an SQLite database is copied to whose log waits. An engine in a process of its own
    /// has a folder for that. In this process `None` lets SQLite decide and forbids it for DuckDB.
    pub temp_folder: Option<PathBuf>,
    /// CSV and JSON files up to this size are read into memory once; larger ones are read again by each query.
    pub load_bytes: u64,
    /// What the user says about tables of data files, instead of what is found in them.
    #[serde(default)]
    pub tables: TableOptions,
    /// The program that is run as the engine of a database file or of data files: this one, where it has called
    /// [`crate::run_engine_if_asked`]. Without one the engine works in this process, where a call that cannot be interrupted
    /// goes on after its time.
    pub engine: Option<PathBuf>,
    /// Whether the person wrote the address. Only then may it ask for a password to be sent without encryption.
    pub own_address: bool,
    /// What `ssh` reads in place of the user's and the system's configuration, for an address that goes through it.
    #[serde(default)]
    pub ssh_config: Option<PathBuf>,
    /// The schemas that may be seen and read; all where there is none.
    pub schemas: Vec<String>,
    /// The file of Google's sign-in that an address of BigQuery uses which names none itself. Whoever opens a warehouse looks for
    /// it: nothing here reads the environment.
    #[serde(default, skip_serializing)]
    pub google_credentials: Option<PathBuf>,
    /// Who signed in through the browser, for an address of BigQuery that names a client for that.
    #[serde(skip)]
    pub google_login: Option<GoogleLogin>,
    /// The library of the driver that an address needs. Whoever opens a warehouse looks for it.
    #[serde(default, skip_serializing)]
    pub driver: Option<PathBuf>,
    /// The SHA-256 that its file has to have when it is loaded, 64 hex digits; `None` takes any.
    #[serde(default)]
    pub driver_sha256: Option<String>,
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
        }
    }
}
