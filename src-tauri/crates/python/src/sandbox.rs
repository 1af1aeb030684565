//! The application's side: starts a warden, sends it one order, and converts its report to a result or an error.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use vitrine_words::{Worded, tr};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use crate::protocol::{End, JAIL_ARGUMENT, Order, Report, Run, SandboxKind, Task, Verdict};
use crate::{Environment, Input, Limits, PythonError, Raised, Script};

/// The Python script that wraps the code.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) const WRAPPER: &str = include_str!("wrapper.py");

/// Time that the warden may take beyond the time limit, to start and to report.
const GRACE: Duration = Duration::from_secs(10);
/// Time that the warden may take to stop before it is killed.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Maximum number of input tables.
const INPUTS: usize = 64;
/// Maximum number of bytes of the error output that a message quotes.
const QUOTED: usize = 600;

/// Runs code in a sandbox of the operating system.
#[derive(Debug, Clone)]
pub struct Sandbox {
    exe: PathBuf,
    kinds: Vec<SandboxKind>,
}

/// The parameters of one run.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The code to be run.
    pub script: &'a Script,
    /// The tables that the code may read: at most 64.
    pub inputs: &'a [Input],
    /// The Parquet file to write. It must not exist; nothing is left there if the run fails.
    pub output: &'a Path,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The Parquet file. It was written by unverified code, so treat it as an untrusted file.
    pub output: PathBuf,
    /// The standard output of the code.
    pub stdout: String,
    /// The error output, such as warnings of the packages.
    pub stderr: String,
    /// The time from the interpreter's start to its end.
    pub wall: Duration,
    /// The isolation layers that were used.
    pub kind: SandboxKind,
}

impl Sandbox {
    /// Creates a sandbox whose warden is `exe`: a program that calls [`crate::run_jail_if_asked`] first, such as
    /// `std::env::current_exe()`.
    pub fn new(exe: impl Into<PathBuf>) -> Self {
        Self { exe: exe.into(), kinds: SandboxKind::ALL.to_vec() }
    }

    /// Restricts the sandbox to one kind. By default, the strongest available kind is used.
    pub fn with_kind(self, kind: SandboxKind) -> Self {
        Self { kinds: vec![kind], ..self }
    }

    /// Isolates a process that then attempts to break out. Fails with a reason for the user if the sandbox is unavailable.
    pub async fn check_available(&self) -> Result<SandboxKind, String> {
        if !cfg!(target_os = "linux") {
            return Err("there is a sandbox for Python code on Linux only".to_owned());
        }
        let task = Task::Probe { outside: self.exe.clone() };
        let limits = Limits { time: Duration::from_secs(5), ..Limits::default() };
        let report = self.send_order(task, &limits, &CancellationToken::new()).await.map_err(|e| e.to_string())?;
        match (report.kind, report.end) {
            (Some(kind), End::Exited { status: 0 }) => Ok(kind),
            (_, End::NoSandbox { why }) => Err(why),
            (_, end) => Err(format!("a trial run failed ({end:?})")),
        }
    }

    /// Runs the code. All its processes have ended when this returns, and end soon after this future is dropped.
    pub async fn run(
        &self,
        environment: &Environment,
        job: Job<'_>,
        limits: &Limits,
        cancel: &CancellationToken,
    ) -> Result<Outcome, PythonError> {
        job.inputs.iter().try_for_each(Input::check_name)?;
        if let Some(beyond) = job.inputs.get(INPUTS) {
            let message = tr!("there are more than {inputs} tables", inputs = INPUTS);
            return Err(PythonError::Input { name: beyond.name.clone(), message });
        }
        let run = Run {
            interpreter: environment.interpreter().exe.clone(),
            readable: environment.interpreter().readable.clone(),
            packages: environment.packages().map(Path::to_owned),
            code: job.script.code().to_owned(),
            inputs: job.inputs.iter().map(|input| (input.name.clone(), input.path.clone())).collect(),
            output: job.output.to_owned(),
        };
        let existed = fs::symlink_metadata(job.output).is_ok();
        let outcome = match self.send_order(Task::Run(Box::new(run)), limits, cancel).await {
            Ok(report) => to_outcome(report, job, limits),
            Err(error) => Err(error),
        };
        if outcome.is_err() && !existed {
            let _ = fs::remove_file(job.output);
        }
        outcome
    }

    /// Starts a warden and waits for its report.
    async fn send_order(&self, task: Task, limits: &Limits, cancel: &CancellationToken) -> Result<Report, PythonError> {
        let broken = |message: String| PythonError::Sandbox { message };
        let order = Order {
            task,
            kinds: self.kinds.clone(),
            time_ms: limits.time.as_millis() as u64,
            memory: limits.memory,
            threads: limits.threads,
            output: limits.output,
            text: limits.text,
        };
        let mut line = serde_json::to_vec(&order).map_err(|e| broken(e.to_string()))?;
        line.push(b'\n');
        let mut warden = Command::new(&self.exe)
            .arg(JAIL_ARGUMENT)
            .env_clear()
            // The loader needs this variable if the program's libraries are next to it; the code never sees it.
            .envs(std::env::var_os("LD_LIBRARY_PATH").map(|path| ("LD_LIBRARY_PATH", path)))
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| broken(format!("it could not be started from {}: {error}", self.exe.display())))?;
        // Kept open until the end, because closing it stops the run.
        let mut stdin = warden.stdin.take();
        let talk = async {
            if let Some(stdin) = &mut stdin {
                let _ = stdin.write_all(&line).await;
                let _ = stdin.flush().await;
            }
            // JSON may encode one byte as six.
            report_of(&mut warden, (limits.text as u64 * 2 + (1 << 20)) * 6).await
        };
        let told = tokio::select! {
            report = talk => Some(report),
            () = cancel.cancelled() => None,
            () = tokio::time::sleep(limits.time + GRACE) => Some(Err("it did not answer in time".to_owned())),
        };
        let Some(Ok(report)) = told else {
            drop(stdin);
            if tokio::time::timeout(LAST_WORDS, warden.wait()).await.is_err() {
                let _ = warden.kill().await;
            }
            return Err(told.map_or(PythonError::Cancelled, |why| broken(why.err().unwrap_or_default())));
        };
        let _ = warden.wait().await;
        Ok(report)
    }
}

