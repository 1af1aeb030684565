//! Watched answers: saved questions that run by a schedule of this computer, read-only, audited and within the limits of their
//! connection. Each result is stored and compared with the previous one.

mod compare;
mod due;
mod output;
mod schedule;
mod single_run;
pub(crate) mod timer;
mod window;

use crate::app::App;
use crate::number_error::ambiguous_number_error;
use crate::state::work::current_timestamp;
use crate::types::{SavedQuestion, WatchReport, WatchRun, WatchedAnswer};
use schedule::{find_next_due, format_local, format_stored, local_zone, parse_since, parse_stored};
use single_run::WatchResult;
use tokio_util::sync::CancellationToken;
use vitrine_arrange::compare_numbers;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_store::{Watch, WatchAlert, WatchOutcome, WatchPlan, WatchState};
use vitrine_words::{is_ambiguous_number, tr};

impl App {
    /// Watches a saved question by a plan. It runs once now, so that errors are reported and later results have one to be compared with;
    /// an earlier plan is replaced.
    ///
    /// # Errors
    /// When the plan is not valid, or the query does not run.
    pub async fn watch_saved(
        &self,
        id: String,
        plan: WatchPlan,
        cancel: CancellationToken,
    ) -> Result<(WatchedAnswer, WatchReport), AppError> {
        let question = self.with_store(move |store| store.saved_question(&id)).await?;
        check_plan(&plan)?;
        if question.code.is_some() {
            let message = tr!("This saved question is answered by code, not by a query");
            return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("Watch a question with a query")));
        }
        if let Some(output) = &plan.output {
            output::check_folder(&output.folder)?;
        }
        let now = current_timestamp();
        let watch = Watch {
            saved_id: question.id.clone(),
            plan,
            created_at: now.clone(),
            since: now.clone(),
            state: WatchState::default(),
        };
        let result = self.run_watch(&watch, &question, cancel).await?;
        let run = first_run(&watch, &result);
        let watch = Watch { state: result.state.clone(), ..watch };
        let stored = watch.clone();
        self.with_store(move |store| store.set_watch(&stored)).await?;
        let saved = self.limit_result(result.saved).await?;
        self.keep_result(&question, saved).await?;
        let report = WatchReport { title: question.title.clone(), run };
        Ok((self.describe_watch(watch, question).await?, report))
    }

    /// Stops watching a saved question.
    ///
    /// # Errors
    /// When it is not watched.
    pub async fn unwatch_saved(&self, id: String) -> Result<(), AppError> {
        let removed = self.with_store(move |store| store.remove_watch(&id)).await?;
        removed.then_some(()).ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("This saved question is not watched"))
                .with_hint(tr!("List the watched ones with: vitrine saved watch --list"))
        })
    }

    /// Returns all watched answers, those that are due first.
    pub async fn watched_answers(&self) -> Result<Vec<WatchedAnswer>, AppError> {
        let watches = self.with_store(|store| store.watches()).await?;
        let mut watched = Vec::new();
        for watch in watches {
            // A question may have been deleted in the meantime.
            if let Some(question) = self.saved_by_id(&watch.saved_id).await? {
                watched.push(self.describe_watch(watch, question).await?);
            }
        }
        watched.sort_by(|one: &WatchedAnswer, other| one.next_due.cmp(&other.next_due));
        Ok(watched)
    }

    /// Returns the latest runs of a watched answer, the latest first.
    pub async fn watch_runs(&self, id: String, limit: u32) -> Result<Vec<WatchRun>, AppError> {
        self.with_store(move |store| store.watch_runs(&id, limit)).await
    }

    async fn describe_watch(&self, watch: Watch, question: SavedQuestion) -> Result<WatchedAnswer, AppError> {
        let zone = local_zone();
        let now = parse_stored(&current_timestamp())?;
        let next = find_next_due(&watch.plan, parse_since(&watch.since, now), &zone)?;
        let id = watch.saved_id.clone();
        let last_run = self.with_store(move |store| store.watch_runs(&id, 1)).await?.into_iter().next();
        Ok(WatchedAnswer {
            title: question.title,
            warehouse: question.warehouse,
            next_due: format_stored(next),
            next_due_local: format_local(next, &zone),
            last_run,
            watch,
        })
    }
}

/// Builds the run that a new plan starts with.
fn first_run(watch: &Watch, result: &WatchResult) -> WatchRun {
    let mut notes = Vec::new();
    if result.state.crossed {
        notes.push(single_run::describe_crossing(&watch.plan.alert, result.state.value.as_deref()));
    }
    WatchRun {
        saved_id: watch.saved_id.clone(),
        due_at: watch.created_at.clone(),
        started_at: watch.created_at.clone(),
        wall_ms: result.wall_ms,
        outcome: WatchOutcome::First,
        notes,
        reported: true,
        rows: Some(result.saved.page.row_count),
        bytes: result.bytes,
        file: None,
    }
}

fn check_plan(plan: &WatchPlan) -> Result<(), AppError> {
    let limit = match &plan.alert {
        WatchAlert::Changed => None,
        WatchAlert::Above(limit) | WatchAlert::Below(limit) => Some(limit),
    };
    if let Some(limit) = limit.filter(|limit| compare_numbers(limit, "0").is_none()) {
        return Err(AppError::new(ErrorCode::Usage, tr!("'{limit}' is not a number", limit))
            .with_hint(tr!("Write it with a decimal point, such as 1234.5")));
    }
    if let Some(limit) = limit.filter(|limit| is_ambiguous_number(limit)) {
        return Err(ambiguous_number_error(&tr!("The limit is not clear: {limit}", limit), limit));
    }
    if plan.minute >= 24 * 60 || plan.weekday > 6 {
        return Err(AppError::new(ErrorCode::Usage, tr!("The time of the watched answer does not exist"))
            .with_hint(tr!("Write a time such as 08:00")));
    }
    Ok(())
}
