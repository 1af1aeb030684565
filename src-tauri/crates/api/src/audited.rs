//! Auditing of queries that are run to explain another query.

use crate::audit::Auditor;
use async_trait::async_trait;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Catalog, Dialect, FileReading, QueryPlan, SafetyLayer, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Batches, Checked, Limits, Metering, Preview, Walls, Warehouse, WarehouseError};

/// A warehouse that records each of its queries in the audit log. Preparing and describing are not recorded.
pub(crate) struct AuditedWarehouse {
    pub(crate) inner: Arc<dyn Warehouse>,
    pub(crate) audit: Auditor,
}

#[async_trait]
impl Warehouse for AuditedWarehouse {
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
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        match self.inner.run_query(sql, limits, cancel.clone()).await {
            Ok(batches) => Ok(self.audit.watch_batches(sql.as_str(), batches, cancel)),
            Err(error) => {
                self.audit.record_failure(sql.as_str(), &AppError::from(error.clone()));
                Err(error)
            }
        }
    }

    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        self.inner.query_plan(sql, limits, cancel).await
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

    fn metering(&self) -> Metering {
        self.inner.metering()
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}
