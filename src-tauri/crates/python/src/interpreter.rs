//! A Python interpreter on this computer, and the files it needs.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use vitrine_words::tr;

use serde::{Deserialize, Serialize};
use tokio::process::Command;

/// A script that reports the interpreter's properties.
const PROBE: &str = include_str!("probe.py");
/// Timeout for the script. It takes a tenth of a second, but longer if a disk has to spin up.
const PATIENCE: Duration = Duration::from_secs(20);
/// The range of versions for which all pinned packages exist.
const OLDEST: (u32, u32) = (3, 10);
const NEWEST: (u32, u32) = (3, 14);
/// Program names to try, in order of preference.
const NAMES: &[&str] = &["python3.13", "python3.12", "python3.11", "python3.14", "python3.10", "python3", "python"];

/// An interpreter that can run analyses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The path of the program, with links resolved.
    pub exe: PathBuf,
    /// The version, such as 3.12.1.
    pub version: (u32, u32, u32),
    /// Files and folders that it reads: its library, the system's libraries, time zones.
    pub readable: Vec<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    exe: PathBuf,
    version: (u32, u32, u32),
    kind: String,
    bits: u32,
    free_threaded: bool,
    missing: Vec<String>,
    readable: Vec<PathBuf>,
}

impl Interpreter {
    /// Finds the best interpreter on the search path.
    pub async fn of_system() -> Option<Self> {
        for name in NAMES {
            match Self::from_program(Path::new(name)).await {
                Ok(interpreter) => return Some(interpreter),
                Err(reason) => tracing::debug!("{name} is not taken: {reason}"),
            }
        }
        None
    }

    /// Runs a program to determine its properties. Fails with a reason for the user if it cannot be started, is not a
    /// 64-bit CPython 3.10 to 3.14, or lacks a part of the standard library.
    pub async fn from_program(program: &Path) -> Result<Self, String> {
        let mut command = Command::new(program);
        // Not in the user's current folder, whose modules and programs must not run.
        command.args(["-I", "-S", "-B", "-c", PROBE]).current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = match tokio::time::timeout(PATIENCE, command.output()).await {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => return Err(tr!("it cannot be started: {error}", error)),
            Err(_) => return Err(tr!("it does not answer")),
        };
        if !output.status.success() {
            return Err(tr!("it fails: {message}", message = String::from_utf8_lossy(&output.stderr).trim()));
        }
        let answer: Answer = serde_json::from_slice(&output.stdout).map_err(|_| tr!("it is not Python 3"))?;
        answer.into_interpreter()
    }

    /// Checks that the program still exists.
    pub(crate) fn exists(&self) -> bool {
        self.exe.is_file()
    }
}

impl Answer {
    fn into_interpreter(self) -> Result<Interpreter, String> {
        let (major, minor, _) = self.version;
        if self.kind != "CPython" || self.bits != 64 || self.free_threaded {
            return Err(tr!(
                "it is {name} with {bits} bits, not the usual CPython",
                name = self.kind,
                bits = self.bits
            ));
        }
        if (major, minor) < OLDEST || (major, minor) > NEWEST {
            return Err(tr!("it is version {major}.{minor}", major, minor));
        }
        if !self.missing.is_empty() {
            return Err(tr!("its library lacks {modules}", modules = self.missing.join(", ")));
        }
        // Top-level folders such as `/usr` would expose too much to the code.
        let readable = self.readable.into_iter().filter(|path| path.components().count() > 2).collect();
        Ok(Interpreter { exe: self.exe, version: self.version, readable })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_answer(kind: &str, version: (u32, u32, u32), missing: &[&str]) -> Result<Interpreter, String> {
        Answer {
            exe: "/usr/bin/python3.12".into(),
            version,
            kind: kind.into(),
            bits: 64,
            free_threaded: false,
            missing: missing.iter().map(|m| (*m).to_owned()).collect(),
            readable: vec!["/".into(), "/usr".into(), "/usr/lib/python3.12".into()],
        }
        .into_interpreter()
    }

    #[test]
    fn only_an_interpreter_that_fits_the_packages_is_taken() {
        let taken = check_answer("CPython", (3, 12, 1), &[]).unwrap();
        assert_eq!(taken.readable, [PathBuf::from("/usr/lib/python3.12")]);
        assert!(check_answer("PyPy", (3, 11, 1), &[]).unwrap_err().contains("PyPy"));
        assert!(check_answer("CPython", (3, 9, 1), &[]).unwrap_err().contains("3.9"));
        assert!(check_answer("CPython", (3, 15, 0), &[]).unwrap_err().contains("3.15"));
        assert!(check_answer("CPython", (3, 12, 1), &["ctypes"]).unwrap_err().contains("ctypes"));
    }
}
