//! The common part of SQLite, DuckDB, PostgreSQL, MySQL, ClickHouse, Databricks, MotherDuck, BigQuery and drivers: they
//! execute SQL text. Only this module takes the text out of its read-only proof, so that unproven text cannot reach an
//! engine from outside this crate.

use crate::safety::in_this_process;
use crate::{Batches, Checked, Limits, Metering, Preview, Warehouse, WarehouseError, plan};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, SafetyLayer, Table};
use vitrine_sql::{AllowedFunctions, DialectExt, ReadOnlySql};

/// A database that executes SQL text.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    /// The dialect of the engine's SQL.
    const DIALECT: Dialect;
    /// Reads the current catalog of the database.
    async fn read_catalog(&self) -> Result<Catalog, WarehouseError>;
    /// Returns how the tables of data files were read.
    fn readings(&self) -> Vec<FileReading> {
        Vec::new()
    }
    /// Prepares text without a read-only proof; only the engine's own restrictions apply.
    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError>;
    /// Runs text without a read-only proof.
    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError>;
    /// Prepares text whose proof allowed these functions. Only engines that resolve names in other users' schemas use
    /// them.
    async fn check_with(&self, sql: &str, _allowed: &AllowedFunctions) -> Result<Checked, WarehouseError> {
        self.check_text(sql).await
    }
    /// Runs text whose proof allowed these functions.
    async fn query_with(
        &self,
        sql: String,
        _allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_text(sql, limits, cancel).await
    }
    /// True if the engine can explain queries.
    const TELLS_PLANS: bool = false;
    /// Requests the plan of a text by running `question`, the EXPLAIN statement for it. The text itself does not run.
    async fn ask_plan(
        &self,
        _sql: &str,
        question: String,
        allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_with(question, allowed, limits, cancel).await
    }
    /// Returns the plan of text without a read-only proof.
    async fn plan_text(
        &self,
        sql: &str,
        allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        let question = plan::build_explain_sql(Self::DIALECT, sql).filter(|_| Self::TELLS_PLANS);
        let Some(question) = question else {
            return Err(WarehouseError::NoPlan { engine: Self::DIALECT.sql().display_name().to_owned() });
        };
        let answer = self.ask_plan(sql, question, allowed, plan::explain_limits(limits), cancel).await?;
        plan::read_plan(Self::DIALECT, answer).await
    }
    /// True if the engine runs in the process that opened it; false for servers.
    const IN_THIS_PROCESS: bool = false;
    /// The way in which the bytes of its queries are known.
    const METERING: Metering = Metering::Untold;
    /// Lists rows of a table without a query.
    async fn list_rows(&self, table: &Table, _rows: u64) -> Result<Preview, WarehouseError> {
        let reason = "rows of this database are read by queries".to_owned();
        Err(WarehouseError::NoPreview { table: table.name.to_string(), reason })
    }
    /// Returns the current protections against changes, as reported by the engine.
    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError>;
    /// Returns the token whose cancellation stops running queries.
    fn close_token(&self) -> &CancellationToken;
    /// Closes all idle connections of the engine.
    fn close_idle_connections(&self);
}

#[async_trait]
impl<E: Engine> Warehouse for E {
    fn dialect(&self) -> Dialect {
        E::DIALECT
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.read_catalog().await
    }

    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        Ok(Engine::readings(self))
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        self.check_with(sql.as_str(), sql.allowed_functions()).await
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_with(sql.as_str().to_owned(), sql.allowed_functions(), limits, cancel).await
    }

    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        self.plan_text(sql.as_str(), sql.allowed_functions(), limits, cancel).await
    }

    fn metering(&self) -> Metering {
        E::METERING
    }

    async fn preview_rows(&self, table: &Table, rows: u64) -> Result<Preview, WarehouseError> {
        self.list_rows(table, rows).await
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let mut layers = self.query_safety_layers().await?;
        if E::IN_THIS_PROCESS {
            layers.push(in_this_process());
        }
        Ok(layers)
    }

    async fn close(&self) {
        self.close_token().cancel();
        self.close_idle_connections();
    }
}
