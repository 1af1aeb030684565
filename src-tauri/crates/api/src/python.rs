//! Analysis in Python: its environment, which the person sets up once, and the run's own folder of views.

use crate::app::{App, broke, new_id, on_own_thread};
use crate::types::{JobEvent, JobKind, JobState, PythonStatus};
use async_trait::async_trait;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use vitrine_agents::analysis::{Analysed, AnalysisError, Laboratory};
use vitrine_domain::{AppError, Page};
use vitrine_python::{Environment, INSTALLED_BYTES, Input, Job, Limits, PythonError, Sandbox, Script};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::WarehouseUri;

/// The file of an analysis' table; a view of that name cannot be given to code.
const RESULT: &str = "result.parquet";

/// Bytes of memory of one analysis: the views and what is made of them.
const MEMORY: u64 = 2 << 30;

impl App {
    /// Whether Python is set up, and whether code can be run safely here.
    pub async fn python(&self) -> Result<PythonStatus, AppError> {
        let folder = self.inner.options.folders.python();
        let sandbox = Sandbox::new(&self.inner.options.worker_exe).available().await;
        Ok(PythonStatus {
            installed: Environment::find(&folder).is_some(),
            bytes: Environment::size(&folder),
            needed_bytes: INSTALLED_BYTES,
            unavailable: sandbox.err(),
        })
    }

    /// Sets Python up for analysis; events tell how far it is.
    pub async fn install_python(&self) -> Result<String, AppError> {
        let folder = self.inner.options.folders.python();
        let sandbox = Sandbox::new(&self.inner.options.worker_exe);
        let job = JobEvent {
            job_id: new_id(),
            kind: JobKind::PythonInstall,
            title: "Python for analysis".to_owned(),
            done: 0,
            total: Some(INSTALLED_BYTES),
            unit: "bytes".to_owned(),
            state: JobState::Running,
            error: None,
            path: None,
        };
        Ok(self.start_job(job, move |progress, cancel| async move {
            let made = on_own_thread(move || async move {
                let told = |p: vitrine_python::Progress| progress.at(p.bytes.min(p.total), Some(p.total));
                Environment::install(&folder, &sandbox, &told, &cancel).await.map(|_| Environment::size(&folder))
            });
            Ok(made.await.map_err(|error| broke(&error))??)
        }))
    }

    /// Deletes what was set up.
    pub async fn remove_python(&self) -> Result<(), AppError> {
        let folder = self.inner.options.folders.python();
        let removed = tokio::task::spawn_blocking(move || Environment::remove(&folder)).await;
        Ok(removed.map_err(|error| broke(&error))??)
    }

    /// The table that code of a run gave, as an address and a query over it: for exports, since no query of the warehouse
    /// gives it. `None` where the run has none.
    pub fn analysed_table(&self, run_id: &str) -> Option<(String, String)> {
        let file = self.inner.options.folders.views(run_id).join(RESULT);
        file.exists().then(|| (format!("file:{}", file.display()), "SELECT * FROM result".to_owned()))
    }

    /// A place for the views of a run, kept as long as the run is; `None` where Python is not set up.
    pub(crate) fn laboratory(&self, run_id: &str) -> Option<Arc<dyn Laboratory>> {
        self.room(self.inner.options.folders.views(run_id), None)
    }

    /// A place that is gone with the question, for evaluations.
    pub(crate) fn passing_laboratory(&self) -> Option<Arc<dyn Laboratory>> {
        let folder = tempfile::tempdir().ok()?;
        self.room(folder.path().to_owned(), Some(folder))
    }

    fn room(&self, folder: PathBuf, passing: Option<TempDir>) -> Option<Arc<dyn Laboratory>> {
        let environment = Environment::find(&self.inner.options.folders.python())?;
        let sandbox = Sandbox::new(&self.inner.options.worker_exe);
        Some(Arc::new(Room { folder, _passing: passing, environment, sandbox }))
    }
}

/// A run's folder, with an interpreter that sees nothing else.
struct Room {
    folder: PathBuf,
    /// Deletes the folder in the end, where it is not the run's own.
    _passing: Option<TempDir>,
    environment: Environment,
    sandbox: Sandbox,
}

#[async_trait]
impl Laboratory for Room {
    fn folder(&self) -> PathBuf {
        // Made when it is first needed: most runs fetch nothing.
        let _ = std::fs::create_dir_all(&self.folder);
        self.folder.clone()
    }

    async fn analyse(
        &self,
        code: &str,
        views: &[String],
        rows: u64,
        cancel: CancellationToken,
    ) -> Result<Analysed, AnalysisError> {
        let script = Script::new(code).map_err(blame)?;
        let inputs: Vec<Input> = views
            .iter()
            .map(|name| Input { name: name.clone(), path: self.folder.join(format!("{name}.parquet")) })
            .collect();
        let output = self.folder.join(RESULT);
        let _ = std::fs::remove_file(&output);
        let job = Job { script: &script, inputs: &inputs, output: &output };
        let limits = Limits { memory: MEMORY, ..Limits::default() };
        let outcome = self.sandbox.run(&self.environment, job, &limits, &cancel).await.map_err(blame)?;
        let page = read(&output, rows, cancel).await.map_err(|e| AnalysisError::Code(e.message))?;
        Ok(Analysed { page, printed: outcome.stdout })
    }
}

fn blame(error: PythonError) -> AnalysisError {
    match error {
        PythonError::Cancelled => AnalysisError::Cancelled,
        error if error.is_the_codes_fault() => AnalysisError::Code(error.to_string()),
        error => AnalysisError::Unavailable(error.to_string()),
    }
}

/// The rows of a file that code wrote: read as any file of a stranger, by the engine within its limits.
async fn read(path: &Path, rows: u64, cancel: CancellationToken) -> Result<Page, AppError> {
    let uri = WarehouseUri::parse(&format!("file:{}", path.display()))?;
    let warehouse = vitrine_warehouse::open(&uri).await?;
    let catalog = warehouse.catalog().await?;
    let table = catalog.tables.first().map(|table| table.name.to_string()).unwrap_or_default();
    let dialect = catalog.dialect;
    let sql = ReadOnlySql::parse(&format!("SELECT * FROM {}", vitrine_sql::quote(&table, dialect)), dialect)?;
    let limits = vitrine_warehouse::Limits { rows: Some(rows), ..Default::default() };
    let batches = warehouse.query(&sql, limits, cancel).await?;
    Ok(vitrine_warehouse::read_page(batches, rows).await?)
}
