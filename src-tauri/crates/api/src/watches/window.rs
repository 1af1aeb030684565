//! Watched answers for the window, which cannot pass on how a run is stopped: closing the program stops it.

use crate::app::App;
use crate::types::{DueRuns, WatchedAnswer};
use vitrine_domain::AppError;
use vitrine_store::WatchPlan;

impl App {
    /// Same as [`App::watch_saved`], without the report of the first run, which [`App::watch_runs`] does not list either.
    ///
    /// # Errors
    /// Same as [`App::watch_saved`].
    pub async fn watch_answer(&self, id: String, plan: WatchPlan) -> Result<WatchedAnswer, AppError> {
        let (watched, _) = self.watch_saved(id, plan, self.inner.ending.child_token()).await?;
        Ok(watched)
    }

    /// Runs the watched answers that are due now.
    ///
    /// # Errors
    /// Same as [`App::run_due_watches`].
    pub async fn run_due_answers(&self) -> Result<DueRuns, AppError> {
        self.run_due_watches(None, self.inner.ending.child_token(), &|_| {}).await
    }

    /// Returns true if this computer's scheduler runs the watched answers.
    pub async fn has_watch_timer(&self) -> Result<bool, AppError> {
        Ok(self.is_scheduler_installed().await)
    }
}
