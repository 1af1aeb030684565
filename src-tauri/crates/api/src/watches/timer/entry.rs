//! The content of scheduler entries, and the command that they start.

use crate::folders::Folders;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::Path;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Minutes between two starts of the program.
pub(super) const MINUTES: u32 = 5;
/// The variable that the scheduled program needs if it is set.
const LANGUAGE: &str = "VITRINE_LANGUAGE";

/// A file of a scheduler's entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SchedulerFile {
    /// Absolute path of the file.
    pub path: String,
    /// Content of the file.
    pub content: String,
}

/// An entry of a scheduler: its files, and the commands that activate and remove it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SchedulerEntry {
    /// The files of the entry.
    pub files: Vec<SchedulerFile>,
    /// Commands with their arguments that activate the entry, after the files are written.
    pub activate: Vec<Vec<String>>,
    /// Commands with their arguments that deactivate the entry, before the files are removed.
    pub deactivate: Vec<Vec<String>>,
}

/// The command that a scheduler starts.
pub(super) struct Program {
    pub(super) path: String,
    pub(super) variables: Vec<(&'static str, String)>,
}

impl Program {
    pub(super) const ARGUMENTS: [&'static str; 3] = ["saved", "run", "--due"];

    /// Returns the command with these folders, because a scheduler does not start it with the variables of this process.
    ///
    /// # Errors
    /// When a path contains characters that the files of schedulers cannot hold.
    pub(super) fn with_folders(program: &Path, folders: &Folders) -> Result<Self, AppError> {
        let folder = |path: &Path| path.to_str().map(str::to_owned).ok_or_else(|| unusable_path_error(path));
        let mut variables = vec![("VITRINE_HOME", folder(&folders.data)?), ("VITRINE_CACHE", folder(&folders.cache)?)];
        let language = std::env::var(LANGUAGE).ok().filter(|value| !value.is_empty());
        variables.extend(language.map(|value| (LANGUAGE, value)));
        Self::new(program, variables)
    }

    pub(super) fn new(program: &Path, variables: Vec<(&'static str, String)>) -> Result<Self, AppError> {
        let path = program.to_str().map(str::to_owned);
        let is_usable = |text: &String| !text.chars().any(char::is_control);
        match path.filter(is_usable) {
            Some(path) if variables.iter().all(|(_, value)| is_usable(value)) => Ok(Self { path, variables }),
            _ => Err(unusable_path_error(program)),
        }
    }
}

fn unusable_path_error(path: &Path) -> AppError {
    let message = tr!("The scheduler cannot start a program with the path {path}", path = path.display());
    AppError::new(ErrorCode::Usage, message)
        .with_hint(tr!("Install Vitrine in a folder whose name has no control characters"))
}

/// Escapes a text for XML.
pub(super) fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}

pub(super) fn to_command(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
