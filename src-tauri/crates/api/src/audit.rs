//! The audit log of queries that run for a user: queries of questions, of the editor, of saved questions and of exports, queries of
//! external programs with the replies to them, and refused queries. Each row has an author. Reading ahead of any question, such as
//! profiling, is not recorded.

use crate::app::App;
use crate::state::work::{current_timestamp, run_blocking};
use crate::types::{AuditCheck, AuditRow};
use arrow::array::RecordBatch;
use futures::{StreamExt, stream};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, Dialect, ErrorCode, EventBody, RunChange};
use vitrine_store::{AuditEntry, AuditVerdict, QueryAuthor, Store, WrittenQuery, sha256_hex};
use vitrine_warehouse::{Batches, WarehouseError, write_csv_field};
use vitrine_words::tr;

impl App {
    /// Returns rows of the audit log whose text, question or address contains every word of `search`, the latest first; with an `author`
    /// only the rows of that author.
    pub async fn audit(
        &self,
        search: String,
        author: Option<QueryAuthor>,
        limit: u32,
        offset: u32,
    ) -> Result<Vec<AuditRow>, AppError> {
        self.with_store(move |store| store.find_audit_rows(&search, author, limit, offset)).await
    }

    /// Checks the whole audit log for rows that were changed or removed.
    pub async fn check_audit(&self) -> Result<AuditCheck, AppError> {
        self.with_store(|store| store.check_audit()).await
    }

    /// Writes the whole audit log to the file that the user chose, as CSV if its name ends in `.csv`, else as JSON lines. `file` is the
    /// token of the file. Returns the number of rows.
    pub async fn export_audit(&self, file: String) -> Result<u32, AppError> {
        let path = self.take_chosen_file(&file)?;
        let rows = self.write_audit(path.clone()).await?;
        self.inner.chosen.note_written(&file, path);
        Ok(rows)
    }

    /// Same as [`App::export_audit`], for a path that the caller may choose freely.
    pub async fn write_audit(&self, path: PathBuf) -> Result<u32, AppError> {
        let store = Arc::clone(&self.inner.store);
        run_blocking(move || {
            let failed = |error: std::io::Error| {
                AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
                    .with_detail(error)
            };
            let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
            let mut draft = path.as_os_str().to_owned();
            draft.push(".part");
            let draft = PathBuf::from(draft);
            let mut file = std::io::BufWriter::new(vitrine_domain::create_private(&draft).map_err(failed)?);
            let (mut rows, mut written) = (0, if is_csv { writeln!(file, "{HEAD}") } else { Ok(()) });
            store.each_audited(|row| {
                rows += 1;
                let line = if is_csv { to_csv_row(&row) } else { serde_json::to_string(&row).expect("plain data") };
                if written.is_ok() {
                    written = writeln!(file, "{line}");
                }
            })?;
            // Renames a draft, so that the file is either complete or missing.
            let whole = written.and_then(|()| file.flush()).and_then(|()| std::fs::rename(&draft, &path));
            whole.inspect_err(|_| drop(std::fs::remove_file(&draft))).map_err(failed)?;
            Ok(rows)
        })
        .await
    }

    /// Creates an auditor for queries on one warehouse: of the user, or of the external program `receiver`.
    pub(crate) fn create_auditor(&self, warehouse: &str, receiver: Option<&str>) -> Auditor {
        Auditor {
            store: Arc::clone(&self.inner.store),
            warehouse: warehouse.to_owned(),
            author: if receiver.is_some() { QueryAuthor::Program } else { QueryAuthor::User },
            run: None,
            receiver: receiver.map(str::to_owned),
        }
    }

