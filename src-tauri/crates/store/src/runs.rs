//! Runs: event logs with a header each.

use crate::open::Problem;
use crate::run_words::keep_words;
use crate::{Store, StoreError};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vitrine_domain::{
    AppError, AskSettings, CertaintyLevel, ErrorCode, EventBody, MethodName, RunChange, RunEvent, RunReport, RunStatus,
    Usage,
};
use vitrine_words::{later, tr, translate_constant};

/// The error message of an interrupted run.
const INTERRUPTED: &str = later!("The app stopped before this run ended");

/// The header of a run: a summary that does not require its log.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHeader {
    /// The id of the run.
    pub run_id: String,
    /// The question as the user asked it.
    pub question: String,
    /// The method that answered it.
    pub strategy: MethodName,
    /// The current status of the run.
    pub status: RunStatus,
    /// The address of the warehouse.
    pub warehouse: String,
    /// The start time; RFC 3339, UTC.
    pub started_at: String,
    /// The end time; RFC 3339, UTC. `None` while it runs.
    pub finished_at: Option<String>,
    /// Milliseconds from the first to the last event.
    pub wall_ms: u64,
    /// Number of rows of the answer.
    pub row_count: Option<u64>,
    /// The error of a run without an answer.
    pub error: Option<String>,
    /// The answer's certainty, if known.
    pub certainty: Option<CertaintyLevel>,
    /// The usage of the run so far.
    pub usage: Usage,
    /// `true` if a saved question was created from it.
    pub saved: bool,
    /// The earlier run that it is a rerun of.
    pub steered_from: Option<String>,
    /// The changes to the earlier run, without texts and queries.
    pub changes: Vec<RunChange>,
    /// The run whose question it follows up on.
    pub follows: Option<String>,
    /// The title that replaces the question in lists.
    pub title: Option<String>,
    /// `true` if the user pinned it to the top.
    pub pinned: bool,
}

/// The cost of an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub struct PastRun {
    /// The address of the warehouse.
    pub warehouse: String,
    /// The usage of the run.
    pub usage: Usage,
}

/// Parses the changes of a rerun; skips changes of a newer version.
fn changes_in(json: &str) -> Vec<RunChange> {
    let changes: Vec<serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    changes
        .into_iter()
        .filter_map(|change| serde_json::from_value::<RunChange>(change).ok())
        .map(RunChange::without_texts)
        .collect()
}

const HEADER: &str =
    "SELECT run_id, question, strategy, status, warehouse, started_at, finished_at, wall_ms, row_count, error, usage,
    EXISTS (SELECT 1 FROM saved_questions s WHERE s.run_id = r.run_id), certainty, steered_from, title, pinned, follows,
    CASE WHEN steered_from IS NOT NULL THEN
        (SELECT body ->> '$.steered.changes' FROM run_events e WHERE e.run_id = r.run_id AND e.seq = 1) END FROM runs r";

fn read_header_row(row: &Row<'_>) -> rusqlite::Result<RunHeader> {
    Ok(RunHeader {
        run_id: row.get(0)?,
        question: row.get(1)?,
        strategy: read_variant_column(row, 2)?,
        status: read_variant_column(row, 3)?,
        warehouse: row.get(4)?,
        started_at: row.get(5)?,
        finished_at: row.get(6)?,
        wall_ms: row.get(7).map(count_from_sql)?,
        row_count: row.get::<_, Option<i64>>(8)?.map(count_from_sql),
        error: row.get(9)?,
        usage: read_json_column(row, 10)?,
        saved: row.get(11)?,
        // A certainty level of a newer version is treated as unknown.
        certainty: row.get::<_, Option<String>>(12)?.and_then(|level| serde_json::from_value(level.into()).ok()),
        steered_from: row.get(13)?,
        title: row.get(14)?,
        pinned: row.get(15)?,
        follows: row.get(16)?,
        changes: row.get::<_, Option<String>>(17)?.map_or_else(Vec::new, |changes| changes_in(&changes)),
    })
}

/// Converts a stored count. SQLite has signed integers only, but counts are never negative.
pub(crate) fn count_from_sql(stored: i64) -> u64 {
    stored.unsigned_abs()
}

