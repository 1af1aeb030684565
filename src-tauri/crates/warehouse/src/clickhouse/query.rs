//! Running a query on a server.

use super::column::{self, Builder, Reading};
use super::http::{Failure, Http, Lines};
use super::rows;
use crate::WarehouseError;
use crate::batch_writer::{BatchWriter, Filled};
use crate::run::{Flow, Sink};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Runs a statement and hands over its rows as they come. Where the server is not done when this ends, it is told to stop, in the
/// background: whoever stopped the query need not wait for that.
pub(super) fn run(
    http: Arc<Http>,
    runtime: &Handle,
    sql: String,
    settings: &[(&'static str, String)],
    timeout: Duration,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    let seconds = timeout.as_secs_f64().ceil() as u64;
    let mut query = Query { http, runtime, stopped, seconds, id: Uuid::new_v4().to_string(), over: false };
    query.rows(sql, settings, sink)
}

/// A query on its way.
struct Query<'r> {
    http: Arc<Http>,
    runtime: &'r Handle,
    stopped: CancellationToken,
    seconds: u64,
    id: String,
    /// Whether the server has nothing left to do for it.
    over: bool,
}

impl Query<'_> {
    fn rows(
        &mut self,
        sql: String,
        settings: &[(&'static str, String)],
        sink: &mut Sink,
    ) -> Result<(), WarehouseError> {
        let (http, id) = (self.http.clone(), self.id.clone());
        let sent = self.wait(async { http.send(sql, Some(&id), settings).await })?;
        let mut lines = self.told(sent.map_err(Failure::Connection).and_then(|sent| sent.map_err(Failure::Server)))?;
        let header = self.wait(async { rows::header(&mut lines).await })?;
        let (names, types) = self.told(header)?;
        let readings = column::readings(names, &types);
        let mut writer = BatchWriter::new(column::schema(&readings), readings.iter().map(Reading::builder).collect());
        sink.start(writer.schema());
        loop {
            let filled = self.wait(async { fill(&mut writer, readings.len(), &mut lines).await })?;
            let filled = self.told(filled)?;
            self.over = filled == Filled::Last;
            if writer.flush(sink)? == Flow::Enough || filled == Filled::Last {
                return Ok(());
            }
        }
    }

    /// Waits for the server, unless the query is stopped.
    fn wait<T>(&self, work: impl Future<Output = T>) -> Result<T, WarehouseError> {
        self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)
    }

    /// What went wrong, in our words. What the server itself answered is its last word.
    fn told<T>(&mut self, done: Result<T, Failure>) -> Result<T, WarehouseError> {
        self.over |= matches!(done, Err(Failure::Server(_)));
        done.map_err(|failure| failure.in_query(&self.http.shown, self.seconds))
    }
}

impl Drop for Query<'_> {
    fn drop(&mut self) {
        if !self.over {
            let (http, id) = (self.http.clone(), std::mem::take(&mut self.id));
            self.runtime.spawn(async move { http.stop(&id).await });
        }
    }
}

/// Takes rows until there is a batch.
async fn fill(writer: &mut BatchWriter<Builder>, columns: usize, lines: &mut Lines) -> Result<Filled, Failure> {
    while !writer.is_full() {
        let Some(line) = lines.next().await.map_err(Failure::Connection)? else { return Ok(Filled::Last) };
        if line.is_empty() {
            continue;
        }
        let Some(cells) = rows::cells(line).filter(|cells| cells.len() == columns) else {
            let line = line.to_vec();
            return Err(Failure::Server(rows::exception(line, lines).await));
        };
        writer.row(|at, builder: &mut Builder| builder.push(cells[at])).map_err(Failure::Connection)?;
    }
    Ok(Filled::Full)
}
