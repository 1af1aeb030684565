//! Execution of a query: a blocking thread that computes, a task that monitors limits, and a bounded channel from the
//! thread to the reader.
//!
//! The monitor interrupts the engine repeatedly until the thread has ended, because an interrupt before the engine
//! starts is lost.

use crate::{Batches, Limits, ResultNotes, WarehouseError};
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use futures::{StreamExt, stream};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Maximum number of batches that wait for a slow reader.
const WAITING_BATCHES: usize = 4;
const INTERRUPT_EVERY: Duration = Duration::from_millis(5);
const MEMORY_EVERY: Duration = Duration::from_millis(20);

/// Runs blocking work outside the async threads.
pub(crate) async fn run_blocking<T, F>(work: F) -> Result<T, WarehouseError>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, WarehouseError> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(failed) => Err(WarehouseError::query(format!("the database driver stopped unexpectedly: {failed}"))),
    }
}

/// The reason why a query was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Cause {
    None = 0,
    Cancelled = 1,
    Timeout = 2,
    Memory = 3,
}

/// Measures working time without the time spent waiting for the reader.
#[derive(Debug)]
struct Stopwatch {
    started: Instant,
    waited: Duration,
    waiting_since: Option<Instant>,
}

impl Stopwatch {
    fn time_worked(&self, now: Instant) -> Duration {
        let waiting = self.waiting_since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        now.saturating_duration_since(self.started).saturating_sub(self.waited + waiting)
    }
}

type Interrupt = Box<dyn Fn() + Send>;
type MemoryProbe = Box<dyn Fn() -> Option<u64> + Send>;

/// State shared by the thread and its monitor.
pub(crate) struct Control {
    limits: Limits,
    memory_bytes: u64,
    cause: AtomicU8,
    stop: CancellationToken,
    done: CancellationToken,
    stopwatch: Mutex<Stopwatch>,
    interrupt: Mutex<Option<Interrupt>>,
    memory: Mutex<Option<MemoryProbe>>,
}

impl Control {
    /// Returns true if the query must end now; for engines that poll.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    fn lock_mutex<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop_because(&self, cause: Cause) {
        let _ = self.cause.compare_exchange(Cause::None as u8, cause as u8, Ordering::AcqRel, Ordering::Acquire);
        self.stop.cancel();
    }

    /// Replaces the engine's error by the reason for stopping, if there is one.
    fn explain_error(&self, error: WarehouseError) -> WarehouseError {
        match self.cause.load(Ordering::Acquire) {
            cause if cause == Cause::Cancelled as u8 => WarehouseError::Cancelled,
            cause if cause == Cause::Timeout as u8 => {
                WarehouseError::Timeout { seconds: self.limits.timeout.as_secs_f64().ceil() as u64 }
            }
            cause if cause == Cause::Memory as u8 => WarehouseError::Memory { megabytes: self.memory_bytes >> 20 },
            _ => match error {
                WarehouseError::Memory { .. } => WarehouseError::Memory { megabytes: self.memory_bytes >> 20 },
                error => error,
            },
        }
    }
}

/// Tells the producer if more rows are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    More,
    Enough,
}

/// Receives the rows of the thread.
pub(crate) struct Sink {
    control: Arc<Control>,
    schema: Option<oneshot::Sender<Result<SchemaRef, WarehouseError>>>,
    rows: mpsc::Sender<Result<RecordBatch, WarehouseError>>,
    remaining: Option<u64>,
    truncated: Arc<AtomicBool>,
    billed: Arc<AtomicU64>,
    notes: ResultNotes,
    runtime: tokio::runtime::Handle,
}

impl Sink {
    /// Returns the state shared with the monitor.
    pub(crate) fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Returns the limit on rows.
    pub(crate) fn row_limit(&self) -> Option<u64> {
        self.control.limits.rows
    }

