//! Runs: active ones, and the log of all.

use crate::app::App;
use crate::folders::{remove_below, unknown_owner_error};
use crate::state::work::run_blocking;
use crate::types::{AppEvent, RunSummary};
use futures::Stream;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use vitrine_domain::{AppError, ErrorCode, EventBody, RunEvent, RunReport, is_run_id};
use vitrine_words::tr;

/// Maximum number of characters of a run's name.
const LONGEST_NAME: usize = 200;
/// Maximum number of listed runs that continue one run.
const MOST_BRANCHES: u32 = 200;

impl App {
    /// Stops a run; its last event reports that. A run that has ended is not changed.
    pub async fn cancel_run(&self, run_id: String) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        match self.inner.runs.cancel_token(&run_id) {
            Some(token) => token.cancel(),
            None => drop(self.with_store(move |store| store.run_header(&run_id)).await?),
        }
        Ok(())
    }

    /// Chooses an interpretation, by its candidate, for a run that has offered several; `None` leaves the choice to the run. The choice is
    /// remembered for the same question.
    pub async fn choose_reading(&self, run_id: String, candidate: Option<u32>) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        // Read before the run continues and ends.
        let events = self.run_events(run_id.clone(), 0).await.unwrap_or_default();
        if self.inner.runs.send_choice(&run_id, candidate) {
            if let Some(candidate) = candidate {
                self.remember_reading(run_id, &events, candidate).await?;
            }
            return Ok(());
        }
        Err(AppError::new(ErrorCode::NotFound, tr!("The question no longer waits for a choice"))
            .with_hint(tr!("Ask it again to choose another interpretation")))
    }

    /// Decides if a run continues without a time limit (`goes_on`) or takes the best result so far as the answer. If it is called before
    /// the run asks, the run does not ask.
    pub async fn keep_looking(&self, run_id: String, goes_on: bool) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        if self.inner.runs.keep_looking(&run_id, goes_on) {
            return Ok(());
        }
        Err(AppError::new(ErrorCode::NotFound, tr!("The question is no longer running"))
            .with_hint(tr!("Ask it again to continue the search")))
    }

    /// Returns the events after number `after_seq`; 0 returns all.
    pub async fn run_events(&self, run_id: String, after_seq: u32) -> Result<Vec<RunEvent>, AppError> {
        check_run_id(&run_id)?;
        // Checked before the log is read, because a short run may start and end during the reading.
        let is_active = self.inner.runs.cancel_token(&run_id).is_some();
        match self.with_store(move |store| store.events(&run_id, after_seq)).await {
            // The run still waits for its warehouse.
            Err(error) if error.code == ErrorCode::NotFound && is_active => Ok(Vec::new()),
            other => other,
        }
    }

    /// Returns the report that is computed from a run's events.
    pub async fn run_report(&self, run_id: String) -> Result<RunReport, AppError> {
        Ok(RunReport::from_events(&self.run_events(run_id, 0).await?))
    }

    /// Returns the runs whose question contains every word of `search`, the latest first.
    pub async fn runs(&self, search: String, limit: u32, offset: u32) -> Result<Vec<RunSummary>, AppError> {
        let runs = self.with_store(move |store| store.find_runs(&search, limit, offset)).await?;
        Ok(runs.into_iter().map(to_run_summary).collect())
    }

    /// Returns the runs that contain every word of `search` in their question, its interpretation, their name, the answer's query with its
    /// tables, or the answer's headline; of one warehouse or of all. Pinned runs are first, then the latest.
    pub async fn history(
        &self,
        search: String,
        warehouse: Option<String>,
        limit: u32,
        offset: u32,
    ) -> Result<Vec<RunSummary>, AppError> {
        let runs =
            self.with_store(move |store| store.search_history(&search, warehouse.as_deref(), limit, offset)).await?;
        Ok(runs.into_iter().map(to_run_summary).collect())
    }

    /// Returns the runs that continue this one, with a change or as a follow-up, the latest first.
    pub async fn branches(&self, run_id: String) -> Result<Vec<RunSummary>, AppError> {
        check_run_id(&run_id)?;
        let runs = self.with_store(move |store| store.find_branches(&run_id, MOST_BRANCHES)).await?;
        Ok(runs.into_iter().map(to_run_summary).collect())
    }

    /// Sets the user's name for a run; with an empty name the run is shown by its question.
    pub async fn name_run(&self, run_id: String, title: String) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_NAME).collect();
        self.with_store(move |store| store.name_run(&run_id, Some(title.as_str()).filter(|title| !title.is_empty())))
            .await
    }

    /// Pins a run to the top of the history, or unpins it.
    pub async fn pin_run(&self, run_id: String, pinned: bool) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        self.with_store(move |store| store.pin_run(&run_id, pinned)).await
    }

    /// Deletes a run that has ended, with its log. Saved questions that were made from it are kept.
    ///
    /// The id may have any form, because an earlier version imported runs with any id. The run's folder is deleted only if the id has the
    /// form of this program.
    pub async fn delete_run(&self, run_id: String) -> Result<(), AppError> {
        let deleted = run_id.clone();
        self.with_store(move |store| store.delete_run(&deleted)).await?;
        self.remove_kept(run_id).await;
        Ok(())
    }

    /// Removes the folder of a deleted run or saved question.
    pub(crate) async fn remove_kept(&self, owner: String) {
        // Most runs have no folder.
        if check_run_id(&owner).is_err() {
            return;
        }
        let all = self.inner.options.folders.all_views();
        let removed =
            run_blocking(move || remove_below(&all, &owner).map_err(|error| crate::state::work::panic_error(&error)))
                .await;
        if let Err(error) = removed {
            tracing::warn!(%error, "the views of what was deleted stay on disk");
        }
    }

    /// Writes a run with its whole log as JSON to the file that the user chose; `file` is its token.
    pub async fn export_run(&self, run_id: String, file: String) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        let path = self.take_chosen_file(&file)?;
        self.write_run(run_id, path.clone()).await?;
        self.inner.chosen.note_written(&file, path);
        Ok(())
    }

    /// Same as [`App::export_run`], for a path that the caller may choose freely.
    pub async fn write_run(&self, run_id: String, path: PathBuf) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        self.with_store(move |store| store.export_run(&run_id, &path)).await
    }

    /// Returns a run with its whole log as JSON text.
    pub async fn exported_run(&self, run_id: String) -> Result<String, AppError> {
        check_run_id(&run_id)?;
        let store = Arc::clone(&self.inner.store);
        run_blocking(move || {
            serde_json::to_string_pretty(&store.exported_run(&run_id)?).map_err(|e| crate::state::work::panic_error(&e))
        })
        .await
    }

    /// Imports a run that was exported elsewhere, and returns its id.
    pub async fn import_run(&self, path: String) -> Result<String, AppError> {
        self.with_store(move |store| store.import_run(&PathBuf::from(path))).await
    }

    /// Streams all events of a run in order and without gaps, as they occur.
    pub fn stream_run_events(&self, run_id: String) -> impl Stream<Item = Result<RunEvent, AppError>> + Send + use<> {
        let follower = Follower {
            app: self.clone(),
            live: self.subscribe_to_events(),
            run_id,
            seen: 0,
            ready: VecDeque::new(),
            ended: false,
            behind: true,
        };
        futures::stream::unfold(follower, |mut follower| async { follower.next().await.map(|event| (event, follower)) })
    }
}

