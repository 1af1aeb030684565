//! Running a query on a server.

use super::column::{Builder, Raw, Reading, readings, schema, with_casts};
use super::pool::{Pool, Session};
use crate::WarehouseError;
use crate::batch_writer::{BatchWriter, Filled};
use crate::run::{Flow, Sink};
use futures::{Stream, TryStreamExt};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use tokio_util::sync::CancellationToken;

/// Runs a statement and hands over its rows as they come. Where the server is not done when this ends, it is told to
/// stop, in the background: whoever stopped the query need not wait for that.
pub(super) fn run(
    pool: Arc<Pool>,
    runtime: Handle,
    sql: &str,
    timeout: Duration,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    let begun = runtime.block_on(stopped.run_until_cancelled(pool.begin(timeout)));
    let session = begun.ok_or(WarehouseError::Cancelled)??;
    let mut query = Query { pool: &pool, session: &session, runtime: &runtime, stopped, timeout, over: false };
    let result = query.rows(sql, sink);
    let over = query.over;
    if over {
        runtime.block_on(pool.rest(session));
    } else {
        runtime.spawn(async move { pool.stop(session).await });
    }
    result
}

/// A query on its way.
struct Query<'p> {
    pool: &'p Pool,
    session: &'p Session,
    runtime: &'p Handle,
    stopped: CancellationToken,
    timeout: Duration,
    /// Whether the server has nothing left to do for it.
    over: bool,
}

impl Query<'_> {
    fn rows(&mut self, sql: &str, sink: &mut Sink) -> Result<(), WarehouseError> {
        let session = self.session;
        let statement = self.wait(session.client.prepare(sql))?;
        let readings = readings(&statement)?;
        let statement = match with_casts(sql, &readings) {
            Some(sql) => self.wait(session.client.prepare(&sql))?,
            None => statement,
        };
        let mut writer = BatchWriter::new(schema(&readings), readings.iter().map(Reading::builder).collect());
        sink.start(writer.schema());
        let nothing: [&(dyn ToSql + Sync); 0] = [];
        let rows = self.wait(session.client.query_raw(&statement, nothing))?;
        self.over = false;
        let mut rows = Box::pin(rows);
        loop {
            let filled = self.wait(fill(&mut writer, &mut rows))?;
            self.over = matches!(filled, Ok(Filled::Last));
            let filled = filled?;
            if writer.flush(sink)? == Flow::Enough || filled == Filled::Last {
                return Ok(());
            }
        }
    }

    /// Waits for the server, unless the query is stopped.
    fn wait<T>(&mut self, work: impl Future<Output = Result<T, Error>>) -> Result<T, WarehouseError> {
        self.over = false;
        let done = self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)?;
        self.over = true;
        done.map_err(|error| self.runtime.block_on(self.pool.told(self.session, &error, self.timeout)))
    }
}

/// Takes rows until there is a batch. The outer error is the server's, the inner one ours.
async fn fill(
    writer: &mut BatchWriter<Builder>,
    rows: &mut (impl Stream<Item = Result<Row, Error>> + Unpin),
) -> Result<Result<Filled, WarehouseError>, Error> {
    while !writer.is_full() {
        let Some(row) = rows.try_next().await? else { return Ok(Ok(Filled::Last)) };
        let put = |index, builder: &mut Builder| {
            let Raw(raw) = row.try_get(index).map_err(Ok)?;
            builder.push(raw).map_err(Err)?;
            Ok(raw.map_or(0, <[u8]>::len))
        };
        match writer.row(put) {
            Ok(()) => {}
            Err(Ok(error)) => return Err(error),
            Err(Err(error)) => return Ok(Err(error)),
        }
    }
    Ok(Ok(Filled::Full))
}
