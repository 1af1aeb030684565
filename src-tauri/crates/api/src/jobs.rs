//! Jobs: long work with progress, such as exports and downloads. Every event of a job contains its whole state.

use crate::app::App;
use crate::rows::Rows;
use crate::state::jobs::JobProgress;
use crate::state::work::{new_id, panic_error};
use crate::types::{AppEvent, CsvStyle, ExportFile, JobEvent, JobKind, JobState, KeptTable};
use futures::FutureExt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, ExportAbout};
use vitrine_warehouse::{CsvOptions, ExportFormat, ExportOptions};
use vitrine_words::tr;

/// Maximum time of an export; the user sees its progress and can stop it.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(3600);

impl App {
    /// Writes a whole result to a file in the format of its name's extension; progress is sent as events. `file` is the token of a file
    /// that the user chose; `about` is written with the rows.
    pub async fn export_result(
        &self,
        warehouse: String,
        sql: String,
        file: String,
        style: CsvStyle,
        about: Option<ExportAbout>,
    ) -> Result<String, AppError> {
        // A query that cannot be run is reported immediately, and the token of the file stays valid.
        let rows = self.query_rows(&warehouse, &sql).await?;
        Ok(self.start_export(rows, self.export_file(&file, style, about)?))
    }

    /// Same as [`App::export_result`], for a table that code returned.
    pub async fn export_table(
        &self,
        table: KeptTable,
        file: String,
        style: CsvStyle,
        about: Option<ExportAbout>,
    ) -> Result<String, AppError> {
        let rows = self.table_rows(&table).await?;
        Ok(self.start_export(rows, self.export_file(&file, style, about)?))
    }

    fn export_file(&self, token: &str, style: CsvStyle, about: Option<ExportAbout>) -> Result<ExportFile, AppError> {
        let path = self.take_chosen_file(token)?;
        Ok(ExportFile { format: ExportFormat::from_path(&path)?, path, style, about })
    }

    fn start_export(&self, rows: Rows, file: ExportFile) -> String {
        let path = file.path.display().to_string();
        let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let job = JobEvent {
            job_id: new_id(),
            kind: JobKind::ResultExport,
            title: tr!("Export to {file}", file = name.unwrap_or_else(|| path.clone())),
            done: 0,
            total: None,
            unit: "rows".to_owned(),
            state: JobState::Running,
            error: None,
            path: Some(path),
        };
        self.start_job(job, move |progress, cancel| async move {
            write_export(&rows, &file, move |rows| progress.report_progress(rows, None), cancel).await
        })
    }

    /// Writes a whole result to a file and returns the number of rows.
    pub async fn write_result(
        &self,
        warehouse: &str,
        sql: &str,
        file: ExportFile,
        progress: impl Fn(u64) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<u64, AppError> {
        write_export(&self.query_rows(warehouse, sql).await?, &file, progress, cancel).await
    }

    /// Same as [`App::write_result`], for a table that code returned.
    pub async fn write_table(
        &self,
        table: KeptTable,
        file: ExportFile,
        progress: impl Fn(u64) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<u64, AppError> {
        write_export(&self.table_rows(&table).await?, &file, progress, cancel).await
    }

    /// Stops a job; its last event reports that. A job that has ended is not changed.
    pub async fn cancel_job(&self, job_id: String) -> Result<(), AppError> {
        if let Some(token) = self.inner.jobs.0.lock().get(&job_id) {
            token.cancel();
        }
        Ok(())
    }

    /// Starts a job and returns its id. `work` returns the total number of finished units.
    pub(crate) fn start_job<F>(
        &self,
        job: JobEvent,
        work: impl FnOnce(Arc<JobProgress>, CancellationToken) -> F,
    ) -> String
    where
        F: Future<Output = Result<u64, AppError>> + Send + 'static,
    {
        let job_id = job.job_id.clone();
        let cancel = self.inner.ending.child_token();
        self.inner.jobs.0.lock().insert(job_id.clone(), cancel.clone());
        self.send_event(AppEvent::Job(job.clone()));
        let progress = Arc::new(JobProgress::new(job, self.inner.events.clone()));
        let work = work(Arc::clone(&progress), cancel);
        let (app, id) = (self.clone(), job_id.clone());
        tokio::spawn(async move {
            let outcome = AssertUnwindSafe(work).catch_unwind().await;
            let outcome = outcome.unwrap_or_else(|_| Err(panic_error(&"a job panicked")));
            let mut last = progress.latest_event();
            match outcome {
                Ok(done) => {
                    (last.done, last.state) = (done, JobState::Done);
                    last.total = Some(done);
                    if let Some(path) = &last.path {
                        app.inner.chosen.note_written(&id, path.into());
                    }
                }
                Err(error) if error.code == ErrorCode::Cancelled => last.state = JobState::Cancelled,
                Err(error) => {
                    last.state = JobState::Failed;
                    last.error = Some(error);
                }
            }
            app.inner.jobs.0.lock().remove(&id);
            app.send_event(AppEvent::Job(last));
        });
        job_id
    }
}

async fn write_export(
    rows: &Rows,
    file: &ExportFile,
    progress: impl Fn(u64) + Send + Sync,
    cancel: CancellationToken,
) -> Result<u64, AppError> {
    let batches = rows.read_batches(None, EXPORT_TIMEOUT, cancel.clone()).await?;
    let csv = CsvOptions {
        guard_formulas: file.style.guard_formulas,
        byte_order_mark: file.style.byte_order_mark,
        header: true,
    };
    let options = ExportOptions { format: file.format, csv, about: file.about.clone() };
    Ok(vitrine_warehouse::export_batches(batches, &file.path, options, progress, cancel).await?)
}
