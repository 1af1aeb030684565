//! Running a query on a server.

use super::column::{Builder, Reading, readings, schema};
use super::pool::{Pool, Session};
use crate::WarehouseError;
use crate::run::{Flow, Sink};
use crate::ssh::Tunnel;
use arrow::array::RecordBatchOptions;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use mysql_async::prelude::Queryable;
use mysql_async::{BinaryProtocol, Error, QueryResult};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
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
    let mut session = begun.ok_or(WarehouseError::Cancelled)??;
    let through = session.through.clone();
    let mut query = Query { pool: &pool, through, runtime: &runtime, stopped, timeout, over: false };
    let result = query.rows(&mut session, sql, sink);
    if query.over {
        runtime.block_on(pool.rest(session));
    } else {
        runtime.spawn(async move {
            pool.stop(&session).await;
            drop(session);
        });
    }
    result
}

/// A query on its way.
struct Query<'p> {
    pool: &'p Pool,
    through: Option<Arc<Tunnel>>,
    runtime: &'p Handle,
    stopped: CancellationToken,
    timeout: Duration,
    /// Whether the server has nothing left to do for it.
    over: bool,
}

impl Query<'_> {
    fn rows(&mut self, session: &mut Session, sql: &str, sink: &mut Sink) -> Result<(), WarehouseError> {
        let statement = self.wait(session.prepare(sql))?;
        readings(&statement.columns())?;
        let mut rows = self.wait(session.conn.exec_iter(&statement, ()))?;
        self.over = false;
        let mut writer = Writer::new(&readings(rows.columns_ref())?);
        sink.start(writer.schema.clone());
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
        // What the server itself answered is its last word.
        self.over = matches!(&done, Ok(_) | Err(Error::Server(_)));
        done.map_err(|error| self.runtime.block_on(self.pool.told(self.through.as_deref(), &error, self.timeout)))
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
        rows: &mut QueryResult<'_, 'static, BinaryProtocol>,
    ) -> Result<Result<Filled, WarehouseError>, Error> {
        while self.rows < BATCH_ROWS && self.bytes < BATCH_BYTES {
            let Some(row) = rows.next().await? else { return Ok(Ok(Filled::Last)) };
            for (builder, value) in self.builders.iter_mut().zip(row.unwrap_raw()) {
                match value.ok_or_else(|| WarehouseError::query("the server sent too few values")) {
                    Ok(value) => match builder.push(value) {
                        Ok(bytes) => self.bytes += bytes,
                        Err(error) => return Ok(Err(error)),
                    },
                    Err(error) => return Ok(Err(error)),
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
