//! The application's handle to one engine process.

use super::engine::ENGINE_ARGUMENT;
use super::frames::{Frame, Kind, Order, Report};
use super::walls::SCRATCH;
use crate::WarehouseError;
use crate::scratch::Scratch;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vitrine_words::Language;

/// Time that an engine has to stop a request before its process is killed.
pub(super) const GRACE: Duration = Duration::from_secs(1);
/// The same for a driver, which must notify its server first.
const DRIVERS_GRACE: Duration = Duration::from_secs(5);
/// Number of the engine's last log lines that an error message quotes.
const LAST_LINES: usize = 4;
/// Capacity in bytes of the pipe for rows, and of one read from it.
const PIPE: usize = 1 << 20;

/// An engine process. Dropping it ends the process.
pub(crate) struct Process {
    orders: mpsc::UnboundedSender<Frame>,
    routes: Arc<Mutex<Routes>>,
    numbers: AtomicU64,
    kill: CancellationToken,
    grace: Duration,
    /// The language of the texts that the engine wrote while it opened the database.
    pub language: Language,
    /// The ID of the process, if it was available.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    number: Option<u32>,
}

/// Time that an unresponsive process may use to deliver pending results.
const LAST_RESULTS: Duration = Duration::from_secs(120);
/// Interval between checks for pending results.
const LOOK: Duration = Duration::from_millis(100);

/// The receiver for answers to a request.
struct Route {
    answers: mpsc::UnboundedSender<Frame>,
    /// True after the first answer.
    begun: bool,
}

#[derive(Default)]
struct Routes {
    open: HashMap<u64, Route>,
    /// True if a request could not be stopped; the process then gets no more requests.
    deaf: bool,
    /// The reason why the process ended; set once.
    ended: Option<Ended>,
    last_lines: VecDeque<String>,
}

/// The reason why a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Killed by the application, because a request was not stopped in time.
    Killed,
    /// Exited or crashed without a request to end.
    Crashed {
        /// The exit status and the last log lines.
        how: String,
        /// True if several requests were waiting, so that the cause is unknown.
        several: bool,
    },
}

impl Ended {
    /// Converts the reason to an error for waiting callers.
    pub fn to_error(&self) -> WarehouseError {
        match self {
            Self::Killed => {
                WarehouseError::Interrupted { detail: "another query beside it could not be stopped".into() }
            }
            Self::Crashed { how, .. } => WarehouseError::Interrupted { detail: how.clone() },
        }
    }
}

/// A request whose answers are pending. Dropping it before the last answer cancels it.
pub(crate) struct Request {
    number: u64,
    answers: mpsc::UnboundedReceiver<Frame>,
    process: Arc<Process>,
    /// True after the last answer.
    pub done: bool,
}

