//! Export and import of the workspace for the window, as jobs with progress that can be stopped.

use crate::app::App;
use crate::state::imports::Outcome;
use crate::state::work::{new_id, panic_error};
use crate::types::{ImportChoice, JobEvent, JobKind, JobState, WorkspaceImport};
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Writes the workspace to the file that the user chose; `file` is its token. Without `results`, rows of results are omitted. Returns
    /// the job's id; progress is sent as events.
    ///
    /// # Errors
    /// When no file was chosen.
    pub async fn export_workspace(&self, file: String, results: bool) -> Result<String, AppError> {
        let path = self.take_chosen_file(&file)?;
        let job = new_job_event(JobKind::WorkspaceExport, &path);
        let app = self.clone();
        Ok(self.start_job(job, move |progress, cancel| async move {
            let told = move |done, all| progress.report_progress(done, Some(all));
            let content = app.write_workspace(path, results, told, cancel).await?;
            Ok(u64::from(content.runs) + u64::from(content.saved))
        }))
    }

    /// Starts to read a workspace that was exported elsewhere: imports it with `apply`, else only previews the import. Of the looser
    /// policies, only those with the confirmed ids are imported. Returns the id of the job, for which `workspace_import` waits; progress is
    /// sent as events.
    ///
    /// # Errors
    /// Never fails; `workspace_import` returns errors of the file.
    pub async fn begin_workspace_import(
        &self,
        path: String,
        settings: bool,
        apply: bool,
        confirmed: Vec<String>,
    ) -> Result<String, AppError> {
        let path = PathBuf::from(path);
        let job = JobEvent { path: None, ..new_job_event(JobKind::WorkspaceImport, &path) };
        let outcome = Arc::new(Outcome::default());
        self.inner.imports.store_outcome(job.job_id.clone(), Arc::clone(&outcome));
        let app = self.clone();
        Ok(self.start_job(job, move |progress, cancel| async move {
            let told = move |done, all| progress.report_progress(done, Some(all));
            let read = app.taken_in(path, ImportChoice { settings, apply, confirmed }, told, cancel).await;
            let (told, ended) = match read {
                Ok((done, added)) => {
                    let all = u64::from(done.runs.added) + u64::from(done.saved.added);
                    *outcome.added.lock() = Some(added);
                    (Ok(done), Ok(all))
                }
                Err(error) => (Err(error.clone()), Err(error)),
            };
            outcome.done.send_replace(Some(told));
            ended
        }))
    }

    /// Waits for an import and returns its result or preview.
    ///
    /// # Errors
    /// The error that stopped the import, so that nothing was imported.
    pub async fn workspace_import(&self, job_id: String) -> Result<WorkspaceImport, AppError> {
        let outcome = self.inner.imports.find_outcome(&job_id)?;
        let mut done = outcome.done.subscribe();
        let told = done.wait_for(Option::is_some).await.map_err(|error| panic_error(&error))?;
        told.clone().unwrap_or_else(|| Err(panic_error(&"an import without an outcome")))
    }

    /// Removes the records that an import has added; records that existed before are not changed.
    ///
    /// # Errors
    /// When the import is too old to be known, or was already undone.
    pub async fn undo_workspace_import(&self, job_id: String) -> Result<(), AppError> {
        let outcome = self.inner.imports.find_outcome(&job_id)?;
        let Some(added) = outcome.added.lock().take() else {
            return Err(AppError::new(ErrorCode::NotFound, tr!("There is nothing to undo")));
        };
        self.with_store(move |store| store.take_out(&added)).await?;
        self.inner.models.forget_local().await;
        Ok(())
    }
}

fn new_job_event(kind: JobKind, path: &std::path::Path) -> JobEvent {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    JobEvent {
        job_id: new_id(),
        kind,
        title: name,
        done: 0,
        total: None,
        unit: "records".to_owned(),
        state: JobState::Running,
        error: None,
        path: Some(path.display().to_string()),
    }
}
