//! Writing the exported file. It is written atomically, and only its owner can read it.

use super::{
    DATABASES, DRIVERS, DriverRecord, FORMAT, MANIFEST, MODELS, Manifest, RUNS, SAVED, SETTINGS, VERSION,
    is_usable_address,
};
use crate::abridged::without_results;
use crate::app::App;
use crate::audit::new_audit_entry;
use crate::sources::redact_sources;
use crate::state::work::{current_timestamp, run_blocking};
use crate::types::{Settings, WorkspaceContent};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::{Builder, NamedTempFile};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, EventBody};
use vitrine_models::Driver;
use vitrine_store::{AuditEntry, AuditVerdict, DatabaseRecord, RunRecord, SavedRecord, Store, StoreError};
use vitrine_words::tr;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

impl App {
    /// Returns the number of records to export.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub async fn workspace_content(&self) -> Result<WorkspaceContent, AppError> {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        self.with_store(move |store| {
            Ok(WorkspaceContent {
                runs: count(store.ended_runs()?.len()),
                saved: count(store.saved_questions("")?.len()),
                connections: count(store.connections()?.len()),
                models: count(store.model_records()?.len()),
            })
        })
        .await
    }

    /// Writes the workspace to a path that the caller may choose freely; without `results`, rows of results are omitted. `progress`
    /// receives the number of written records and their total. The export is recorded in the audit log.
    ///
    /// # Errors
    /// When the file cannot be written, or `cancel` is cancelled. Then no file is written.
    pub async fn write_workspace(
        &self,
        path: PathBuf,
        results: bool,
        progress: impl Fn(u64, u64) + Send + 'static,
        cancel: CancellationToken,
    ) -> Result<WorkspaceContent, AppError> {
        let (store, drivers) = (Arc::clone(&self.inner.store), self.inner.drivers.clone());
        let sample = self.sample_uri();
        let settings = self.settings().await?;
        let content = run_blocking(move || {
            let drivers = drivers.list_drivers().into_iter().filter(|driver| driver.added).collect();
            let outgoing = Outgoing { store: &store, results, sample, settings, drivers };
            let unwritten = |error: &dyn std::fmt::Display| unwritable_file_error(&path, error);
            let (draft, content) = outgoing.write_archive(&path, &progress, &cancel)?;
            let what = format!(
                "workspace with {} runs, {} saved questions, {} connections and {} models, {} rows of results",
                content.runs,
                content.saved,
                content.connections,
                content.models,
                if results { "with" } else { "without" }
            );
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            store.append_audit_entry(&AuditEntry {
                verdict: AuditVerdict::Told,
                reason: Some(what),
                receiver: Some(format!("file {name}")),
                ..new_audit_entry("", "")
            })?;
            // The file is published only after the audit log has recorded it.
            draft.persist(&path).map_err(|error| unwritten(&error))?;
            Ok(content)
        });
        content.await
    }
}

/// A workspace that is being written.
struct Outgoing<'a> {
    store: &'a Store,
    results: bool,
    sample: String,
    settings: Settings,
    drivers: Vec<Driver>,
}

type Archive = ZipWriter<BufWriter<File>>;

