//! Analysis in Python: its environment, which the user installs once, and the run's own folder of views.

use crate::app::App;
use crate::rows::{ANSWER, Rows};
use crate::state::work::{new_id, on_own_thread, panic_error};
use crate::types::{JobEvent, JobKind, JobState, PythonStatus};
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use vitrine_agents::run::sandbox::{Analysed, AnalysisError, AnalysisSandbox};
use vitrine_domain::{AppError, Page};
use vitrine_python::{Environment, INSTALLED_BYTES, Input, Job, Limits, Outcome, PythonError, Sandbox, Script};
use vitrine_words::tr;

/// Memory limit of one analysis in bytes, including the views and derived data.
const MEMORY: u64 = 2 << 30;

impl App {
    /// Returns the state of the Python installation and of the sandbox.
    pub async fn python(&self) -> Result<PythonStatus, AppError> {
        let folder = self.inner.options.folders.python_environment();
        let sandbox = Sandbox::new(&self.inner.options.worker_exe).check_available().await;
        Ok(PythonStatus {
            installed: Environment::find(&folder).is_some(),
            bytes: Environment::size_on_disk(&folder),
            needed_bytes: INSTALLED_BYTES,
            unavailable: sandbox.err(),
        })
    }

    /// Installs Python for analysis; progress is sent as events. Returns the job's id.
    pub async fn install_python(&self) -> Result<String, AppError> {
        let folder = self.inner.options.folders.python_environment();
        let sandbox = Sandbox::new(&self.inner.options.worker_exe);
        let job = JobEvent {
            job_id: new_id(),
            kind: JobKind::PythonInstall,
            title: tr!("Python for analysis"),
            done: 0,
            total: Some(INSTALLED_BYTES),
            unit: "bytes".to_owned(),
            state: JobState::Running,
            error: None,
            path: None,
        };
        Ok(self.start_job(job, move |progress, cancel| async move {
            let made = on_own_thread(move || async move {
                let told = |p: vitrine_python::Progress| progress.report_progress(p.bytes.min(p.total), Some(p.total));
                Environment::install(&folder, &sandbox, &told, &cancel)
                    .await
                    .map(|_| Environment::size_on_disk(&folder))
            });
            Ok(made.await.map_err(|error| panic_error(&error))??)
        }))
    }

    /// Deletes the interpreter and its packages.
    pub async fn remove_python(&self) -> Result<(), AppError> {
        let folder = self.inner.options.folders.python_environment();
        let removed = tokio::task::spawn_blocking(move || Environment::remove(&folder)).await;
        Ok(removed.map_err(|error| panic_error(&error))??)
    }

    /// Returns the folder for the views of a run, which is kept as long as the run; `None` if Python is not installed.
    pub(crate) fn sandbox_for_run(&self, run_id: &str) -> Option<Arc<dyn AnalysisSandbox>> {
        Some(Arc::new(self.create_sandbox_folder(self.kept_in(run_id).ok()?, None)?))
    }

    /// Returns a temporary folder that is deleted with the question, for evaluations.
    pub(crate) fn passing_sandbox(&self) -> Option<Arc<dyn AnalysisSandbox>> {
        let folder = tempfile::tempdir().ok()?;
        Some(Arc::new(self.create_sandbox_folder(folder.path().to_owned(), Some(folder))?))
    }

    /// Returns `None` if Python is not installed.
    pub(crate) fn create_sandbox_folder(&self, folder: PathBuf, passing: Option<TempDir>) -> Option<SandboxFolder> {
        let environment = Environment::find(&self.inner.options.folders.python_environment())?;
        let sandbox = Sandbox::new(&self.inner.options.worker_exe);
        Some(SandboxFolder { folder, _passing: passing, environment, sandbox })
    }
}

/// A folder of views, with an interpreter that can access only this folder.
pub(crate) struct SandboxFolder {
    folder: PathBuf,
    /// Deletes the folder on drop if it is temporary.
    _passing: Option<TempDir>,
    environment: Environment,
    sandbox: Sandbox,
}

impl SandboxFolder {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a view.
    pub(crate) fn view_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.parquet"))
    }

    /// Runs code over views; its table replaces the file of the given name beside them.
    pub(crate) async fn run_code(
        &self,
        code: &str,
        views: &[String],
        table: &str,
        cancel: &CancellationToken,
    ) -> Result<Outcome, PythonError> {
        let script = Script::new(code)?;
        let inputs: Vec<Input> =
            views.iter().map(|name| Input { name: name.clone(), path: self.view_path(name) }).collect();
        let output = self.folder.join(table);
        let _ = std::fs::remove_file(&output);
        let job = Job { script: &script, inputs: &inputs, output: &output };
        let limits = Limits { memory: MEMORY, ..Limits::default() };
        self.sandbox.run(&self.environment, job, &limits, cancel).await
    }
}

#[async_trait]
impl AnalysisSandbox for SandboxFolder {
    fn folder(&self) -> PathBuf {
        // Created on first use, because most runs fetch no views.
        let _ = std::fs::create_dir_all(&self.folder);
        self.folder.clone()
    }

    async fn run_code(
        &self,
        code: &str,
        views: &[String],
        rows: u64,
        cancel: CancellationToken,
    ) -> Result<Analysed, AnalysisError> {
        let outcome = self.run_code(code, views, ANSWER, &cancel).await.map_err(to_analysis_error)?;
        let page = first_rows(&outcome.output, rows, cancel).await.map_err(|e| AnalysisError::of_code(e.message))?;
        Ok(Analysed { page, printed: outcome.stdout })
    }
}

fn to_analysis_error(error: PythonError) -> AnalysisError {
    match error {
        PythonError::Cancelled => AnalysisError::Cancelled,
        error if error.is_the_codes_fault() => {
            AnalysisError::Code { error: error.to_string(), printed: error.printed_text().to_owned() }
        }
        error => AnalysisError::Unavailable(error.in_words()),
    }
}

async fn first_rows(table: &Path, rows: u64, cancel: CancellationToken) -> Result<Page, AppError> {
    let timeout = vitrine_warehouse::Limits::default().timeout;
    let batches = Rows::of_file(table).await?.read_batches(Some(rows), timeout, cancel).await?;
    Ok(vitrine_warehouse::read_page(batches, rows).await?)
}
