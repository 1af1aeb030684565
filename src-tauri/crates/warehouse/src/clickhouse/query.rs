//! Running a query on a server.

use super::column::{self, Builder, ColumnDecoder};
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

/// What is said of a login that no limit of bytes holds.
const NOTHING_HOLDS: &str = "this login's profile fixes max_bytes_to_read, so that no limit of what queries may read can hold it. \
    Have the profile let it be changed, or take the limit away";

/// Runs a statement and hands over its rows as they come. Where the server is not done when this ends, it is told to stop, in the
/// background: whoever stopped the query need not wait for that.
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
        // A stricter limit of the login's own is told as such.
        query.most = Some(most).filter(|most| sent.contains(&(READ_LIMIT, most.to_string())));
    }
    // A result without a limit of rows is read as it comes.
    let is_bounded = sent.iter().any(|(name, _)| *name == "max_result_rows");
    let begins = if bill.is_metered() && is_bounded { Begins::WhenWhole } else { Begins::AtOnce };
    query.stream_rows(sql, &sent, (bill, begins), sink)
}

/// A query on its way.
struct Query<'r> {
    http: Arc<Http>,
    runtime: &'r Handle,
    stopped: CancellationToken,
    seconds: u64,
    id: String,
    /// Bytes that it may read, where that is limited.
    most: Option<u64>,
    /// Whether the server has nothing left to do for it.
    over: bool,
}

impl Query<'_> {
    /// Sets aside what the query may read. It is estimated first where something limits it.
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
        // To the server 0 is no limit.
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
        // What a result that is read as it comes had read when it began is not all of it: then the estimate counts, if it is more.
        let read = answer.read_bytes.filter(|read| begins == Begins::WhenWhole || *read > bill.estimated_bytes());
        let is_too_much = matches!(&answer.rows, Err(exception) if exception.code == TOO_MANY_BYTES);
        let read = read.or(self.most.filter(|_| is_too_much));
        // What the server refused took no more than was thought.
        let read = read.or(answer.rows.is_err().then(|| bill.estimated_bytes()));
        sink.set_billed_bytes(read.unwrap_or(bill.estimated_bytes()));
        bill.record_billed(read);
        let mut lines = self.map_failure(answer.rows.map_err(Failure::Server))?;
        let header = self.run_until_stopped(async { rows::read_header(&mut lines).await })?;
        let (names, types) = self.map_failure(header)?;
        let readings = column::build_decoders(names, &types);
        let mut writer = BatchWriter::new(
            column::build_schema(&readings),
            readings.iter().map(ColumnDecoder::new_builder).collect(),
        );
        sink.send_schema(writer.schema());
        loop {
            let filled = self.run_until_stopped(async { fill_batch(&mut writer, readings.len(), &mut lines).await })?;
            let filled = self.map_failure(filled)?;
            self.over = filled == Filled::Last;
            if writer.flush(sink)? == Flow::Enough || filled == Filled::Last {
                return Ok(());
            }
        }
    }

    /// Waits for the server, unless the query is stopped.
    fn run_until_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, WarehouseError> {
        self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)
    }

    /// What went wrong, in our words. What the server itself answered is its last word.
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

/// Takes rows until there is a batch.
async fn fill_batch(writer: &mut BatchWriter<Builder>, columns: usize, lines: &mut Lines) -> Result<Filled, Failure> {
    while !writer.is_full() {
        let Some(line) = lines.next().await.map_err(Failure::Connection)? else { return Ok(Filled::Last) };
        if line.is_empty() {
            continue;
        }
        let Some(cells) = rows::split_cells(line).filter(|cells| cells.len() == columns) else {
            let line = line.to_vec();
            return Err(Failure::Server(rows::read_exception(line, lines).await));
        };
        writer.append_row(|at, builder: &mut Builder| builder.push(cells[at])).map_err(Failure::Connection)?;
    }
    Ok(Filled::Full)
}
