//! A warehouse whose engine runs in another process.

use super::frames::{Frame, Kind, Login, Order, Report, Speech};
use super::process::{Ended, GRACE, Process, Request};
use super::shared::Shared;
use crate::safety::in_a_cage;
use crate::{Batches, Checked, Limits, OpenOptions, Walls, Warehouse, WarehouseError, WarehouseKind, WarehouseUri};
use arrow::buffer::Buffer;
use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::StreamDecoder;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use futures::{StreamExt, stream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, SafetyLayer};
use vitrine_sql::ReadOnlySql;
use vitrine_words::given_language;

/// Time limit for preparing a query, which evaluates its constant expressions.
const CHECK: Duration = Duration::from_secs(30);
/// Time limit for reading the catalog.
const CATALOG: Duration = Duration::from_secs(300);
/// The first bytes of every message in an Arrow stream.
const BEGINNING: [u8; 4] = [0xff; 4];
/// Time that a DuckDB file stays open after the last request.
const REST: Duration = Duration::from_secs(5);
/// Maximum number of attempts for a request that was lost together with another one.
const ATTEMPTS: u32 = 2;

/// Differences between the databases that engine processes open.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CagedKind {
    pub(crate) dialect: Dialect,
    /// True if an idle process is ended, because other programs cannot write to an open file.
    pub(crate) closes_when_idle: bool,
    /// True if the tables are read from data files.
    pub(crate) has_readings: bool,
}

/// A database that an engine process has open.
pub(crate) struct CagedWarehouse {
    program: PathBuf,
    kind: WarehouseKind,
    path: PathBuf,
    caged: CagedKind,
    login: Option<Login>,
    options: OpenOptions,
    shared: Shared,
}

impl CagedWarehouse {
    /// Opens a database; `program` is run as the engine.
    ///
    /// # Errors
    /// The engine's own error, or that the program could not be started.
    pub(crate) async fn open(
        program: PathBuf,
        uri: &WarehouseUri,
        caged: CagedKind,
        options: &OpenOptions,
    ) -> Result<Self, WarehouseError> {
        let caged = Self {
            program,
            kind: uri.kind(),
            path: uri.path().map(std::path::Path::to_path_buf).unwrap_or_default(),
            caged,
            login: None,
            options: OpenOptions { engine: None, ..options.clone() },
            shared: Shared::default(),
        };
        caged.shared.start_first(caged.start_process()).await?;
        Ok(caged)
    }

    /// Opens a database behind a driver, always in a separate process: the application itself loads no drivers.
    ///
    /// # Errors
    /// The driver's own error, or that the driver is missing.
    pub(crate) async fn of_driver(
        uri: &WarehouseUri,
        dialect: Dialect,
        options: &OpenOptions,
    ) -> Result<Self, WarehouseError> {
        let name = uri.driver_name().unwrap_or_default().to_owned();
        let Some(library) = options.driver.clone() else { return Err(WarehouseError::NoDriver { name }) };
        let Some(program) = options.engine.clone() else {
            let detail = "this program cannot start a process for a driver".to_owned();
            return Err(WarehouseError::Interrupted { detail });
        };
        let caged = Self {
            program,
            kind: uri.kind(),
            path: library,
            caged: CagedKind { dialect, closes_when_idle: false, has_readings: false },
            login: Some(Login { address: uri.to_string(), password: uri.password().map(str::to_owned) }),
            options: OpenOptions { engine: None, ..options.clone() },
            shared: Shared::default(),
        };
        caged.shared.start_first(caged.start_process()).await?;
        Ok(caged)
    }

    /// Kills the process as a crash would. Returns true if it was killed.
    pub(crate) async fn end_engine(&self) -> bool {
        self.shared.current_process().await.is_some_and(|process| process.crash())
    }

    /// Returns the ID of the process that has the database open.
    pub(crate) async fn engine_id(&self) -> Option<u32> {
        self.shared.current_process().await.and_then(|process| process.process_id())
    }

    /// Starts another process that opens the database.
    fn start_process(&self) -> impl Future<Output = Result<Arc<Process>, WarehouseError>> + Send + use<> {
        let (path, options, login) = (self.path.clone(), Box::new(self.options.clone()), self.login.clone());
        let (speech, language) = (Speech::of_this_process(), given_language().0);
        let open = Order::Open { kind: self.kind, path, options, login, speech };
        let program = self.program.clone();
        async move { Process::start(&program, open, language).await }
    }

