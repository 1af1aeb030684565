//! SQL that the user edits.

use crate::app::App;
use crate::audited::AuditedWarehouse;
use crate::scans::effective_limits;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::run_blocking;
use crate::types::{AskedFor, SqlCheck};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Catalog, Explanation, Profile, QueryPlan, RowsBehind, RuleInfo, scan_money};
use vitrine_explain::{Bounds, Explainer, Known};
use vitrine_sql::{AllowedFunctions, ReadOnlySql};
use vitrine_store::QueryAuthor;
use vitrine_warehouse::Limits;

impl App {
    /// Returns every rule that may change a query or report a finding, with its example.
    pub async fn rules(&self) -> Result<Vec<RuleInfo>, AppError> {
        Ok(vitrine_sql_rules::describe_rules())
    }

    /// Proves that a text is read-only. This may block, because some engines have to be asked.
    pub(crate) async fn prove_read_only(&self, open: &OpenWarehouse, sql: String) -> Result<ReadOnlySql, AppError> {
        self.proven_for(open, sql, None).await
    }

    /// Same as [`App::prove_read_only`], for an external program if `receiver` is set. Only the user's own queries may read the server's
    /// system catalog.
    pub(crate) async fn proven_for(
        &self,
        open: &OpenWarehouse,
        sql: String,
        receiver: Option<&str>,
    ) -> Result<ReadOnlySql, AppError> {
        let (catalog, allowed) = (open.catalog(), self.allowed_in(open).await?);
        let allowed = if receiver.is_none() { allowed.with_catalog() } else { allowed };
        run_blocking(move || Ok(vitrine_warehouse::prove_with(&sql, &catalog, &allowed)?)).await
    }

    /// Returns the user-defined functions of a warehouse that the user permits in queries.
    pub(crate) async fn allowed_in(&self, open: &OpenWarehouse) -> Result<AllowedFunctions, AppError> {
        let uri = open.uri.clone();
        Ok(AllowedFunctions::new(self.with_store(move |store| store.allowed_functions(&uri)).await?)?)
    }

    /// Returns the names of the database's own functions that queries may call in addition to those known to be harmless.
    pub async fn allowed_functions(&self, warehouse: String) -> Result<Vec<String>, AppError> {
        let uri = self.ensure_open(&warehouse).await?.uri.clone();
        self.with_store(move |store| store.allowed_functions(&uri)).await
    }

    /// Sets the permitted functions, such as `margin` or `sales.margin`. Returns them in normalized form.
    pub async fn allow_functions(&self, warehouse: String, names: Vec<String>) -> Result<Vec<String>, AppError> {
        let uri = self.ensure_open(&warehouse).await?.uri.clone();
        let names: Vec<String> = AllowedFunctions::new(&names)?.function_names().map(str::to_owned).collect();
        let kept = names.clone();
        self.with_store(move |store| store.set_allowed_functions(&uri, &kept)).await?;
        Ok(names)
    }

    /// Formats SQL with consistent line breaks and indentation; text that cannot be parsed is returned unchanged.
    pub async fn format_sql(&self, sql: String, warehouse: String) -> Result<String, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        Ok(vitrine_sql::format_sql(&sql, open.declared.dialect))
    }

    /// Proves that SQL is read-only, and asks the engine if it would run and with which columns; the returned check contains the errors.
    /// Nothing is run or billed.
    pub async fn check_sql(&self, sql: String, warehouse: String) -> Result<SqlCheck, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let sql = self.prove_read_only(&open, sql).await?;
        let checked = open.warehouse.check_query(&sql).await?;
        let price = effective_limits(&open.uri, open.scans.clone()).price;
        let money = checked.metered.zip(price).map(|(bytes, price)| scan_money(bytes, price));
        Ok(SqlCheck { columns: checked.columns, bytes: checked.bytes, money })
    }

    /// Returns the engine's execution plan of a query. Nothing is run or billed.
    ///
    /// # Errors
    /// When the query is refused, or the engine returns no plan.
    pub async fn query_plan(&self, warehouse: String, sql: String) -> Result<QueryPlan, AppError> {
        self.until_stopped((AskedFor::Plan, &warehouse, &sql), async |cancel| {
            let open = self.ensure_open(&warehouse).await?;
            let sql = self.prove_read_only(&open, sql.clone()).await?;
            let timeout = Duration::from_secs(u64::from(self.settings().await?.timeout_s));
            Ok(open.warehouse.query_plan(&sql, Limits { timeout, ..Limits::default() }, cancel).await?)
        })
        .await
    }

    /// Returns the rows from which a row of a query's result was computed, tables first; with a `column`, only the rows behind this cell.
    ///
    /// # Errors
    /// When the query is refused or cannot be traced, or the row does not exist.
    pub async fn rows_behind(
        &self,
        warehouse: String,
        sql: String,
        row: Vec<Option<String>>,
        column: Option<u32>,
    ) -> Result<Vec<RowsBehind>, AppError> {
        self.until_stopped((AskedFor::RowsBehind, &warehouse, &sql), async |cancel| {
            let open = self.ensure_open(&warehouse).await?;
            let sql = self.prove_read_only(&open, sql.clone()).await?;
            let known = Explainable::for_warehouse(self, &open).await?;
            known.create_explainer().rows_behind(&sql, &row, column.map(|at| at as usize), &cancel).await
        })
        .await
    }

    /// Explains a query's result: its clauses in words, its steps, executed and compared with the query, and checks. No model is called.
    ///
    /// # Errors
    /// When the query is refused or fails. The explanation reports parts that cannot be decomposed or executed within the limits.
    pub async fn explain(
        &self,
        warehouse: String,
        sql: String,
        question: Option<String>,
    ) -> Result<Explanation, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let sql = self.prove_read_only(&open, sql).await?;
        open.warehouse.check_query(&sql).await?;
        let known = Explainable::for_warehouse(self, &open).await?;
        let cancel = CancellationToken::new();
        // If the caller drops the future, the work stops.
        let _stop = cancel.clone().drop_guard();
        let asked = Known { question: question.as_deref(), ..Known::default() };
        Ok(known.create_explainer().explain(&sql, asked, &cancel).await)
    }
}

/// The data of a warehouse that an explanation needs.
struct Explainable {
    catalog: Arc<Catalog>,
    profile: Arc<Profile>,
    allowed: AllowedFunctions,
    warehouse: AuditedWarehouse,
}

impl Explainable {
    async fn for_warehouse(app: &App, open: &OpenWarehouse) -> Result<Self, AppError> {
        let audit = app.create_auditor(&open.uri, None).with_author(QueryAuthor::App);
        let warehouse = AuditedWarehouse { inner: Arc::clone(&open.warehouse), audit };
        // The explained query is already proven, for a user or for a model.
        let allowed = app.allowed_in(open).await?.with_catalog();
        Ok(Self { catalog: open.catalog(), profile: open.profile(), allowed, warehouse })
    }

    fn create_explainer(&self) -> Explainer<'_> {
        Explainer {
            warehouse: &self.warehouse,
            catalog: &self.catalog,
            profile: &self.profile,
            allowed: &self.allowed,
            bounds: Bounds::default(),
        }
    }
}
