//! The application's handle of one engine process.

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

/// How long an engine may take to give a request up before its process is ended.
pub(super) const GRACE: Duration = Duration::from_secs(1);
/// The same for a driver, which tells its server first.
const DRIVERS_GRACE: Duration = Duration::from_secs(5);
/// Lines that the engine wrote before it ended, which a message quotes.
const LAST_LINES: usize = 4;
/// Bytes that the pipe of rows holds, and that one read takes from it.
const PIPE: usize = 1 << 20;

/// One engine process, from start to end. Dropping it ends the process.
pub(crate) struct Process {
    orders: mpsc::UnboundedSender<Frame>,
    routes: Arc<Mutex<Routes>>,
    numbers: AtomicU64,
    kill: CancellationToken,
    grace: Duration,
    /// In which it wrote what it found while it opened the database.
    pub language: Language,
    /// The system's number of it.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    number: Option<u32>,
}

/// How long a process that does not hear is left for the sake of results on their way from it.
const LAST_RESULTS: Duration = Duration::from_secs(120);
/// How often it is looked whether they are through.
const LOOK: Duration = Duration::from_millis(100);

/// Where answers to a request go.
struct Route {
    answers: mpsc::UnboundedSender<Frame>,
    /// Whether one has come.
    begun: bool,
}

#[derive(Default)]
struct Routes {
    open: HashMap<u64, Route>,
    /// Whether a request was not given up: nothing more is asked of the process.
    deaf: bool,
    /// Set once, when the process has ended: why.
    ended: Option<Ended>,
    last_lines: VecDeque<String>,
}

/// Why a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The application ended it, because a request was not given up in time.
    Killed,
    /// By itself.
    Crashed {
        /// How.
        how: String,
        /// Whether several requests waited, so that nobody knows which of them it was.
        several: bool,
    },
}

impl Ended {
    /// For whoever waited for an answer.
    pub fn to_error(&self) -> WarehouseError {
        match self {
            Self::Killed => {
                WarehouseError::Interrupted { detail: "another query beside it could not be stopped".into() }
            }
            Self::Crashed { how, .. } => WarehouseError::Interrupted { detail: how.clone() },
        }
    }
}

/// A request that was sent and waits for its answers. It is given up when it is dropped before the last of them.
pub(crate) struct Request {
    number: u64,
    answers: mpsc::UnboundedReceiver<Frame>,
    process: Arc<Process>,
    /// Whether the last answer has come.
    pub done: bool,
}

impl Process {
    /// Starts the program as an engine and has it open a database.
    ///
    /// # Errors
    /// When the program cannot be started, or the database not be opened.
    pub async fn start(program: &Path, open: Order, language: Language) -> Result<Arc<Self>, WarehouseError> {
        let failed = |error: io::Error| WarehouseError::Interrupted {
            detail: format!("{} could not be started: {error}", program.display()),
        };
        let scratch = Scratch::new("engine").map_err(failed)?;
        let mut child = Command::new(program)
            .arg(ENGINE_ARGUMENT)
            .env("RUST_BACKTRACE", "0")
            .env(SCRATCH, scratch.path())
            // Arenas for every thread would count as memory that is in use.
            .env("MALLOC_ARENA_MAX", "4")
            // Drivers tell nobody what they do.
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

    /// Sends an order whose answers come back.
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

    /// Whether more can be asked of it.
    pub fn accepts_requests(&self) -> bool {
        !self.is_over() && !lock_routes(&self.routes).deaf
    }

    fn is_over(&self) -> bool {
        self.kill.is_cancelled() || lock_routes(&self.routes).ended.is_some()
    }

    /// Ends the process because it does not give a request up: at once, or after the results that are on their way from it. What
    /// has no answer yet is lost, so that it is asked of another process.
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

    /// Ends the process now.
    pub fn kill(&self) {
        self.kill.cancel();
    }

    /// Its number, as the system counts processes.
    pub fn process_id(&self) -> Option<u32> {
        self.number
    }

    /// Ends the process from outside, as the system or a crash would; whether that can be done here.
    #[cfg(target_os = "linux")]
    pub fn crash(&self) -> bool {
        use rustix::process::{Pid, Signal, kill_process};
        let number = self.number.and_then(|number| Pid::from_raw(number as i32));
        number.is_some_and(|number| kill_process(number, Signal::KILL).is_ok())
    }

    /// Ends the process from outside; not done on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn crash(&self) -> bool {
        false
    }

    /// How many requests it has got.
    pub fn request_count(&self) -> u64 {
        self.numbers.load(Ordering::Relaxed)
    }

    /// Whether nobody waits for an answer.
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
    /// The next answer, or why the process ended before it.
    pub async fn next(&mut self) -> Result<Frame, Ended> {
        match self.answers.recv().await {
            Some(frame) => Ok(frame),
            None => Err(self.process.end_reason()),
        }
    }

    /// Says that another batch may come.
    pub fn request_batch(&self) {
        self.send_order(&Order::More);
    }

    /// Says that the process did not end it when it should have.
    pub fn is_unheard(&mut self) {
        self.done = true;
        self.process.end_for(self.number);
    }

    fn send_order(&self, order: &Order) {
        let _ = self.process.orders.send(Frame::from_json(self.number, order));
    }
}

impl Drop for Request {
    /// Says that nobody waits any more. The process is ended unless it gives the request up in time.
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

/// Has the pipe hold more: rows come in megabytes, and each time that it is full both sides wait for each other.
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
    // Dropping the pipe tells the engine to end.
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

/// Passes answers on until the process ends, and then lets everybody know who waits.
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
            // Not filled with zeros first: there may be many megabytes.
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
    // Their receivers end.
    routes.open.clear();
}
