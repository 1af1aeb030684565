//! Errors of code and of setting up the environment: worded for users, and for a model that tries again.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vitrine_words::{Worded, in_english, later, tr, translate_constant};

use vitrine_domain::{AppError, ErrorCode};

/// An exception that the code raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The exception's type, such as `KeyError`.
    pub class: String,
    /// The message; may be empty, at most 4 KiB.
    pub message: String,
    /// The line of the code, from 1; if the exception arose in a library, the innermost line of the code.
    pub line: Option<u32>,
    /// The text of that line.
    pub source: Option<String>,
    /// The output of the code before the exception.
    pub stdout: String,
}

impl Raised {
    /// Returns the message in the program's language; Python's own message is not translated.
    fn in_words(&self) -> String {
        let said = match self.message.as_str() {
            "" => self.class.clone(),
            message => format!("{}: {message}", self.class),
        };
        let said = match &self.source {
            Some(source) => tr!("{said} (in `{source}`)", said, source),
            None => said,
        };
        match self.line {
            Some(line) => tr!("line {line}: {said}", line, said),
            None => said,
        }
    }
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_english(|| self.in_words()))
    }
}

/// The reason why code returned no table, or the environment could not be set up.
#[derive(Debug)]
pub enum PythonError {
    /// This computer has no sandbox, so no code runs.
    NoSandbox {
        /// The missing prerequisite of the sandbox.
        why: String,
    },
    /// The code is not valid text for an interpreter.
    NotCode {
        /// The reason why it is invalid.
        reason: Worded,
    },
    /// An input table cannot be read.
    Input {
        /// The name of the variable.
        name: String,
        /// The cause of the failure.
        message: String,
    },
    /// The code raised an exception, or has a syntax error.
    Raised(Box<Raised>),
    /// The code ended without assigning `result`.
    NoResult {
        /// The output of the code.
        stdout: String,
    },
    /// `result` cannot be converted to a table.
    NotATable {
        /// A description of the actual value.
        message: String,
    },
    /// The code exceeded the time limit.
    TooLong {
        /// The time limit of the run.
        limit: Duration,
    },
    /// The code exceeded the memory limit.
    TooMuchMemory {
        /// The memory limit in bytes.
        limit: u64,
        /// The line, if the interpreter could still report it.
        line: Option<u32>,
    },
    /// The code exceeded the limit of threads.
    TooManyThreads {
        /// The maximum number of threads.
        limit: u32,
    },
    /// The result exceeds the size limit.
    TooLarge {
        /// The size limit in bytes.
        limit: u64,
    },
    /// The interpreter ended without a report.
    Crashed {
        /// A sentence about its end.
        how: Worded,
        /// The end of its error output.
        stderr: String,
    },
    /// The caller cancelled the run.
    Cancelled,
    /// The sandbox's own process failed.
    Sandbox {
        /// The cause of the failure.
        message: String,
    },
    /// A file or folder of the program cannot be used.
    Folder {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A step of setting up the environment failed.
    Install {
        /// The name of the step.
        what: &'static str,
        /// The last output of the tool.
        message: String,
        /// Advice to show the user.
        hint: &'static str,
    },
    /// Another process is setting up the environment.
    Busy,
}

impl PythonError {
    /// Returns the error message in the program's language.
    pub fn in_words(&self) -> String {
        self.describe_with(|worded| &worded.said)
    }

    fn describe_with(&self, read: fn(&Worded) -> &String) -> String {
        match self {
            Self::NoSandbox { why } => tr!("Python code cannot be run safely here: {why}", why),
            Self::NotCode { reason } => tr!("this is not Python code: {reason}", reason = read(reason)),
            Self::Input { name, message } => tr!("the table '{name}' cannot be read: {message}", name, message),
            Self::Raised(raised) => raised.in_words(),
            Self::NoResult { .. } => tr!("the code does not assign `result`"),
            Self::NotATable { message } => tr!("`result` is not a table: {message}", message),
            Self::TooLong { limit } => {
                tr!("the code took longer than {seconds} s and was stopped", seconds = limit.as_secs_f64())
            }
            Self::TooMuchMemory { limit, line: None } => {
                tr!("the code needs more than {megabytes} MB of memory", megabytes = limit / 1_000_000)
            }
            Self::TooMuchMemory { limit, line: Some(line) } => tr!(
                "line {line}: the code needs more than {megabytes} MB of memory",
                line,
                megabytes = limit / 1_000_000
            ),
            Self::TooManyThreads { limit } => tr!("the code starts more than {limit} threads", limit),
            Self::TooLarge { limit } => tr!("the result is larger than {megabytes} MB", megabytes = limit / 1_000_000),
            Self::Crashed { how, stderr } if stderr.is_empty() => read(how).clone(),
            Self::Crashed { how, stderr } => format!("{}: {stderr}", read(how)),
            Self::Cancelled => tr!("it was stopped"),
            Self::Sandbox { message } => tr!("the sandbox failed: {message}", message),
            Self::Folder { path, error } => tr!("{path} cannot be used: {error}", path = path.display(), error),
            Self::Install { what, message, .. } => {
                tr!("Python could not be set up: {what}: {message}", what = translate_constant(what), message)
            }
            Self::Busy => tr!("Python is being set up by another process"),
        }
    }
}

/// Always English, because models and logs read it.
impl std::fmt::Display for PythonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&in_english(|| self.describe_with(|worded| &worded.english)))
    }
}

impl std::error::Error for PythonError {}

impl PythonError {
    pub(crate) fn from_folder_io(path: &Path, error: io::Error) -> Self {
        Self::Folder { path: path.to_owned(), error }
    }

    /// Checks if the code is at fault and not the machine, so that a model may correct it after reading the message.
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

    /// Returns the output of the code before it failed.
    pub fn printed_text(&self) -> &str {
        match self {
            Self::Raised(raised) => &raised.stdout,
            Self::NoResult { stdout } => stdout,
            _ => "",
        }
    }

    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoSandbox { .. } => later!("Use the queries of its views instead: they need no sandbox."),
            Self::Raised(raised) if raised.is_a_refusal() => {
                later!("The code has no network, no processes and no files: only its tables, and `result`.")
            }
            Self::NoResult { .. } | Self::NotATable { .. } => {
                later!("Assign a DataFrame, a Series, a list of rows or a single value to `result`.")
            }
            Self::TooLong { .. } | Self::TooMuchMemory { .. } => later!("Aggregate or filter in SQL first."),
            Self::TooLarge { .. } => later!("Aggregate or filter more, so that fewer rows remain."),
            Self::TooManyThreads { .. } => later!("Start no threads: pandas and polars use several by themselves."),
            Self::Install { hint, .. } => hint,
            Self::Busy => later!("Wait for it, or end that process."),
            Self::Folder { .. } => later!("Check the folder's permissions, or choose another one with VITRINE_CACHE."),
            _ => return None,
        })
    }
}

impl Raised {
    /// Recognizes refusals of the sandbox, which are ordinary exceptions in the code.
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
        let plain = AppError::new(code, error.in_words());
        match hint {
            Some(hint) => plain.with_hint(translate_constant(hint)),
            None => plain,
        }
    }
}
