//! Metrics of a connection: a YAML file in the data folder, or one that the user names, for example in a git repository.

use crate::app::App;
use crate::state::work::run_blocking;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Catalog, ErrorCode};
use vitrine_metrics::{
    AvailableDimension, CompiledQuery, ImportedMetrics, KeyCheck, Metric, MetricQuery, MetricsFile, Skipped,
    available_dimensions, compile_query, import_files, parse_file, update_file,
};
use vitrine_words::tr;

/// Maximum size of an imported file in bytes; manifests of large projects have tens of megabytes.
const LARGEST: u64 = 256 << 20;

/// The metrics of a connection with their file.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredMetrics {
    /// The path of the file, which may not exist yet.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
    /// The definitions.
    pub file: MetricsFile,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricsImport {
    /// The path of the file that received the definitions.
    pub path: String,
    /// Names of metrics that are new.
    pub added: Vec<String>,
    /// Names of metrics that replaced one of the same name.
    pub replaced: Vec<String>,
    /// Parts of the files that were not imported.
    pub skipped: Vec<Skipped>,
}

/// A metric with the problem of its definition, if it has one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedMetric {
    /// The name of the metric.
    pub name: String,
    /// The problem and the next step; `None` if the metric can be queried.
    pub problem: Option<String>,
}

impl App {
    /// Returns the metrics of a warehouse, from `file` instead of the connection's own file if it is given.
    ///
    /// # Errors
    /// When the warehouse cannot be opened or the file is not valid.
    pub async fn metrics(&self, uri: &str, file: Option<PathBuf>) -> Result<StoredMetrics, AppError> {
        let open = self.ensure_open(uri).await?;
        let is_sample = open.uri == self.sample_uri();
        let (path, is_own) = match file {
            Some(path) => (path, false),
            None => (self.inner.options.folders.metrics_file(&open.uri), true),
        };
        run_blocking(move || {
            let text = match std::fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && is_own => match is_sample {
                    true => vitrine_warehouse::sample::METRICS.to_owned(),
                    false => String::new(),
                },
                Err(error) => return Err(unreadable_error(&path, &error)),
            };
            let file = parse_file(&text).map_err(|error| AppError::from(error).with_detail(path.display()))?;
            Ok(StoredMetrics { path, text, file })
        })
        .await
    }

    /// Returns the metrics by which questions about a warehouse are answered; `None` without any.
    ///
    /// # Errors
    /// When the warehouse cannot be opened or the file is not valid.
    pub(crate) async fn metrics_for_questions(&self, uri: &str) -> Result<Option<Arc<MetricsFile>>, AppError> {
        let file = self.metrics(uri, None).await?.file;
        Ok((!file.metrics.is_empty()).then(|| Arc::new(file)))
    }

    /// Reads metrics from files of other tools and adds them to those of a warehouse. A metric or table replaces the one of
    /// the same name. `target` is the file that receives them; the connection's own file if absent.
    ///
    /// # Errors
    /// When a file has no metrics of a known form, or the definitions cannot be written.
    pub async fn import_metrics(
        &self,
        uri: &str,
        files: Vec<PathBuf>,
        target: Option<PathBuf>,
    ) -> Result<MetricsImport, AppError> {
        let catalog = self.ensure_open(uri).await?.declared.clone();
        let stored = match target {
            Some(path) if !path.exists() => StoredMetrics { path, text: String::new(), file: MetricsFile::default() },
            target => self.metrics(uri, target).await?,
        };
        run_blocking(move || {
            let mut texts = Vec::new();
            for path in &files {
                texts.push((path.display().to_string(), read_limited(path)?));
            }
            let ImportedMetrics { file: new, skipped } = import_files(&texts, &stored.file, &catalog)?;
            let (mut all, mut added, mut replaced) = (stored.file, Vec::new(), Vec::new());
            for table in new.tables {
                match all.find_table(&table.name) {
                    Some(known) => all.tables[known] = table,
                    None => all.tables.push(table),
                }
            }
            for metric in new.metrics {
                let known = all.metrics.iter_mut().find(|known| known.name.eq_ignore_ascii_case(&metric.name));
                let name = metric.name.clone();
                match known {
                    Some(known) => {
                        *known = metric;
                        replaced.push(name);
                    }
                    None => {
                        all.metrics.push(metric);
                        added.push(name);
                    }
                }
            }
            if new.calendar.days.is_some() {
                all.calendar.days = new.calendar.days;
            }
            let updated = update_file(&stored.text, &all)?;
            if !updated.keeps_comments {
                write_metrics(&stored.path.with_extension("yaml.bak"), &stored.text)?;
            }
            write_metrics(&stored.path, &updated.text)?;
            Ok(MetricsImport { path: stored.path.display().to_string(), added, replaced, skipped })
        })
        .await
    }

    /// Compiles a metric query after checking that the keys of joined tables are unique.
    ///
    /// # Errors
    /// When the query cannot be compiled, or a join would repeat rows.
    pub async fn compile_metrics(
        &self,
        uri: &str,
        file: &MetricsFile,
        query: MetricQuery,
        cancel: CancellationToken,
    ) -> Result<String, AppError> {
        let CompiledQuery { sql, key_checks } = self.compile_unchecked(uri, file, &query).await?;
        for check in key_checks {
            let repeated = self.query_page(uri.to_owned(), check.sql.as_str().to_owned(), 1, cancel.clone()).await?;
            if let Some(row) = repeated.rows.first() {
                let value = row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect::<Vec<_>>().join(", ");
                return Err(repeated_key_error(&check).with_detail(format!("{} = {value}", check.key)));
            }
        }
        Ok(sql.as_str().to_owned())
    }

    /// Moves the file of metrics to another address, unless that has one.
    pub(crate) async fn move_metrics(&self, from: &str, to: &str) -> Result<(), AppError> {
        let folders = &self.inner.options.folders;
        let (from, to) = (folders.metrics_file(from), folders.metrics_file(to));
        run_blocking(move || {
            if !from.exists() || to.exists() {
                return Ok(());
            }
            std::fs::rename(&from, &to).map_err(|error| {
                AppError::new(ErrorCode::Internal, tr!("{path} cannot be written", path = to.display()))
                    .with_hint(tr!("Check that the folder exists and that you may write to it"))
                    .with_detail(error)
            })
        })
        .await
    }

    /// Compiles a metric query without its checks of keys.
    pub(crate) async fn compile_unchecked(
        &self,
        uri: &str,
        file: &MetricsFile,
        query: &MetricQuery,
    ) -> Result<CompiledQuery, AppError> {
        let catalog = self.ensure_open(uri).await?.declared.clone();
        Ok(compile_query(file, &catalog, query)?)
    }

    /// Compiles each metric of a file without executing it, by time where it has one.
    ///
    /// # Errors
    /// When the warehouse cannot be opened.
    pub async fn check_metrics(&self, uri: &str, file: &MetricsFile) -> Result<Vec<CheckedMetric>, AppError> {
        let catalog = self.ensure_open(uri).await?.declared.clone();
        let check = |metric: &Metric| CheckedMetric {
            name: metric.name.clone(),
            problem: find_problem(file, &catalog, &metric.name),
        };
        Ok(file.metrics.iter().map(check).collect())
    }

    /// Returns the dimensions by which all of these metrics can be grouped; for no names, by which any can be.
    ///
    /// # Errors
    /// When a metric does not exist.
    pub async fn metric_dimensions(
        &self,
        uri: &str,
        file: &MetricsFile,
        metrics: &[String],
    ) -> Result<Vec<AvailableDimension>, AppError> {
        let dialect = self.ensure_open(uri).await?.declared.dialect;
        Ok(available_dimensions(file, metrics, dialect)?)
    }
}