impl Outgoing<'_> {
    fn write_archive(
        &self,
        path: &Path,
        progress: &dyn Fn(u64, u64),
        cancel: &CancellationToken,
    ) -> Result<(NamedTempFile, WorkspaceContent), AppError> {
        let failed = |error: &dyn std::fmt::Display| unwritable_file_error(path, error);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The temporary file is readable only by its owner, and is deleted if the export fails.
        let name = path.file_name().unwrap_or_default();
        let draft = Builder::new().prefix(name).suffix(".part").tempfile_in(folder).map_err(|error| failed(&error))?;
        let file = draft.reopen().map_err(|error| failed(&error))?;
        let mut zip = ZipWriter::new(BufWriter::new(file));
        let content = self.write_parts(&mut zip, progress, cancel).map_err(|stop| match stop {
            Stopped::Error(error) => error,
            Stopped::Writing(error) => failed(&error),
        })?;
        let file = zip.finish().map_err(|error| failed(&error))?;
        file.into_inner().map_err(|error| failed(&error))?.sync_all().map_err(|error| failed(&error))?;
        Ok((draft, content))
    }

    fn write_parts(
        &self,
        zip: &mut Archive,
        progress: &dyn Fn(u64, u64),
        cancel: &CancellationToken,
    ) -> Result<WorkspaceContent, Stopped> {
        let store = self.store;
        let (runs, saved) = (store.ended_runs()?, store.saved_questions("")?);
        let (addresses, models) = (store.described_addresses()?, store.model_records()?);
        let all = (runs.len() + saved.len() + addresses.len() + models.len()) as u64;
        let mut parts = BTreeMap::new();
        let mut done = 0;
        let mut step = || {
            progress(done, all);
            done += 1;
            if cancel.is_cancelled() { Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped"))) } else { Ok(()) }
        };
        let mut connections = 0;
        let records = addresses.iter().map(|address| {
            step()?;
            let record = without_logins(store.database_record(address)?);
            connections += u32::from(record.connection.is_some());
            Ok(Some(record))
        });
        parts.insert(DATABASES, write_records(zip, DATABASES, records)?);
        let records = models.into_iter().map(|mut record| {
            step()?;
            // Addresses with a login or a key are never stored. If one was stored anyway, it is not exported.
            record.remote = record.remote.filter(|model| is_usable_address(&model.base_url));
            Ok(Some(record))
        });
        parts.insert(MODELS, write_records(zip, MODELS, records)?);
        let records = self.drivers.iter().map(|driver| {
            Ok(Some(DriverRecord {
                name: driver.name.clone(),
                path: driver.path.display().to_string(),
                sha256: driver.sha256.clone(),
            }))
        });
        parts.insert(DRIVERS, write_records(zip, DRIVERS, records)?);
        let records = runs.iter().map(|run_id| {
            step()?;
            match store.run_record(run_id) {
                Ok(record) => Ok(Some(self.prepare_run(record))),
                // The run was deleted in the meantime.
                Err(StoreError::NotFound { .. }) => Ok(None),
                Err(error) => Err(error.into()),
            }
        });
        parts.insert(RUNS, write_records(zip, RUNS, records)?);
        let records = saved.into_iter().map(|question| {
            step()?;
            let record = store.saved_record(question, self.results)?;
            let warehouse = redact_sources(&record.question.warehouse);
            Ok(Some(SavedRecord { question: vitrine_store::SavedQuestion { warehouse, ..record.question }, ..record }))
        });
        parts.insert(SAVED, write_records(zip, SAVED, records)?);
        parts.insert(SETTINGS, write_records(zip, SETTINGS, std::iter::once(Ok(Some(&self.settings))))?);
        let count = |part: &str| u32::try_from(parts[part]).unwrap_or(u32::MAX);
        let content = WorkspaceContent { runs: count(RUNS), saved: count(SAVED), connections, models: count(MODELS) };
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: format!("vitrine {}", env!("CARGO_PKG_VERSION")),
            written_at: current_timestamp(),
            results: self.results,
            sample: self.sample.clone(),
            parts: parts.iter().map(|(name, records)| ((*name).to_owned(), *records)).collect(),
        };
        begin_part(zip, MANIFEST)?;
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| Stopped::Writing(error.into()))?;
        zip.write_all(&text).map_err(Stopped::Writing)?;
        progress(all, all);
        Ok(content)
    }

    fn prepare_run(&self, mut record: RunRecord) -> RunRecord {
        if !self.results {
            record.events = without_results(&record.events);
        }
        if let Some(EventBody::RunStarted { warehouse, .. }) = record.events.first_mut().map(|event| &mut event.body) {
            *warehouse = redact_sources(warehouse);
        }
        record
    }
}

/// Removes passwords from addresses. They are stored without passwords; if one was stored anyway, it is not exported.
fn without_logins(mut record: DatabaseRecord) -> DatabaseRecord {
    record.address = redact_sources(&record.address);
    if let Some(connection) = &mut record.connection {
        connection.address = record.address.clone();
    }
    for reading in &mut record.readings {
        reading.reading.warehouse = record.address.clone();
    }
    record
}

fn unwritable_file_error(path: &Path, error: &dyn std::fmt::Display) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
        .with_hint(tr!("Check that the folder exists and that there is space"))
        .with_detail(error)
}

/// The reason that writing stopped early.
enum Stopped {
    /// An error of the disk or of the archive writer.
    Writing(std::io::Error),
    /// Any other error, such as cancellation.
    Error(AppError),
}

impl<E: Into<AppError>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

fn begin_part(zip: &mut Archive, name: &str) -> Result<(), Stopped> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .large_file(true)
        .unix_permissions(0o600);
    zip.start_file(name, options).map_err(|error| Stopped::Writing(error.into()))
}

/// Writes a part with one record per line, and returns the number of records.
fn write_records<T: Serialize>(
    zip: &mut Archive,
    name: &str,
    records: impl Iterator<Item = Result<Option<T>, Stopped>>,
) -> Result<u64, Stopped> {
    begin_part(zip, name)?;
    let mut written = 0;
    for record in records {
        let Some(record) = record? else { continue };
        let mut line = serde_json::to_vec(&record).map_err(|error| Stopped::Writing(error.into()))?;
        line.push(b'\n');
        zip.write_all(&line).map_err(Stopped::Writing)?;
        written += 1;
    }
    Ok(written)
}
