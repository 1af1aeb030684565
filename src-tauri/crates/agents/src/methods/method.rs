//! What a method says of itself.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use futures::future::LocalBoxFuture;
use vitrine_domain::StrategyName;

/// A way from the question to the answer: a composition of stages.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Its name.
    pub name: StrategyName,
    /// Whether it runs code of a model, for which it needs a sandbox.
    pub runs_code: bool,
    /// Works on the question of a run, on the thread that drives it.
    pub(crate) run: for<'a> fn(&'a RunContext) -> LocalBoxFuture<'a, Result<(), StageError>>,
}
