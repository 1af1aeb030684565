//! A single file: its size, its path in a query, and its errors.

use super::kind::{FileKind, file_name};
use crate::engines::duck::{error_message, in_query, quote_literal};
use crate::{OpenOptions, WarehouseError};
use std::path::Path;
use vitrine_domain::FileReading;
use vitrine_words::{later, translate_constant};

/// The description of a supported file, for messages.
pub(super) const LOOKED_FOR_ONE: &str = later!("a CSV, TSV, Parquet, JSON or Excel file");

/// Starts the reading of a file as a table, with the user's options for it.
pub(super) fn start_reading(file: &Path, table: &str, options: &OpenOptions) -> FileReading {
    FileReading {
        table: table.to_owned(),
        file: file_name(file),
        options: options.tables.get(table).cloned().unwrap_or_default(),
        ..FileReading::default()
    }
}

/// Returns the size in bytes.
pub(super) fn file_size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Returns true if a file no longer exists.
pub(super) fn is_gone(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_err()
}

pub(super) fn unreadable_error(path: &Path, format: &str, detail: &str) -> WarehouseError {
    WarehouseError::Unreadable { path: path.to_path_buf(), format: format.to_owned(), detail: detail.trim().to_owned() }
}

/// Converts the engine's error for a file that it cannot read to an error about its content.
pub(super) fn wrong_file(file: &Path, error: &::duckdb::Error) -> WarehouseError {
    match in_query(file, error) {
        WarehouseError::Query { .. } | WarehouseError::Refused { .. } => {
            let wanted = FileKind::from_path(file)
                .map_or_else(|| translate_constant(LOOKED_FOR_ONE).to_owned(), FileKind::title);
            let text = error_message(error);
            // The engine's list of options to try is omitted, because it is meant for authors of its SQL.
            let detail = text.split("\n\n").next().unwrap_or_default().lines().take(3).collect::<Vec<_>>().join(" ");
            unreadable_error(file, &wanted, &detail)
        }
        other => other,
    }
}

/// Quotes a path as a literal without wildcards.
pub(super) fn path_literal(file: &Path) -> String {
    quote_literal(&without_wildcards(file))
}

pub(super) fn without_wildcards(file: &Path) -> String {
    let mut escaped = String::new();
    for char in file.to_string_lossy().chars() {
        match char {
            '[' | '*' | '?' => escaped.extend(['[', char, ']']),
            _ => escaped.push(char),
        }
    }
    escaped
}
