//! SQL edited by the user.

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
    /// Every rule that may change or question a query, with its example.
    pub async fn rules(&self) -> Result<Vec<RuleInfo>, AppError> {
        Ok(vitrine_sql_rules::describe_rules())
    }

    /// Proves that a text only reads. An engine may have to be asked, which blocks.
    pub(crate) async fn prove_read_only(&self, open: &OpenWarehouse, sql: String) -> Result<ReadOnlySql, AppError> {
        self.proven_for(open, sql, None).await
    }

    /// [`App::proven`] for a program outside, where one asks: only a person's own query may have the server describe itself.
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

    /// User-defined functions of a warehouse that the user lets queries call.
    pub(crate) async fn allowed_in(&self, open: &OpenWarehouse) -> Result<AllowedFunctions, AppError> {
        let uri = open.uri.clone();
        Ok(AllowedFunctions::new(self.with_store(move |store| store.allowed_functions(&uri)).await?)?)
    }

    /// Functions of the database's own that queries may call besides those known to be harmless.
    pub async fn allowed_functions(&self, warehouse: String) -> Result<Vec<String>, AppError> {
        let uri = self.ensure_open(&warehouse).await?.uri.clone();
        self.with_store(move |store| store.allowed_functions(&uri)).await
    }

    /// Sets these functions: names such as `margin` or `sales.margin`. Gives them as they are kept.
    pub async fn allow_functions(&self, warehouse: String, names: Vec<String>) -> Result<Vec<String>, AppError> {
        let uri = self.ensure_open(&warehouse).await?.uri.clone();
        let names: Vec<String> = AllowedFunctions::new(&names)?.function_names().map(str::to_owned).collect();
        let kept = names.clone();
        self.with_store(move |store| store.set_allowed_functions(&uri, &kept)).await?;
        Ok(names)
    }

    /// The SQL with even line breaks and indents; what cannot be read is given back as it is.
    pub async fn format_sql(&self, sql: String, warehouse: String) -> Result<String, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        Ok(vitrine_sql::format_sql(&sql, open.declared.dialect))
    }

    /// Proves that the SQL only reads and asks the engine whether it would run and what it would give; says where not. Nothing is
    /// run, and nothing is billed.
    pub async fn check_sql(&self, sql: String, warehouse: String) -> Result<SqlCheck, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let sql = self.prove_read_only(&open, sql).await?;
        let checked = open.warehouse.check_query(&sql).await?;
        let price = effective_limits(&open.uri, open.scans.clone()).price;
        let money = checked.metered.zip(price).map(|(bytes, price)| scan_money(bytes, price));
        Ok(SqlCheck { columns: checked.columns, bytes: checked.bytes, money })
    }

    /// The plan by which the engine would answer a query, as the engine tells it. Nothing is run, and nothing is billed.
    ///
    /// # Errors
    /// When the query may not run, or the engine tells no plan.
    pub async fn query_plan(&self, warehouse: String, sql: String) -> Result<QueryPlan, AppError> {
        self.until_stopped((AskedFor::Plan, &warehouse, &sql), async |cancel| {
            let open = self.ensure_open(&warehouse).await?;
            let sql = self.prove_read_only(&open, sql.clone()).await?;
            let timeout = Duration::from_secs(u64::from(self.settings().await?.timeout_s));
            Ok(open.warehouse.query_plan(&sql, Limits { timeout, ..Limits::default() }, cancel).await?)
        })
        .await
    }

    /// The rows that a row of a query's result was made of, in tables first; with a `column` those of this cell alone.
    ///
    /// # Errors
    /// When the query may not run or cannot be traced, or there is no such row.
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

    /// How the result of a query comes about: its clauses in words, its steps run and compared with the query, and what a
    /// careful reader would ask about. No model is asked.
    ///
    /// # Errors
    /// When the query may not run, or would not. What cannot be taken apart or run within bounds is said in the explanation.
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
        // Whoever stops waiting for it stops the work.
        let _stop = cancel.clone().drop_guard();
        let asked = Known { question: question.as_deref(), ..Known::default() };
        Ok(known.create_explainer().explain(&sql, asked, &cancel).await)
    }
}

/// What is known of a warehouse when a query is explained.
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
        // What is explained is proven already, for a person or for a model.
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
