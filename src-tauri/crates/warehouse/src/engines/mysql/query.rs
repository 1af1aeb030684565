//! Running a query on a server.

use super::column::{ColumnDecoder, build_decoders};
use super::pool::{Pool, Session};
use crate::WarehouseError;
use crate::arrow_column::ColumnBuilder;
use crate::batch_writer::{BatchWriter, Filled};
use crate::run::{Flow, Sink};
use crate::ssh::Tunnel;
use mysql_async::prelude::Queryable;
use mysql_async::{BinaryProtocol, Error, QueryResult, Value};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_words::tr;

/// Warnings of an incomplete result: a truncated GROUP_CONCAT, or a query that exceeded a limit of rows or iterations.
const CUT_SHORT: [u16; 2] = [1260, 1931];
/// Warning of a value that is not of the type as which the query reads it, such as a text compared with a number.
const WRONG_TYPE: u16 = 1292;

/// Runs a statement and sends its rows as they arrive. If the server is still running it on return, the query is
/// stopped in the background, so that the caller does not wait for that.
pub(super) fn run_statement(
    pool: Arc<Pool>,
    runtime: Handle,
    sql: &str,
    timeout: Duration,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let stopped = CancellationToken::new();
    let interrupt = stopped.clone();
    sink.on_interrupt(move || interrupt.cancel());
    let begun = runtime.block_on(stopped.run_until_cancelled(pool.begin_read_session(timeout)));
    let mut session = begun.ok_or(WarehouseError::Cancelled)??;
    let through = session.through.clone();
    let mut query = Query { pool: &pool, through, runtime: &runtime, stopped, timeout, over: false };
    let result = query.stream_rows(&mut session, sql, sink);
    if query.over {
        runtime.block_on(pool.return_session(session));
    } else {
        runtime.spawn(async move {
            pool.kill_session(&session).await;
            drop(session);
        });
    }
    result
}

/// A query that the server runs.
struct Query<'p> {
    pool: &'p Pool,
    through: Option<Arc<Tunnel>>,
    runtime: &'p Handle,
    stopped: CancellationToken,
    timeout: Duration,
    /// True if the server has finished the query.
    over: bool,
}

impl Query<'_> {
    fn stream_rows(&mut self, session: &mut Session, sql: &str, sink: &mut Sink) -> Result<(), WarehouseError> {
        let statement = self.wait_for_server(session.prepare(sql))?;
        build_decoders(&statement.columns())?;
        let mut rows = self.wait_for_server(session.conn.exec_iter(&statement, ()))?;
        self.over = false;
        let mut writer = BatchWriter::new(build_decoders(rows.columns_ref())?);
        sink.send_schema(writer.schema());
        loop {
            let filled = self.wait_for_server(fill_batch(&mut writer, &mut rows))?;
            self.over = matches!(filled, Ok(Filled::Last));
            let filled = filled?;
            if filled == Filled::Last {
                drop(rows);
                self.check_warnings(session, sink)?;
                writer.flush(sink)?;
                return Ok(());
            }
            if writer.flush(sink)? == Flow::Enough {
                return Ok(());
            }
        }
    }

    /// Fails if the server warns that the result is incomplete, and notes other warnings about values.
    fn check_warnings(&mut self, session: &mut Session, sink: &Sink) -> Result<(), WarehouseError> {
        if session.conn.get_warnings() == 0 {
            return Ok(());
        }
        let warnings: Vec<(String, u16, String)> = self.wait_for_server(session.conn.query("SHOW WARNINGS"))?;
        if warnings.iter().any(|(_, code, _)| *code == WRONG_TYPE) {
            sink.add_note(tr!(
                "Some values are not of the type as which the query reads them, such as a text that is read as a number: the server cut or ignored them, so the result can be wrong"
            ));
        }
        match warnings.into_iter().find(|(_, code, _)| CUT_SHORT.contains(code)) {
            Some((_, _, message)) => {
                let message = tr!("the server gave only a part of the result: {message}", message);
                Err(WarehouseError::Query { message })
            }
            None => Ok(()),
        }
    }

    /// Waits for the server until the query is cancelled.
    fn wait_for_server<T>(&mut self, work: impl Future<Output = Result<T, Error>>) -> Result<T, WarehouseError> {
        self.over = false;
        let done = self.runtime.block_on(self.stopped.run_until_cancelled(work)).ok_or(WarehouseError::Cancelled)?;
        // After a result or an error of the server, the query has ended.
        self.over = matches!(&done, Ok(_) | Err(Error::Server(_)));
        done.map_err(|error| {
            self.runtime.block_on(self.pool.explain_error(self.through.as_deref(), &error, self.timeout))
        })
    }
}

/// Reads rows until a batch is full or the result ends. The outer error is the server's, the inner one is Vitrine's.
async fn fill_batch(
    writer: &mut BatchWriter<ColumnDecoder>,
    rows: &mut QueryResult<'_, 'static, BinaryProtocol>,
) -> Result<Result<Filled, WarehouseError>, Error> {
    while !writer.is_full() {
        let Some(row) = rows.next().await? else { return Ok(Ok(Filled::Last)) };
        let mut values = row.unwrap_raw().into_iter();
        let put = |_, builder: &mut ColumnBuilder<ColumnDecoder>| {
            let value = values.next().flatten();
            let value = value.ok_or_else(|| WarehouseError::query("the server sent too few values"))?;
            builder.push(Some(value).filter(|value| *value != Value::NULL))
        };
        if let Err(error) = writer.append_row(put) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(Filled::Full))
}