    /// Creates an auditor for a query of the user: as a query of a run if a run wrote exactly this text, else as the user's own.
    pub(crate) async fn auditor_of(&self, warehouse: &str, sql: &str) -> Result<Auditor, AppError> {
        let (address, text) = (warehouse.to_owned(), sql.to_owned());
        let written = self.with_store(move |store| store.written_query(&address, &text)).await?;
        let auditor = self.create_auditor(warehouse, None);
        Ok(match written {
            Some(WrittenQuery { author, question, run_id }) => {
                Auditor { author, run: Some((question, run_id)), ..auditor }
            }
            None => auditor,
        })
    }
}

/// Records queries that do not belong to a run in progress.
#[derive(Clone)]
pub(crate) struct Auditor {
    store: Arc<Store>,
    warehouse: String,
    author: QueryAuthor,
    /// The question and the id of the run that wrote the query.
    run: Option<(String, String)>,
    receiver: Option<String>,
}

/// A reply to an external program.
pub(crate) struct ReplyRecord<'a> {
    /// The query that returned the result; empty if the reply is not a result.
    pub(crate) sql: &'a str,
    /// Description of the reply; `None` for a result.
    pub(crate) what: Option<&'a str>,
    /// The question that the reply answers, and the id of its run.
    pub(crate) run: Option<(&'a str, &'a str)>,
    /// Number of rows in the reply.
    pub(crate) rows: u64,
    /// Size of the texts and rows in the reply, in bytes.
    pub(crate) bytes: u64,
}

impl Auditor {
    /// Returns the author of the queries.
    pub(crate) fn author(&self) -> QueryAuthor {
        self.author
    }

    /// Returns an auditor for queries of this author.
    pub(crate) fn with_author(self, author: QueryAuthor) -> Self {
        Self { author, ..self }
    }

    /// Records a query that was refused.
    pub(crate) fn record_refusal(&self, sql: &str, reason: &AppError) {
        let reason = Some(reason.message.clone());
        store_entry(&self.store, &AuditEntry { verdict: AuditVerdict::Refused, reason, ..self.create_entry(sql) });
    }

    /// Records a query without rows that failed, was cancelled or was not approved.
    pub(crate) fn record_failure(&self, sql: &str, error: &AppError) {
        let verdict = match error.code {
            ErrorCode::Cancelled => AuditVerdict::Cancelled,
            ErrorCode::NotApproved => AuditVerdict::Refused,
            _ => AuditVerdict::Failed,
        };
        store_entry(
            &self.store,
            &AuditEntry { verdict, reason: Some(error.message.clone()), ..self.create_entry(sql) },
        );
    }

    /// Wraps a result so that its query is recorded once the result is read completely or dropped.
    pub(crate) fn watch_batches(&self, sql: &str, mut batches: Batches, cancel: CancellationToken) -> Batches {
        let watch = Watch { store: Arc::clone(&self.store), entry: self.create_entry(sql), cancel };
        let watched = stream::unfold((batches.stream, watch), |(mut batches, mut watch)| async move {
            let batch = batches.next().await?;
            watch.count_batch(&batch);
            Some((batch, (batches, watch)))
        });
        batches.stream = watched.boxed();
        batches
    }

    /// Records the user's decision on a policy that an import would loosen.
    pub(crate) fn record_policy_decision(&self, what: &str, taken: bool) {
        let verdict = if taken { AuditVerdict::Approved } else { AuditVerdict::Refused };
        let decided_by = taken.then(|| whoami::username().unwrap_or_else(|_| "unknown".to_owned()));
        let entry = AuditEntry { verdict, reason: Some(what.to_owned()), decided_by, ..self.create_entry("") };
        store_entry(&self.store, &entry);
    }

    /// Records a reply to an external program.
    pub(crate) fn record_reply(&self, told: &ReplyRecord<'_>) {
        let entry = AuditEntry {
            verdict: AuditVerdict::Told,
            reason: told.what.map(str::to_owned),
            question: told.run.map(|(question, _)| question.to_owned()),
            run_id: told.run.map(|(_, run_id)| run_id.to_owned()),
            rows: Some(told.rows),
            bytes: Some(told.bytes),
            ..self.create_entry(told.sql)
        };
        // The query of a run that an external program started was written by a model.
        let author = if told.run.is_some() { entry.author.map(|_| QueryAuthor::Model) } else { entry.author };
        store_entry(&self.store, &AuditEntry { author, ..entry });
    }

