//! A database that questions are asked of and predictions are judged on.

use std::sync::Arc;
use vitrine_domain::{Catalog, Definition, Profile};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// A database made ready for questions.
#[derive(Clone)]
pub struct PreparedDatabase {
    /// Executes the queries.
    pub warehouse: Arc<dyn Warehouse>,
    /// Its tables, columns and keys.
    pub catalog: Arc<Catalog>,
    /// Its definitions that apply to every question.
    pub standing: Vec<Definition>,
    /// Its user-defined functions that queries may call.
    pub allowed: AllowedFunctions,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// Its value index.
    pub values: Option<Arc<ValueIndex>>,
    /// Embeds texts for semantic matches.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl PreparedDatabase {
    pub(crate) fn prove_read_only(&self, sql: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(sql, &self.catalog, &self.allowed)
    }
}