/// Reads a column that holds the serde name of a variant.
pub(crate) fn read_variant_column<T: for<'de> Deserialize<'de>>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_value(text.into())
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

/// Reads a column that holds JSON.
pub(crate) fn read_json_column<T: for<'de> Deserialize<'de>>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

/// Returns the serde name of a variant.
pub(crate) fn name_of(variant: impl Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(serde_json::Value::String(name)) => name,
        _ => unreachable!("a variant without fields is written as its name"),
    }
}

pub(crate) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

impl Store {
    /// Commits an event and the updated header before it returns. The first event of a run, [`EventBody::RunStarted`],
    /// creates the run.
    pub fn append_event(&self, event: &RunEvent) -> Result<(), StoreError> {
        let owner = self.presence.number();
        self.with_transaction(|transaction| insert_event(transaction, event, Some(owner)))
    }

    /// Returns events of a run after number `after_seq`, in order; 0 returns all. An unreadable event stays in the
    /// workspace unchanged and is replaced by a warning in the result.
    pub fn events(&self, run_id: &str, after_seq: u32) -> Result<Vec<RunEvent>, StoreError> {
        self.with_reader(|connection| {
            let events = read_events(connection, run_id, after_seq)?;
            let known = !events.is_empty() || run_exists(connection, run_id)?;
            Ok(known.then_some(events))
        })?
        .ok_or_else(|| StoreError::not_found("run", run_id))
    }

    /// Returns the header of a run.
    pub fn run_header(&self, run_id: &str) -> Result<RunHeader, StoreError> {
        self.with_reader(|connection| {
            connection.query_row(&format!("{HEADER} WHERE run_id = ?1"), [run_id], read_header_row).optional()
        })?
        .ok_or_else(|| StoreError::not_found("run", run_id))
    }

    /// Returns runs whose question contains every word of `search`, latest first.
    pub fn find_runs(&self, search: &str, limit: u32, offset: u32) -> Result<Vec<RunHeader>, StoreError> {
        self.with_reader(|connection| {
            let sql =
                format!("{HEADER} WHERE holds(question, ?1) ORDER BY started_at DESC, run_id DESC LIMIT ?2 OFFSET ?3");
            connection.prepare_cached(&sql)?.query_map(params![search, limit, offset], read_header_row)?.collect()
        })
    }

    /// Returns runs that contain every word of `search` in their displayed text, of one warehouse or all: question,
    /// interpretation, title, final query with its tables, and headline. Pinned runs come first, then the latest.
    pub fn search_history(
        &self,
        search: &str,
        warehouse: Option<&str>,
        limit: u32,
        offset: u32,
    ) -> Result<Vec<RunHeader>, StoreError> {
        self.with_reader(|connection| {
            let text = "concat_ws(' ', question, title, answer, understood, told)";
            let sql = format!(
                "{HEADER} WHERE holds({text}, ?1) AND (?2 IS NULL OR warehouse = ?2)
                 ORDER BY pinned DESC, started_at DESC, run_id DESC LIMIT ?3 OFFSET ?4"
            );
            connection
                .prepare_cached(&sql)?
                .query_map(params![search, warehouse, limit, offset], read_header_row)?
                .collect()
        })
    }

    /// Returns runs that are based on this one, as a rerun or follow-up, latest first.
    pub fn find_branches(&self, run_id: &str, limit: u32) -> Result<Vec<RunHeader>, StoreError> {
        self.with_reader(|connection| {
            let sql =
                format!("{HEADER} WHERE ?1 IN (steered_from, follows) ORDER BY started_at DESC, run_id DESC LIMIT ?2");
            connection.prepare_cached(&sql)?.query_map(params![run_id, limit], read_header_row)?.collect()
        })
    }

    /// Sets the title of a run; `None` restores the question.
    pub fn name_run(&self, run_id: &str, title: Option<&str>) -> Result<(), StoreError> {
        self.change_run(run_id, "UPDATE runs SET title = ?2 WHERE run_id = ?1", &title)
    }

    /// Pins or unpins a run.
    pub fn pin_run(&self, run_id: &str, pinned: bool) -> Result<(), StoreError> {
        self.change_run(run_id, "UPDATE runs SET pinned = ?2 WHERE run_id = ?1", &pinned)
    }

