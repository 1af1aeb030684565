//! DuckDB's errors, which are texts, sorted into what a person can do about them.

use crate::WarehouseError;
use crate::address::describe_content;
use duckdb::Error;
use std::path::Path;
use vitrine_words::tr;

/// DuckDB's own text.
pub(crate) fn error_message(error: &Error) -> String {
    match error {
        Error::DuckDBFailure(_, Some(text)) => text.trim().to_owned(),
        other => other.to_string(),
    }
}

/// An error while opening; the file may be anything.
pub(super) fn at_open(path: &Path, error: &Error) -> WarehouseError {
    let text = error_message(error);
    let has = |part: &str| text.contains(part);
    let owned = path.to_path_buf();
    // An SQLite file makes the engine look for the extension that would read it.
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
        // The file says that it is a DuckDB database, yet it cannot be read as one.
        WarehouseError::Corrupt { path: owned, detail: text }
    }
}

/// An error while a statement was prepared or run.
pub(crate) fn in_query(path: &Path, error: &Error) -> WarehouseError {
    let text = error_message(error);
    let has = |part: &str| text.contains(part);
    if has("Could not read enough bytes") || has("Corrupt database file") || has("computed checksum") {
        WarehouseError::Corrupt { path: path.to_path_buf(), detail: text }
    } else {
        error_from_message(text)
    }
}

/// What a text of DuckDB's means that is about no file.
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
