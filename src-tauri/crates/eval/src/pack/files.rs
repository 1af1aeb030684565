//! Reading of pack files, with errors that name file and line.

use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

pub(super) fn read_text(path: &Path) -> Result<String, AppError> {
    std::fs::read_to_string(path).map_err(|e| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display())).with_detail(e)
    })
}

/// Reads a file with one JSON value per line.
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, AppError> {
    let text = read_text(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|e| {
                let message = tr!("{path}, line {index}, is not as expected", path = path.display(), index = index + 1);
                AppError::new(ErrorCode::Usage, message).with_detail(e)
            })
        })
        .collect()
}

/// Reads a file with one JSON list.
pub(super) fn json_list<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, AppError> {
    serde_json::from_str(&read_text(path)?).map_err(|e| {
        AppError::new(ErrorCode::Usage, tr!("{path} is not as expected", path = path.display())).with_detail(e)
    })
}

/// Lists a folder sorted by name; empty if it does not exist.
pub(super) fn list_folder(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns the first path that is a file, or the first path if none is.
pub(super) fn first_file(places: impl IntoIterator<Item = PathBuf>) -> PathBuf {
    let places: Vec<PathBuf> = places.into_iter().collect();
    let found = places.iter().find(|path| path.is_file()).or(places.first());
    found.cloned().unwrap_or_default()
}

/// Returns the text unless it is blank.
pub(super) fn non_blank(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}
