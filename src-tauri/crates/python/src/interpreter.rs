//! A Python interpreter of this computer, and the files it needs.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use vitrine_words::tr;

use serde::{Deserialize, Serialize};
use tokio::process::Command;

/// Asks an interpreter about itself.
const PROBE: &str = include_str!("probe.py");
/// An interpreter answers in a tenth of a second; one on a sleeping disk takes longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The versions for which all pinned packages exist.
const OLDEST: (u32, u32) = (3, 10);
const NEWEST: (u32, u32) = (3, 14);
/// Names to look for, best first.
const NAMES: &[&str] = &["python3.13", "python3.12", "python3.11", "python3.14", "python3.10", "python3", "python"];

/// An interpreter that can run analyses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The program itself, not a link to it.
    pub exe: PathBuf,
    /// Such as 3.12.1.
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
    /// The best one that the search path leads to.
    pub async fn of_system() -> Option<Self> {
        for name in NAMES {
            match Self::ask(Path::new(name)).await {
                Ok(interpreter) => return Some(interpreter),
                Err(reason) => tracing::debug!("{name} is not taken: {reason}"),
            }
        }
        None
    }

    /// Runs a program to see what it is. Fails with a reason for people: it cannot be started, is not CPython 3.10 to
    /// 3.14 with 64 bits, or lacks a part of the standard library.
    pub async fn ask(program: &Path) -> Result<Self, String> {
        let mut command = Command::new(program);
        // Not where the person happens to be: neither modules nor programs of that folder are to be run.
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
        answer.judged()
    }

    /// Whether the program is still there.
    pub(crate) fn exists(&self) -> bool {
        self.exe.is_file()
    }
}

impl Answer {
    fn judged(self) -> Result<Interpreter, String> {
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
        // A folder of everything would be shown to the code.
        let readable = self.readable.into_iter().filter(|path| path.components().count() > 2).collect();
        Ok(Interpreter { exe: self.exe, version: self.version, readable })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(kind: &str, version: (u32, u32, u32), missing: &[&str]) -> Result<Interpreter, String> {
        Answer {
            exe: "/usr/bin/python3.12".into(),
            version,
            kind: kind.into(),
            bits: 64,
            free_threaded: false,
            missing: missing.iter().map(|m| (*m).to_owned()).collect(),
            readable: vec!["/".into(), "/usr".into(), "/usr/lib/python3.12".into()],
        }
        .judged()
    }

    #[test]
    fn only_an_interpreter_that_fits_the_packages_is_taken() {
        let taken = answer("CPython", (3, 12, 1), &[]).unwrap();
        assert_eq!(taken.readable, [PathBuf::from("/usr/lib/python3.12")]);
        assert!(answer("PyPy", (3, 11, 1), &[]).unwrap_err().contains("PyPy"));
        assert!(answer("CPython", (3, 9, 1), &[]).unwrap_err().contains("3.9"));
        assert!(answer("CPython", (3, 15, 0), &[]).unwrap_err().contains("3.15"));
        assert!(answer("CPython", (3, 12, 1), &["ctypes"]).unwrap_err().contains("ctypes"));
    }
}