    fn change_run(&self, run_id: &str, update: &str, to: &dyn ToSql) -> Result<(), StoreError> {
        self.with_transaction(|transaction| match transaction.execute(update, params![run_id, to])? {
            0 => Err(StoreError::not_found("run", run_id).into()),
            _ => Ok(()),
        })
    }

    /// Returns the cost of the latest runs that were asked here and answered by the same method and models, latest
    /// first; includes the cost but not the time of checks after the answer. Excludes reruns, which cost less.
    pub fn past_runs(&self, settings: &AskSettings, limit: u32) -> Result<Vec<PastRun>, StoreError> {
        let select = "SELECT r.warehouse, r.usage, json_extract(last.body, '$.usageByAgent') FROM runs r
            JOIN run_events first ON first.run_id = r.run_id AND first.seq = 1
            JOIN run_events last ON last.run_id = r.run_id AND last.seq = r.last_seq
            WHERE r.owner IS NOT NULL AND r.status = 'answered' AND r.strategy = ?1
            AND json_extract(first.body, '$.steered') IS NULL
            AND json_extract(first.body, '$.settings.model') = ?2 AND json_extract(first.body, '$.settings.agentModels') = ?3
            ORDER BY r.started_at DESC, r.run_id DESC LIMIT ?4";
        let (method, models) = (settings.strategy.as_str(), to_json(&settings.agent_models));
        self.with_reader(|connection| {
            connection
                .prepare_cached(select)?
                .query_map(params![method, settings.model, models, limit], |row| {
                    let answer: Usage = read_json_column(row, 1)?;
                    let by_agent: BTreeMap<String, Usage> = read_json_column(row, 2).unwrap_or_default();
                    let mut usage = Usage::default();
                    by_agent.into_values().for_each(|agent| usage += agent);
                    Ok(PastRun { warehouse: row.get(0)?, usage: Usage { wall_ms: answer.wall_ms, ..usage } })
                })?
                .collect()
        })
    }

    /// Returns the addresses in imported runs, as written there.
    pub fn imported_addresses(&self) -> Result<Vec<String>, StoreError> {
        // Runs that were asked here have an owner.
        let sql = "SELECT DISTINCT warehouse FROM runs WHERE owner IS NULL";
        self.with_reader(|connection| connection.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect())
    }

    /// Deletes a finished run with its log. Saved questions created from it are kept.
    pub fn delete_run(&self, run_id: &str) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            let status: Option<RunStatus> = transaction
                .query_row("SELECT status FROM runs WHERE run_id = ?1", [run_id], |row| read_variant_column(row, 0))
                .optional()?;
            match status {
                None => Err(StoreError::not_found("run", run_id).into()),
                Some(RunStatus::Running) => Err(StoreError::StillRunning { run_id: run_id.to_owned() }.into()),
                Some(_) => Ok(transaction.execute("DELETE FROM runs WHERE run_id = ?1", [run_id]).map(drop)?),
            }
        })
    }

    /// Ends the runs of programs that do not run anymore, and returns the number of these runs. [`Store::open`] calls
    /// this; a long-running program may call it again.
    ///
    /// An interrupted run gets a final event that records this, so that its log is complete and replay, export and
    /// graph need no special case.
    pub fn mark_interrupted(&self) -> Result<u32, StoreError> {
        let open = "SELECT DISTINCT owner FROM runs WHERE status = 'running' AND owner IS NOT NULL";
        let owners: Vec<u32> =
            self.with_reader(|connection| connection.prepare(open)?.query_map([], |row| row.get(0))?.collect())?;
        let mut ended = 0;
        for owner in owners {
            if let Some(_held) = self.presence.stand_in(self.path(), owner)? {
                ended += self.end_runs_of(owner)?;
            }
        }
        Ok(ended)
    }

    pub(crate) fn end_runs_of(&self, owner: u32) -> Result<u32, StoreError> {
        self.with_transaction(|transaction| {
            let runs: Vec<String> = transaction
                .prepare("SELECT run_id FROM runs WHERE status = 'running' AND owner = ?1")?
                .query_map([owner], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            for run_id in &runs {
                end_interrupted_run(transaction, run_id)?;
            }
            Ok(runs.len() as u32)
        })
    }
}

