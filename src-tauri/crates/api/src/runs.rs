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

/// Letters of a run's name.
const LONGEST_NAME: usize = 200;
/// Runs that are listed as going on from one.
const MOST_BRANCHES: u32 = 200;

impl App {
    /// Stops a run; its last event says so. A run that has ended stays as it is.
    pub async fn cancel_run(&self, run_id: String) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        match self.inner.runs.cancel_token(&run_id) {
            Some(token) => token.cancel(),
            None => drop(self.with_store(move |store| store.run_header(&run_id)).await?),
        }
        Ok(())
    }

    /// Says which reading is meant, by its candidate, to a run that has offered several; `None` leaves the choice to it.
    /// It is remembered for the same question.
    pub async fn choose_reading(&self, run_id: String, candidate: Option<u32>) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        // Read before the run goes on and ends.
        let events = self.run_events(run_id.clone(), 0).await.unwrap_or_default();
        if self.inner.runs.send_choice(&run_id, candidate) {
            if let Some(candidate) = candidate {
                self.remember_reading(run_id, &events, candidate).await?;
            }
            return Ok(());
        }
        Err(AppError::new(ErrorCode::NotFound, tr!("The question no longer waits for a choice"))
            .with_hint(tr!("Ask it again to choose another reading")))
    }

    /// Says whether a run keeps looking, without a limit of time, or takes the best so far as the answer. It may be said
    /// before the run asks: then it does not ask.
    pub async fn keep_looking(&self, run_id: String, goes_on: bool) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        if self.inner.runs.keep_looking(&run_id, goes_on) {
            return Ok(());
        }
        Err(AppError::new(ErrorCode::NotFound, tr!("The question is no longer worked on"))
            .with_hint(tr!("Ask it again to keep looking")))
    }

    /// Events after the one numbered `after_seq`; all of them after 0.
    pub async fn run_events(&self, run_id: String, after_seq: u32) -> Result<Vec<RunEvent>, AppError> {
        check_run_id(&run_id)?;
        // Looked at before the log is: a quick run may begin and end while the log is read.
        let is_active = self.inner.runs.cancel_token(&run_id).is_some();
        match self.with_store(move |store| store.events(&run_id, after_seq)).await {
            // It still waits for its warehouse.
            Err(error) if error.code == ErrorCode::NotFound && is_active => Ok(Vec::new()),
            other => other,
        }
    }

    /// What the events of a run add up to.
    pub async fn run_report(&self, run_id: String) -> Result<RunReport, AppError> {
        Ok(RunReport::from_events(&self.run_events(run_id, 0).await?))
    }

    /// Runs whose question holds every word of `search`, the latest first.
    pub async fn runs(&self, search: String, limit: u32, offset: u32) -> Result<Vec<RunSummary>, AppError> {
        let runs = self.with_store(move |store| store.find_runs(&search, limit, offset)).await?;
        Ok(runs.into_iter().map(to_run_summary).collect())
    }

    /// Runs that hold every word of `search` in what is shown of them, of one warehouse or of all: their question, how it was understood,
    /// their name, their answer's query with its tables, and what the answer's sentence says. The pinned ones first, then the latest.
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

    /// Runs that go on from this one: with something changed, or as a follow-up of its question. The latest first.
    pub async fn branches(&self, run_id: String) -> Result<Vec<RunSummary>, AppError> {
        check_run_id(&run_id)?;
        let runs = self.with_store(move |store| store.find_branches(&run_id, MOST_BRANCHES)).await?;
        Ok(runs.into_iter().map(to_run_summary).collect())
    }

    /// Sets what the user calls a run; an empty name is its question.
    pub async fn name_run(&self, run_id: String, title: String) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST_NAME).collect();
        self.with_store(move |store| store.name_run(&run_id, Some(title.as_str()).filter(|title| !title.is_empty())))
            .await
    }

    /// Keeps a run on top of the history, or no longer.
    pub async fn pin_run(&self, run_id: String, pinned: bool) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        self.with_store(move |store| store.pin_run(&run_id, pinned)).await
    }

    /// Deletes a run that has ended, with its log. Saved questions that came of it stay.
    ///
    /// Its id need not be one of ours: an earlier version took in runs with any id, and they are to go, too. A folder
    /// goes only with an id of ours.
    pub async fn delete_run(&self, run_id: String) -> Result<(), AppError> {
        let deleted = run_id.clone();
        self.with_store(move |store| store.delete_run(&deleted)).await?;
        self.remove_kept(run_id).await;
        Ok(())
    }

    /// Removes the folder of a run or a saved question that was deleted.
    pub(crate) async fn remove_kept(&self, owner: String) {
        // Most have none.
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

    /// Writes a run with its whole log to one JSON file: the one that the user chose and `file` is the token of.
    pub async fn export_run(&self, run_id: String, file: String) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        let path = self.take_chosen_file(&file)?;
        self.write_run(run_id, path.clone()).await?;
        self.inner.chosen.note_written(&file, path);
        Ok(())
    }

    /// The same for a file that whoever calls has the right to name.
    pub async fn write_run(&self, run_id: String, path: PathBuf) -> Result<(), AppError> {
        check_run_id(&run_id)?;
        self.with_store(move |store| store.export_run(&run_id, &path)).await
    }

    /// A run with its whole log as JSON text.
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

    /// The events of a run from its first to its last, as they come, without gaps.
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
                    // The end of a run whose log broke has a number that the log does not know.
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

/// Refuses an id that is none of ours. Ids come from outside, and folders are named after them.
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
