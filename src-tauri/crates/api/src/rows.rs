//! The source of rows that are paged or exported: a query on a warehouse, or a stored table of code.

use crate::app::App;
use crate::audit::Auditor;
use crate::state::warehouses::OpenWarehouse;
use crate::types::KeptTable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_sql::ReadOnlySql;
use vitrine_store::QueryAuthor;
use vitrine_warehouse::{Batches, Limits, Warehouse, WarehouseUri};
use vitrine_words::tr;

/// File of the table of a run's answer, in the folder of its views.
pub(crate) const ANSWER: &str = "result.parquet";
/// File of the table of code that the user ran, in the same folder. No view has this name, because view names contain no hyphen.
pub(crate) const RERUN: &str = "re-run.parquet";

/// A query with a read-only proof, and the warehouse that executes it.
pub(crate) struct Rows {
    warehouse: Arc<dyn Warehouse>,
    sql: ReadOnlySql,
    /// The auditor that records the query; `None` for tables of code, which are not read by a query of the user.
    audit: Option<Auditor>,
}

impl Rows {
    /// Returns the query with its read-only proof.
    pub(crate) fn sql(&self) -> &ReadOnlySql {
        &self.sql
    }

    /// Runs the query and returns its rows in batches.
    pub(crate) async fn read_batches(
        &self,
        rows: Option<u64>,
        timeout: Duration,
        cancel: CancellationToken,
    ) -> Result<Batches, AppError> {
        let limits = Limits { rows, timeout, ..Limits::default() };
        let answered = self.warehouse.run_query(&self.sql, limits, cancel.clone()).await.map_err(AppError::from);
        let Some(audit) = &self.audit else { return answered };
        match answered {
            Ok(batches) => Ok(audit.watch_batches(self.sql.as_str(), batches, cancel)),
            Err(error) => {
                audit.record_failure(self.sql.as_str(), &error);
                Err(error)
            }
        }
    }

    /// Returns the table in a Parquet file that code wrote. The file is untrusted, so that the engine reads it within its limits.
    pub(crate) async fn of_file(path: &Path) -> Result<Self, AppError> {
        let uri = WarehouseUri::parse(&format!("file:{}", path.display()))?;
        let warehouse = vitrine_warehouse::open_warehouse(&uri).await?;
        let catalog = warehouse.load_catalog().await?;
        let table = catalog.tables.first().map(|table| table.name.to_string()).unwrap_or_default();
        let dialect = catalog.dialect;
        let sql =
            ReadOnlySql::parse(&format!("SELECT * FROM {}", vitrine_sql::quote_identifier(&table, dialect)), dialect)?;
        Ok(Self { warehouse, sql, audit: None })
    }
}

impl App {
    /// Returns the rows of a query that is read for the user: the user's own, or one of a run.
    pub(crate) async fn query_rows(&self, warehouse: &str, sql: &str) -> Result<Rows, AppError> {
        self.query_rows_for(warehouse, sql, None).await
    }

    /// Returns the rows of a query whose author is known.
    pub(crate) async fn rows_by(&self, author: QueryAuthor, warehouse: &str, sql: &str) -> Result<Rows, AppError> {
        let open = self.ensure_open(warehouse).await?;
        let audit = self.create_auditor(&open.uri, None).with_author(author);
        self.audited_rows(&open, sql, None, audit).await
    }

    /// Returns the rows of a query; `receiver` is the external program that requested it, if any.
    pub(crate) async fn query_rows_for(
        &self,
        warehouse: &str,
        sql: &str,
        receiver: Option<&str>,
    ) -> Result<Rows, AppError> {
        let open = self.ensure_open(warehouse).await?;
        let audit = match receiver {
            Some(_) => self.create_auditor(&open.uri, receiver),
            None => self.auditor_of(&open.uri, sql).await?,
        };
        self.audited_rows(&open, sql, receiver, audit).await
    }

    async fn audited_rows(
        &self,
        open: &OpenWarehouse,
        sql: &str,
        receiver: Option<&str>,
        audit: Auditor,
    ) -> Result<Rows, AppError> {
        let proven = self.proven_for(open, sql.to_owned(), receiver).await;
        let sql = proven.inspect_err(|reason| audit.record_refusal(sql, reason))?;
        Ok(Rows { warehouse: Arc::clone(&open.warehouse), sql, audit: Some(audit) })
    }

    /// Returns the rows of a stored table.
    pub(crate) async fn table_rows(&self, table: &KeptTable) -> Result<Rows, AppError> {
        let path = self.kept_in(&table.owner)?.join(if table.rerun { RERUN } else { ANSWER });
        if !path.exists() {
            return Err(AppError::new(ErrorCode::NotFound, tr!("The table that the code gave is no longer stored"))
                .with_hint(tr!("Run the code again, or ask the question again")));
        }
        Rows::of_file(&path).await
    }

    /// Returns the folder of a run's or a saved question's views and tables. Ids are untrusted and have to name exactly one folder.
    pub(crate) fn kept_in(&self, owner: &str) -> Result<PathBuf, AppError> {
        self.inner.options.folders.owner_views(owner)
    }
}
