//! Why code returned no table, or the environment could not be set up: worded for users, and for a model that tries
//! again.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use vitrine_domain::{AppError, ErrorCode};

/// An exception that the code raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The exception's type, such as `KeyError`.
    pub class: String,
    /// Its message; may be empty, at most 4 KiB.
    pub message: String,
    /// The line of the code, from 1: the innermost one where the error came out of a library.
    pub line: Option<u32>,
    /// That line's text.
    pub source: Option<String>,
    /// What the code printed before.
    pub stdout: String,
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.class)?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        match &self.source {
            Some(source) => write!(f, " (in `{source}`)"),
            None => Ok(()),
        }
    }
}

/// Why code did not give a table, or the environment could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// There is no sandbox on this machine: nothing runs.
    #[error("Python code cannot be run safely here: {why}")]
    NoSandbox {
        /// What is missing.
        why: String,
    },
    /// The code is not text that an interpreter could be given.
    #[error("this is not Python code: {reason}")]
    NotCode {
        /// Why.
        reason: String,
    },
    /// A table could not be given to the code.
    #[error("the table '{name}' cannot be read: {message}")]
    Input {
        /// The variable's name.
        name: String,
        /// Why.
        message: String,
    },
    /// The code raised an exception, or is not Python.
    #[error("{0}")]
    Raised(Box<Raised>),
    /// The code ended without a result.
    #[error("the code does not assign `result`")]
    NoResult {
        /// What it printed.
        stdout: String,
    },
    /// `result` is nothing that a table can be made of.
    #[error("`result` is not a table: {message}")]
    NotATable {
        /// What it is instead.
        message: String,
    },
    /// The time was up.
    #[error("the code took longer than {} s and was stopped", .limit.as_secs_f64())]
    TooLong {
        /// What was allowed.
        limit: Duration,
    },
    /// It used more memory than allowed.
    #[error("{at}the code needs more than {} MB of memory", .limit / 1_000_000, at = .line.map(|l| format!("line {l}: ")).unwrap_or_default())]
    TooMuchMemory {
        /// What was allowed, in bytes.
        limit: u64,
        /// Where, when the interpreter could still say so.
        line: Option<u32>,
    },
    /// It started more threads than allowed.
    #[error("the code starts more than {limit} threads")]
    TooManyThreads {
        /// What was allowed.
        limit: u32,
    },
    /// Its result is larger than allowed.
    #[error("the result is larger than {} MB", .limit / 1_000_000)]
    TooLarge {
        /// What was allowed, in bytes.
        limit: u64,
    },
    /// The interpreter ended without a word.
    #[error("the interpreter {how}{}", if .stderr.is_empty() { String::new() } else { format!(": {}", .stderr) })]
    Crashed {
        /// How it ended.
        how: String,
        /// The end of its error output.
        stderr: String,
    },
    /// The caller cancelled.
    #[error("it was stopped")]
    Cancelled,
    /// The sandbox's own process failed.
    #[error("the sandbox failed: {message}")]
    Sandbox {
        /// How.
        message: String,
    },
    /// A file or folder of ours cannot be used.
    #[error("{path} cannot be used: {error}", path = .path.display())]
    Folder {
        /// Where.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A step of setting up the environment failed.
    #[error("Python could not be set up: {what}: {message}")]
    Install {
        /// The step.
        what: &'static str,
        /// What the tool said last.
        message: String,
        /// What to do.
        hint: &'static str,
    },
    /// Another process is setting up the environment.
    #[error("Python is being set up by another process")]
    Busy,
}

impl PythonError {
    pub(crate) fn folder(path: &Path, error: io::Error) -> Self {
        Self::Folder { path: path.to_owned(), error }
    }

    /// Whether a model that reads this message may do better: the code is at fault, not the machine.
    pub fn is_the_codes_fault(&self) -> bool {
        matches!(
            self,
            Self::NotCode { .. }
                | Self::Raised(_)
                | Self::NoResult { .. }
                | Self::NotATable { .. }
                | Self::TooLong { .. }
                | Self::TooMuchMemory { .. }
                | Self::TooManyThreads { .. }
                | Self::TooLarge { .. }
                | Self::Crashed { .. }
        )
    }

    /// What the code printed before it failed.
    pub fn printed(&self) -> &str {
        match self {
            Self::Raised(raised) => &raised.stdout,
            Self::NoResult { stdout } => stdout,
            _ => "",
        }
    }

    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoSandbox { .. } => "Use the queries of its views instead: they need no sandbox.",
            Self::Raised(raised) if raised.is_a_refusal() => {
                "The code has no network, no processes and no files: only its tables, and `result`."
            }
            Self::NoResult { .. } | Self::NotATable { .. } => {
                "Assign a DataFrame, a Series, a list of rows or a single value to `result`."
            }
            Self::TooLong { .. } | Self::TooMuchMemory { .. } => "Aggregate or filter in SQL first.",
            Self::TooLarge { .. } => "Aggregate or filter more, so that fewer rows remain.",
            Self::TooManyThreads { .. } => "Start no threads: pandas and polars use several by themselves.",
            Self::Install { hint, .. } => hint,
            Self::Busy => "Wait for it, or end that process.",
            Self::Folder { .. } => "Check the folder's permissions, or choose another one with VITRINE_CACHE.",
            _ => return None,
        })
    }
}

impl Raised {
    /// The sandbox's refusals are ordinary exceptions to the code.
    fn is_a_refusal(&self) -> bool {
        self.class == "PermissionError" || self.message.contains("[Errno 1]") || self.message.contains("[Errno 13]")
    }
}

impl From<PythonError> for AppError {
    fn from(error: PythonError) -> Self {
        let code = match &error {
            PythonError::Cancelled => ErrorCode::Cancelled,
            PythonError::NotCode { .. } | PythonError::Input { .. } => ErrorCode::Usage,
            error if error.is_the_codes_fault() => ErrorCode::Query,
            _ => ErrorCode::Internal,
        };
        let hint = error.hint();
        let plain = AppError::new(code, error.to_string());
        match hint {
            Some(hint) => plain.hint(hint),
            None => plain,
        }
    }
}
