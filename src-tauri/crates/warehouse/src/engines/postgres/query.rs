//! Running a query on a server.

use super::pool::{Pool, Session};
use crate::WarehouseError;
use crate::batch_writer::{BatchWriter, ColumnBuilder, Filled};
use crate::run::{Flow, Sink};
use arrow::datatypes::Schema;
use futures::{Stream, TryStreamExt};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Error, Row, Statement};
use tokio_util::sync::CancellationToken;

/// Collects the values of one column in the server's format.
pub(crate) trait Values: ColumnBuilder {
    /// Appends a value; `None` is NULL.
    fn push(&mut self, raw: Option<&[u8]>) -> Result<(), WarehouseError>;
}

/// A statement that the server has prepared, with the conversion of its rows.
pub(crate) struct Prepared<B> {
    /// The prepared statement, with casts if needed.
    pub(crate) statement: Statement,
    /// Names and types of the columns.
    pub(crate) schema: Schema,
    /// The builders, one per column.
    pub(crate) builders: Vec<B>,
}

/// Runs a statement and sends its rows as they arrive. If the server is still running it on return, the query is
/// cancelled in the background, so that the caller does not wait for that. The outer error of `prepare` is the
/// server's, the inner one is Vitrine's.
pub(crate) fn run_statement<B: Values>(
    pool: Arc<Pool>,
    runtime: Handle,
    timeout: Duration,
    sink: &mut Sink,
    prepare: impl AsyncFnOnce(&Session) -> Result<Result<Prepared<B>, WarehouseError>, Error>,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    let begun = runtime.block_on(stopped.run_until_cancelled(pool.begin_read_session(timeout)));
    let session = begun.ok_or(WarehouseError::Cancelled)??;
    let mut query = Query { pool: &pool, session: &session, runtime: &runtime, stopped, timeout, over: false };
    let result = query.stream_rows(prepare, sink);
    let over = query.over;
    if over {
        runtime.block_on(pool.return_session(session));
    } else {
        runtime.spawn(async move { pool.cancel_session(session).await });
    }
    result
}

/// A query that the server runs.
struct Query<'p> {
    pool: &'p Pool,
    session: &'p Session,
    runtime: &'p Handle,
    stopped: CancellationToken,
    timeout: Duration,
    /// True if the server has finished the query.
    over: bool,
}

impl Query<'_> {
    fn stream_rows<B: Values>(
        &mut self,
        prepare: impl AsyncFnOnce(&Session) -> Result<Result<Prepared<B>, WarehouseError>, Error>,
        sink: &mut Sink,
    ) -> Result<(), WarehouseError> {
        let session = self.session;
        let Prepared { statement, schema, builders } = self.wait_for_server(prepare(session))??;
        let mut writer = BatchWriter::new(schema, builders);
        sink.send_schema(writer.schema());
        let nothing: [&(dyn ToSql + Sync); 0] = [];
        let rows = self.wait_for_server(session.client.query_raw(&statement, nothing))?;
        self.over = false;
        let mut rows = Box::pin(rows);
        loop {
            let filled = self.wait_for_server(fill_batch(&mut writer, &mut rows))?;
            self.over = matches!(filled, Ok(Filled::Last));
            let filled = filled?;
            if writer.flush(sink)? == Flow::Enough || filled == Filled::Last {
                return Ok(());
            }
        }
    }

    /// Waits for the server until the query is cancelled.
    fn wait_for_server<T>(&mut self, work: impl Future<Output = Result<T, Error>>) -> Result<T, WarehouseError> {
        self.over = false;
        let done = self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)?;
        self.over = true;
        done.map_err(|error| self.runtime.block_on(self.pool.explain_error(self.session, &error, self.timeout)))
    }
}

/// Reads rows until a batch is full or the result ends. The outer error is the server's, the inner one is Vitrine's.
async fn fill_batch<B: Values>(
    writer: &mut BatchWriter<B>,
    rows: &mut (impl Stream<Item = Result<Row, Error>> + Unpin),
) -> Result<Result<Filled, WarehouseError>, Error> {
    while !writer.is_full() {
        let Some(row) = rows.try_next().await? else { return Ok(Ok(Filled::Last)) };
        let put = |index, builder: &mut B| {
            let Raw(raw) = row.try_get(index).map_err(Ok)?;
            builder.push(raw).map_err(Err)?;
            Ok(raw.map_or(0, <[u8]>::len))
        };
        match writer.append_row(put) {
            Ok(()) => {}
            Err(Ok(error)) => return Err(error),
            Err(Err(error)) => return Ok(Err(error)),
        }
    }
    Ok(Ok(Filled::Full))
}

/// A value in the server's format; `None` is NULL.
struct Raw<'a>(Option<&'a [u8]>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(Some(raw)))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
