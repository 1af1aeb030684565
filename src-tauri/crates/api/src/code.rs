//! Running an answer's code again: over the stored views of a run, or over the views of a saved question, which are fetched again. The
//! run's log is not changed.

use crate::app::App;
use crate::python::SandboxFolder;
use crate::results::MOST_ROWS;
use crate::rows::RERUN;
use crate::runs::check_run_id;
use crate::state::work::run_blocking;
use crate::types::{CodeOutcome, KeptTable, SavedCode, SavedView};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::prospy;
use vitrine_domain::{AppError, ErrorCode, EventBody};
use vitrine_python::{Input, PythonError};
use vitrine_words::tr;

impl App {
    /// Runs code over the stored views of a run. The resulting table is stored beside the run's own table.
    ///
    /// # Errors
    /// When the code cannot be run at all; errors of the code are in the outcome.
    pub async fn run_code(&self, run_id: String, code: String) -> Result<CodeOutcome, AppError> {
        let room = self.room_of(&run_id)?;
        let events = self.run_events(run_id.clone(), 0).await?;
        let fetched = events.into_iter().filter_map(|event| match event.body {
            EventBody::ViewFetched { name, error: None, bytes: Some(_), .. } => Some(name),
            _ => None,
        });
        let views: Vec<String> = fetched.collect();
        // The log may come from an imported file, so that its view names are untrusted.
        views.iter().try_for_each(|view| check_view_name(view, &room.view_path(view)))?;
        if views.is_empty() || views.iter().any(|view| !room.view_path(view).exists()) {
            return Err(AppError::new(ErrorCode::NotFound, tr!("The views of this question are no longer stored"))
                .with_hint(tr!("Ask the question again, or save it: a saved question fetches its views anew")));
        }
        self.one_at_a_time(&run_id, async |cancel| self.execute_code(&room, &run_id, &code, &views, cancel).await).await
    }

    /// Fetches the views of a saved question, each with at most the configured number of rows, and runs code over them.
    ///
    /// # Errors
    /// When the code cannot be run at all; errors of the code are in the outcome.
    pub async fn run_saved_code(&self, id: String, code: String) -> Result<CodeOutcome, AppError> {
        let room = self.room_of(&id)?;
        let found = id.clone();
        let question = self.with_store(move |store| store.saved_question(&found)).await?;
        let Some(SavedCode { views, .. }) = question.code else {
            return Err(AppError::new(ErrorCode::Usage, tr!("This saved question is answered by SQL, not by code")));
        };
        self.one_at_a_time(&id, async |cancel| {
            let mut notes = Vec::new();
            for view in &views {
                notes.extend(self.fetch_view(&room, &question.warehouse, view, cancel.clone()).await?);
            }
            let names: Vec<String> = views.iter().map(|view| view.name.clone()).collect();
            let outcome = self.execute_code(&room, &id, &code, &names, cancel).await;
            // The views are fetched again each time, so that keeping them would only use disk space.
            names.iter().for_each(|name| drop(std::fs::remove_file(room.view_path(name))));
            Ok(CodeOutcome { notes, ..outcome? })
        })
        .await
    }

    /// Stops the running code of a run or of a saved question, if there is any.
    pub async fn stop_code(&self, owner: String) -> Result<(), AppError> {
        check_run_id(&owner)?;
        if let Some(token) = self.inner.code.lock_tokens().get(&owner) {
            token.cancel();
        }
        Ok(())
    }

    fn room_of(&self, owner: &str) -> Result<SandboxFolder, AppError> {
        self.create_sandbox_folder(self.kept_in(owner)?, None).ok_or_else(|| {
            AppError::new(ErrorCode::Usage, tr!("Python for analysis is not set up, so this code cannot be run"))
                .with_hint(tr!("Set it up in the settings under Methods, or with: vitrine python install"))
        })
    }

    async fn one_at_a_time<T>(
        &self,
        owner: &str,
        work: impl AsyncFnOnce(CancellationToken) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let cancel = self.inner.code.begin_execution(owner, &self.inner.ending);
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(PythonError::Cancelled.into()),
            turn = self.inner.code.turn.lock() => {
                let outcome = work(cancel.clone()).await;
                drop(turn);
                outcome
            }
        };
        self.inner.code.end_execution(&cancel);
        outcome
    }

    async fn execute_code(
        &self,
        room: &SandboxFolder,
        owner: &str,
        code: &str,
        views: &[String],
        cancel: CancellationToken,
    ) -> Result<CodeOutcome, AppError> {
        let began = Instant::now();
        let elapsed = |wall: Duration| u32::try_from(wall.as_millis()).unwrap_or(u32::MAX);
        match room.run_code(code, views, RERUN, &cancel).await {
            Ok(outcome) => {
                let table = KeptTable { owner: owner.to_owned(), rerun: true };
                Ok(CodeOutcome {
                    result: Some(self.open_table(table, MOST_ROWS).await?),
                    printed: outcome.stdout,
                    error: None,
                    elapsed_ms: elapsed(outcome.wall),
                    notes: Vec::new(),
                })
            }
            Err(error) if error.is_the_codes_fault() => Ok(CodeOutcome {
                result: None,
                printed: error.printed_text().to_owned(),
                elapsed_ms: elapsed(began.elapsed()),
                error: Some(error.into()),
                notes: Vec::new(),
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// Fetches a view and stores it for the code. Returns a note if the view was cut at the row limit.
    async fn fetch_view(
        &self,
        room: &SandboxFolder,
        warehouse: &str,
        view: &SavedView,
        cancel: CancellationToken,
    ) -> Result<Option<String>, AppError> {
        let failed = |error: AppError| match error.code {
            ErrorCode::Cancelled => error,
            _ => AppError {
                message: tr!("The view {view} cannot be fetched: {reason}", view = view.name, reason = error.message),
                ..error
            },
        };
        let path = room.view_path(&view.name);
        check_view_name(&view.name, &path)?;
        let settings = self.settings().await?;
        let most = prospy::view_rows(&settings.methods)?;
        let timeout = Duration::from_secs(u64::from(settings.timeout_s));
        let rows = self.query_rows(warehouse, &view.sql).await.map_err(failed)?;
        let batches = rows.read_batches(Some(most), timeout, cancel).await.map_err(failed)?;
        let page = vitrine_warehouse::read_page(batches, most).await.map_err(|error| failed(error.into()))?;
        let cut = page
            .truncated
            .then(|| tr!("{view} has more rows: the first {most} of them were fetched", view = view.name, most));
        let folder = room.folder().to_owned();
        run_blocking(move || {
            let kept = std::fs::create_dir_all(folder).and_then(|()| vitrine_warehouse::write_parquet(&page, &path));
            kept.map_err(|error| {
                AppError::new(ErrorCode::Internal, tr!("{path} cannot be written", path = path.display()))
                    .with_hint(tr!("Check the free disk space"))
                    .with_detail(error)
            })
        })
        .await?;
        Ok(cut)
    }
}

/// Returns an error if code could not use the view's name, which is also the name of a file.
pub(crate) fn check_view_name(name: &str, path: &Path) -> Result<(), AppError> {
    Input { name: name.to_owned(), path: path.to_owned() }.check_name().map_err(Into::into)
}
