//! Watched answers: saved questions that run by a schedule, with the state of their last run and their history.

use crate::runs::{read_json_column, to_json};
use crate::saved_result::put_result;
use crate::{ResultCheck, SavedResult, Store, StoreError};
use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::ResultColumn;

/// Number of runs of a watched answer that are kept.
const KEPT_RUNS: u32 = 500;

/// The interval between runs of a watched answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WatchInterval {
    /// At every full hour.
    Hour,
    /// Once a day.
    Day,
    /// Once a week.
    Week,
}

/// When a watched answer is reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", tag = "kind", content = "limit")]
pub enum WatchAlert {
    /// When the result differs from the previous one.
    Changed,
    /// When the largest number becomes greater than this decimal number.
    Above(String),
    /// When the smallest number becomes less than this decimal number.
    Below(String),
}

/// The file format of a watched answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WatchFormat {
    /// An Excel workbook.
    Xlsx,
    /// A report as an HTML file.
    Html,
    /// Comma-separated values.
    Csv,
}

/// The files that each run of a watched answer writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchOutput {
    /// Absolute path of the folder.
    pub folder: String,
    /// Format of the files.
    pub format: WatchFormat,
}

/// The plan of a watched answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchPlan {
    /// Interval between two runs.
    pub interval: WatchInterval,
    /// Local time of day in minutes after midnight; not used for hours.
    pub minute: u16,
    /// Day of the week, 0 for Monday; used for weeks only.
    pub weekday: u8,
    /// Condition under which it is reported.
    pub alert: WatchAlert,
    /// The column whose numbers are compared with a limit.
    pub column: Option<String>,
    /// The files to write, if any.
    pub output: Option<WatchOutput>,
}

/// The state of a watched answer after its last run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct WatchState {
    /// Columns of the last result.
    pub columns: Vec<ResultColumn>,
    /// Fingerprint of the last result.
    pub result: Option<ResultCheck>,
    /// The number that was compared with the limit, in exact digits.
    pub value: Option<String>,
    /// True if that number was beyond the limit.
    pub crossed: bool,
    /// Reported changes of the tables and columns that the query uses.
    pub drift: Vec<String>,
    /// The reported error of the last run; `None` if it succeeded.
    pub error: Option<String>,
}

/// A saved question that runs by a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Watch {
    /// Id of the saved question.
    pub saved_id: String,
    /// The plan of its runs.
    pub plan: WatchPlan,
    /// Time of creation; RFC 3339, UTC.
    pub created_at: String,
    /// The next run is the first scheduled time after this one; RFC 3339, UTC.
    pub since: String,
    /// State after the last run.
    pub state: WatchState,
}

/// The outcome of a run of a watched answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WatchOutcome {
    /// The first result, which later ones are compared with.
    First,
    /// The same result as before.
    Unchanged,
    /// Another result than before.
    Changed,
    /// The number is beyond the limit now.
    Crossed,
    /// The number is within the limit again.
    Returned,
    /// The columns of the result, or the tables and columns that the query uses, are different now.
    Drifted,
    /// The query did not run, or its file was not written.
    Failed,
}

/// A run of a watched answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchRun {
    /// Id of the saved question.
    pub saved_id: String,
    /// Time at which it was due; RFC 3339, UTC.
    pub due_at: String,
    /// Time at which it started; RFC 3339, UTC.
    pub started_at: String,
    /// Duration in milliseconds.
    #[specta(type = f64)]
    pub wall_ms: u64,
    /// The most important outcome.
    pub outcome: WatchOutcome,
    /// Events of the run, one sentence each.
    pub notes: Vec<String>,
    /// True if the run was reported to the user.
    pub reported: bool,
    /// Number of rows of the result.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
    /// Bytes that the query was billed for or has read; `None` if unknown.
    #[specta(type = Option<f64>)]
    pub bytes: Option<u64>,
    /// Path of the written file.
    pub file: Option<String>,
}

const WATCHES: &str = "SELECT saved_id, plan, created_at, since, state FROM watches";

fn read_watch_row(row: &Row<'_>) -> rusqlite::Result<Watch> {
    Ok(Watch {
        saved_id: row.get(0)?,
        plan: read_json_column(row, 1)?,
        created_at: row.get(2)?,
        since: row.get(3)?,
        state: read_json_column(row, 4)?,
    })
}