impl Process {
    /// Starts the program as an engine and lets it open a database.
    ///
    /// # Errors
    /// If the program cannot be started or the database cannot be opened.
    pub async fn start(program: &Path, open: Order, language: Language) -> Result<Arc<Self>, WarehouseError> {
        let failed = |error: io::Error| WarehouseError::Interrupted {
            detail: format!("{} could not be started: {error}", program.display()),
        };
        let scratch = Scratch::new("engine").map_err(failed)?;
        let mut child = Command::new(program)
            .arg(ENGINE_ARGUMENT)
            .env("RUST_BACKTRACE", "0")
            .env(SCRATCH, scratch.path())
            // One arena per thread would increase the measured memory.
            .env("MALLOC_ARENA_MAX", "4")
            // Disables telemetry in drivers.
            .env("OTEL_SDK_DISABLED", "true")
            .env_remove("OTEL_TRACES_EXPORTER")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let number = child.id();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed(io::ErrorKind::BrokenPipe.into()));
        };
        widen(&stdout);
        let (orders, inbox) = mpsc::unbounded_channel();
        let kill = CancellationToken::new();
        let routes = Arc::<Mutex<Routes>>::default();
        tokio::spawn(write_orders(stdin, inbox));
        let log = tokio::spawn(keep_log(stderr, routes.clone()));
        tokio::spawn(watch_over(child, stdout, log, routes.clone(), kill.clone(), scratch));
        let grace = match &open {
            Order::Open { login: Some(_), .. } => DRIVERS_GRACE,
            _ => GRACE,
        };
        let process = Arc::new(Self { orders, routes, numbers: AtomicU64::new(0), kill, grace, language, number });
        let mut opening = process.clone().send_request(&open);
        let frame = opening.next().await.map_err(|ended| ended.to_error())?;
        opening.done = true;
        match frame.read_json() {
            Ok(Report::Opened) => Ok(process),
            Ok(Report::Failed { error }) => Err(error),
            _ => Err(WarehouseError::query("the engine's answer was not understood")),
        }
    }

    /// Sends an order and returns the handle for its answers.
    pub fn send_request(self: Arc<Self>, order: &Order) -> Request {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let (route, answers) = mpsc::unbounded_channel();
        let mut routes = lock_routes(&self.routes);
        if routes.ended.is_none() {
            routes.open.insert(number, Route { answers: route, begun: false });
        }
        drop(routes);
        let _ = self.orders.send(Frame::from_json(number, order));
        Request { number, answers, process: self, done: false }
    }

    /// Returns true if the process accepts more requests.
    pub fn accepts_requests(&self) -> bool {
        !self.is_over() && !lock_routes(&self.routes).deaf
    }

    fn is_over(&self) -> bool {
        self.kill.is_cancelled() || lock_routes(&self.routes).ended.is_some()
    }

    /// Ends the process because it does not stop a request: immediately, or after pending results have been delivered.
    /// Requests without an answer are dropped, so that callers send them to another process.
    fn end_for(self: &Arc<Self>, unheard: u64) {
        let mut routes = lock_routes(&self.routes);
        routes.open.remove(&unheard);
        let first = !std::mem::replace(&mut routes.deaf, true);
        let waiting: Vec<u64> = routes.open.extract_if(|_, route| !route.begun).map(|(number, _)| number).collect();
        let idle = routes.open.is_empty();
        drop(routes);
        if idle {
            return self.kill();
        }
        for number in waiting {
            let _ = self.orders.send(Frame::from_json(number, &Order::Cancel));
        }
        if first {
            let process = self.clone();
            tokio::spawn(async move {
                let through = async {
                    while !process.is_idle() {
                        tokio::time::sleep(LOOK).await;
                    }
                };
                let _ = tokio::time::timeout(LAST_RESULTS, through).await;
                process.kill();
            });
        }
    }

    /// Kills the process without a grace period.
    pub fn kill(&self) {
        self.kill.cancel();
    }

    pub fn process_id(&self) -> Option<u32> {
        self.number
    }

    /// Kills the process as a crash would. Returns true if it was killed.
    #[cfg(target_os = "linux")]
    pub fn crash(&self) -> bool {
        use rustix::process::{Pid, Signal, kill_process};
        let number = self.number.and_then(|number| Pid::from_raw(number as i32));
        number.is_some_and(|number| kill_process(number, Signal::KILL).is_ok())
    }

    /// Returns false, because this system does not support it.
    #[cfg(not(target_os = "linux"))]
    pub fn crash(&self) -> bool {
        false
    }

    /// Returns the number of requests sent so far.
    pub fn request_count(&self) -> u64 {
        self.numbers.load(Ordering::Relaxed)
    }

    /// Returns true if no requests are pending.
    pub fn is_idle(&self) -> bool {
        lock_routes(&self.routes).open.is_empty()
    }

    fn end_reason(&self) -> Ended {
        lock_routes(&self.routes).ended.clone().unwrap_or(Ended::Killed)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill.cancel();
    }
}

impl Request {
    /// Returns the next answer, or the reason why the process ended before it.
    pub async fn next(&mut self) -> Result<Frame, Ended> {
        match self.answers.recv().await {
            Some(frame) => Ok(frame),
            None => Err(self.process.end_reason()),
        }
    }

    /// Tells the engine that it may send another batch.
    pub fn request_batch(&self) {
        self.send_order(&Order::More);
    }