    /// Discards the process if the user has changed the language since, because it holds texts about the files in the
    /// old language.
    async fn in_the_language_of_now(&self) {
        self.shared.forget_if(|process| process.language != given_language().0).await;
    }

    /// Closes a DuckDB file some time after the last request, because other programs cannot write to an open file.
    fn schedule_release(&self, process: &Arc<Process>) {
        if !self.caged.closes_when_idle {
            return;
        }
        let (process, asked) = (Arc::downgrade(process), process.request_count());
        tokio::spawn(async move {
            loop {
                sleep(REST).await;
                match process.upgrade() {
                    // Only the task of the last request closes the file.
                    Some(process) if process.request_count() == asked && process.accepts_requests() => {
                        if process.is_idle() {
                            return process.kill();
                        }
                    }
                    _ => return,
                }
            }
        });
    }

    /// Sends an order that has one answer. Dropping the future cancels the request.
    async fn request_report(&self, order: &Order, limit: Duration) -> Result<Report, WarehouseError> {
        let (mut reading, frame) = self.request_first_frame(order, limit, CancellationToken::new()).await?;
        reading.request.done = true;
        parse_report(&frame)
    }

    /// Sends an order; returns the reader of its answers and the first of them. A request that was lost together with
    /// another one is sent again: after a crash, to a separate process, because this request may be the cause.
    async fn request_first_frame(
        &self,
        order: &Order,
        timeout: Duration,
        cancel: CancellationToken,
    ) -> Result<(ResultReader, Frame), WarehouseError> {
        let mut alone = false;
        for attempt in 1.. {
            let open = async {
                if alone { self.start_process().await } else { self.shared.get_or_start(self.start_process()).await }
            };
            let process = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(WarehouseError::Cancelled),
                opened = open => opened?,
            };
            let request = process.clone().send_request(order);
            self.schedule_release(&process);
            let mut reading = ResultReader {
                request,
                decoder: StreamDecoder::new(),
                waited: Duration::ZERO,
                timeout,
                cancel: cancel.clone(),
                closed: self.shared.closed.clone(),
                truncated: Arc::default(),
            };
            match reading.next().await {
                Ok(frame) => return Ok((reading, frame)),
                Err(Lost::Process(Ended::Killed)) if attempt < ATTEMPTS => {}
                Err(Lost::Process(Ended::Crashed { several: true, .. })) if attempt < ATTEMPTS => alone = true,
                Err(lost) => return Err(lost.into_error()),
            }
        }
        Err(WarehouseError::Cancelled)
    }
}

#[async_trait]
impl Warehouse for CagedWarehouse {
    fn dialect(&self) -> Dialect {
        self.caged.dialect
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        match self.request_report(&Order::Catalog, CATALOG).await? {
            Report::Catalog { catalog } => Ok(*catalog),
            _ => Err(not_understood()),
        }
    }

    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        if !self.caged.has_readings {
            return Ok(Vec::new());
        }
        self.in_the_language_of_now().await;
        match self.request_report(&Order::Readings, CATALOG).await? {
            Report::Readings { readings } => Ok(readings),
            _ => Err(not_understood()),
        }
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        match self.request_report(&Order::Check { sql: sql.as_str().to_owned() }, CHECK).await? {
            Report::Checked { checked } => Ok(checked),
            _ => Err(not_understood()),
        }
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        match self.request_report(&Order::Safety { speech: Speech::of_this_process() }, CHECK).await? {
            Report::Safety { mut layers } => {
                layers.push(in_a_cage(self.sandbox_state().await?.as_ref()));
                Ok(layers)
            }
            _ => Err(not_understood()),
        }
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let order = Order::Query { sql: sql.as_str().to_owned(), limits: limits.clone() };
        let (reading, frame) = self.request_first_frame(&order, limits.timeout, cancel).await?;
        reading.into_batches(frame)
    }

    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        let order = Order::Plan { sql: sql.as_str().to_owned(), limits: limits.clone() };
        let (mut reading, frame) = self.request_first_frame(&order, limits.timeout, cancel).await?;
        reading.request.done = true;
        match parse_report(&frame)? {
            Report::Planned { plan } => Ok(plan),
            _ => Err(not_understood()),
        }
    }

    async fn sandbox_state(&self) -> Result<Option<Walls>, WarehouseError> {
        match self.request_report(&Order::Walls, CHECK).await? {
            Report::Walls { walls } => Ok(Some(walls)),
            _ => Err(not_understood()),
        }
    }

    async fn close(&self) {
        self.shared.close().await;
    }
}

