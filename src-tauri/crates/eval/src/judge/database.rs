//! A database on which questions are answered and predictions are judged.

use std::sync::Arc;
use vitrine_domain::{Catalog, Definition, Profile};
use vitrine_metrics::MetricsFile;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// A database that is prepared for questions.
#[derive(Clone)]
pub struct PreparedDatabase {
    /// The warehouse that executes the queries.
    pub warehouse: Arc<dyn Warehouse>,
    /// The catalog with tables, columns and keys.
    pub catalog: Arc<Catalog>,
    /// Definitions that apply to every question.
    pub standing: Vec<Definition>,
    /// Metrics of the connection, if it has any.
    pub metrics: Option<Arc<MetricsFile>>,
    /// User-defined functions that queries may call.
    pub allowed: AllowedFunctions,
    /// The profile of the database.
    pub profile: Arc<Profile>,
    /// The value index of the database, if it has one.
    pub values: Option<Arc<ValueIndex>>,
    /// The model that embeds texts for semantic matches.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Creates access to the warehouse with a byte limit of its own, if queries are billed or report what they read.
    pub budgeted: Option<BudgetedAccess>,
}

/// Creates access to a warehouse whose queries share a byte limit.
pub type BudgetedAccess = Arc<dyn Fn() -> Arc<dyn Warehouse> + Send + Sync>;

impl PreparedDatabase {
    /// Returns the database with an unused byte limit.
    pub(crate) fn with_own_budget(&self) -> Self {
        match &self.budgeted {
            Some(create) => Self { warehouse: create(), ..self.clone() },
            None => self.clone(),
        }
    }

    pub(crate) fn prove_read_only(&self, sql: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(sql, &self.catalog, &self.allowed)
    }
}
