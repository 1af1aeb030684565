//! Runs the watched answers that are due, one after another and in one process at a time.

use super::schedule::{find_next_due, format_stored, local_zone, parse_since, parse_stored, parse_typed};
use super::single_run::WatchResult;
use crate::app::App;
use crate::state::work::{current_timestamp, run_blocking};
use crate::types::{DueRuns, SavedQuestion, WatchReport, WatchRun};
use jiff::Timestamp;
use std::fs::{File, OpenOptions, TryLockError};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_store::{Watch, WatchAlert, WatchOutcome, WatchState};
use vitrine_words::tr;

impl App {
    /// Runs the watched answers that are due, each once, even if it was due several times while the computer was off. With a time that the
    /// user typed, also runs those that will be due until then; their schedule does not change. `report` is called after each run. An error
    /// of one does not keep the others from running.
    ///
    /// # Errors
    /// When the time cannot be parsed, or the workspace cannot be read or written.
    pub async fn run_due_watches(
        &self,
        until: Option<String>,
        cancel: CancellationToken,
        report: &(dyn Fn(&WatchReport) + Sync),
    ) -> Result<DueRuns, AppError> {
        let zone = local_zone();
        let now = parse_stored(&current_timestamp())?;
        let until = match until {
            Some(text) => parse_typed(&text, &zone)?,
            None => now,
        };
        // The operating system releases the lock when the process ends, however it ends.
        let Some(_lock) = self.lock_watches().await? else {
            return Ok(DueRuns { busy: true, ..DueRuns::default() });
        };
        let mut due: Vec<(Timestamp, Watch, SavedQuestion)> = Vec::new();
        let mut next: Vec<Timestamp> = Vec::new();
        for mut watch in self.with_store(|store| store.watches()).await? {
            let Some(question) = self.saved_by_id(&watch.saved_id).await? else { continue };
            let since = parse_since(&watch.since, now);
            if parse_stored(&watch.since).ok() != Some(since) {
                // Otherwise the time of the next run would move with the clock.
                let (before, corrected) = (watch.clone(), format_stored(since));
                watch.since = corrected.clone();
                self.with_store(move |store| store.correct_watch_time(&before, &corrected)).await?;
            }
            let at = find_next_due(&watch.plan, since, &zone)?;
            if at <= until {
                next.push(find_next_due(&watch.plan, now, &zone)?);
                due.push((at, watch, question));
            } else {
                next.push(at);
            }
        }
        due.sort_by_key(|(at, ..)| *at);
        let mut done = DueRuns { next_due: next.into_iter().min().map(format_stored), ..DueRuns::default() };
        for (at, watch, question) in due {
            if cancel.is_cancelled() {
                return Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped")));
            }
            let since = format_stored(now);
            if let Some(run) = self.run_and_store(&watch, &question, (at, since), cancel.clone()).await? {
                let one = WatchReport { title: question.title, run };
                report(&one);
                done.reports.push(one);
            }
        }
        Ok(done)
    }

