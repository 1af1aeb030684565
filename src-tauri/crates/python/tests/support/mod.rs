//! Runs code in every kind of sandbox that this computer supports.
#![allow(dead_code, clippy::unwrap_used)]

use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use vitrine_python::{
    Environment, Interpreter, Job, Limits, Outcome, PythonError, Raised, Sandbox, SandboxKind, Script,
};

pub const KINDS: [SandboxKind; 3] =
    [SandboxKind::NamespacesAndLandlock, SandboxKind::Namespaces, SandboxKind::Landlock];

pub fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_vitrine-jail"))
}

/// Returns the kinds that are supported here; fails if there are none.
pub async fn kinds() -> Vec<SandboxKind> {
    let mut found = vec![];
    for kind in KINDS {
        match sandbox().with_kind(kind).check_available().await {
            Ok(_) => found.push(kind),
            Err(why) => eprintln!("not here: {kind}: {why}"),
        }
    }
    assert!(!found.is_empty(), "this computer has no sandbox at all");
    found
}

/// Returns an interpreter without packages: its code can only print or raise.
pub async fn bare() -> Environment {
    Environment::without_packages(Interpreter::of_system().await.expect("these tests need CPython 3.10 to 3.14"))
}

/// Returns short limits, so that code that should have been stopped is noticed soon.
pub fn limits() -> Limits {
    Limits { time: Duration::from_secs(10), ..Limits::default() }
}

pub async fn run_in(kind: SandboxKind, code: &str, limits: &Limits) -> Result<Outcome, PythonError> {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("result.parquet");
    let script = Script::new(code).unwrap();
    let job = Job { script: &script, inputs: &[], output: &output };
    let outcome = sandbox().with_kind(kind).run(&bare().await, job, limits, &CancellationToken::new()).await;
    assert!(outcome.is_ok() || !output.exists(), "a failed run leaves nothing: {outcome:?}");
    let children = children(std::process::id());
    assert!(children.is_empty(), "{kind}: left behind: {children:?}");
    outcome
}

/// Runs code in every kind; each must raise this exception with this text in its message.
pub async fn raises(code: &str, class: &str, message: &str) {
    for kind in kinds().await {
        let raised = raised_in(kind, code).await;
        let right = raised.class == class && raised.message.contains(message);
        assert!(right, "{kind}: {code}\nwanted {class}: {message}\nbut got {raised}\n{}", raised.stdout);
    }
}

pub async fn raised_in(kind: SandboxKind, code: &str) -> Raised {
    match run_in(kind, code, &limits()).await {
        Err(PythonError::Raised(raised)) => *raised,
        other => panic!("{kind}: {code}\nraised nothing: {other:?}"),
    }
}

/// Returns the output of code that assigns no result.
pub async fn printed_in(kind: SandboxKind, code: &str) -> String {
    match run_in(kind, code, &limits()).await {
        Err(PythonError::NoResult { stdout }) => stdout,
        other => panic!("{kind}: {code}\ndid not end well: {other:?}"),
    }
}

/// Returns the child processes of `parent`, except zombies.
pub fn children(parent: u32) -> Vec<u32> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return vec![] };
    let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut rest = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = rest.next()?;
    (state != "Z").then(|| rest.next()?.parse().ok())?
}

pub fn is_alive(pid: u32) -> bool {
    parent_of(pid).is_some()
}

/// Waits until a condition holds, for at most five seconds.
pub async fn soon(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..250 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("not after five seconds: {what}");
}

/// Returns the folder in which the real environment is kept between test runs.
pub fn cache() -> PathBuf {
    let cache = std::env::var_os("VITRINE_CACHE").map(PathBuf::from);
    let usual = || PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache/vitrine");
    cache.unwrap_or_else(usual).join("python")
}
