//! The warden of one run: opens the prisoner's files, starts it, and reports its end.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, getegid, geteuid, setsid, waitpid};

use super::prisoner::{Birth, Payload, Stillbirth, run_payload};
use super::rights::Bounds;
use super::watch::{Seen, Watched, watch_prisoner};
use super::{landlock, namespaces, system};
use crate::protocol::{End, Order, Report, Run, SandboxKind, Task};

/// Executes one order and exits.
pub fn execute_order() -> ! {
    system::close_inherited();
    // A separate session, so that signals of the application's terminal do not arrive here.
    let _ = setsid();
    let mut line = String::new();
    let order = io::stdin().lock().read_line(&mut line).ok().and_then(|_| serde_json::from_str::<Order>(&line).ok());
    let Some(order) = order else { system::exit_process(2) };
    let report = match carry_out(&order) {
        Ok(report) => report,
        Err(end) => {
            Report { kind: None, end, stdout: String::new(), stderr: String::new(), verdict: String::new(), wall_ms: 0 }
        }
    };
    let mut text = serde_json::to_vec(&report).unwrap_or_default();
    text.push(b'\n');
    let sent = io::stdout().write_all(&text).and_then(|()| io::stdout().flush());
    system::exit_process(i32::from(sent.is_err()))
}

/// The program, paths and open files that the prisoner receives.
struct Cell {
    program: PathBuf,
    readable: Vec<PathBuf>,
    result: OwnedFd,
    setup: OwnedFd,
    inputs: Vec<OwnedFd>,
    inputs_bytes: u64,
}

fn carry_out(order: &Order) -> Result<Report, End> {
    let failed = |error: io::Error| End::NoSandbox { why: format!("its process could not be prepared: {error}") };
    let cell = match &order.task {
        Task::Probe { .. } => empty_cell().map_err(failed)?,
        Task::Run(run) => open_cell(run)?,
    };
    let no_landlock = landlock::check_support().err();
    let mut reasons: Vec<String> = no_landlock.iter().cloned().collect();
    for kind in &order.kinds {
        if kind.has_landlock() && no_landlock.is_some() {
            continue;
        }
        match run_prisoner(order, &cell, *kind).map_err(failed)? {
            Ok(seen) => {
                return Ok(Report {
                    kind: Some(*kind),
                    end: seen.end,
                    stdout: seen.stdout,
                    stderr: seen.stderr,
                    verdict: seen.verdict,
                    wall_ms: seen.wall.as_millis() as u64,
                });
            }
            Err(stillbirth) => {
                if !reasons.contains(&stillbirth.message) {
                    reasons.push(stillbirth.message);
                }
            }
        }
    }
    Err(End::NoSandbox { why: reasons.join("; ") })
}

fn empty_cell() -> io::Result<Cell> {
    let nothing = || File::open("/dev/null").map(OwnedFd::from);
    let (result, setup) = (nothing()?, nothing()?);
    Ok(Cell { program: PathBuf::new(), readable: vec![], result, setup, inputs: vec![], inputs_bytes: 0 })
}

fn open_cell(run: &Run) -> Result<Cell, End> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| End::File { path, error: error.to_string() }
    };
    let mut inputs = Vec::new();
    let mut inputs_bytes = 0;
    for (_, path) in &run.inputs {
        // Opened non-blocking, because the path may be a pipe.
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(at(path))?;
        let about = file.metadata().map_err(at(path))?;
        if !about.is_file() {
            return Err(at(path)(io::Error::other("it is not a file")));
        }
        inputs_bytes += about.len();
        inputs.push(file.into());
    }
    // An existing file, link or pipe must not become writable for the prisoner.
    let result =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&run.output).map_err(at(&run.output))?;
    let names: Vec<&String> = run.inputs.iter().map(|(name, _)| name).collect();
    let setup = serde_json::json!({ "code": run.code, "packages": run.packages, "inputs": names });
    let setup = create_memory_file(&setup.to_string())
        .map_err(|e| End::NoSandbox { why: format!("no memory for the code: {e}") })?;
    let mut readable = run.readable.clone();
    readable.push(run.interpreter.clone());
    readable.extend(run.packages.clone());
    Ok(Cell { program: run.interpreter.clone(), readable, result: result.into(), setup, inputs, inputs_bytes })
}

/// Creates a file in memory with this text.
fn create_memory_file(text: &str) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create(c"order", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    Ok(file.into())
}

/// Starts the prisoner with this kind of isolation and waits until it has ended.
fn run_prisoner(order: &Order, cell: &Cell, kind: SandboxKind) -> io::Result<Result<Seen, Stillbirth>> {
    let stdin = OwnedFd::from(File::open("/dev/null")?);
    let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(io::Error::from);
    let (stdout, stderr, verdict, complaints, life) = (pipe()?, pipe()?, pipe()?, pipe()?, pipe()?);
    let seconds = order.time_ms.div_ceil(1000);
    let bounds = Bounds {
        memory: order.memory,
        output: order.output,
        seconds,
        threads: order.threads,
        inputs: cell.inputs_bytes,
    };
    File::from(cell.setup.try_clone()?).rewind()?;
    let user = (geteuid().as_raw(), getegid().as_raw());
    let flags = if kind.has_namespaces() { namespaces::ALL } else { 0 };
    let started = std::time::Instant::now();
    let pid = match system::fork_into(flags) {
        Err(error) if kind.has_namespaces() => {
            return Ok(Err(Stillbirth { message: format!("namespaces: {error}") }));
        }
        Err(error) => return Err(error),
        Ok(pid) => pid,
    };
    if pid == 0 {
        // The child must not hold the write end, whose closing signals the end of the warden.
        drop(life.1);
        let mut files = vec![&stdin, &stdout.1, &stderr.1, &verdict.1, &cell.result, &cell.setup];
        files.extend(&cell.inputs);
        let payload = match &order.task {
            Task::Probe { outside } => Payload::Probe(outside),
            Task::Run(_) => Payload::Python,
        };
        let (program, readable) = (&cell.program, &*cell.readable);
        let birth = Birth { kind, payload, program, readable, bounds, files, warden_lives: &life.0, user };
        run_payload(birth, complaints.1);
    }
    drop((stdin, stdout.1, stderr.1, verdict.1, complaints.1));
    // Empty if the child has become the interpreter or has ended.
    let mut complaint = String::new();
    File::from(complaints.0).read_to_string(&mut complaint)?;
    if let Ok(stillbirth) = serde_json::from_str::<Stillbirth>(&complaint) {
        let _ = waitpid(Pid::from_raw(pid), WaitOptions::empty());
        return Ok(Err(stillbirth));
    }
    let watched = Watched { pid, stdout: stdout.0, stderr: stderr.0, verdict: verdict.0, started };
    let seen = watch_prisoner(watched, order);
    drop(life);
    seen.map(Ok)
}