    /// Reports that the engine did not stop the request at its limit.
    pub fn is_unheard(&mut self) {
        self.done = true;
        self.process.end_for(self.number);
    }

    fn send_order(&self, order: &Order) {
        let _ = self.process.orders.send(Frame::from_json(self.number, order));
    }
}

impl Drop for Request {
    /// Cancels the request. The process is ended unless it stops the request in time.
    fn drop(&mut self) {
        let (number, process) = (self.number, self.process.clone());
        if self.done || process.is_over() {
            lock_routes(&process.routes).open.remove(&number);
            return;
        }
        self.send_order(&Order::Cancel);
        let mut answers = std::mem::replace(&mut self.answers, mpsc::unbounded_channel().1);
        tokio::spawn(async move {
            let heard = async { while answers.recv().await.is_some_and(|frame| frame.kind != Kind::Json) {} };
            if tokio::time::timeout(process.grace, heard).await.is_err() {
                process.end_for(number);
            }
            lock_routes(&process.routes).open.remove(&number);
        });
    }
}

fn lock_routes(routes: &Mutex<Routes>) -> std::sync::MutexGuard<'_, Routes> {
    routes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Increases the pipe's capacity: batches have megabytes, and with a full pipe both sides wait for each other.
#[cfg(target_os = "linux")]
fn widen(pipe: &ChildStdout) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE);
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &ChildStdout) {}

async fn write_orders(stdin: ChildStdin, mut inbox: mpsc::UnboundedReceiver<Frame>) {
    let mut output = BufWriter::new(stdin);
    while let Some(frame) = inbox.recv().await {
        let written = async {
            output.write_all(&frame.encode_head()).await?;
            output.write_all(&frame.payload).await?;
            if inbox.is_empty() { output.flush().await } else { Ok(()) }
        };
        if written.await.is_err() {
            return;
        }
    }
    // Dropping the pipe makes the engine exit.
}

async fn keep_log(stderr: ChildStderr, routes: Arc<Mutex<Routes>>) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(target: "vitrine::engine", "{line}");
        let kept = &mut lock_routes(&routes).last_lines;
        kept.push_back(line.chars().take(200).collect());
        if kept.len() > LAST_LINES {
            kept.pop_front();
        }
    }
}

/// Forwards answers until the process ends, then notifies all waiting requests.
async fn watch_over(
    mut child: Child,
    stdout: ChildStdout,
    log: tokio::task::JoinHandle<()>,
    routes: Arc<Mutex<Routes>>,
    kill: CancellationToken,
    scratch: Scratch,
) {
    let reading = async {
        let mut input = BufReader::with_capacity(PIPE, stdout);
        let mut head = [0; 13];
        while input.read_exact(&mut head).await.is_ok() {
            let Ok((mut frame, length)) = Frame::decode_head(&head) else { return };
            // Avoids filling the buffer with zeros, because it may have many megabytes.
            frame.payload.reserve_exact(length);
            let mut payload = (&mut input).take(length as u64);
            if payload.read_to_end(&mut frame.payload).await.is_err() || frame.payload.len() < length {
                return;
            }
            if let Some(route) = lock_routes(&routes).open.get_mut(&frame.number) {
                route.begun = true;
                let _ = route.answers.send(frame);
            }
        }
    };
    tokio::select! {
        () = reading => {}
        () = kill.cancelled() => {}
    }
    let killed = kill.is_cancelled();
    let _ = child.start_kill();
    let status = child.wait().await;
    let _ = tokio::time::timeout(Duration::from_millis(200), log).await;
    drop(scratch);
    let mut routes = lock_routes(&routes);
    let how = match status {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    let said: Vec<&str> = routes.last_lines.iter().map(String::as_str).collect();
    let how = if said.is_empty() { how } else { format!("{how}: {}", said.join(" | ")) };
    let several = routes.open.len() > 1;
    routes.ended = Some(if killed { Ended::Killed } else { Ended::Crashed { how, several } });
    // This closes the channels of all waiting requests.
    routes.open.clear();
}
