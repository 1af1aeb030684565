//! The audit of queries that run for a user: those of questions, of the editor, of saved questions and of exports, those that
//! programs outside ask for, with what these are told, and those that were refused. What the program reads for itself, such as profiles, is not part of it.

use crate::app::App;
use crate::state::work::{blocking, now};
use crate::types::{AuditCheck, AuditRow};
use arrow::array::RecordBatch;
use futures::{StreamExt, stream};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody};
use vitrine_store::{AuditEntry, AuditVerdict, Store, sha256};
use vitrine_warehouse::{Batches, WarehouseError, write_csv_field};
use vitrine_words::tr;

impl App {
    /// Queries of the audit whose text, question or address holds every word of `search`, the latest first.
    pub async fn audit(&self, search: String, limit: u32, offset: u32) -> Result<Vec<AuditRow>, AppError> {
        self.store(move |store| store.audited(&search, limit, offset)).await
    }

    /// Looks through the whole audit for rows that were changed or removed.
    pub async fn check_audit(&self) -> Result<AuditCheck, AppError> {
        self.store(|store| store.check_audit()).await
    }

    /// Writes the whole audit to the file that the user chose, which `file` stands for, as CSV where its name ends so, else as JSON
    /// lines. Gives the number of rows.
    pub async fn export_audit(&self, file: String) -> Result<u32, AppError> {
        let path = self.chosen(&file)?;
        let rows = self.write_audit(path.clone()).await?;
        self.inner.chosen.note_written(&file, path);
        Ok(rows)
    }

    /// The same for a file that whoever calls has the right to name.
    pub async fn write_audit(&self, path: PathBuf) -> Result<u32, AppError> {
        let store = Arc::clone(&self.inner.store);
        blocking(move || {
            let failed = |error: std::io::Error| {
                AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display())).detail(error)
            };
            let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
            let mut draft = path.as_os_str().to_owned();
            draft.push(".part");
            let draft = PathBuf::from(draft);
            let mut file = std::io::BufWriter::new(vitrine_domain::create_private(&draft).map_err(failed)?);
            let (mut rows, mut written) = (0, if is_csv { writeln!(file, "{HEAD}") } else { Ok(()) });
            store.each_audited(|row| {
                rows += 1;
                let line = if is_csv { csv(&row) } else { serde_json::to_string(&row).expect("plain data") };
                if written.is_ok() {
                    written = writeln!(file, "{line}");
                }
            })?;
            // The file is whole or not there.
            let whole = written.and_then(|()| file.flush()).and_then(|()| std::fs::rename(&draft, &path));
            whole.inspect_err(|_| drop(std::fs::remove_file(&draft))).map_err(failed)?;
            Ok(rows)
        })
        .await
    }

    /// Records the queries of one warehouse; those of the user, or those that a program outside asks for.
    pub(crate) fn auditor(&self, warehouse: &str, receiver: Option<&str>) -> Auditor {
        Auditor {
            store: Arc::clone(&self.inner.store),
            warehouse: warehouse.to_owned(),
            receiver: receiver.map(str::to_owned),
        }
    }
}

/// Records queries that are not of a run.
#[derive(Clone)]
pub(crate) struct Auditor {
    store: Arc<Store>,
    warehouse: String,
    receiver: Option<String>,
}

/// What a program outside was told.
pub(crate) struct Told<'a> {
    /// The query that gave it; empty where it is no result.
    pub(crate) sql: &'a str,
    /// What was told, where it is no result.
    pub(crate) what: Option<&'a str>,
    /// The question that it answers, with its run.
    pub(crate) run: Option<(&'a str, &'a str)>,
    /// Rows of it.
    pub(crate) rows: u64,
    /// Bytes of texts and rows as they were written.
    pub(crate) bytes: u64,
}

impl Auditor {
    /// A query that may not run.
    pub(crate) fn refused(&self, sql: &str, reason: &AppError) {
        let reason = Some(reason.message.clone());
        keep(&self.store, &AuditEntry { verdict: AuditVerdict::Refused, reason, ..self.entry(sql) });
    }

    /// A query that gave no row, since the database gave an error.
    pub(crate) fn failed(&self, sql: &str, error: &AppError) {
        let verdict = match error.code {
            ErrorCode::Cancelled => AuditVerdict::Cancelled,
            ErrorCode::NotApproved => AuditVerdict::Refused,
            _ => AuditVerdict::Failed,
        };
        keep(&self.store, &AuditEntry { verdict, reason: Some(error.message.clone()), ..self.entry(sql) });
    }

    /// A result that is recorded once it was read, or is no longer wanted.
    pub(crate) fn watched(&self, sql: &str, mut batches: Batches, cancel: CancellationToken) -> Batches {
        let watch = Watch { store: Arc::clone(&self.store), entry: self.entry(sql), cancel };
        let watched = stream::unfold((batches.stream, watch), |(mut batches, mut watch)| async move {
            let batch = batches.next().await?;
            watch.saw(&batch);
            Some((batch, (batches, watch)))
        });
        batches.stream = watched.boxed();
        batches
    }

    /// A policy that an import would loosen, as the user has decided.
    pub(crate) fn policy(&self, what: &str, taken: bool) {
        let verdict = if taken { AuditVerdict::Approved } else { AuditVerdict::Refused };
        let decided_by = taken.then(|| whoami::username().unwrap_or_else(|_| "unknown".to_owned()));
        let entry = AuditEntry { verdict, reason: Some(what.to_owned()), decided_by, ..self.entry("") };
        keep(&self.store, &entry);
    }