    /// Sets the function that interrupts the engine; it must be safe to call at any time until
    /// [`Sink::disable_interrupt`].
    pub(crate) fn on_interrupt(&self, interrupt: impl Fn() + Send + 'static) {
        *Control::lock_mutex(&self.control.interrupt) = Some(Box::new(interrupt));
    }

    /// Sets the function that measures the query's memory.
    pub(crate) fn on_memory(&self, probe: impl Fn() -> Option<u64> + Send + 'static) {
        *Control::lock_mutex(&self.control.memory) = Some(Box::new(probe));
    }

    /// Disables interrupts, so that the connection can be used for other statements.
    pub(crate) fn disable_interrupt(&self) {
        *Control::lock_mutex(&self.control.interrupt) = None;
        *Control::lock_mutex(&self.control.memory) = None;
    }

    /// Returns an error if the query has been stopped.
    pub(crate) fn ensure_running(&self) -> Result<(), WarehouseError> {
        if self.control.is_stopped() { Err(WarehouseError::Cancelled) } else { Ok(()) }
    }

    /// Sets the billed bytes of the query; must be called before [`Sink::send_schema`].
    pub(crate) fn set_billed_bytes(&self, bytes: u64) {
        self.billed.store(bytes, Ordering::Release);
    }

    /// Adds a note about the values; must be called before the last batch is sent.
    pub(crate) fn add_note(&self, note: String) {
        self.notes.add(note);
    }

    /// Sends the columns; must be called before the first batch.
    pub(crate) fn send_schema(&mut self, schema: SchemaRef) {
        if let Some(waiting) = self.schema.take() {
            let _ = waiting.send(Ok(schema));
        }
    }

    /// Sends rows; blocks while the reader is slow.
    pub(crate) fn send_batch(&mut self, batch: RecordBatch) -> Result<Flow, WarehouseError> {
        self.ensure_running()?;
        let rows = batch.num_rows() as u64;
        let batch = match self.remaining {
            Some(remaining) if rows > remaining => {
                self.truncated.store(true, Ordering::Release);
                self.remaining = Some(0);
                if remaining == 0 {
                    return Ok(Flow::Enough);
                }
                batch.slice(0, remaining as usize)
            }
            Some(remaining) => {
                self.remaining = Some(remaining - rows);
                batch
            }
            None => batch,
        };
        if batch.num_rows() > 0 {
            self.hand_over(batch)?;
        }
        Ok(if self.truncated.load(Ordering::Acquire) { Flow::Enough } else { Flow::More })
    }

    fn hand_over(&self, batch: RecordBatch) -> Result<(), WarehouseError> {
        let batch = match self.rows.try_send(Ok(batch)) {
            Ok(()) => return Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => return Err(WarehouseError::Cancelled),
            Err(mpsc::error::TrySendError::Full(batch)) => batch,
        };
        Control::lock_mutex(&self.control.stopwatch).waiting_since = Some(Instant::now());
        let sent = self.runtime.block_on(async {
            tokio::select! {
                sent = self.rows.send(batch) => sent.is_ok(),
                () = self.control.stop.cancelled() => false,
            }
        });
        let mut stopwatch = Control::lock_mutex(&self.control.stopwatch);
        if let Some(since) = stopwatch.waiting_since.take() {
            stopwatch.waited += since.elapsed();
        }
        if sent { Ok(()) } else { Err(WarehouseError::Cancelled) }
    }
}