    /// Runs a watched answer and stores the end of the run. Returns `None` if its watch was changed or removed meanwhile.
    async fn run_and_store(
        &self,
        watch: &Watch,
        question: &SavedQuestion,
        (due, since): (Timestamp, String),
        cancel: CancellationToken,
    ) -> Result<Option<WatchRun>, AppError> {
        let started_at = current_timestamp();
        let mut run = WatchRun {
            saved_id: watch.saved_id.clone(),
            due_at: format_stored(due),
            started_at: started_at.clone(),
            wall_ms: 0,
            outcome: WatchOutcome::Failed,
            notes: Vec::new(),
            reported: false,
            rows: None,
            bytes: None,
            file: None,
        };
        let ended = self.run_watch(watch, question, cancel.clone()).await;
        let (state, result) = match ended {
            // A run that the user stops stays due.
            Err(error) if error.code == ErrorCode::Cancelled && cancel.is_cancelled() => return Err(error),
            Err(error) => {
                // A changed schema is the usual reason of an error.
                let drift = self.saved_drift(watch.saved_id.clone()).await.ok().flatten().unwrap_or_default();
                let state = note_failure(&mut run, watch, &error);
                run.notes.extend(drift);
                run.wall_ms = elapsed_ms(&started_at);
                (state, None)
            }
            Ok(mut result) => {
                let written = self.write_watch_file(watch, question, &result).await;
                match written {
                    Err(error) if error.code == ErrorCode::Cancelled && cancel.is_cancelled() => return Err(error),
                    Err(error) => {
                        note_success(&mut run, watch, &result);
                        result.state.error = Some(note_missing_file(&mut run, watch, &error));
                        (result.state.clone(), Some(result))
                    }
                    Ok(file) => {
                        note_success(&mut run, watch, &result);
                        if watch.state.error.is_some() {
                            run.notes.insert(0, tr!("It works again"));
                            run.reported = true;
                        }
                        run.file = file;
                        (result.state.clone(), Some(result))
                    }
                }
            }
        };
        let (before, stored, sql) = (watch.clone(), run.clone(), question.sql.clone());
        let saved = result.map(|result| result.saved);
        let limited = match saved {
            Some(saved) => Some(self.limit_result(saved).await?),
            None => None,
        };
        let is_current = self
            .with_store(move |store| {
                let result = limited.as_ref().map(|result| (sql.as_str(), result));
                store.finish_watch_run(&before, (&since, &state), &stored, result)
            })
            .await?;
        Ok(is_current.then_some(run))
    }

    /// Locks the watched answers for this process; `None` if another process runs them.
    async fn lock_watches(&self) -> Result<Option<File>, AppError> {
        let path = self.inner.options.folders.data.join("watches.lock");
        run_blocking(move || {
            let failed = |error: std::io::Error| {
                AppError::new(ErrorCode::Internal, tr!("{path} cannot be written", path = path.display()))
                    .with_hint(tr!("Check that the folder exists and that there is space"))
                    .with_detail(error)
            };
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => Ok(Some(file)),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(failed(error)),
            }
        })
        .await
    }
}

/// Notes an error. The same error is reported once, not at each run.
fn note_failure(run: &mut WatchRun, watch: &Watch, error: &AppError) -> WatchState {
    let name = name_error(error);
    run.reported = watch.state.error.as_ref() != Some(&name);
    run.outcome = WatchOutcome::Failed;
    run.notes = describe_error(error);
    WatchState { error: Some(name), ..watch.state.clone() }
}

/// Notes that the file of a run could not be written, and returns the name of the error. News about the answer stay the outcome.
fn note_missing_file(run: &mut WatchRun, watch: &Watch, error: &AppError) -> String {
    let name = name_error(error);
    if !run.reported {
        run.outcome = WatchOutcome::Failed;
        run.reported = watch.state.error.as_ref() != Some(&name);
    }
    run.notes.extend(describe_error(error));
    name
}

/// Returns the part of an error that stays the same between runs; details may contain times and identifiers.
fn name_error(error: &AppError) -> String {
    format!("{:?}: {}", error.code, error.message)
}

fn describe_error(error: &AppError) -> Vec<String> {
    let text = match &error.detail {
        Some(detail) => format!("{}: {detail}", error.message),
        None => error.message.clone(),
    };
    std::iter::once(text).chain(error.hint.clone()).collect()
}

fn note_success(run: &mut WatchRun, watch: &Watch, result: &WatchResult) {
    run.outcome = result.outcome;
    run.notes = result.notes.clone();
    run.wall_ms = result.wall_ms;
    run.rows = Some(result.saved.page.row_count);
    run.bytes = result.bytes;
    run.reported = match result.outcome {
        // With a limit, only crossing it is reported.
        WatchOutcome::Changed => watch.plan.alert == WatchAlert::Changed,
        WatchOutcome::Crossed | WatchOutcome::Returned | WatchOutcome::Drifted => true,
        WatchOutcome::First | WatchOutcome::Unchanged | WatchOutcome::Failed => false,
    };
}

fn elapsed_ms(started_at: &str) -> u64 {
    let since = parse_stored(started_at).and_then(|start| Ok((start, parse_stored(&current_timestamp())?)));
    since.map_or(0, |(start, end)| end.duration_since(start).as_millis().max(0) as u64)
}