    fn create_entry(&self, sql: &str) -> AuditEntry {
        let (question, run_id) = self.run.clone().unzip();
        let author = (!sql.is_empty()).then_some(self.author);
        AuditEntry {
            question,
            run_id,
            receiver: self.receiver.clone(),
            author,
            ..new_audit_entry(&self.warehouse, sql)
        }
    }
}

/// Creates the entry of a query that ran; only its address and text are filled in.
pub(crate) fn new_audit_entry(warehouse: &str, sql: &str) -> AuditEntry {
    AuditEntry {
        at: current_timestamp(),
        warehouse: warehouse.to_owned(),
        question: None,
        sql: sql.to_owned(),
        sql_sha256: sha256_hex(sql),
        verdict: AuditVerdict::Ran,
        reason: None,
        rows: None,
        bytes: None,
        model: None,
        tokens: None,
        run_id: None,
        decided_by: None,
        receiver: None,
        author: None,
    }
}

fn store_entry(store: &Store, entry: &AuditEntry) {
    if let Err(error) = store.append_audit_entry(entry) {
        tracing::error!(%error, "a query is missing in the audit");
    }
}

/// Counts rows and bytes of a result while it is read, and records the query when it is dropped.
struct Watch {
    store: Arc<Store>,
    entry: AuditEntry,
    cancel: CancellationToken,
}

impl Watch {
    fn count_batch(&mut self, batch: &Result<RecordBatch, WarehouseError>) {
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
        store_entry(&self.store, &self.entry);
    }
}

/// Records the queries of one run from its events.
#[derive(Default)]
pub(crate) struct RunAudit {
    question: String,
    warehouse: String,
    model: Option<String>,
    tokens: u64,
    /// Queries that reached the database; a later error of such a query is not recorded as a refusal.
    ran: HashSet<String>,
    receiver: Option<String>,
    /// Dialect of the warehouse, needed to format queries as answers show them.
    dialect: Option<Dialect>,
    /// True if the user wrote the answer's query.
    is_users: bool,
    /// Queries whose author is already stored; the flag is true if that author is `QueryAuthor::App`.
    written: HashSet<(String, bool)>,
}

impl RunAudit {
    /// Creates the recorder of a run; `receiver` is the external program that started it, if any.
    pub(crate) fn new(receiver: Option<String>) -> Self {
        Self { receiver, ..Self::default() }
    }

