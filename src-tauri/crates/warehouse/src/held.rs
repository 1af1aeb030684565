//! A warehouse whose queries can be paused, so that background readers pause and continue later.

use crate::{Batches, Checked, Limits, Metering, Preview, Warehouse, WarehouseError};
use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, QueryPlan, Table};
use vitrine_sql::ReadOnlySql;

/// A warehouse whose queries can be paused. A query that already runs continues to its end or limit.
pub struct HeldWarehouse {
    inner: Arc<dyn Warehouse>,
    held: watch::Receiver<bool>,
}

impl HeldWarehouse {
    /// Wraps a warehouse; its queries wait while `held` is true.
    pub fn new(inner: Arc<dyn Warehouse>, held: watch::Receiver<bool>) -> Self {
        Self { inner, held }
    }

    async fn let_go(&self) {
        // If the sender is dropped, nothing holds the queries any more.
        let _ = self.held.clone().wait_for(|held| !held).await;
    }
}

#[async_trait]
impl Warehouse for HeldWarehouse {
    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.let_go().await;
        self.inner.load_catalog().await
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        self.let_go().await;
        self.inner.check_query(sql).await
    }

    fn metering(&self) -> Metering {
        self.inner.metering()
    }

    async fn preview_rows(&self, table: &Table, rows: u64) -> Result<Preview, WarehouseError> {
        self.let_go().await;
        self.inner.preview_rows(table, rows).await
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        if cancel.run_until_cancelled(self.let_go()).await.is_none() {
            return Err(WarehouseError::Cancelled);
        }
        self.inner.run_query(sql, limits, cancel).await
    }

    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        self.inner.query_plan(sql, limits, cancel).await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}
