//! One run of a watched answer: a single execution of the query, from which the comparison and the file are made.

use super::compare::{describe_columns, describe_rows, find_extreme, find_number_column, is_beyond, keep_known_types};
use crate::app::App;
use crate::library::result_check;
use crate::state::work::current_timestamp;
use crate::types::{SavedQuestion, SavedResult};
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use futures::StreamExt;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, Page};
use vitrine_store::{ResultCheck, Watch, WatchAlert, WatchOutcome, WatchState};
use vitrine_warehouse::{Batches, read_page};
use vitrine_words::{format_number, plural, tr};

/// Maximum number of rows of a watched result; a part of a larger one cannot be compared.
const MOST_ROWS: u64 = 100_000;
/// Maximum size of a watched result in memory, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// The result of one execution.
pub(super) struct WatchResult {
    /// The rows as the query returned them.
    pub(super) schema: SchemaRef,
    pub(super) batches: Vec<RecordBatch>,
    /// The complete rows as text, and the headline.
    pub(super) saved: SavedResult,
    /// The query with its read-only proof.
    pub(super) sql: String,
    pub(super) state: WatchState,
    pub(super) outcome: WatchOutcome,
    /// Events of the run, one sentence each.
    pub(super) notes: Vec<String>,
    pub(super) wall_ms: u64,
    pub(super) bytes: Option<u64>,
}

impl App {
    /// Executes the query of a watched answer and compares the result with the previous one. Nothing is stored.
    ///
    /// # Errors
    /// When the query does not run, its result is too large to compare, or the watched number is ambiguous.
    pub(super) async fn run_watch(
        &self,
        watch: &Watch,
        question: &SavedQuestion,
        cancel: CancellationToken,
    ) -> Result<WatchResult, AppError> {
        let (at, began) = (current_timestamp(), Instant::now());
        let timeout = Duration::from_secs(u64::from(self.settings().await?.timeout_s));
        let rows = self.query_rows(&question.warehouse, &question.sql).await?;
        let mut read = rows.read_batches(Some(MOST_ROWS), timeout, cancel).await?;
        let (schema, mut batches, mut bytes) = (read.schema.clone(), Vec::new(), 0);
        while let Some(batch) = read.stream.next().await {
            let batch = batch?;
            bytes += batch.get_array_memory_size();
            if bytes > MOST_BYTES {
                return Err(too_large_error());
            }
            batches.push(batch);
        }
        if read.is_truncated() {
            return Err(too_large_error());
        }
        let page = read_page(stream_batches(&schema, &batches), MOST_ROWS).await?;
        if page.truncated {
            return Err(too_large_error());
        }
        let open = self.ensure_open(&question.warehouse).await?;
        let headline = vitrine_explain::build_headline(Some(rows.sql()), &page, &open.catalog());
        let billed = read.billed_bytes();
        let mut result = WatchResult {
            sql: rows.sql().as_str().to_owned(),
            saved: SavedResult { at, page, headline: Some(headline) },
            schema,
            batches,
            state: WatchState::default(),
            outcome: WatchOutcome::Unchanged,
            notes: Vec::new(),
            wall_ms: 0,
            bytes: (billed > 0).then_some(billed),
        };
        let drift = self.saved_drift(question.id.clone()).await?.unwrap_or_default();
        let previous = self.previous_page(question, watch.state.result.as_ref()).await?;
        compare_with_previous(&mut result, watch, previous, drift)?;
        result.wall_ms = began.elapsed().as_millis() as u64;
        Ok(result)
    }

    /// Returns the previous result if its rows are still stored. A later run in the window may have replaced them.
    async fn previous_page(
        &self,
        question: &SavedQuestion,
        check: Option<&ResultCheck>,
    ) -> Result<Option<Page>, AppError> {
        let Some(check) = check else { return Ok(None) };
        let kept = self.saved_result(question.id.clone()).await?;
        Ok(kept
            .map(|kept| kept.page)
            .filter(|page| page.rows.len() as u64 == page.row_count && result_check(page).as_ref() == Some(check)))
    }
}