async fn report_of(warden: &mut Child, most: u64) -> Result<Report, String> {
    let Some(stdout) = warden.stdout.take() else { return Err("it has no output".to_owned()) };
    let mut line = Vec::new();
    let read = BufReader::new(stdout).take(most).read_until(b'\n', &mut line).await;
    read.map_err(|error| error.to_string())?;
    if let Ok(report) = serde_json::from_slice(&line) {
        return Ok(report);
    }
    let mut stderr = String::new();
    if let Some(pipe) = warden.stderr.take() {
        let _ = pipe.take(QUOTED as u64).read_to_string(&mut stderr).await;
    }
    Err(format!("its process ended without a report {}", stderr.trim()))
}

/// Converts a report to the outcome of the run.
fn to_outcome(report: Report, job: Job<'_>, limits: &Limits) -> Result<Outcome, PythonError> {
    let too_much_memory = |line| PythonError::TooMuchMemory { limit: limits.memory, line };
    let kind = match (report.kind, &report.end) {
        (_, End::NoSandbox { why }) => return Err(PythonError::NoSandbox { why: why.clone() }),
        (_, End::File { path, error }) => {
            return Err(match job.inputs.iter().find(|input| input.path == *path) {
                Some(input) => PythonError::Input { name: input.name.clone(), message: error.clone() },
                None => PythonError::from_folder_io(path, std::io::Error::other(error.clone())),
            });
        }
        (_, End::TooLong) => return Err(PythonError::TooLong { limit: limits.time }),
        (_, End::TooMuchMemory) => return Err(too_much_memory(None)),
        (_, End::TooManyThreads) => return Err(PythonError::TooManyThreads { limit: limits.threads }),
        (_, End::Stopped) => return Err(PythonError::Cancelled),
        (Some(kind), End::Exited { status: 0 }) => kind,
        (_, end) => {
            // Libraries written in Rust and C++ abort when memory runs out.
            if ["memory allocation of", "bad_alloc"].iter().any(|words| report.stderr.contains(words)) {
                return Err(too_much_memory(None));
            }
            return Err(PythonError::Crashed { how: describe_end(end), stderr: last_of(&report.stderr) });
        }
    };
    let Ok(verdict) = serde_json::from_str::<Verdict>(&report.verdict) else {
        return Err(PythonError::Crashed {
            how: Worded::new(|| tr!("the interpreter ended before the code did")),
            stderr: last_of(&report.stderr),
        });
    };
    let stdout = report.stdout;
    match verdict {
        Verdict::Done => {}
        Verdict::Raised { class, message, line, source } => {
            return Err(PythonError::Raised(Box::new(Raised { class, message, line, source, stdout })));
        }
        Verdict::Input { name, message } => return Err(PythonError::Input { name, message }),
        Verdict::NoResult => return Err(PythonError::NoResult { stdout }),
        Verdict::NotATable { message } => return Err(PythonError::NotATable { message }),
        Verdict::TooLarge => return Err(PythonError::TooLarge { limit: limits.output }),
        Verdict::NoMemory { line } => return Err(too_much_memory(line)),
    }
    if !is_parquet(job.output) {
        let message = "what was written is not a Parquet file".to_owned();
        return Err(PythonError::NotATable { message });
    }
    let wall = Duration::from_millis(report.wall_ms);
    Ok(Outcome { output: job.output.to_owned(), stdout, stderr: report.stderr, wall, kind })
}

/// Checks for the format's magic bytes at both ends of a file.
fn is_parquet(path: &Path) -> bool {
    let mark_at = |file: &mut fs::File, place| -> std::io::Result<bool> {
        let mut mark = [0; 4];
        file.seek(place)?;
        file.read_exact(&mut mark)?;
        Ok(&mark == b"PAR1")
    };
    let both = |mut file: fs::File| -> std::io::Result<bool> {
        Ok(file.metadata()?.len() >= 12
            && mark_at(&mut file, SeekFrom::Start(0))?
            && mark_at(&mut file, SeekFrom::End(-4))?)
    };
    fs::File::open(path).and_then(both).unwrap_or(false)
}

fn describe_end(end: &End) -> Worded {
    Worded::new(|| match end {
        End::Signal { number: 9 } => tr!("the interpreter was killed (signal 9)"),
        End::Signal { number } => tr!("the interpreter crashed (signal {number})", number),
        End::Exited { status } => tr!("the interpreter ended with status {status}", status),
        other => tr!("the interpreter ended ({how})", how = format!("{other:?}")),
    })
}

fn last_of(text: &str) -> String {
    let text = text.trim();
    let begin = (text.len().saturating_sub(QUOTED)..=text.len()).find(|at| text.is_char_boundary(*at));
    text[begin.unwrap_or(0)..].to_owned()
}
