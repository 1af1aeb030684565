//! The engine side: opens one database and answers orders until its input ends.

use super::frames::{Frame, Kind, LARGEST, Login, Order, Report};
use super::walls;
use crate::engine::Engine;
use crate::engines::adbc::AdbcWarehouse;
use crate::engines::adbc::address::DriverAddress;
use crate::engines::duck::DuckWarehouse;
use crate::engines::snowflake::SnowflakeWarehouse;
use crate::engines::sqlite::SqliteWarehouse;
use crate::run::run_blocking;
use crate::{Batches, Limits, ServerAddress, Walls, WarehouseError, WarehouseKind, WarehouseUri, files};
use arrow::ipc::writer::StreamWriter;
use futures::StreamExt;
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use vitrine_sql::AllowedFunctions;

/// The first command-line argument that runs a binary as an engine.
pub(crate) const ENGINE_ARGUMENT: &str = "engine";
/// Batches sent ahead of the reader's requests.
const AHEAD: usize = 4;
/// Maximum number of bytes reserved in advance for one batch.
const MOST_AT_ONCE: usize = 16 << 20;
/// Maximum number of frames that wait to be written.
const WAITING: usize = 16;

/// The path of this program, if its `main` can run it as an engine.
static OWN_PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Runs this process as an engine if it was started as one, and then never returns. Must be called first in `main`. It
/// also handles calls from `ssh`, which asks this program for passphrases. A program that calls it opens its files in
/// engine processes.
pub fn run_engine_if_asked() {
    crate::ssh::answer_if_asked();
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ENGINE_ARGUMENT) {
        run_engine();
    }
    OWN_PROGRAM.get_or_init(|| std::env::current_exe().ok());
}

/// Returns the program to run as an engine; `None` if its `main` does not support it, as in library tests.
pub(crate) fn own_program() -> Option<PathBuf> {
    OWN_PROGRAM.get().cloned().flatten()
}

/// Reads orders from standard input and writes answers to standard output until the input ends.
pub fn run_engine() -> ! {
    let mut input = io::stdin().lock();
    let Ok(Some(first)) = Frame::read_from(&mut input) else { exit_process(2) };
    drop(input);
    let Ok(Order::Open { kind, path, mut options, login, speech }) = first.read_json() else { exit_process(2) };
    speech.apply_language();
    options.temp_folder = options.temp_folder.or_else(|| std::env::var_os(walls::SCRATCH).map(PathBuf::from));
    // Restrictions are applied before the second thread starts, so that they hold for all threads.
    let walls = match &login {
        None => walls::shut_in(&path, &options),
        Some(_) => walls::around_a_driver(&options),
    };
    if let Some(gaps) = vitrine_words::in_english(|| walls.describe_gaps()).filter(|_| login.is_none()) {
        eprintln!("engine: walls that do not stand: {gaps}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
    let Ok(runtime) = runtime else { exit_process(2) };
    let (frames, outbox) = mpsc::channel(WAITING);
    std::thread::spawn(move || write_frames(outbox));
    runtime.block_on(async move {
        let number = first.number;
        match kind {
            WarehouseKind::Sqlite => {
                serve_orders(number, walls, move || SqliteWarehouse::open(&path, &options), frames).await
            }
            WarehouseKind::Duckdb => {
                serve_orders(number, walls, move || DuckWarehouse::open_database(&path, &options), frames).await
            }
            WarehouseKind::File => {
                serve_orders(number, walls, move || files::open_files(&path, &options), frames).await
            }
            WarehouseKind::Snowflake => {
                serve_orders(
                    number,
                    walls,
                    move || SnowflakeWarehouse::open(&path, &parse_server_address(login)?, &options),
                    frames,
                )
                .await
            }
            WarehouseKind::Adbc => {
                serve_orders(
                    number,
                    walls,
                    move || AdbcWarehouse::open(&path, parse_driver_address(login)?, &options),
                    frames,
                )
                .await
            }
            WarehouseKind::Ddl
            | WarehouseKind::Postgres
            | WarehouseKind::Mysql
            | WarehouseKind::Bigquery
            | WarehouseKind::Clickhouse
            | WarehouseKind::Databricks
            | WarehouseKind::Motherduck => {}
        }
    });
    exit_process(0)
}

/// Reconstructs the driver's address, with its password, from the application's order.
fn parse_login_uri(login: Option<Login>) -> Result<WarehouseUri, WarehouseError> {
    let Login { address, password } = login.unwrap_or_default();
    Ok(WarehouseUri::parse(&address)?.with_password(password))
}

fn parse_server_address(login: Option<Login>) -> Result<ServerAddress, WarehouseError> {
    let server = parse_login_uri(login)?.server_address().cloned();
    server.ok_or_else(|| WarehouseError::query("the address names no server"))
}

fn parse_driver_address(login: Option<Login>) -> Result<DriverAddress, WarehouseError> {
    let driver = parse_login_uri(login)?.driver_address().cloned();
    driver.ok_or_else(|| WarehouseError::query("the address names no driver"))
}

/// Exits the process immediately, even if a thread inside a driver is blocked.
fn exit_process(status: i32) -> ! {
    #[allow(unsafe_code)]
    // SAFETY: ends the process without running anything.
    unsafe {
        libc::_exit(status)
    }
}

fn write_frames(mut outbox: mpsc::Receiver<Frame>) {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    while let Some(frame) = outbox.blocking_recv() {
        let written = frame.write_to(&mut output).and_then(|()| match outbox.is_empty() {
            true => output.flush(),
            false => Ok(()),
        });
        if written.is_err() {
            // The application no longer reads the output.
            exit_process(0)
        }
    }
}

/// A request that is being executed.
struct AtWork {
    cancel: CancellationToken,
    /// Permits for batches that may be sent.
    credit: Arc<Semaphore>,
}

type Table = Arc<Mutex<HashMap<u64, AtWork>>>;

async fn serve_orders<E: Engine + 'static>(
    number: u64,
    walls: Walls,
    open: impl FnOnce() -> Result<E, WarehouseError> + Send + 'static,
    frames: mpsc::Sender<Frame>,
) {
    let report = |number: u64, report: Report| Frame::from_json(number, &report);
    let (orders, mut inbox) = mpsc::unbounded_channel();
    // Starts before the database is opened, which may block: the end of the input must be noticed meanwhile.
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(frame)) = Frame::read_from(&mut input) {
            let _ = orders.send(frame);
        }
        // The parent closed the pipe and needs no more results.
        exit_process(0)
    });
    let engine = match run_blocking(open).await {
        Ok(engine) => Arc::new(engine),
        Err(error) => {
            let _ = frames.send(report(number, Report::Failed { error })).await;
            // The parent ends this process after it has read the error.
            return std::future::pending().await;
        }
    };
    let _ = frames.send(report(number, Report::Opened)).await;
    let table: Table = Table::default();
    while let Some(frame) = inbox.recv().await {
        let number = frame.number;
        let Ok(order) = frame.read_json::<Order>() else { continue };
        let (engine, frames, table) = (engine.clone(), frames.clone(), table.clone());
        match order {
            Order::More | Order::Cancel => {
                if let Some(work) = lock_table(&table).get(&number) {
                    match order {
                        Order::More => work.credit.add_permits(1),
                        _ => work.cancel.cancel(),
                    }
                }
            }
            Order::Open { .. } => {}
            Order::Walls => drop(frames.send(report(number, Report::Walls { walls: walls.clone() })).await),
            order => {
                let (cancel, credit) = (CancellationToken::new(), Arc::new(Semaphore::new(AHEAD)));
                lock_table(&table).insert(number, AtWork { cancel: cancel.clone(), credit: credit.clone() });
                tokio::spawn(async move {
                    let done = execute_order(engine.as_ref(), number, order, cancel, &credit, &frames).await;
                    lock_table(&table).remove(&number);
                    if let Err(WarehouseError::Interrupted { detail }) = &done {
                        // The driver no longer responds. The caller learns it from the end of this process; the next
                        // process loads the driver again.
                        eprintln!("engine: {detail}");
                        exit_process(3)
                    }
                    let last = done.unwrap_or_else(|error| Report::Failed { error });
                    let _ = frames.send(report(number, last)).await;
                });
            }
        }
    }
}

