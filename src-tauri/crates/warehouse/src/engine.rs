//! What SQLite, DuckDB and PostgreSQL have in common: they take text. Only here does text come out of its proof, so that
//! nothing else reaches an engine from outside this crate.

use crate::{Batches, Limits, Warehouse, WarehouseError};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, ResultColumn};
use vitrine_sql::ReadOnlySql;

/// A database that takes text.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    /// What the text is written in.
    const DIALECT: Dialect;
    /// Reads the catalog as it is now.
    async fn read_catalog(&self) -> Result<Catalog, WarehouseError>;
    /// Prepares text that nobody has proven to be a read; the engine's own locks are all that is left.
    async fn check_text(&self, sql: &str) -> Result<Vec<ResultColumn>, WarehouseError>;
    /// Runs such text.
    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError>;
    /// Stops what is running once it is cancelled.
    fn closed(&self) -> &CancellationToken;
    /// Lets go of the connections that wait.
    fn disconnect(&self);
}

#[async_trait]
impl<E: Engine> Warehouse for E {
    fn dialect(&self) -> Dialect {
        E::DIALECT
    }

    async fn catalog(&self) -> Result<Catalog, WarehouseError> {
        self.read_catalog().await
    }

    async fn check(&self, sql: &ReadOnlySql) -> Result<Vec<ResultColumn>, WarehouseError> {
        self.check_text(sql.as_str()).await
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
        self.closed().cancel();
        self.disconnect();
    }
}
