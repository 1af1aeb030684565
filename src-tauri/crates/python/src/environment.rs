//! The environment on disk: `<folder>/packages` (libraries in the layout of `pip install --target`), optionally
//! `<folder>/python` (a downloaded interpreter), and `<folder>/environment.json`, which describes them. The folder is
//! assembled in a temporary place and renamed, so that an incomplete one is never found.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Interpreter, PythonError};

/// The pinned packages with their hashes.
pub(crate) const PACKAGES: &str = include_str!("../pins/packages.txt");
/// The name of the folder below the caller's folder.
const NAME: &str = "analysis";
/// The file that describes the environment.
const NOTE: &str = "environment.json";
/// The folder of the libraries.
pub(crate) const LIBRARIES: &str = "packages";
/// The folder of a downloaded interpreter, used if the system has no suitable one.
pub(crate) const OWN_PYTHON: &str = "python";

/// The approximate size on disk in bytes. About a quarter of that is downloaded.
pub const INSTALLED_BYTES: u64 = 500_000_000;

/// A Python environment that can run analyses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    interpreter: Interpreter,
    packages: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    interpreter: Interpreter,
    /// The pins it was built from; the environment is outdated if they differ from [`PACKAGES`].
    pins: String,
}

impl Environment {
    /// Finds the environment below `folder`, if it is complete and current and its interpreter still exists.
    pub fn find(folder: &Path) -> Option<Self> {
        let home = folder.join(NAME);
        let note: Note = serde_json::from_slice(&fs::read(home.join(NOTE)).ok()?).ok()?;
        let packages = home.join(LIBRARIES);
        (note.pins == PACKAGES && note.interpreter.exists() && packages.is_dir())
            .then_some(Self { interpreter: note.interpreter, packages: Some(packages) })
    }

    /// Creates an environment without packages, hence without inputs and results. For trials of the sandbox.
    pub fn without_packages(interpreter: Interpreter) -> Self {
        Self { interpreter, packages: None }
    }

    /// Creates an environment that is still being assembled, for its trial run.
    pub(crate) fn with_packages(interpreter: Interpreter, packages: PathBuf) -> Self {
        Self { interpreter, packages: Some(packages) }
    }

    /// Returns the interpreter of the environment.
    pub fn interpreter(&self) -> &Interpreter {
        &self.interpreter
    }

    /// Returns the folder of the libraries.
    pub fn packages(&self) -> Option<&Path> {
        self.packages.as_deref()
    }

    /// Returns the size on disk, in bytes, of the environment below `folder`; 0 if there is none.
    pub fn size_on_disk(folder: &Path) -> u64 {
        size_of(&folder.join(NAME))
    }

    /// Deletes the environment below `folder`.
    pub fn remove(folder: &Path) -> Result<(), PythonError> {
        let home = folder.join(NAME);
        let aside = folder.join(format!("{NAME}.removed"));
        let gone = |path: &Path| match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PythonError::from_folder_io(path, error)),
            _ => Ok(()),
        };
        gone(&aside)?;
        match fs::rename(&home, &aside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(PythonError::from_folder_io(&home, error)),
            Ok(()) => gone(&aside),
        }
    }

    /// Returns the temporary folder in which the environment is assembled.
    pub(crate) fn staging_folder(folder: &Path) -> PathBuf {
        folder.join(format!("{NAME}.new"))
    }

    /// Returns the final folder of the environment.
    pub(crate) fn final_folder(folder: &Path) -> PathBuf {
        folder.join(NAME)
    }

    /// Moves the assembled environment to its final place.
    pub(crate) fn move_into_place(folder: &Path, interpreter: Interpreter) -> Result<Self, PythonError> {
        let workshop = Self::staging_folder(folder);
        let note = workshop.join(NOTE);
        let text = serde_json::to_vec_pretty(&Note { interpreter, pins: PACKAGES.to_owned() });
        let written = text.map_err(io::Error::other).and_then(|text| fs::write(&note, text));
        written.map_err(|error| PythonError::from_folder_io(&note, error))?;
        Self::remove(folder)?;
        let home = Self::final_folder(folder);
        fs::rename(&workshop, &home).map_err(|error| PythonError::from_folder_io(&home, error))?;
        Self::find(folder).ok_or_else(|| PythonError::from_folder_io(&home, io::ErrorKind::NotFound.into()))
    }
}

/// Returns the total size in bytes of all files below a folder.
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
