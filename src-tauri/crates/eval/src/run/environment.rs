//! What an evaluation needs from the outside, and the databases it made ready.

use crate::judge::PreparedDatabase;
use futures::future::BoxFuture;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;
use vitrine_agents::certainty::Calibration;
use vitrine_agents::run::sandbox::AnalysisSandbox;
use vitrine_agents::{Models, MonthlyMeter};
use vitrine_domain::AppError;

/// What evaluation needs from the outside.
pub struct EvalEnvironment {
    /// Makes the warehouse at an address ready.
    pub prepare: Box<dyn Fn(String) -> BoxFuture<'static, Result<PreparedDatabase, AppError>> + Send + Sync>,
    /// Milliseconds since some fixed moment.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Who answers.
    pub models: Models,
    /// How evidence for and against an answer is weighed.
    pub calibration: Arc<Calibration>,
    /// What all runs spend in a month; `None` where it is not counted.
    pub meter: Option<Arc<dyn MonthlyMeter>>,
    /// Where one question's views are kept and analysed; gone with the question.
    pub sandbox: Box<dyn Fn() -> Option<Arc<dyn AnalysisSandbox>> + Send + Sync>,
}

/// Databases that are ready, each made so once however many questions wait for it.
pub(crate) type Databases = Mutex<HashMap<String, Arc<OnceCell<PreparedDatabase>>>>;
