//! Classifies DuckDB's errors, which are texts, by the action that a user can take.

use crate::WarehouseError;
use crate::content::describe_content;
use duckdb::Error;
use std::path::Path;
use vitrine_words::tr;

/// Returns the message of a DuckDB error.
pub(crate) fn error_message(error: &Error) -> String {
    match error {
        Error::DuckDBFailure(_, Some(text)) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

/// Classifies an error while opening; the file may have any content.
pub(super) fn at_open(path: &Path, error: &Error) -> WarehouseError {
    let text = error_message(error);
    let has = |part: &str| text.contains(part);
    let owned = path.to_path_buf();
    // For an SQLite file, the engine looks for the extension that would read it.
    if has("not a valid DuckDB database file")
        || has("Loading external extensions is disabled")
        || has("sqlite_scanner")
    {
        let detail = describe_content(path);
        WarehouseError::NotADatabase { path: owned, wanted: tr!("a DuckDB database"), detail }
    } else if has("newer version of DuckDB")
        || has("older version of DuckDB")
        || has("database file with version number")
    {
        WarehouseError::NotADatabase {
            path: owned,
            wanted: tr!("a database of a DuckDB version that can be read here"),
            detail: text,
        }
    } else if has("Could not set lock") || has("Conflicting lock") || has("being used by another process") {
        WarehouseError::Locked { path: owned, detail: text }
    } else if has("Permission denied") {
        WarehouseError::Permission { path: owned }
    } else if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0) {
        WarehouseError::NotADatabase {
            path: owned,
            wanted: tr!("a DuckDB database"),
            detail: tr!("the file is empty (0 bytes)"),
        }
    } else {
        // The header identifies a DuckDB database, but the file cannot be read as one.
        WarehouseError::Corrupt { path: owned, detail: text }
    }
}

/// Classifies an error while a statement was prepared or run.
pub(crate) fn in_query(path: &Path, error: &Error) -> WarehouseError {
    let text = error_message(error);
    let has = |part: &str| text.contains(part);
    if has("Could not read enough bytes") || has("Corrupt database file") || has("computed checksum") {
        WarehouseError::Corrupt { path: path.to_path_buf(), detail: text }
    } else {
        error_from_message(text)
    }
}

/// Classifies an error message that concerns no file.
pub(crate) fn error_from_message(text: String) -> WarehouseError {
    let has = |part: &str| text.contains(part);
    if has("Out of Memory Error") || text.starts_with("Failed to allocate") {
        WarehouseError::Memory { megabytes: 0 }
    } else if text.starts_with("INTERRUPT Error") {
        WarehouseError::Cancelled
    } else if has("attached in read-only mode")
        || has("launched in read-only mode")
        || text.starts_with("Permission Error")
        || has("configuration has been locked")
    {
        WarehouseError::Refused { message: text }
    } else {
        WarehouseError::Query { message: text }
    }
}
