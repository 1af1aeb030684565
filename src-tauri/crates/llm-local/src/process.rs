//! The parent's handle of one worker process.

use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot, watch};
use vitrine_llm::LlmError;

use crate::protocol::{Failure, Order, Report, WORKER_ARGUMENT, WORKER_VARIABLE};

/// Number of lines kept from the worker's log.
const LOG_LINES: usize = 60;
/// Number of log lines that an error message quotes.
const QUOTED_LINES: usize = 6;

/// The state of loading a model.
#[derive(Debug, Clone)]
enum Loading {
    Busy,
    Ready,
    Failed(Failure),
}

/// One worker process, from start to end.
pub(crate) struct Worker {
    orders: mpsc::UnboundedSender<Order>,
    kill: Mutex<Option<oneshot::Sender<()>>>,
    loading: watch::Receiver<Loading>,
    shared: Arc<Shared>,
    pid: Option<u32>,
}

#[derive(Default)]
struct Shared {
    routes: Mutex<Routes>,
    log: Mutex<VecDeque<String>>,
}

#[derive(Default)]
struct Routes {
    open: HashMap<u64, mpsc::UnboundedSender<Report>>,
    /// Set once, when the process has ended.
    dead: Option<Failure>,
}

impl Worker {
    /// Starts the process and sends it `load`; see [`Worker::ready`].
    pub fn start(exe: &Path, load: Order) -> Result<Self, LlmError> {
        let mut command = Command::new(exe);
        command
            .arg(WORKER_ARGUMENT)
            .env(WORKER_VARIABLE, "1")
            // llama.cpp would start a debugger to print a stack trace.
            .env("GGML_NO_BACKTRACE", "1")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| LlmError::WorkerCrashed {
            message: format!("it could not be started from {}: {error}", exe.display()),
        })?;
        let pid = child.id();
        let (orders, inbox) = mpsc::unbounded_channel();
        let (kill, killed) = oneshot::channel();
        let (loaded, loading) = watch::channel(Loading::Busy);
        let shared = Arc::new(Shared::default());
        if let Some(stdin) = child.stdin.take() {
            tokio::spawn(write_orders(stdin, inbox));
        }
        let log = child.stderr.take().map(|stderr| tokio::spawn(keep_log(stderr, shared.clone())));
        let stdout = child.stdout.take();
        tokio::spawn(watch_over(child, stdout, log, shared.clone(), loaded, killed));
        let _ = orders.send(load);
        Ok(Self { orders, kill: Mutex::new(Some(kill)), loading, shared, pid })
    }

    /// Waits until the model is loaded.
    pub async fn wait_until_loaded(&self) -> Result<(), LlmError> {
        let mut loading = self.loading.clone();
        let state = loading.wait_for(|l| !matches!(l, Loading::Busy)).await.map(|l| l.clone());
        match state {
            Ok(Loading::Ready) => match self.failure_if_dead() {
                None => Ok(()),
                Some(failure) => Err(failure.into()),
            },
            Ok(Loading::Failed(failure)) => Err(failure.into()),
            Ok(Loading::Busy) | Err(_) => Err(self.failure_if_dead().unwrap_or_else(crashed_failure).into()),
        }
    }

    /// Checks that the process runs and has not failed to load the model.
    pub fn is_usable(&self) -> bool {
        self.failure_if_dead().is_none() && !matches!(*self.loading.borrow(), Loading::Failed(_))
    }

    /// Returns the process id, for diagnosis.
    pub fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// Sends an order and returns a receiver for its reports. If the worker dies, the last report is `Failed`.
    pub fn send_request(&self, id: u64, order: Order) -> mpsc::UnboundedReceiver<Report> {
        let (route, reports) = mpsc::unbounded_channel();
        let mut routes = self.shared.routes.lock();
        if let Some(failure) = &routes.dead {
            let _ = route.send(Report::Failed { id, failure: failure.clone() });
            return reports;
        }
        routes.open.insert(id, route);
        drop(routes);
        let _ = self.orders.send(order);
        reports
    }

    /// Sends an order that has no reply.
    pub fn send_order(&self, order: Order) {
        let _ = self.orders.send(order);
    }

    /// Kills the worker process immediately.
    pub fn kill(&self) {
        if let Some(kill) = self.kill.lock().take() {
            let _ = kill.send(());
        }
    }

    fn failure_if_dead(&self) -> Option<Failure> {
        self.shared.routes.lock().dead.clone()
    }
}

fn crashed_failure() -> Failure {
    Failure::Crashed { message: "it is gone. Ask again: it will be started anew".to_owned() }
}

async fn write_orders(mut stdin: tokio::process::ChildStdin, mut inbox: mpsc::UnboundedReceiver<Order>) {
    while let Some(order) = inbox.recv().await {
        let Ok(mut line) = serde_json::to_vec(&order) else { continue };
        line.push(b'\n');
        if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
    // The closed pipe makes the worker end.
}

async fn keep_log(stderr: impl AsyncRead + Unpin, shared: Arc<Shared>) {
    let mut input = BufReader::new(stderr);
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).await.is_ok_and(|n| n > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        line.clear();
        if text.chars().all(|c| c == '.') {
            continue;
        }
        tracing::trace!(target: "vitrine::model_worker", "{text}");
        let mut log = shared.log.lock();
        if log.len() == LOG_LINES {
            log.pop_front();
        }
        log.push_back(text);
    }
}

