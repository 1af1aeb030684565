//! A script to run: the code, its input tables, and its limits.

use std::path::PathBuf;
use std::time::Duration;
use vitrine_words::{Worded, tr};

use crate::PythonError;

/// Maximum code length in bytes; a model's code is about a hundredth of it.
const LONGEST: usize = 1 << 20;
/// Words that cannot be variable names, or that the sandbox uses itself.
const RESERVED: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "result", "pd", "np", "pl",
];

/// Python code that is valid text for the interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    code: String,
}

impl Script {
    /// Validates code: UTF-8 without NUL, at most 1 MiB. Each input is a pandas DataFrame with its name; the code
    /// assigns `result`. `pd`, `np` and `pl` are already imported.
    pub fn new(code: impl Into<Vec<u8>>) -> Result<Self, PythonError> {
        let refuse = |say: &dyn Fn() -> String| Err(PythonError::NotCode { reason: Worded::new(say) });
        let bytes = code.into();
        if bytes.len() > LONGEST {
            let length = bytes.len();
            return refuse(&|| tr!("it has {length} bytes, and {most} are allowed", length, most = LONGEST));
        }
        match String::from_utf8(bytes) {
            Err(error) => {
                let byte = error.utf8_error().valid_up_to();
                refuse(&|| tr!("it is not text: byte {byte} is not UTF-8", byte))
            }
            Ok(code) if code.contains('\0') => refuse(&|| tr!("it contains a NUL character")),
            Ok(code) => Ok(Self { code }),
        }
    }

    /// Returns the text of the code.
    pub fn code(&self) -> &str {
        &self.code
    }
}

/// A table that the code may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The name of the variable in the code.
    pub name: String,
    /// The path of a Parquet file.
    pub path: PathBuf,
}

impl Input {
    /// Rejects names that are not valid names of Python variables.
    ///
    /// # Errors
    /// Returns [`PythonError::Input`] for an invalid name.
    pub fn check_name(&self) -> Result<(), PythonError> {
        let mut letters = self.name.chars();
        let begins_well = letters.next().is_some_and(|c| c == '_' || c.is_alphabetic());
        let plain = begins_well && letters.all(|c| c == '_' || c.is_alphanumeric());
        if !plain || self.name.starts_with("__") || RESERVED.contains(&self.name.as_str()) {
            let message = tr!("this cannot be the name of a variable");
            return Err(PythonError::Input { name: self.name.clone(), message });
        }
        Ok(())
    }
}

/// The resource limits of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time from the interpreter's start.
    pub time: Duration,
    /// Memory in bytes, including that of the interpreter and its packages (about 100 MB with pandas).
    pub memory: u64,
    /// Number of threads. The code can never start processes.
    pub threads: u32,
    /// Size of the result file in bytes.
    pub output: u64,
    /// Bytes that are kept of the standard output and of the error output; the rest is dropped.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), memory: 1 << 30, threads: 32, output: 64 << 20, text: 64 << 10 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_that_an_interpreter_can_be_given_is_code() {
        assert!(Script::new("result = 1").is_ok());
        for (bytes, reason) in [
            (b"a = 1\0".to_vec(), "NUL"),
            (vec![b'a', 0xff], "byte 1 is not UTF-8"),
            (vec![b'#'; 10 << 20], "10485760 bytes"),
        ] {
            let error = Script::new(bytes).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn names_of_inputs_are_variables() {
        let name = |name: &str| Input { name: name.into(), path: "x".into() }.check_name();
        assert!(name("orders_2024").is_ok() && name("größe").is_ok());
        for bad in ["", "1a", "a b", "a;b", "import", "result", "__builtins__", "a.b", "a\nb"] {
            assert!(name(bad).is_err(), "{bad}");
        }
    }
}
