//! SQL that a person edits.

use crate::app::{App, blocking};
use crate::warehouses::OpenWarehouse;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Explanation, RuleInfo};
use vitrine_explain::Bounds;
use vitrine_sql::{AllowedFunctions, ReadOnlySql};

impl App {
    /// Every rule that may change or question a query, with its example.
    pub async fn rules(&self) -> Result<Vec<RuleInfo>, AppError> {
        Ok(vitrine_sql_rules::rules())
    }

    /// Proves that a text only reads. An engine may have to be asked, which blocks.
    pub(crate) async fn proven(&self, open: &OpenWarehouse, sql: String) -> Result<ReadOnlySql, AppError> {
        let (catalog, allowed) = (Arc::clone(&open.catalog), self.allowed_in(open).await?);
        blocking(move || Ok(vitrine_warehouse::prove_with(&sql, &catalog, &allowed)?)).await
    }

    /// Functions of a warehouse's own that a person lets queries call.
    pub(crate) async fn allowed_in(&self, open: &OpenWarehouse) -> Result<AllowedFunctions, AppError> {
        let uri = open.uri.clone();
        Ok(AllowedFunctions::new(self.store(move |store| store.allowed_functions(&uri)).await?)?)
    }

    /// Functions of the database's own that queries may call besides those known to be harmless.
    pub async fn allowed_functions(&self, warehouse: String) -> Result<Vec<String>, AppError> {
        let uri = self.opened(&warehouse).await?.uri.clone();
        self.store(move |store| store.allowed_functions(&uri)).await
    }

    /// Sets these functions: names such as `margin` or `sales.margin`. Gives them as they are kept.
    pub async fn allow_functions(&self, warehouse: String, names: Vec<String>) -> Result<Vec<String>, AppError> {
        let uri = self.opened(&warehouse).await?.uri.clone();
        let names: Vec<String> = AllowedFunctions::new(&names)?.names().map(str::to_owned).collect();
        let kept = names.clone();
        self.store(move |store| store.set_allowed_functions(&uri, &kept)).await?;
        Ok(names)
    }

    /// The SQL with even line breaks and indents; what cannot be read is given back as it is.
    pub async fn format_sql(&self, sql: String, warehouse: String) -> Result<String, AppError> {
        let open = self.opened(&warehouse).await?;
        Ok(vitrine_sql::format(&sql, open.catalog.dialect))
    }

    /// Proves that the SQL only reads and asks the engine whether it would run; says where not.
    pub async fn check_sql(&self, sql: String, warehouse: String) -> Result<(), AppError> {
        let open = self.opened(&warehouse).await?;
        let sql = self.proven(&open, sql).await?;
        open.warehouse.check(&sql).await?;
        Ok(())
    }
    /// How the result of a query comes about: its clauses in words, its steps run and compared with the query, and what a
    /// careful reader would ask about. No model is asked.
    ///
    /// # Errors
    /// When the query may not run, or would not. What cannot be taken apart or run within bounds is said in the explanation.
    pub async fn explain(&self, warehouse: String, sql: String) -> Result<Explanation, AppError> {
        let open = self.opened(&warehouse).await?;
        let sql = self.proven(&open, sql).await?;
        open.warehouse.check(&sql).await?;
        let bounds = Bounds { allowed: self.allowed_in(&open).await?, ..Bounds::default() };
        let (profile, cancel) = (open.profile(), CancellationToken::new());
        // Whoever stops waiting for it stops the work.
        let _stop = cancel.clone().drop_guard();
        Ok(vitrine_explain::run(open.warehouse.as_ref(), &sql, &open.catalog, &profile, &bounds, &cancel).await)
    }
}