/// Forwards reports until the process ends, then fails all open requests.
async fn watch_over(
    mut child: Child,
    stdout: Option<tokio::process::ChildStdout>,
    log: Option<tokio::task::JoinHandle<()>>,
    shared: Arc<Shared>,
    loaded: watch::Sender<Loading>,
    killed: oneshot::Receiver<()>,
) {
    let reading = async {
        let Some(stdout) = stdout else { return };
        let mut lines = BufReader::new(stdout).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            match serde_json::from_str::<Report>(&line) {
                Ok(Report::Loaded { .. }) => drop(loaded.send(Loading::Ready)),
                Ok(Report::NotLoaded { failure }) => drop(loaded.send(Loading::Failed(failure))),
                Ok(report) => pass_on(&shared, report),
                Err(error) => tracing::warn!("a report of the model worker was not understood: {error}"),
            }
        }
    };
    let mut stopped = false;
    tokio::select! {
        () = reading => {}
        _ = async { if killed.await.is_err() { std::future::pending::<()>().await } } => {
            stopped = true;
            let _ = child.start_kill();
        }
    }
    // The output is closed: the process has ended or is unusable.
    let ended = tokio::time::timeout(std::time::Duration::from_secs(5), child.wait()).await;
    let status = match ended {
        Ok(status) => status.ok(),
        Err(_) => {
            let _ = child.kill().await;
            None
        }
    };
    if let Some(log) = log {
        let _ = tokio::time::timeout(std::time::Duration::from_secs(1), log).await;
    }
    let message = if stopped {
        "it was shut down. Ask again: it will be started anew.".to_owned()
    } else {
        last_words(status, &shared.log.lock())
    };
    let failure = Failure::Crashed { message };
    let waiting = {
        let mut routes = shared.routes.lock();
        routes.dead = Some(failure.clone());
        std::mem::take(&mut routes.open)
    };
    for (id, route) in waiting {
        let _ = route.send(Report::Failed { id, failure: failure.clone() });
    }
    loaded.send_if_modified(|state| {
        let busy = matches!(state, Loading::Busy);
        if busy {
            *state = Loading::Failed(failure);
        }
        busy
    });
}

fn pass_on(shared: &Shared, report: Report) {
    let Some(id) = report.order_id() else { return };
    let mut routes = shared.routes.lock();
    let last =
        matches!(report, Report::Done { .. } | Report::Failed { .. } | Report::Counts { .. } | Report::Pong { .. });
    let route = if last { routes.open.remove(&id) } else { routes.open.get(&id).cloned() };
    if let Some(route) = route {
        let _ = route.send(report);
    }
}

/// Builds the message for the user when the process ended unexpectedly.
fn last_words(status: Option<ExitStatus>, log: &VecDeque<String>) -> String {
    let (what, hint) = match status {
        Some(status) => how_it_ended(status),
        None => ("it ended".to_owned(), AGAIN),
    };
    let mut message = format!("{what}. {hint}");
    let quoted: Vec<&str> = log.iter().rev().take(QUOTED_LINES).map(String::as_str).rev().collect();
    if !quoted.is_empty() {
        message.push_str(" Its last messages: ");
        message.push_str(&quoted.join(" | "));
    }
    message
}

const AGAIN: &str = "Ask again: it will be started anew.";

#[cfg(unix)]
fn how_it_ended(status: ExitStatus) -> (String, &'static str) {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(libc::SIGKILL) => (
            "it was killed (signal 9), often by the system because memory ran out".to_owned(),
            "Ask again: it will be started anew. If it happens again, close other programs, choose a smaller model, or \
             set a shorter context.",
        ),
        Some(libc::SIGABRT) => (
            "it gave up (signal 6)".to_owned(),
            "Ask again: it will be started anew. If it happens again, pull the model again or set a shorter context.",
        ),
        Some(libc::SIGILL) => (
            "it met an instruction that this processor refuses (signal 4)".to_owned(),
            "Ask again: it will be started anew. If it happens again, choose a model on a server, and report the name of \
             this processor.",
        ),
        Some(signal @ (libc::SIGSEGV | libc::SIGBUS)) => (
            format!("it crashed (signal {signal})"),
            "Ask again: it will be started anew. If it happens again, the model file may be damaged: pull it again.",
        ),
        Some(signal) => (format!("it was ended by signal {signal}"), AGAIN),
        None => (format!("it ended with status {}", status.code().unwrap_or(-1)), AGAIN),
    }
}

#[cfg(not(unix))]
fn how_it_ended(status: ExitStatus) -> (String, &'static str) {
    (format!("it ended ({status})"), AGAIN)
}
