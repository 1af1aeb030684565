//! Running a query: the statement is started and polled, and its rows are sent chunk by chunk.

use super::column::build_decoders;
use super::errors::Failure;
use super::http::Http;
use super::statement::{Statement, check_row_count, row_cells, truncated_error, unreadable_error};
use crate::WarehouseError;
use crate::batch_writer::BatchWriter;
use crate::run::{Flow, Sink};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

/// Runs a statement and sends its rows. If the workspace is still running it on return, the statement is cancelled in
/// the background, so that the caller does not wait for that.
pub(super) fn run_statement(
    http: Arc<Http>,
    runtime: &Handle,
    sql: String,
    rows: Option<u64>,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    // One row more shows whether the limit truncates the result.
    let statement = start_statement(&http, runtime, sql, rows.map(|rows| rows.saturating_add(1)), &stopped)?;
    Running { http, runtime, stopped, statement, over: false }.read_rows(rows, sink)
}

/// Starts a statement. The request is never aborted halfway: the statement would continue without a known id and could
/// not be cancelled.
fn start_statement(
    http: &Arc<Http>,
    runtime: &Handle,
    sql: String,
    rows: Option<u64>,
    stopped: &CancellationToken,
) -> Result<Statement, WarehouseError> {
    let own = http.clone();
    let mut begun = runtime.spawn(async move { own.start_statement(&sql, rows).await });
    let Some(answer) = runtime.block_on(stopped.run_until_cancelled(&mut begun)) else {
        let http = http.clone();
        runtime.spawn(async move {
            if let Ok(Ok(statement)) = begun.await {
                http.stop_statement(&statement).await;
            }
        });
        return Err(WarehouseError::Cancelled);
    };
    let answer = answer.map_err(|failed| WarehouseError::query(format!("the request was not finished: {failed}")))?;
    answer.map_err(|failure| failure.in_query(&http.shown))
}

/// A statement that the warehouse runs.
struct Running<'r> {
    http: Arc<Http>,
    runtime: &'r Handle,
    stopped: CancellationToken,
    statement: Statement,
    /// True if the warehouse has finished the statement.
    over: bool,
}

impl Running<'_> {
    fn read_rows(mut self, most: Option<u64>, sink: &mut Sink) -> Result<(), WarehouseError> {
        let done = self.run_until_stopped(self.http.wait_for_result(&self.statement))?;
        // A response about the statement is final; after a lost connection its state is unknown.
        self.over = matches!(done, Ok(_) | Err(Failure::Answer(_)));
        let done = done.map_err(|failure| failure.in_query(&self.http.shown))?;
        if done.columns.is_empty() {
            return Err(WarehouseError::Refused { message: "the statement is not a query".to_owned() });
        }
        if done.is_cut && most.is_none_or(|most| done.total <= most) {
            return Err(truncated_error());
        }
        let columns = done.columns.len();
        let mut writer = BatchWriter::new(build_decoders(done.columns));
        sink.send_schema(writer.schema());
        let (mut read, mut chunk) = (0, done.first);
        loop {
            for row in &chunk.rows {
                let mut cells = row_cells(row, columns).ok_or_else(unreadable_error)?;
                writer.append_row(|_, builder| builder.push(cells.next().flatten()))?;
                read += 1;
                if writer.is_full() && writer.flush(sink)? == Flow::Enough {
                    return Ok(());
                }
            }
            let Some(next) = chunk.next.filter(|_| read <= done.total) else { break };
            let fetched = self.run_until_stopped(self.http.fetch_chunk(&next))?;
            chunk = fetched.map_err(|failure| failure.in_query(&self.http.shown))?;
        }
        check_row_count(read, done.total)?;
        writer.flush(sink).map(drop)
    }

    /// Waits for the workspace until the query is cancelled.
    fn run_until_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, WarehouseError> {
        self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if !self.over {
            let (http, statement) = (self.http.clone(), self.statement.clone());
            self.runtime.spawn(async move { http.stop_statement(&statement).await });
        }
    }
}