    /// What the receiver got.
    pub(crate) fn told(&self, told: &Told<'_>) {
        let entry = AuditEntry {
            verdict: AuditVerdict::Told,
            reason: told.what.map(str::to_owned),
            question: told.run.map(|(question, _)| question.to_owned()),
            run_id: told.run.map(|(_, run_id)| run_id.to_owned()),
            rows: Some(told.rows),
            bytes: Some(told.bytes),
            ..self.entry(told.sql)
        };
        keep(&self.store, &entry);
    }

    fn entry(&self, sql: &str) -> AuditEntry {
        AuditEntry { receiver: self.receiver.clone(), ..entry(&self.warehouse, sql) }
    }
}

/// A query that ran, with nothing known of it but its text.
pub(crate) fn entry(warehouse: &str, sql: &str) -> AuditEntry {
    AuditEntry {
        at: now(),
        warehouse: warehouse.to_owned(),
        question: None,
        sql: sql.to_owned(),
        sql_sha256: sha256(sql),
        verdict: AuditVerdict::Ran,
        reason: None,
        rows: None,
        bytes: None,
        model: None,
        tokens: None,
        run_id: None,
        decided_by: None,
        receiver: None,
    }
}

fn keep(store: &Store, entry: &AuditEntry) {
    if let Err(error) = store.audit(entry) {
        tracing::error!(%error, "a query is missing in the audit");
    }
}

/// Counts what is read of a result, and records it at its end.
struct Watch {
    store: Arc<Store>,
    entry: AuditEntry,
    cancel: CancellationToken,
}

impl Watch {
    fn saw(&mut self, batch: &Result<RecordBatch, WarehouseError>) {
        match batch {
            Ok(batch) => {
                *self.entry.rows.get_or_insert(0) += batch.num_rows() as u64;
                *self.entry.bytes.get_or_insert(0) += batch.get_array_memory_size() as u64;
            }
            Err(error) => {
                let cancelled = *error == WarehouseError::Cancelled;
                self.entry.verdict = if cancelled { AuditVerdict::Cancelled } else { AuditVerdict::Failed };
                self.entry.reason = Some(error.to_string());
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.entry.rows.get_or_insert(0);
        if self.entry.verdict == AuditVerdict::Ran && self.cancel.is_cancelled() {
            self.entry.verdict = AuditVerdict::Cancelled;
        }
        keep(&self.store, &self.entry);
    }
}

/// The audit of one run: its events as far as they are queries.
#[derive(Default)]
pub(crate) struct RunAudit {
    question: String,
    warehouse: String,
    model: Option<String>,
    tokens: u64,
    /// Queries that reached the database: what is said of them later is no refusal.
    ran: HashSet<String>,
    receiver: Option<String>,
}

impl RunAudit {
    /// Of a run that a program outside has asked for, where one has.
    pub(crate) fn new(receiver: Option<String>) -> Self {
        Self { receiver, ..Self::default() }
    }

    /// Takes in an event, and records a query where it is one.
    pub(crate) fn take(&mut self, store: &Store, run_id: &str, body: &EventBody) {
        match body {
            EventBody::RunStarted { question, warehouse, models, .. } => {
                self.question.clone_from(question);
                self.warehouse.clone_from(warehouse);
                self.model = models.get(&Agent::Generator).cloned();
            }
            EventBody::ModelCallFinished { usage, .. } => self.tokens += usage.prompt_tokens + usage.completion_tokens,
            EventBody::QueryExecuted { sql, row_count, bytes, error, .. } => {
                self.ran.insert(sql.clone());
                let cancelled = WarehouseError::Cancelled.to_string();
                let verdict = match error {
                    None => AuditVerdict::Ran,
                    Some(error) if *error == cancelled => AuditVerdict::Cancelled,
                    Some(_) => AuditVerdict::Failed,
                };
                let read = AuditEntry { rows: *row_count, bytes: *bytes, ..self.entry(run_id, sql) };
                keep(store, &AuditEntry { verdict, reason: error.clone(), ..read });
            }
            EventBody::SqlAttempted { sql, error: Some(error), .. } if !self.ran.contains(sql) && !sql.is_empty() => {
                let refused = self.entry(run_id, sql);
                keep(store, &AuditEntry { verdict: AuditVerdict::Refused, reason: Some(error.clone()), ..refused });
            }
            _ => {}
        }
    }

    fn entry(&self, run_id: &str, sql: &str) -> AuditEntry {
        AuditEntry {
            question: Some(self.question.clone()),
            model: self.model.clone(),
            tokens: Some(self.tokens),
            run_id: Some(run_id.to_owned()),
            receiver: self.receiver.clone(),
            ..entry(&self.warehouse, sql)
        }
    }
}

const HEAD: &str = "number,at,warehouse,question,sql,sql_sha256,verdict,reason,rows,bytes,model,tokens,run_id,hash,decided_by,receiver";

/// A row of CSV. What a spreadsheet would compute is made text.
fn csv(row: &AuditRow) -> String {
    let text = |text: &str| {
        let mut field = String::new();
        write_csv_field(&mut field, text, true);
        field
    };
    let maybe = |value: &Option<String>| value.as_deref().map(text).unwrap_or_default();
    let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let entry = &row.entry;
    let verdict = serde_json::to_value(entry.verdict).ok().and_then(|v| v.as_str().map(str::to_owned));
    [
        row.number.to_string(),
        text(&entry.at),
        text(&entry.warehouse),
        maybe(&entry.question),
        text(&entry.sql),
        text(&entry.sql_sha256),
        verdict.unwrap_or_default(),
        maybe(&entry.reason),
        number(entry.rows),
        number(entry.bytes),
        maybe(&entry.model),
        number(entry.tokens),
        maybe(&entry.run_id),
        text(&row.hash),
        maybe(&entry.decided_by),
        maybe(&entry.receiver),
    ]
    .join(",")
}
