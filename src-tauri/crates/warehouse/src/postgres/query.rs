//! Running a query on a server.

use super::column::{Builder, Raw, Reading, readings, schema, with_casts};
use super::pool::{Pool, Session};
use crate::WarehouseError;
use crate::run::{Flow, Sink};
use arrow::array::RecordBatchOptions;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use futures::{Stream, TryStreamExt};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use tokio_util::sync::CancellationToken;

const BATCH_ROWS: usize = 4_096;
const BATCH_BYTES: usize = 8 << 20;

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
        let mut writer = Writer::new(&readings);
        sink.start(writer.schema.clone());
        let nothing: [&(dyn ToSql + Sync); 0] = [];
        let rows = self.wait(session.client.query_raw(&statement, nothing))?;
        self.over = false;
        let mut rows = Box::pin(rows);
        loop {
            let filled = self.wait(writer.fill(&mut rows))?;
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

/// Why no more rows were put into a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filled {
    /// It is large enough.
    Full,
    /// There are none.
    Last,
}

struct Writer {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    bytes: usize,
}

impl Writer {
    fn new(readings: &[Reading]) -> Self {
        let builders = readings.iter().map(Reading::builder).collect();
        Self { schema: Arc::new(schema(readings)), builders, rows: 0, bytes: 0 }
    }

    /// Takes rows until there is a batch. The outer error is the server's, the inner one ours.
    async fn fill(
        &mut self,
        rows: &mut (impl Stream<Item = Result<Row, Error>> + Unpin),
    ) -> Result<Result<Filled, WarehouseError>, Error> {
        while self.rows < BATCH_ROWS && self.bytes < BATCH_BYTES {
            let Some(row) = rows.try_next().await? else { return Ok(Ok(Filled::Last)) };
            for (index, builder) in self.builders.iter_mut().enumerate() {
                let Raw(raw) = row.try_get(index)?;
                self.bytes += raw.map_or(0, <[u8]>::len);
                if let Err(error) = builder.push(raw) {
                    return Ok(Err(error));
                }
            }
            self.rows += 1;
        }
        Ok(Ok(Filled::Full))
    }

    fn flush(&mut self, sink: &mut Sink) -> Result<Flow, WarehouseError> {
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        (self.rows, self.bytes) = (0, 0);
        sink.send(batch)
    }
}
