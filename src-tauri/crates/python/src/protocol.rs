//! What the application and the warden of one run say to each other: one order on the warden's standard input, one
//! report on its standard output. The input stays open: when it closes, the run is over.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The argument with which the application starts itself as a warden.
pub(crate) const JAIL_ARGUMENT: &str = "__vitrine-python-jail";

/// The walls around the code. A filter of system calls stands in every kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SandboxKind {
    /// Both walls besides the filter.
    NamespacesAndLandlock,
    /// The kernel has no Landlock.
    Namespaces,
    /// Namespaces are forbidden here, as in many containers. Names, sizes and dates of files can be asked for in this
    /// kind, contents cannot.
    Landlock,
}

impl SandboxKind {
    /// Strongest first.
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
    /// Kinds to be tried, in this order.
    pub kinds: Vec<SandboxKind>,
    pub time_ms: u64,
    pub memory: u64,
    pub threads: u32,
    pub output: u64,
    pub text: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Try to break out, without an interpreter: to open a socket, this file, and to start a process.
    Probe { outside: PathBuf },
    /// Run code.
    Run(Box<Run>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub interpreter: PathBuf,
    /// Files and folders that may be read.
    pub readable: Vec<PathBuf>,
    pub packages: Option<PathBuf>,
    pub code: String,
    /// Names and Parquet files.
    pub inputs: Vec<(String, PathBuf)>,
    /// Must not exist.
    pub output: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// None when no sandbox could be had, and nothing ran.
    pub kind: Option<SandboxKind>,
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    /// What the wrapper around the code wrote. The code could have forged it: it says only what becomes of its result.
    pub verdict: String,
    pub wall_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    /// Nothing ran: there is no sandbox. The reason, for the user.
    NoSandbox {
        why: String,
    },
    /// Nothing ran: a file could not be opened.
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

/// What the wrapper (`wrapper.py`) says.
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