/// Returns the problem of a metric: without groups, and by time unless it has none.
fn find_problem(file: &MetricsFile, catalog: &Catalog, name: &str) -> Option<String> {
    let by_time = MetricQuery {
        metrics: vec![name.to_owned()],
        by: vec!["metric_time__year".to_owned()],
        ..MetricQuery::default()
    };
    let whole = MetricQuery { by: Vec::new(), ..by_time.clone() };
    let timed = compile_query(file, catalog, &by_time);
    let error = compile_query(file, catalog, &whole).err()?;
    // Some metrics exist only over time, others only without it.
    let error = timed.err().map(|_| error)?;
    Some(match error.hint {
        Some(hint) => format!("{}. {hint}", error.message),
        None => error.message,
    })
}

/// Creates the error for a key of a joined table that is not unique.
pub(crate) fn repeated_key_error(check: &KeyCheck) -> AppError {
    let (table, key) = (&check.table, &check.key);
    AppError::new(
        ErrorCode::Usage,
        tr!("Table {table} has several rows with the same {key}, so that joining it would repeat rows", table, key),
    )
    .with_hint(tr!("Correct the data, or the kind of the entity in the definitions of the metrics"))
}

fn read_limited(path: &Path) -> Result<String, AppError> {
    let failed = |error: std::io::Error| unreadable_error(path, &error);
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > LARGEST {
        let path = path.display();
        return Err(AppError::new(
            ErrorCode::Usage,
            tr!("{path} is larger than {size} MB", path, size = LARGEST >> 20),
        ));
    }
    std::fs::read_to_string(path).map_err(failed)
}

fn unreadable_error(path: &Path, error: &std::io::Error) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display()))
        .with_hint(tr!("Check that it exists and that you may read it"))
        .with_detail(error)
}

/// Replaces a file as a whole, so that a failure leaves the earlier one. The target of a link is replaced, not the link.
fn write_metrics(path: &Path, text: &str) -> Result<(), AppError> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let write = || -> std::io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        new.persist(&path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| {
        AppError::new(ErrorCode::Internal, tr!("{path} cannot be written", path = path.display()))
            .with_hint(tr!("Check that the folder exists and that you may write to it"))
            .with_detail(error)
    })
}