/// Starts `work` on a blocking thread and returns its rows. `closed` is the warehouse's own token.
pub(crate) async fn stream_batches<W>(
    limits: Limits,
    memory_bytes: u64,
    cancel: CancellationToken,
    closed: &CancellationToken,
    work: W,
) -> Result<Batches, WarehouseError>
where
    W: FnOnce(&mut Sink) -> Result<(), WarehouseError> + Send + 'static,
{
    if cancel.is_cancelled() {
        return Err(WarehouseError::Cancelled);
    }
    if closed.is_cancelled() {
        return Err(WarehouseError::query("the connection to this database was closed"));
    }
    let memory_bytes = limits.memory_bytes.map_or(memory_bytes, |own| own.min(memory_bytes));
    let (schema_sender, schema) = oneshot::channel();
    let (rows_sender, rows) = mpsc::channel(WAITING_BATCHES);
    let (truncated, billed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let notes = ResultNotes::default();
    let control = Arc::new(Control {
        memory_bytes,
        cause: AtomicU8::new(Cause::None as u8),
        stop: CancellationToken::new(),
        done: CancellationToken::new(),
        stopwatch: Mutex::new(Stopwatch { started: Instant::now(), waited: Duration::ZERO, waiting_since: None }),
        interrupt: Mutex::new(None),
        memory: Mutex::new(None),
        limits,
    });
    // Dropping the result, or this future before there is a result, stops the query.
    let dropped = CancellationToken::new();
    let guard = dropped.clone().drop_guard();
    tokio::spawn(watch_limits(control.clone(), cancel, closed.clone(), dropped));

    let mut sink = Sink {
        remaining: control.limits.rows,
        control,
        schema: Some(schema_sender),
        rows: rows_sender,
        truncated: truncated.clone(),
        billed: billed.clone(),
        notes: notes.clone(),
        runtime: tokio::runtime::Handle::current(),
    };
    tokio::task::spawn_blocking(move || {
        let done = sink.control.done.clone().drop_guard();
        // A panic must not look like the end of the rows.
        let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            sink.ensure_running().and_then(|()| work(&mut sink))
        }));
        let result = worked
            .unwrap_or_else(|_| Err(WarehouseError::query("the database driver failed while it read rows")))
            .map_err(|error| sink.control.explain_error(error));
        sink.disable_interrupt();
        drop(done);
        match (result, sink.schema.take()) {
            (Ok(()), _) => {}
            (Err(error), Some(waiting)) => drop(waiting.send(Err(error))),
            (Err(error), None) => drop(sink.rows.blocking_send(Err(error))),
        }
    });

    let schema = match schema.await {
        Ok(schema) => schema?,
        Err(_) => return Err(WarehouseError::query("the database driver stopped unexpectedly")),
    };
    let stream = stream::unfold((rows, guard), |(mut rows, guard)| async move {
        rows.recv().await.map(|item| (item, (rows, guard)))
    });
    Ok(Batches { schema, stream: stream.boxed(), truncated, billed, notes })
}

async fn watch_limits(
    control: Arc<Control>,
    cancel: CancellationToken,
    closed: CancellationToken,
    dropped: CancellationToken,
) {
    let cause = tokio::select! {
        () = control.done.cancelled() => return,
        () = cancel.cancelled() => Cause::Cancelled,
        () = closed.cancelled() => Cause::Cancelled,
        () = dropped.cancelled() => Cause::Cancelled,
        () = out_of_time(&control) => Cause::Timeout,
        () = out_of_memory(&control) => Cause::Memory,
    };
    control.stop_because(cause);
    while !control.done.is_cancelled() {
        if let Some(interrupt) = Control::lock_mutex(&control.interrupt).as_ref() {
            interrupt();
        }
        tokio::select! {
            () = control.done.cancelled() => {}
            () = tokio::time::sleep(INTERRUPT_EVERY) => {}
        }
    }
}

async fn out_of_time(control: &Control) {
    loop {
        let worked = Control::lock_mutex(&control.stopwatch).time_worked(Instant::now());
        let Some(left) = control.limits.timeout.checked_sub(worked).filter(|left| !left.is_zero()) else { return };
        tokio::time::sleep(left).await;
    }
}

async fn out_of_memory(control: &Arc<Control>) {
    loop {
        tokio::time::sleep(MEMORY_EVERY).await;
        let shared = control.clone();
        // The probe may query the engine, which blocks.
        let probe =
            tokio::task::spawn_blocking(move || Control::lock_mutex(&shared.memory).as_ref().and_then(|probe| probe()));
        if probe.await.ok().flatten().is_some_and(|taken| taken > control.memory_bytes) {
            return;
        }
    }
}