    /// Processes an event and records its query, if it has one.
    pub(crate) fn record_event(&mut self, store: &Store, run_id: &str, body: &EventBody) {
        match body {
            EventBody::RunStarted { question, warehouse, models, dialect, .. } => {
                self.dialect = Some(*dialect);
                self.question.clone_from(question);
                self.warehouse.clone_from(warehouse);
                self.model = models.get(&Agent::Generator).cloned();
            }
            EventBody::ModelCallFinished { usage, .. } => self.tokens += usage.prompt_tokens + usage.completion_tokens,
            EventBody::StageEdited { change: RunChange::Sql { .. }, .. } => self.is_users = true,
            EventBody::QueryExecuted { sql, row_count, bytes, error, agent, composed, .. } => {
                self.ran.insert(sql.clone());
                let author =
                    if *composed || *agent == Agent::Assessor { QueryAuthor::App } else { self.answer_author() };
                self.keep_written(store, run_id, sql, author);
                let cancelled = WarehouseError::Cancelled.to_string();
                let verdict = match error {
                    None => AuditVerdict::Ran,
                    Some(error) if *error == cancelled => AuditVerdict::Cancelled,
                    Some(_) => AuditVerdict::Failed,
                };
                let read = AuditEntry { rows: *row_count, bytes: *bytes, ..self.create_entry(run_id, sql, author) };
                store_entry(store, &AuditEntry { verdict, reason: error.clone(), ..read });
            }
            EventBody::SqlAttempted { sql, error, .. } if !sql.is_empty() => {
                self.keep_written(store, run_id, sql, self.answer_author());
                if let (Some(error), false) = (error, self.ran.contains(sql)) {
                    let refused = self.create_entry(run_id, sql, self.answer_author());
                    store_entry(
                        store,
                        &AuditEntry { verdict: AuditVerdict::Refused, reason: Some(error.clone()), ..refused },
                    );
                }
            }
            EventBody::ReadingsOffered { readings, .. } => {
                readings.iter().for_each(|reading| self.keep_written(store, run_id, &reading.sql, QueryAuthor::Model));
            }
            EventBody::ResultReady { sql, code: None, written, variants, .. } => {
                let others = written.iter().chain(variants.iter().map(|variant| &variant.sql));
                others.chain([sql]).for_each(|text| self.keep_written(store, run_id, text, self.answer_author()));
            }
            _ => {}
        }
    }

    /// Returns the author of the answer's queries.
    fn answer_author(&self) -> QueryAuthor {
        if self.is_users { QueryAuthor::User } else { QueryAuthor::Model }
    }

    /// Stores the author of a query, for its executed and its formatted text, because either may be executed again.
    fn keep_written(&mut self, store: &Store, run_id: &str, sql: &str, author: QueryAuthor) {
        if !self.written.insert((sql.to_owned(), author == QueryAuthor::App)) {
            return;
        }
        let written = WrittenQuery { author, question: self.question.clone(), run_id: run_id.to_owned() };
        let laid_out = self.dialect.map(|dialect| vitrine_sql::format_sql(sql, dialect));
        let laid_out = laid_out.filter(|text| text.trim() != sql.trim());
        for text in [Some(sql.to_owned()), laid_out].into_iter().flatten() {
            if let Err(error) = store.keep_written(&self.warehouse, &text, &written) {
                tracing::error!(%error, "the author of a query is missing");
            }
        }
    }

    fn create_entry(&self, run_id: &str, sql: &str, author: QueryAuthor) -> AuditEntry {
        AuditEntry {
            author: Some(author),
            question: Some(self.question.clone()),
            model: self.model.clone(),
            tokens: Some(self.tokens),
            run_id: Some(run_id.to_owned()),
            receiver: self.receiver.clone(),
            ..new_audit_entry(&self.warehouse, sql)
        }
    }
}

const HEAD: &str = "number,at,warehouse,question,sql,sql_sha256,verdict,reason,rows,bytes,model,tokens,run_id,hash,decided_by,receiver,author";

