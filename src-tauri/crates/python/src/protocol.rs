//! The protocol between the application and the warden of one run: one order on the warden's standard input, one report
//! on its standard output. The input stays open; closing it stops the run.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The argument with which the application starts itself as a warden.
pub(crate) const JAIL_ARGUMENT: &str = "__vitrine-python-jail";

/// The isolation layers of a sandbox. Every kind also has the filter of system calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxKind {
    /// Both layers in addition to the filter.
    NamespacesAndLandlock,
    /// Only namespaces, because the kernel has no Landlock.
    Namespaces,
    /// Only Landlock, because namespaces are forbidden, as in many containers. The code can query names, sizes and
    /// dates of files, but not read them.
    Landlock,
}

impl SandboxKind {
    /// All kinds, the strongest first.
    pub(crate) const ALL: [Self; 3] = [Self::NamespacesAndLandlock, Self::Namespaces, Self::Landlock];

    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(crate) fn has_namespaces(self) -> bool {
        self != Self::Landlock
    }

    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(crate) fn has_landlock(self) -> bool {
        self != Self::Namespaces
    }
}

impl fmt::Display for SandboxKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NamespacesAndLandlock => "namespaces, Landlock and a filter of system calls",
            Self::Namespaces => "namespaces and a filter of system calls",
            Self::Landlock => "Landlock and a filter of system calls",
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub task: Task,
    /// The kinds to try, in this order.
    pub kinds: Vec<SandboxKind>,
    pub time_ms: u64,
    pub memory: u64,
    pub threads: u32,
    pub output: u64,
    pub text: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Attempts to break out without an interpreter: to open a socket or this file, or to start a process.
    Probe { outside: PathBuf },
    /// Runs code over input tables.
    Run(Box<Run>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub interpreter: PathBuf,
    /// Files and folders that may be read.
    pub readable: Vec<PathBuf>,
    pub packages: Option<PathBuf>,
    pub code: String,
    /// Variable names and Parquet files.
    pub inputs: Vec<(String, PathBuf)>,
    /// The result file, which must not exist.
    pub output: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The kind used; `None` if no sandbox is available, so that nothing ran.
    pub kind: Option<SandboxKind>,
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    /// The output of the wrapper around the code. The code could forge it, so it only determines the handling of its
    /// own result.
    pub verdict: String,
    pub wall_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    /// No sandbox is available, so nothing ran. Contains the reason for the user.
    NoSandbox {
        why: String,
    },
    /// A file could not be opened, so nothing ran.
    File {
        path: PathBuf,
        error: String,
    },
    Exited {
        status: i32,
    },
    Signal {
        number: i32,
    },
    TooLong,
    TooMuchMemory,
    TooManyThreads,
    /// The parent closed the input.
    Stopped,
}

/// The report of the wrapper (`wrapper.py`).
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Verdict {
    Done,
    Raised {
        #[serde(rename = "type")]
        class: String,
        message: String,
        line: Option<u32>,
        source: Option<String>,
    },
    Input {
        name: String,
        message: String,
    },
    NoResult,
    NotATable {
        message: String,
    },
    TooLarge,
    NoMemory {
        line: Option<u32>,
    },
}
