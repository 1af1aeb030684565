//! The trait that every database implements, what a query may use, and what it gives.

use crate::WarehouseError;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use futures::stream::BoxStream;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, ResultColumn};
use vitrine_sql::ReadOnlySql;

/// A database that can be read and not changed.
#[async_trait]
pub trait Warehouse: Send + Sync {
    /// The dialect that its queries are written in.
    fn dialect(&self) -> Dialect;
    /// Reads tables, columns, keys and comments as they are now.
    async fn catalog(&self) -> Result<Catalog, WarehouseError>;
    /// Prepares a query without running it; gives the columns that it would have.
    async fn check(&self, sql: &ReadOnlySql) -> Result<Vec<ResultColumn>, WarehouseError>;
    /// Runs a query within limits. Rows come as they are computed; dropping the stream stops the query.
    async fn query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError>;
    /// Stops what is running and lets go of the files.
    async fn close(&self);
}

/// What one query may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Rows to read at most; `None` reads all.
    pub rows: Option<u64>,
    /// Time that the engine may work; waiting for a slow reader of the rows does not count.
    pub timeout: Duration,
    /// Memory that the engine may take for it; `None` leaves the warehouse's own limit.
    pub memory_bytes: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: Some(10_000), timeout: Duration::from_secs(60), memory_bytes: None }
    }
}

/// A result on its way.
pub struct Batches {
    /// Names and types of the columns.
    pub schema: SchemaRef,
    /// The rows, in bounded pieces; an error ends it.
    pub stream: BoxStream<'static, Result<RecordBatch, WarehouseError>>,
    pub(crate) truncated: Arc<AtomicBool>,
}

impl Batches {
    /// A result made of its parts.
    pub fn new(schema: SchemaRef, stream: BoxStream<'static, Result<RecordBatch, WarehouseError>>) -> Self {
        Self { schema, stream, truncated: Arc::default() }
    }

    /// Whether the row limit cut the result short. Known once the stream has ended.
    pub fn truncated(&self) -> bool {
        self.truncated.load(Ordering::Acquire)
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// What a warehouse as a whole may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOptions {
    /// Memory for the engine, and for one query where the query's limits name none.
    pub memory_bytes: u64,
    /// Threads for the engine; 0 takes as many as there are processors.
    pub threads: u32,
    /// Where large sorts may spill; `None` lets the engine decide for SQLite and forbids it for DuckDB.
    pub temp_folder: Option<PathBuf>,
    /// CSV and JSON files up to this size are read into memory once; larger ones are read again by each query.
    pub load_bytes: u64,
    /// Whether the person wrote the address. Only then may it ask for a password to be sent without encryption.
    pub own_address: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { memory_bytes: 1 << 30, threads: 0, temp_folder: None, load_bytes: 64 << 20, own_address: true }
    }
}
