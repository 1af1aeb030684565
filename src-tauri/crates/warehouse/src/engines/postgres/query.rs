//! Running a query on a server.

use super::pool::{Pool, Session};
use crate::WarehouseError;
use crate::arrow_column::{ColumnBuilder, DecodeValue};
use crate::batch_writer::{BatchWriter, Filled};
use crate::run::{Flow, Sink};
use futures::{Stream, TryStreamExt};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Error, Row, Statement};
use tokio_util::sync::CancellationToken;

/// A statement that the server has prepared, with the conversion of its rows.
pub(crate) struct Prepared<D> {
    /// The prepared statement, with casts if needed.
    pub(crate) statement: Statement,
    /// The decoders of its columns.
    pub(crate) columns: Vec<D>,
}

/// Runs a statement and sends its rows as they arrive. If the server is still running it on return, the query is
/// cancelled in the background, so that the caller does not wait for that. The outer error of `prepare` is the
/// server's, the inner one is Vitrine's.
pub(crate) fn run_statement<D: for<'v> DecodeValue<Raw<'v> = &'v [u8]>>(
    pool: Arc<Pool>,
    runtime: Handle,
    timeout: Duration,
    sink: &mut Sink,
    prepare: impl AsyncFnOnce(&Session) -> Result<Result<Prepared<D>, WarehouseError>, Error>,
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
    fn stream_rows<D: for<'v> DecodeValue<Raw<'v> = &'v [u8]>>(
        &mut self,
        prepare: impl AsyncFnOnce(&Session) -> Result<Result<Prepared<D>, WarehouseError>, Error>,
        sink: &mut Sink,
    ) -> Result<(), WarehouseError> {
        let session = self.session;
        let Prepared { statement, columns } = self.wait_for_server(prepare(session))??;
        let mut writer = BatchWriter::new(columns);
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
async fn fill_batch<D: for<'v> DecodeValue<Raw<'v> = &'v [u8]>>(
    writer: &mut BatchWriter<D>,
    rows: &mut (impl Stream<Item = Result<Row, Error>> + Unpin),
) -> Result<Result<Filled, WarehouseError>, Error> {
    while !writer.is_full() {
        let Some(row) = rows.try_next().await? else { return Ok(Ok(Filled::Last)) };
        let put = |index, builder: &mut ColumnBuilder<D>| {
            let Raw(raw) = row.try_get(index).map_err(Ok)?;
            builder.push(raw).map_err(Err)
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
