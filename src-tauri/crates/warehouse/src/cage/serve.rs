//! Serves the orders of the application: opens one database and answers until the input ends.

use super::frames::{Frame, Kind, LARGEST, Login, Order, Report};
use crate::engine::Engine;
use crate::run::run_blocking;
use crate::{Batches, Limits, OpenOptions, Walls, WarehouseError};
use arrow::ipc::writer::StreamWriter;
use futures::StreamExt;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use vitrine_sql::AllowedFunctions;

/// Batches sent ahead of the reader's requests.
const AHEAD: usize = 4;
/// Maximum number of bytes reserved in advance for one batch.
const MOST_AT_ONCE: usize = 16 << 20;

/// The process of an engine before its database is open.
pub(crate) struct EngineProcess {
    /// The number of the order to open the database.
    pub(super) number: u64,
    pub(super) walls: Walls,
    /// The database's path, or that of the driver's library if there is a login.
    pub(super) path: PathBuf,
    pub(super) login: Option<Login>,
    pub(super) options: OpenOptions,
    pub(super) frames: mpsc::Sender<Frame>,
}

impl EngineProcess {
    /// Opens the database and answers orders until the input ends.
    pub(crate) async fn serve<E: Engine + 'static>(
        self,
        open: fn(&Path, Login, &OpenOptions) -> Result<E, WarehouseError>,
    ) {
        let Self { number, walls, path, login, options, frames } = self;
        serve_orders(number, walls, move || open(&path, login.unwrap_or_default(), &options), frames).await
    }
}

/// Exits the process immediately, even if a thread inside a driver is blocked.
pub(super) fn exit_process(status: i32) -> ! {
    #[allow(unsafe_code)]
    // SAFETY: ends the process without running anything.
    unsafe {
        libc::_exit(status)
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
