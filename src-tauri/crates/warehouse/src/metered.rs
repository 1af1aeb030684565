//! A wrapper of a warehouse that counts its queries with a meter.

use crate::bill::ScanMeter;
use crate::{Batches, Checked, Limits, Metering, Preview, Walls, Warehouse, WarehouseError};
use async_trait::async_trait;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, SafetyLayer, Table};
use vitrine_sql::ReadOnlySql;

/// A warehouse whose queries are counted.
pub struct MeteredWarehouse {
    inner: Arc<dyn Warehouse>,
    meter: Arc<dyn ScanMeter>,
}

impl MeteredWarehouse {
    /// Wraps a warehouse; `meter` counts and limits the bytes of its queries, in addition to meters of outer wrappers.
    pub fn new(inner: Arc<dyn Warehouse>, meter: Arc<dyn ScanMeter>) -> Self {
        Self { inner, meter }
    }
}

#[async_trait]
impl Warehouse for MeteredWarehouse {
    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.inner.load_catalog().await
    }

    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        self.inner.file_readings().await
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        self.inner.check_query(sql).await
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        mut limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        limits.meters.add(Arc::clone(&self.meter));
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

    fn metering(&self) -> Metering {
        self.inner.metering()
    }

    async fn preview_rows(&self, table: &Table, rows: u64) -> Result<Preview, WarehouseError> {
        self.inner.preview_rows(table, rows).await
    }

    async fn sandbox_state(&self) -> Result<Option<Walls>, WarehouseError> {
        self.inner.sandbox_state().await
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        self.inner.safety_layers().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}