impl Store {
    /// Stores a watch, replacing the one of the same saved question with its history.
    pub fn set_watch(&self, watch: &Watch) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            transaction.execute("DELETE FROM watch_runs WHERE saved_id = ?1", [&watch.saved_id])?;
            transaction.execute(
                "INSERT INTO watches (saved_id, plan, created_at, since, state) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (saved_id) DO UPDATE SET plan = excluded.plan, created_at = excluded.created_at,
                 since = excluded.since, state = excluded.state",
                params![watch.saved_id, to_json(&watch.plan), watch.created_at, watch.since, to_json(&watch.state)],
            )?;
            Ok(())
        })
    }

    /// Returns all watches, the oldest first.
    pub fn watches(&self) -> Result<Vec<Watch>, StoreError> {
        self.with_reader(|connection| {
            let sql = format!("{WATCHES} ORDER BY created_at, saved_id");
            connection.prepare(&sql)?.query_map([], read_watch_row)?.collect()
        })
    }

    /// Returns the watch of a saved question, if there is one.
    pub fn watch(&self, saved_id: &str) -> Result<Option<Watch>, StoreError> {
        self.with_reader(|connection| {
            connection.query_row(&format!("{WATCHES} WHERE saved_id = ?1"), [saved_id], read_watch_row).optional()
        })
    }

    /// Removes the watch of a saved question with its history. Returns false if there is none.
    pub fn remove_watch(&self, saved_id: &str) -> Result<bool, StoreError> {
        self.with_transaction(|transaction| {
            transaction.execute("DELETE FROM watch_runs WHERE saved_id = ?1", [saved_id])?;
            Ok(transaction.execute("DELETE FROM watches WHERE saved_id = ?1", [saved_id])? > 0)
        })
    }

    /// Replaces the time after which a watch is due. A watch that was replaced or removed meanwhile is left unchanged.
    pub fn correct_watch_time(&self, before: &Watch, since: &str) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            transaction.execute(
                "UPDATE watches SET since = ?1 WHERE saved_id = ?2 AND created_at = ?3 AND since = ?4",
                params![since, before.saved_id, before.created_at, before.since],
            )?;
            Ok(())
        })
    }

    /// Stores the end of a run in one transaction: the watch's new state, an entry of its history, and the result with its
    /// query. A watch that was replaced or removed meanwhile is left unchanged.
    pub fn finish_watch_run(
        &self,
        before: &Watch,
        (since, state): (&str, &WatchState),
        run: &WatchRun,
        result: Option<(&str, &SavedResult)>,
    ) -> Result<bool, StoreError> {
        self.with_transaction(|transaction| {
            let changed = transaction.execute(
                "UPDATE watches SET since = ?1, state = ?2 WHERE saved_id = ?3 AND created_at = ?4 AND since = ?5",
                params![since, to_json(state), before.saved_id, before.created_at, before.since],
            )?;
            if changed == 0 {
                return Ok(false);
            }
            transaction.execute(
                "INSERT INTO watch_runs (saved_id, body) VALUES (?1, ?2)",
                params![before.saved_id, to_json(run)],
            )?;
            transaction.execute(
                "DELETE FROM watch_runs WHERE saved_id = ?1 AND number NOT IN
                 (SELECT number FROM watch_runs WHERE saved_id = ?1 ORDER BY number DESC LIMIT ?2)",
                params![before.saved_id, KEPT_RUNS],
            )?;
            if let Some((sql, result)) = result {
                put_result(transaction, &before.saved_id, sql, result)?;
            }
            Ok(true)
        })
    }

    /// Returns the latest runs of a watched answer, the latest first.
    pub fn watch_runs(&self, saved_id: &str, limit: u32) -> Result<Vec<WatchRun>, StoreError> {
        self.with_reader(|connection| {
            let sql = "SELECT body FROM watch_runs WHERE saved_id = ?1 ORDER BY number DESC LIMIT ?2";
            connection.prepare(sql)?.query_map(params![saved_id, limit], |row| read_json_column(row, 0))?.collect()
        })
    }
}
