//! Running a query on a server.

use super::column::{self, ColumnDecoder};
use super::errors::TOO_MANY_BYTES;
use super::estimate::estimate_bytes;
use super::http::{Begins, Failure, Http, Lines};
use super::rows;
use super::settings::{READ_LIMIT, Settings};
use crate::batch_writer::{BatchWriter, Filled};
use crate::bill::Bill;
use crate::run::{Flow, Sink};
use crate::{Limits, WarehouseError};
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The error for a login to which no limit of bytes can be applied.
const NOTHING_HOLDS: &str = "this login's profile fixes max_bytes_to_read, so that no limit of what queries may read can hold it. \
    Have the profile let it be changed, or take the limit away";

/// Runs a statement and sends its rows as they arrive. If the server is still running it on return, the query is
/// stopped in the background, so that the caller does not wait for that.
pub(super) fn run_statement(
    http: Arc<Http>,
    runtime: &Handle,
    sql: String,
    settings: &Settings,
    (limits, memory_bytes): (&Limits, u64),
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    let seconds = limits.timeout.as_secs_f64().ceil() as u64;
    let id = Uuid::new_v4().to_string();
    let mut query = Query { http, runtime, stopped, seconds, id, most: None, over: true };
    let mut sent = settings.of_query(limits, memory_bytes);
    let bill = query.reserve_bill(&sql, settings, limits)?;
    if let Some(most) = query.most {
        let Some(held) = settings.read_limit(most) else {
            bill.record_billed(Some(0));
            return Err(WarehouseError::query(NOTHING_HOLDS));
        };
        sent.extend(held);
        // A stricter limit of the login itself is reported as the server's limit, not as Vitrine's.
        query.most = Some(most).filter(|most| sent.contains(&(READ_LIMIT, most.to_string())));
    }
    // A result without a row limit is streamed, because the server should not buffer it.
    let is_bounded = sent.iter().any(|(name, _)| *name == "max_result_rows");
    let begins = if bill.is_metered() && is_bounded { Begins::WhenWhole } else { Begins::AtOnce };
    query.stream_rows(sql, &sent, (bill, begins), sink)
}

/// A query that the server runs.
struct Query<'r> {
    http: Arc<Http>,
    runtime: &'r Handle,
    stopped: CancellationToken,
    seconds: u64,
    id: String,
    /// Maximum bytes that the query may read, if limited.
    most: Option<u64>,
    /// True if the server has finished the query.
    over: bool,
}

impl Query<'_> {
    /// Reserves the bytes that the query may read. It is estimated first if a budget applies.
    fn reserve_bill(&mut self, sql: &str, settings: &Settings, limits: &Limits) -> Result<Bill, WarehouseError> {
        let (http, seconds) = (self.http.clone(), self.seconds);
        let limit = limits.billed_bytes.unwrap_or(u64::MAX);
        let estimated = match limits.meters.has_limit() {
            true => self.run_until_stopped(async { estimate_bytes(&http, settings, seconds, sql).await })?,
            false => None,
        };
        let mut bill = Bill::reserve_bytes(&limits.meters, estimated.unwrap_or_default(), limit)?;
        if estimated.is_none() {
            bill.counts_all();
        }
        // For the server, 0 means no limit.
        self.most = Some(bill.max_bytes().max(1)).filter(|most| *most < u64::MAX);
        Ok(bill)
    }

    fn stream_rows(
        &mut self,
        sql: String,
        settings: &[(&'static str, String)],
        (bill, begins): (Bill, Begins),
        sink: &mut Sink,
    ) -> Result<(), WarehouseError> {
        let (http, id) = (self.http.clone(), self.id.clone());
        self.over = false;
        let answer = self.run_until_stopped(async { http.send_for(sql, Some(&id), settings, begins).await })?;
        let answer = self.map_failure(answer.map_err(Failure::Connection))?;
        // A streamed result has read only a part when it begins: then the estimate is used unless the reported bytes
        // exceed it.
        let read = answer.read_bytes.filter(|read| begins == Begins::WhenWhole || *read > bill.estimated_bytes());
        let is_too_much = matches!(&answer.rows, Err(exception) if exception.code == TOO_MANY_BYTES);
        let read = read.or(self.most.filter(|_| is_too_much));
        // A query that the server refused has read at most the estimated bytes.
        let read = read.or(answer.rows.is_err().then(|| bill.estimated_bytes()));
        sink.set_billed_bytes(read.unwrap_or(bill.estimated_bytes()));
        bill.record_billed(read);
        let mut lines = self.map_failure(answer.rows.map_err(Failure::Server))?;
        let header = self.run_until_stopped(async { rows::read_header(&mut lines).await })?;
        let (names, types) = self.map_failure(header)?;
        let decoders = column::build_decoders(names, &types);
        let columns = decoders.len();
        let mut writer = BatchWriter::new(decoders);
        sink.send_schema(writer.schema());
        loop {
            let filled = self.run_until_stopped(async { fill_batch(&mut writer, columns, &mut lines).await })?;
            let filled = self.map_failure(filled)?;
            self.over = filled == Filled::Last;
            if writer.flush(sink)? == Flow::Enough || filled == Filled::Last {
                return Ok(());
            }
        }
    }

    /// Waits for the server until the query is cancelled.
    fn run_until_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, WarehouseError> {
        self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)
    }

    /// Converts an error. After an exception of the server, the query has ended.
    fn map_failure<T>(&mut self, done: Result<T, Failure>) -> Result<T, WarehouseError> {
        self.over |= matches!(done, Err(Failure::Server(_)));
        done.map_err(|failure| match (failure, self.most) {
            (Failure::Server(exception), Some(limit)) if exception.code == TOO_MANY_BYTES => {
                WarehouseError::OverRead { limit }
            }
            (failure, _) => failure.in_query(&self.http.shown, self.seconds),
        })
    }
}

impl Drop for Query<'_> {
    fn drop(&mut self) {
        if !self.over {
            let (http, id) = (self.http.clone(), std::mem::take(&mut self.id));
            self.runtime.spawn(async move { http.stop_query(&id).await });
        }
    }
}

/// Reads rows until a batch is full or the result ends.
async fn fill_batch(
    writer: &mut BatchWriter<ColumnDecoder>,
    columns: usize,
    lines: &mut Lines,
) -> Result<Filled, Failure> {
    while !writer.is_full() {
        let Some(line) = lines.next().await.map_err(Failure::Connection)? else { return Ok(Filled::Last) };
        if line.is_empty() {
            continue;
        }
        let Some(cells) = rows::split_cells(line).filter(|cells| cells.len() == columns) else {
            let line = line.to_vec();
            return Err(Failure::Server(rows::read_exception(line, lines).await));
        };
        let value = |at: usize| Some(cells[at]).filter(|cell| *cell != "null");
        writer.append_row(|at, builder| builder.push(value(at))).map_err(Failure::Connection)?;
    }
    Ok(Filled::Full)
}