/// Returns the rows of a result again.
pub(super) fn stream_batches(schema: &SchemaRef, batches: &[RecordBatch]) -> Batches {
    let again: Vec<_> = batches.iter().cloned().map(Ok).collect();
    Batches::new(schema.clone(), futures::stream::iter(again).boxed())
}

fn too_large_error() -> AppError {
    let most = format_number(MOST_ROWS);
    AppError::new(ErrorCode::Usage, tr!("The result is too large to watch: the limit is {most} rows or 256 MB", most))
        .with_hint(tr!("Save a query that aggregates the rows"))
}

/// Fills the state, the outcome and the notes of a result.
fn compare_with_previous(
    result: &mut WatchResult,
    watch: &Watch,
    previous: Option<Page>,
    drift: Vec<String>,
) -> Result<(), AppError> {
    let (page, before) = (&result.saved.page, &watch.state);
    let (mut value, mut crossed) = (None, false);
    if watch.plan.alert != WatchAlert::Changed {
        let column = find_number_column(&watch.plan, page, result.saved.headline.as_ref(), &before.columns)?;
        value = find_extreme(&watch.plan.alert, page, column);
        crossed = is_beyond(&watch.plan.alert, value.as_deref());
    }
    let check = result_check(page);
    let is_first = before.result.is_none();
    let mut notes = Vec::new();
    let mut outcome = if is_first { WatchOutcome::First } else { WatchOutcome::Unchanged };
    if !is_first && check != before.result {
        // Rows are compared once more, because the last digits of floats may differ between executions.
        let described = match &previous {
            Some(previous) => describe_rows(previous, page),
            None => Some(describe_counts(before.result.as_ref(), page)),
        };
        if let Some(text) = described {
            outcome = WatchOutcome::Changed;
            notes.push(text);
        }
    }
    match (&watch.plan.alert, before.crossed, crossed) {
        (WatchAlert::Changed, _, _) => {}
        (alert, false, true) => {
            outcome = WatchOutcome::Crossed;
            notes.insert(0, describe_crossing(alert, value.as_deref()));
        }
        (_, true, false) => {
            outcome = WatchOutcome::Returned;
            notes.insert(
                0,
                match &value {
                    Some(value) => tr!("The number is within the limit again: {value}", value),
                    None => tr!("The answer holds no number any more"),
                },
            );
        }
        _ => {}
    }
    let columns = if is_first { Vec::new() } else { describe_columns(&before.columns, &page.columns) };
    let new_drift = drift.iter().filter(|change| !before.drift.contains(change)).cloned();
    let shape: Vec<String> = columns.into_iter().chain(new_drift).collect();
    if !shape.is_empty() && !is_first {
        if !matches!(outcome, WatchOutcome::Crossed | WatchOutcome::Returned) {
            outcome = WatchOutcome::Drifted;
        }
        notes.extend(shape);
    }
    let columns = keep_known_types(&page.columns, &before.columns);
    result.state = WatchState { columns, result: check, value, crossed, drift, error: None };
    (result.outcome, result.notes) = (outcome, notes);
    Ok(())
}

fn describe_counts(before: Option<&ResultCheck>, page: &Page) -> String {
    let now = plural!(page.row_count, "{n} row now", "{n} rows now");
    match before {
        Some(before) => {
            let before = plural!(before.rows, "{n} row before", "{n} rows before");
            tr!("The rows are different: {before}, {now}", before, now)
        }
        None => tr!("The rows are different: {now}", now),
    }
}

/// Describes a number that is beyond the limit.
pub(super) fn describe_crossing(alert: &WatchAlert, value: Option<&str>) -> String {
    let value = value.unwrap_or_default();
    match alert {
        WatchAlert::Above(limit) => tr!("{value} is above the limit of {limit}", value, limit),
        WatchAlert::Below(limit) => tr!("{value} is below the limit of {limit}", value, limit),
        WatchAlert::Changed => String::new(),
    }
}
