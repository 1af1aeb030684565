//! Running a query: it is prepared first, which is free, then run within its limit of billed bytes, and its rows are
//! sent page by page.

use super::column::{self, ColumnDecoder};
use super::jobs::{self, Job, Jobs, Wanted};
use super::rest::Failure;
use crate::arrow_column::build_schema;
use crate::bill::Bill;
use crate::run::{Flow, Sink};
use crate::{Limits, WarehouseError};
use arrow::array::RecordBatchOptions;
use arrow::record_batch::RecordBatch;
use serde_json::Value;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Runs a statement and sends its rows. If BigQuery is still running it on return, the job is cancelled in the
/// background, so that the caller does not wait for that.
pub(super) fn run_statement(
    jobs: Jobs,
    runtime: &Handle,
    sql: String,
    limits: &Limits,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    let limit = jobs.billed_limit(limits.billed_bytes);
    let wanted = Wanted::new(limit, limits.timeout, limits.rows);
    let prepared = runtime.block_on(stopped.run_until_cancelled(jobs.prepare_query(&sql)));
    let prepared = prepared.ok_or(WarehouseError::Cancelled)??;
    if prepared.bytes.is_some_and(|bytes| bytes > limit) {
        return Err(WarehouseError::OverBudget { limit, bytes: prepared.bytes });
    }
    let bill = Bill::reserve_bytes(&limits.meters, prepared.bytes.map_or(limit, jobs::round_billed_bytes), limit)?;
    let wanted = Wanted { billed_bytes: bill.max_bytes(), ..wanted };
    let first = match start_query(&jobs, runtime, sql, wanted, &stopped) {
        // BigQuery does not bill a query that it refuses.
        Err(error @ (WarehouseError::Query { .. } | WarehouseError::OverBudget { .. })) => {
            bill.record_billed(Some(0));
            return Err(error);
        }
        first => first?,
    };
    Running { jobs, runtime, stopped, wanted, job: None }.read_rows(first, bill, sink)
}

/// Starts a query. The request is never aborted halfway: the job would continue without a known id and could not be
/// cancelled.
fn start_query(
    jobs: &Jobs,
    runtime: &Handle,
    sql: String,
    wanted: Wanted,
    stopped: &CancellationToken,
) -> Result<Value, WarehouseError> {
    let own = jobs.clone();
    let mut begun = runtime.spawn(async move { own.start_query(&sql, &Uuid::new_v4().to_string(), wanted).await });
    let answer = runtime.block_on(stopped.run_until_cancelled(&mut begun));
    let Some(answer) = answer else {
        let jobs = jobs.clone();
        runtime.spawn(async move {
            let Ok(Ok(answer)) = begun.await else { return };
            if let Some(job) = Job::from_answer(&answer).filter(|_| !is_complete(&answer)) {
                jobs.stop_job(&job).await;
            }
        });
        return Err(WarehouseError::Cancelled);
    };
    let answer = answer.map_err(|failed| WarehouseError::query(format!("the request was not finished: {failed}")))?;
    answer.map_err(|failure: Failure| failure.in_query(&jobs.rest.shown, Some(wanted.billed_bytes)))
}

fn is_complete(answer: &Value) -> bool {
    answer.get("jobComplete").and_then(Value::as_bool).unwrap_or_default()
}

/// A query that BigQuery runs.
struct Running<'r> {
    jobs: Jobs,
    runtime: &'r Handle,
    stopped: CancellationToken,
    wanted: Wanted,
    /// The job that BigQuery has not finished.
    job: Option<Job>,
}

impl Running<'_> {
    fn read_rows(mut self, mut answer: Value, bill: Bill, sink: &mut Sink) -> Result<(), WarehouseError> {
        let job =
            Job::from_answer(&answer).ok_or_else(|| WarehouseError::query("BigQuery did not say what it runs"))?;
        if !is_complete(&answer) {
            self.job = Some(job.clone());
        }
        while !is_complete(&answer) {
            answer = self.next(&job, None)?;
        }
        self.job = None;
        let billed = self.find_billed_bytes(&job, &answer, bill.is_metered());
        sink.set_billed_bytes(billed.unwrap_or_default());
        bill.record_billed(billed);
        let readings = column::build_decoders(jobs::read_fields(&answer)?)?;
        let schema = Arc::new(build_schema(&readings));
        sink.send_schema(schema.clone());
        loop {
            let rows = answer.get_mut("rows").map(Value::take);
            let next = answer.get("pageToken").and_then(Value::as_str).filter(|token| !token.is_empty());
            let next = next.map(str::to_owned);
            if let Some(Value::Array(rows)) = rows {
                let batch = build_batch(&schema, &readings, &rows)?;
                drop(rows);
                if sink.send_batch(batch)? == Flow::Enough {
                    return Ok(());
                }
            }
            let Some(next) = next else { return Ok(()) };
            answer = self.next(&job, Some(&next))?;
        }
    }

    /// Returns the billed bytes of the query. If the response lacks them and a meter records them, the job is
    /// requested.
    fn find_billed_bytes(&self, job: &Job, answer: &Value, is_metered: bool) -> Option<u64> {
        if answer.get("cacheHit").and_then(Value::as_bool).unwrap_or_default() {
            return Some(0);
        }
        let told = jobs::read_number(answer, "totalBytesBilled");
        if told.is_some() || !is_metered {
            return told;
        }
        let asked = self.runtime.block_on(self.stopped.run_until_cancelled(self.jobs.fetch_billed_bytes(job)));
        asked.flatten()
    }

    /// Waits for BigQuery's next response until the query is cancelled.
    fn next(&self, job: &Job, page: Option<&str>) -> Result<Value, WarehouseError> {
        let next = self.jobs.next(job, page, self.wanted);
        self.runtime.block_on(self.stopped.run_until_cancelled(next)).ok_or(WarehouseError::Cancelled)?
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if let Some(job) = self.job.take() {
            let jobs = self.jobs.clone();
            self.runtime.spawn(async move { jobs.stop_job(&job).await });
        }
    }
}

/// Builds a batch from BigQuery's JSON rows.
pub(super) fn build_batch(
    schema: &arrow::datatypes::SchemaRef,
    readings: &[ColumnDecoder],
    rows: &[Value],
) -> Result<RecordBatch, WarehouseError> {
    let too_few = || WarehouseError::query("BigQuery sent a row with too few values");
    let rows: Vec<&Vec<Value>> = rows
        .iter()
        .map(|row| row.get("f").and_then(Value::as_array).filter(|values| values.len() == readings.len()))
        .collect::<Option<_>>()
        .ok_or_else(too_few)?;
    let column = |(at, reading): (usize, &ColumnDecoder)| {
        reading.decode_array(rows.iter().map(|values| values[at].get("v").unwrap_or(&Value::Null)))
    };
    let columns = readings.iter().enumerate().map(column).collect::<Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema.clone(), columns, &options)
        .map_err(|error| WarehouseError::query(error.to_string()))
}
