//! The environment on disk: `<folder>/packages` (libraries, as `pip install --target` lays them out), perhaps
//! `<folder>/python` (an interpreter of our own), and `<folder>/environment.json`, which says what they are. The whole
//! folder is put together beside its place and renamed, so that half of one is never found.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Interpreter, PythonError};

/// What it contains, with hashes.
pub(crate) const PACKAGES: &str = include_str!("../pins/packages.txt");
/// The folder's name below the caller's.
const NAME: &str = "analysis";
/// Its description.
const NOTE: &str = "environment.json";
/// Its libraries.
pub(crate) const LIBRARIES: &str = "packages";
/// An interpreter of our own, where the system has none.
pub(crate) const OWN_PYTHON: &str = "python";

/// About how many bytes it takes on disk. About a quarter of that is downloaded.
pub const INSTALLED_BYTES: u64 = 500_000_000;

/// A Python that can run analyses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    interpreter: Interpreter,
    packages: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    interpreter: Interpreter,
    /// The pins it was made from: others make it out of date.
    pins: String,
}

impl Environment {
    /// The one that was set up below `folder`, if it is whole, up to date, and its interpreter is still there.
    pub fn find(folder: &Path) -> Option<Self> {
        let home = folder.join(NAME);
        let note: Note = serde_json::from_slice(&fs::read(home.join(NOTE)).ok()?).ok()?;
        let packages = home.join(LIBRARIES);
        (note.pins == PACKAGES && note.interpreter.exists() && packages.is_dir())
            .then_some(Self { interpreter: note.interpreter, packages: Some(packages) })
    }

    /// An interpreter without pandas and the others: no inputs, no results. For trials of the sandbox.
    pub fn bare(interpreter: Interpreter) -> Self {
        Self { interpreter, packages: None }
    }

    /// What is being put together, for its trial.
    pub(crate) fn over(interpreter: Interpreter, packages: PathBuf) -> Self {
        Self { interpreter, packages: Some(packages) }
    }

    /// Its interpreter.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// The folder of its libraries.
    pub fn packages(&self) -> Option<&Path> {
        self.packages.as_deref()
    }

    /// Bytes that what was set up below `folder` takes on disk; 0 if there is nothing.
    pub fn size(folder: &Path) -> u64 {
        size_of(&folder.join(NAME))
    }

    /// Deletes what was set up below `folder`.
    pub fn remove(folder: &Path) -> Result<(), PythonError> {
        let home = folder.join(NAME);
        let aside = folder.join(format!("{NAME}.removed"));
        let gone = |path: &Path| match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PythonError::folder(path, error)),
            _ => Ok(()),
        };
        gone(&aside)?;
        match fs::rename(&home, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(PythonError::folder(&home, error)),
            Ok(()) => gone(&aside),
        }
    }

    /// Where the parts are put together.
    pub(crate) fn workshop(folder: &Path) -> PathBuf {
        folder.join(format!("{NAME}.new"))
    }

    /// Where it will be.
    pub(crate) fn home(folder: &Path) -> PathBuf {
        folder.join(NAME)
    }

    /// Makes what was put together the environment.
    pub(crate) fn open(folder: &Path, interpreter: Interpreter) -> Result<Self, PythonError> {
        let workshop = Self::workshop(folder);
        let note = workshop.join(NOTE);
        let text = serde_json::to_vec_pretty(&Note { interpreter, pins: PACKAGES.to_owned() });
        let written = text.map_err(io::Error::other).and_then(|text| fs::write(&note, text));
        written.map_err(|error| PythonError::folder(&note, error))?;
        Self::remove(folder)?;
        let home = Self::home(folder);
        fs::rename(&workshop, &home).map_err(|error| PythonError::folder(&home, error))?;
        Self::find(folder).ok_or_else(|| PythonError::folder(&home, io::ErrorKind::NotFound.into()))
    }
}

/// Bytes of all files below a folder.
pub(crate) fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(about) if about.is_dir() => size_of(&entry.path()),
            Ok(about) => about.len(),
            Err(_) => 0,
        })
        .sum()
}
