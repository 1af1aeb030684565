//! What SQLite, DuckDB, PostgreSQL, MySQL, ClickHouse, Databricks, MotherDuck, BigQuery and drivers have in common: they take text. Only here does text come out of its proof, so that
//! nothing else reaches an engine from outside this crate.

use crate::safety::in_this_process;
use crate::{Batches, Checked, Limits, Metering, Preview, Warehouse, WarehouseError, plan};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, SafetyLayer, Table};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};

/// A database that takes text.
#[async_trait]
pub(crate) trait Engine: Send + Sync {
    /// What the text is written in.
    const DIALECT: Dialect;
    /// Reads the catalog as it is now.
    async fn read_catalog(&self) -> Result<Catalog, WarehouseError>;
    /// How the tables of data files were read.
    fn readings(&self) -> Vec<FileReading> {
        Vec::new()
    }
    /// Prepares text that nobody has proven to be a read; the engine's own locks are all that is left.
    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError>;
    /// Runs such text.
    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError>;
    /// Prepares text whose proof took these functions as allowed. Only an engine that looks names up in schemas of others needs them.
    async fn check_with(&self, sql: &str, _allowed: &AllowedFunctions) -> Result<Checked, WarehouseError> {
        self.check_text(sql).await
    }
    /// Runs such text.
    async fn query_with(
        &self,
        sql: String,
        _allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_text(sql, limits, cancel).await
    }
    /// Whether it says how it would answer a query.
    const TELLS_PLANS: bool = false;
    /// Asks for the plan of text by a question that is made of it: nothing of it runs.
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
    /// The plan of text that nobody has proven to be a read.
    async fn plan_text(
        &self,
        sql: &str,
        allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        let question = plan::build_explain_sql(Self::DIALECT, sql).filter(|_| Self::TELLS_PLANS);
        let Some(question) = question else {
            return Err(WarehouseError::NoPlan { engine: Self::DIALECT.display_name().to_owned() });
        };
        let answer = self.ask_plan(sql, question, allowed, plan::explain_limits(limits), cancel).await?;
        plan::read_plan(Self::DIALECT, answer).await
    }
    /// Whether it works in the process that opened it. A server's engine is on the server.
    const IN_THIS_PROCESS: bool = false;
    /// How the bytes of its queries are known.
    const METERING: Metering = Metering::Untold;
    /// Rows that are listed and not queried.
    async fn list_rows(&self, table: &Table, _rows: u64) -> Result<Preview, WarehouseError> {
        let reason = "rows of this database are read by queries".to_owned();
        Err(WarehouseError::NoPreview { table: table.name.to_string(), reason })
    }
    /// What keeps the database from being changed, as the engine itself tells now.
    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError>;
    /// Stops what is running once it is cancelled.
    fn close_token(&self) -> &CancellationToken;
    /// Lets go of the connections that wait.
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
