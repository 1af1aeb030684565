//! What an evaluation needs from the outside, and the databases it made ready.

use futures::future::BoxFuture;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;
use vitrine_agents::Models;
use vitrine_agents::run::sandbox::AnalysisSandbox;
use vitrine_domain::{AppError, Catalog, Profile};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// A database made ready for questions.
#[derive(Clone)]
pub struct Prepared {
    /// Where queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// What it holds.
    pub catalog: Arc<Catalog>,
    /// Functions of its own that a person lets queries call.
    pub allowed: AllowedFunctions,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// Its value index.
    pub values: Option<Arc<ValueIndex>>,
    /// For semantic matches.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl Prepared {
    pub(crate) fn prove(&self, sql: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(sql, &self.catalog, &self.allowed)
    }
}

/// What evaluation needs from the outside.
pub struct Lab {
    /// Makes the warehouse at an address ready.
    pub prepare: Box<dyn Fn(String) -> BoxFuture<'static, Result<Prepared, AppError>> + Send + Sync>,
    /// Milliseconds since some fixed moment.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Who answers.
    pub models: Models,
    /// Where one question's views are kept and analysed; gone with the question.
    pub sandbox: Box<dyn Fn() -> Option<Arc<dyn AnalysisSandbox>> + Send + Sync>,
}

/// Databases that are ready, each made so once however many questions wait for it.
pub(crate) type Databases = Mutex<HashMap<String, Arc<OnceCell<Prepared>>>>;