/// Reads a run from the log and, once it has caught up, from the live events.
struct Follower {
    app: App,
    live: Receiver<AppEvent>,
    run_id: String,
    seen: u32,
    ready: VecDeque<RunEvent>,
    ended: bool,
    behind: bool,
}

impl Follower {
    async fn next(&mut self) -> Option<Result<RunEvent, AppError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.seen = event.seq;
                self.ended |= matches!(event.body, EventBody::RunFinished { .. });
                return Some(Ok(event));
            }
            if self.ended {
                return None;
            }
            if self.behind {
                self.behind = false;
                let is_active = self.app.inner.runs.cancel_token(&self.run_id).is_some();
                match self.app.run_events(self.run_id.clone(), self.seen).await {
                    Ok(events) => {
                        // A run without an active task gets no further events.
                        self.ended = !is_active;
                        self.ready.extend(events);
                    }
                    Err(error) => {
                        self.ended = true;
                        return Some(Err(error));
                    }
                }
                continue;
            }
            match self.live.recv().await {
                Ok(AppEvent::Run(event)) if event.run_id == self.run_id => match event.seq.cmp(&(self.seen + 1)) {
                    std::cmp::Ordering::Equal => self.ready.push_back(event),
                    // The last event of a run with an incomplete log has a number that the log does not contain.
                    _ if matches!(event.body, EventBody::RunFinished { .. }) && event.seq > self.seen => {
                        self.ready.push_back(event)
                    }
                    std::cmp::Ordering::Greater => self.behind = true,
                    std::cmp::Ordering::Less => {}
                },
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

/// Returns an error if this program did not create the id. Ids are untrusted and used as folder names.
pub(crate) fn check_run_id(id: &str) -> Result<(), AppError> {
    if is_run_id(id) { Ok(()) } else { Err(unknown_owner_error(id)) }
}

fn to_run_summary(run: vitrine_store::RunHeader) -> RunSummary {
    RunSummary {
        run_id: run.run_id,
        question: run.question,
        strategy: run.strategy,
        status: run.status,
        warehouse: run.warehouse,
        started_at: run.started_at,
        wall_ms: run.wall_ms,
        row_count: run.row_count,
        saved: run.saved,
        error: run.error,
        certainty: run.certainty,
        steered_from: run.steered_from,
        changes: run.changes,
        follows: run.follows,
        title: run.title,
        pinned: run.pinned,
    }
}