fn lock_table(table: &Table) -> std::sync::MutexGuard<'_, HashMap<u64, AtWork>> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Executes an order and returns the last report.
async fn execute_order<E: Engine>(
    engine: &E,
    number: u64,
    order: Order,
    cancel: CancellationToken,
    credit: &Semaphore,
    frames: &mpsc::Sender<Frame>,
) -> Result<Report, WarehouseError> {
    match order {
        Order::Catalog => Ok(Report::Catalog { catalog: Box::new(engine.read_catalog().await?) }),
        Order::Readings => Ok(Report::Readings { readings: engine.readings() }),
        Order::Check { sql } => Ok(Report::Checked { checked: engine.check_text(&sql).await? }),
        Order::Plan { sql, limits } => {
            Ok(Report::Planned { plan: engine.plan_text(&sql, &AllowedFunctions::default(), limits, cancel).await? })
        }
        Order::Safety { speech } => {
            speech.apply_language();
            Ok(Report::Safety { layers: engine.query_safety_layers().await? })
        }
        Order::Query { sql, limits } => stream_query(engine, number, sql, limits, cancel, credit, frames).await,
        Order::Open { .. } | Order::Walls | Order::More | Order::Cancel => Ok(Report::Opened),
    }
}

async fn stream_query<E: Engine>(
    engine: &E,
    number: u64,
    sql: String,
    limits: Limits,
    cancel: CancellationToken,
    credit: &Semaphore,
    frames: &mpsc::Sender<Frame>,
) -> Result<Report, WarehouseError> {
    let Batches { schema, mut stream, truncated, .. } = engine.query_text(sql, limits, cancel.clone()).await?;
    let encoded = |error: arrow::error::ArrowError| WarehouseError::query(error.to_string());
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).map_err(encoded)?;
    let send = async |kind: Kind, payload: Vec<u8>| drop(frames.send(Frame { number, kind, payload }).await);
    send(Kind::Columns, std::mem::take(writer.get_mut())).await;
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        tokio::select! {
            permit = credit.acquire() => permit.map_err(|_| WarehouseError::Cancelled)?.forget(),
            () = cancel.cancelled() => return Err(WarehouseError::Cancelled),
        }
        // Reserves space for the whole batch to avoid repeated growth.
        writer.get_mut().reserve(batch.get_array_memory_size().min(MOST_AT_ONCE));
        writer.write(&batch).map_err(encoded)?;
        let rows = std::mem::take(writer.get_mut());
        if rows.len() > LARGEST {
            return Err(WarehouseError::Memory { megabytes: (LARGEST >> 20) as u64 });
        }
        send(Kind::Rows, rows).await;
    }
    Ok(Report::Ended { truncated: truncated.load(std::sync::atomic::Ordering::Acquire) })
}