pub(crate) fn run_exists(connection: &Connection, run_id: &str) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM runs WHERE run_id = ?1)", [run_id], |row| row.get(0))
}

pub(crate) fn read_events(connection: &Connection, run_id: &str, after_seq: u32) -> rusqlite::Result<Vec<RunEvent>> {
    connection
        .prepare_cached("SELECT seq, at_ms, body FROM run_events WHERE run_id = ?1 AND seq > ?2 ORDER BY seq")?
        .query_map(params![run_id, after_seq], |row| {
            let seq = row.get(0)?;
            let read = row.get(1).and_then(|at_ms| Ok((at_ms, read_json_column(row, 2)?)));
            let (at_ms, body) = match read {
                Ok(event) => event,
                Err(error) => {
                    tracing::warn!(run_id, seq, %error, "an event cannot be read");
                    (row.get(1).unwrap_or_default(), stand_in(connection, run_id, seq)?)
                }
            };
            Ok(RunEvent { run_id: run_id.to_owned(), seq, at_ms, body })
        })?
        .collect()
}

/// Returns the replacement for an unreadable event, which was written by a newer version or is damaged. The header
/// provides the start and the end of a run.
fn stand_in(connection: &Connection, run_id: &str, seq: u32) -> rusqlite::Result<EventBody> {
    let kept = tr!("It stays in the workspace unchanged; a newer version of Vitrine may be able to read it.");
    let select = "SELECT question, warehouse, status, error, usage FROM runs WHERE run_id = ?1 AND ?2 IN (1, last_seq)";
    let header = connection
        .prepare_cached(select)?
        .query_row(params![run_id, seq], |row| {
            let beginning: [String; 2] = [row.get(0)?, row.get(1)?];
            let (status, usage) =
                (read_variant_column::<RunStatus>(row, 2)?, read_json_column::<Usage>(row, 4).unwrap_or_default());
            Ok((beginning, status, row.get::<_, Option<String>>(3)?, usage))
        })
        .optional()?;
    let message = match header {
        Some(([question, warehouse], ..)) if seq == 1 => {
            let beginning = tr!(
                "The beginning of this run cannot be read. It asked '{question}' of {warehouse}.",
                question,
                warehouse
            );
            format!("{beginning} {kept}")
        }
        Some((_, status, reason, usage)) if status != RunStatus::Running => {
            let code = if status == RunStatus::Cancelled { ErrorCode::Cancelled } else { ErrorCode::Internal };
            let reason = reason.unwrap_or_else(|| tr!("The run failed"));
            let error =
                AppError::new(code, reason).with_hint(format!("{} {kept}", tr!("The end of this run cannot be read.")));
            let error = (status != RunStatus::Answered).then_some(error);
            return Ok(EventBody::RunFinished { error, usage, usage_by_agent: Default::default() });
        }
        _ => format!("{} {kept}", tr!("Event {seq} of this run cannot be read.", seq)),
    };
    Ok(EventBody::Warning { node: None, message, aside: true, passing: false })
}