/// Formats an audit row as CSV. Cells that a spreadsheet would evaluate as formulas are written as text.
fn to_csv_row(row: &AuditRow) -> String {
    let text = |text: &str| {
        let mut field = String::new();
        write_csv_field(&mut field, text, true);
        field
    };
    let maybe = |value: &Option<String>| value.as_deref().map(text).unwrap_or_default();
    let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let entry = &row.entry;
    let name = |value: serde_json::Result<serde_json::Value>| value.ok().and_then(|v| v.as_str().map(str::to_owned));
    [
        row.number.to_string(),
        text(&entry.at),
        text(&entry.warehouse),
        maybe(&entry.question),
        text(&entry.sql),
        text(&entry.sql_sha256),
        name(serde_json::to_value(entry.verdict)).unwrap_or_default(),
        maybe(&entry.reason),
        number(entry.rows),
        number(entry.bytes),
        maybe(&entry.model),
        number(entry.tokens),
        maybe(&entry.run_id),
        text(&row.hash),
        maybe(&entry.decided_by),
        maybe(&entry.receiver),
        name(serde_json::to_value(entry.author)).unwrap_or_default(),
    ]
    .join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query_executed_event(sql: &str, agent: Agent, composed: bool) -> EventBody {
        let (node, sql) = ("generator".into(), sql.to_owned());
        EventBody::QueryExecuted { node, agent, sql, ms: 1, row_count: Some(1), bytes: None, error: None, composed }
    }

    /// A query with its recorded author.
    type AuthoredQuery = (String, Option<QueryAuthor>);

    /// Returns the recorded queries with their authors, and a lookup of the stored author of a query text.
    fn collect_authors(events: Vec<EventBody>) -> (Vec<AuthoredQuery>, impl Fn(&str) -> Option<QueryAuthor>) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        let mut audit = RunAudit {
            question: "How many?".into(),
            warehouse: "sqlite:/shop.db".into(),
            dialect: Some(Dialect::Sqlite),
            ..RunAudit::default()
        };
        events.iter().for_each(|body| audit.record_event(&store, "r1", body));
        let rows = store.find_audit_rows("", None, 99, 0).unwrap();
        assert!(rows.iter().all(|row| row.entry.run_id.as_deref() == Some("r1")));
        let rows = rows.into_iter().rev().map(|row| (row.entry.sql, row.entry.author)).collect();
        let known = move |sql: &str| {
            let _kept = &dir;
            store.written_query("sqlite:/shop.db", sql).unwrap().map(|written| written.author)
        };
        (rows, known)
    }

    #[test]
    fn a_runs_queries_are_the_models_but_for_the_apps_counts_and_its_check() {
        let (rows, known) = collect_authors(vec![
            query_executed_event("select count(*) from orders", Agent::Generator, false),
            query_executed_event("SELECT COUNT(*) FROM orders WHERE region IS NULL", Agent::Generator, true),
            query_executed_event("SELECT 7", Agent::Assessor, false),
            query_executed_event("select count(*) from orders", Agent::Assessor, false),
        ]);
        let authors: Vec<_> = rows.iter().map(|(_, author)| author.unwrap()).collect();
        assert_eq!(authors, [QueryAuthor::Model, QueryAuthor::App, QueryAuthor::App, QueryAuthor::App]);
        // Both the executed and the formatted text have the author; the check does not replace it.
        let shown = vitrine_sql::format_sql("select count(*) from orders", Dialect::Sqlite);
        assert_ne!(shown, "select count(*) from orders");
        assert_eq!(
            (known("select count(*) from orders"), known(&shown)),
            (Some(QueryAuthor::Model), Some(QueryAuthor::Model))
        );
        assert_eq!((known("SELECT 7"), known("SELECT 8")), (Some(QueryAuthor::App), None));
    }

    #[test]
    fn a_query_that_the_user_set_in_a_run_is_theirs_also_where_it_is_refused() {
        let set = EventBody::StageEdited {
            node: "generator".into(),
            change: RunChange::Sql { sql: "SELECT 1 AS mine".into() },
        };
        let refused = EventBody::SqlAttempted {
            node: "generator".into(),
            candidate: 1,
            attempt: 0,
            sql: "DROP TABLE orders".into(),
            repairs: Vec::new(),
            error: Some("It is not a query".into()),
            row_count: None,
            digest: None,
        };
        let (rows, known) = collect_authors(vec![
            set,
            query_executed_event("SELECT 1 AS mine", Agent::Generator, false),
            refused.clone(),
        ]);
        assert_eq!(rows[0].1, Some(QueryAuthor::User));
        assert_eq!(rows[1], ("DROP TABLE orders".to_owned(), Some(QueryAuthor::User)));
        assert_eq!(known("SELECT 1 AS mine"), Some(QueryAuthor::User));
        let (rows, _) = collect_authors(vec![refused]);
        assert_eq!(rows[0].1, Some(QueryAuthor::Model));
    }
}
