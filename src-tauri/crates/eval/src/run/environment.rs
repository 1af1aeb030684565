//! External dependencies of an evaluation, and its prepared databases.

use crate::judge::PreparedDatabase;
use futures::future::BoxFuture;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;
use vitrine_agents::certainty::Calibration;
use vitrine_agents::run::sandbox::AnalysisSandbox;
use vitrine_agents::{Models, MonthlyMeter};
use vitrine_domain::AppError;

/// External dependencies of an evaluation.
pub struct EvalEnvironment {
    /// Prepares the warehouse at an address.
    pub prepare: Box<dyn Fn(String) -> BoxFuture<'static, Result<PreparedDatabase, AppError>> + Send + Sync>,
    /// Closes the warehouse at an address after its last question, so that a pack with many databases does not keep a
    /// connection to each.
    pub release: Box<dyn Fn(&str) + Send + Sync>,
    /// Returns milliseconds since a fixed moment.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// The models that answer the questions.
    pub models: Models,
    /// Weights of the evidence for and against an answer.
    pub calibration: Arc<Calibration>,
    /// Monthly spending of all runs; `None` if not recorded.
    pub meter: Option<Arc<dyn MonthlyMeter>>,
    /// Creates a sandbox for one question's views and analyses, which is deleted with the question.
    pub sandbox: Box<dyn Fn() -> Option<Arc<dyn AnalysisSandbox>> + Send + Sync>,
}

/// Prepared databases by address, each prepared once even if several questions wait for it.
pub(crate) type Databases = Mutex<HashMap<String, Arc<OnceCell<PreparedDatabase>>>>;