/// The reason why no further answers arrive.
enum Lost {
    Process(Ended),
    Stopped(WarehouseError),
}

impl Lost {
    fn into_error(self) -> WarehouseError {
        match self {
            Self::Process(ended) => ended.to_error(),
            Self::Stopped(error) => error,
        }
    }
}

/// A result that is read from the engine process.
struct ResultReader {
    request: Request,
    decoder: StreamDecoder,
    /// The time spent waiting for the engine; approximates its working time, since it computes ahead of its reader.
    waited: Duration,
    timeout: Duration,
    cancel: CancellationToken,
    closed: CancellationToken,
    truncated: Arc<AtomicBool>,
}

impl ResultReader {
    /// Returns the next answer. The engine enforces its own limits; if it fails to, its process is ended shortly after.
    async fn next(&mut self) -> Result<Frame, Lost> {
        let began = Instant::now();
        let left = (self.timeout + GRACE).saturating_sub(self.waited);
        let stopped = {
            let (cancel, closed) = (self.cancel.clone(), self.closed.clone());
            async move {
                tokio::select! { () = cancel.cancelled() => {}, () = closed.cancelled() => {} }
            }
        };
        let answered = tokio::select! {
            answered = self.request.next() => answered.map_err(Lost::Process),
            () = sleep(left) => {
                self.request.is_unheard();
                Err(Lost::Stopped(WarehouseError::Timeout { seconds: self.timeout.as_secs_f64().ceil() as u64 }))
            }
            () = stopped => Err(Lost::Stopped(WarehouseError::Cancelled)),
        };
        self.waited += began.elapsed();
        answered
    }

    /// Converts the result to batches after its columns have arrived.
    fn into_batches(mut self, frame: Frame) -> Result<Batches, WarehouseError> {
        if frame.kind != Kind::Columns {
            self.request.done = true;
            return Err(parse_report(&frame).err().unwrap_or_else(not_understood));
        }
        self.decode_frame(frame)?;
        let schema: SchemaRef = self.decoder.schema().ok_or_else(not_understood)?;
        let truncated = self.truncated.clone();
        let rows = stream::unfold(Some(self), |reading| async move {
            let mut reading = reading?;
            match reading.next_batch().await {
                Ok(Some(batch)) => Some((Ok(batch), Some(reading))),
                Ok(None) => None,
                Err(error) => Some((Err(error), None)),
            }
        });
        let mut batches = Batches::new(schema, rows.boxed());
        batches.truncated = truncated;
        Ok(batches)
    }

    async fn next_batch(&mut self) -> Result<Option<RecordBatch>, WarehouseError> {
        loop {
            let frame = self.next().await.map_err(Lost::into_error)?;
            match frame.kind {
                Kind::Rows => {
                    self.request.request_batch();
                    if let Some(batch) = self.decode_frame(frame)? {
                        return Ok(Some(batch));
                    }
                }
                Kind::Columns => return Err(not_understood()),
                Kind::Json => {
                    self.request.done = true;
                    return match parse_report(&frame)? {
                        Report::Ended { truncated } => {
                            self.truncated.store(truncated, Ordering::Release);
                            Ok(None)
                        }
                        _ => Err(not_understood()),
                    };
                }
            }
        }
    }

    /// Decodes a part of the Arrow stream; returns the batch that it completes. The decoder completes a message without
    /// a body only at the start of the next message. All messages start with the same bytes, so these are fed in
    /// advance.
    fn decode_frame(&mut self, frame: Frame) -> Result<Option<RecordBatch>, WarehouseError> {
        let mut bytes = Buffer::from_vec(frame.payload);
        if self.decoder.schema().is_some() {
            bytes.advance(BEGINNING.len().min(bytes.len()));
        }
        let mut batch = None;
        for mut bytes in [bytes, Buffer::from(&BEGINNING)] {
            while !bytes.is_empty() {
                let decoded = self.decoder.decode(&mut bytes);
                batch = decoded.map_err(|error| WarehouseError::query(error.to_string()))?.or(batch);
            }
        }
        Ok(batch)
    }
}

fn parse_report(frame: &Frame) -> Result<Report, WarehouseError> {
    match frame.read_json() {
        Ok(Report::Failed { error }) => Err(error),
        Ok(report) => Ok(report),
        Err(_) => Err(not_understood()),
    }
}

fn not_understood() -> WarehouseError {
    WarehouseError::query("the engine's answer was not understood")
}
