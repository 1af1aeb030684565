//! A database that questions are asked on and judged by.

use std::sync::Arc;
use vitrine_domain::{Catalog, Definition, Profile};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// A database made ready for questions.
#[derive(Clone)]
pub struct PreparedDatabase {
    /// Where queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// What it holds.
    pub catalog: Arc<Catalog>,
    /// Definitions of it of which some hold always.
    pub standing: Vec<Definition>,
    /// Functions of its own that a person lets queries call.
    pub allowed: AllowedFunctions,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// Its value index.
    pub values: Option<Arc<ValueIndex>>,
    /// For semantic matches.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl PreparedDatabase {
    pub(crate) fn prove(&self, sql: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(sql, &self.catalog, &self.allowed)
    }
}