/// Inserts an event and updates the header accordingly.
pub(crate) fn insert_event(transaction: &Connection, event: &RunEvent, owner: Option<u32>) -> Result<(), Problem> {
    let run_id = &event.run_id;
    let misplaced = |reason| StoreError::Misplaced { run_id: run_id.clone(), seq: event.seq, reason };
    let header: Option<(u32, RunStatus, Usage)> = transaction
        .prepare_cached("SELECT last_seq, status, usage FROM runs WHERE run_id = ?1")?
        .query_row([run_id], |row| {
            Ok((row.get(0)?, read_variant_column(row, 1)?, read_json_column(row, 2).unwrap_or_default()))
        })
        .optional()?;
    let (last_seq, mut usage) = match header {
        None => (0, Usage::default()),
        Some((_, status, _)) if status != RunStatus::Running => return Err(misplaced("the run has ended").into()),
        Some((last_seq, _, usage)) => (last_seq, usage),
    };
    let expected = last_seq + 1;
    if event.seq != expected {
        return Err(StoreError::OutOfOrder { run_id: run_id.clone(), expected, got: event.seq }.into());
    }
    let (mut status, mut rows, mut error, mut certainty) = (RunStatus::Running, None, None, None);
    match &event.body {
        EventBody::RunStarted { question, warehouse, settings, started_at, steered, follows, .. } if last_seq == 0 => {
            let from = steered.as_ref().map(|steered| &steered.from);
            let follows = follows.as_ref().map(|follows| &follows.run_id);
            transaction
                .prepare_cached("INSERT INTO runs (run_id, question, strategy, warehouse, status, started_at, usage, last_seq, owner, steered_from, follows) VALUES (?1, ?2, ?3, ?4, 'running', ?5, ?6, 0, ?7, ?8, ?9)")?
                .execute(params![run_id, question, settings.strategy.as_str(), warehouse, started_at, to_json(&usage), owner, from, follows])?;
        }
        EventBody::RunStarted { .. } => return Err(misplaced("the run has begun already").into()),
        _ if last_seq == 0 => return Err(misplaced("a run begins with RunStarted").into()),
        EventBody::ModelCallFinished { usage: spent, .. } => usage += *spent,
        EventBody::QueryExecuted { ms, .. } => {
            usage += Usage { db_calls: 1, wall_ms: u64::from(*ms), ..Usage::default() }
        }
        EventBody::ResultReady { page, .. } => rows = Some(i64::try_from(page.row_count).unwrap_or(i64::MAX)),
        EventBody::CertaintyEstimated { certainty: estimate, .. } => certainty = Some(estimate.level),
        EventBody::RunFinished { error: reason, usage: total, .. } => {
            usage = *total;
            error = reason.as_ref().map(|reason| reason.message.clone());
            // Applies the same rule as the report.
            status = RunReport { finished: Some(reason.clone()), ..RunReport::default() }.status();
        }
        _ => {}
    }
    if let EventBody::ResultReady { sql, .. } = &event.body {
        transaction.execute("UPDATE runs SET answer = ?2 WHERE run_id = ?1", params![run_id, sql])?;
    }
    keep_words(transaction, run_id, &event.body)?;
    store_event(transaction, event, status, &usage, rows, error, certainty)
}

/// Writes an event and the resulting header.
fn store_event(
    transaction: &Connection,
    event: &RunEvent,
    status: RunStatus,
    usage: &Usage,
    rows: Option<i64>,
    error: Option<String>,
    certainty: Option<CertaintyLevel>,
) -> Result<(), Problem> {
    let run_id = &event.run_id;
    transaction
        .prepare_cached("INSERT INTO run_events (run_id, seq, at_ms, body) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![run_id, event.seq, event.at_ms, to_json(&event.body)])?;
    transaction
        .prepare_cached(
            "UPDATE runs SET last_seq = ?2, wall_ms = ?3, usage = ?4, status = ?5, row_count = coalesce(?6, row_count), error = ?7,
             certainty = coalesce(?8, certainty),
             finished_at = CASE WHEN ?5 <> 'running' THEN strftime('%Y-%m-%dT%H:%M:%fZ', started_at, printf('+%.3f seconds', ?3 / 1000.0)) END
             WHERE run_id = ?1",
        )?
        .execute(params![run_id, event.seq, event.at_ms, to_json(usage), status.as_str(), rows, error, certainty.map(CertaintyLevel::as_str)])?;
    Ok(())
}

/// Adds the final event of an interrupted run, with the time of its last event. Succeeds for any log, because an
/// unreadable log must not prevent the start.
pub(crate) fn end_interrupted_run(transaction: &Connection, run_id: &str) -> Result<(), Problem> {
    let events = read_events(transaction, run_id, 0)?;
    let report = RunReport::from_events(&events);
    let error =
        AppError::new(ErrorCode::Internal, translate_constant(INTERRUPTED)).with_hint(tr!("Ask the question again."));
    let body =
        EventBody::RunFinished { error: Some(error), usage: report.usage, usage_by_agent: report.usage_by_agent };
    let (seq, at_ms) = events.last().map_or((1, 0), |last| (last.seq + 1, last.at_ms));
    let event = RunEvent { run_id: run_id.to_owned(), seq, at_ms, body };
    store_event(
        transaction,
        &event,
        RunStatus::Failed,
        &report.usage,
        None,
        Some(translate_constant(INTERRUPTED).to_owned()),
        None,
    )
}
