//! Data files as tables: an in-memory DuckDB that may read only these files.

mod amount_text;
mod below;
mod blocks;
mod cell;
mod cell_types;
mod clock_times;
mod column;
mod columns;
mod covered;
mod date_text;
mod dates;
mod delimited;
mod durations;
mod encoding;
mod ends;
mod exact;
mod excel;
mod far_end;
mod file;
mod formulas;
mod grid;
mod header;
mod hidden;
mod inner_rows;
mod joined;
mod json;
pub(crate) mod kind;
mod layout;
mod letters;
mod listing;
mod missing;
mod missing_words;
mod moment_text;
mod months;
mod names;
mod number_look;
mod number_text;
mod numbers;
mod packed;
mod parquet;
mod records;
mod sheet;
mod shown_units;
mod shown_zeros;
mod sniffed;
mod staged;
mod text_order;
mod total_words;
mod units;
mod value_counts;
mod versions;

use crate::engines::duck::{DuckWarehouse, in_query, open, quote_identifier};
use crate::{OpenOptions, WarehouseError};
use ::duckdb::Connection;
use file::{is_gone, without_wildcards};
use kind::FileKind;
use listing::Listing;
use names::TableNames;
use std::path::{Path, PathBuf};
use vitrine_domain::{FileOptions, FileReading};
use vitrine_words::tr;

/// Opens one file or a folder of files, or the tables of a join in a folder.
pub(crate) fn open_files(path: &Path, options: &OpenOptions) -> Result<DuckWarehouse, WarehouseError> {
    if let Some(tables) = &options.joined {
        return joined::open_tables(path, tables, options);
    }
    // Links are resolved here, because the engine compares the allowed paths with real paths.
    let real = path.canonicalize().map_err(|error| WarehouseError::from_io_error("opening", path, &error))?;
    let is_folder = real.is_dir();
    let mut listing = if is_folder { Listing::of_folder(&real)? } else { Listing::of_file(&real)? };
    let engine_failed = |error: ::duckdb::Error| in_query(path, &error);
    let connection = open::in_memory(options).map_err(engine_failed)?;
    let mut names = TableNames::default();
    let mut readings = Vec::new();
    let mut paths: Vec<PathBuf> = Vec::new();
    let lone = listing.files.len() == 1 && !is_folder;
    for (file, kind) in std::mem::take(&mut listing.files) {
        let size = match packed::unpacked_size(&connection, &file) {
            Err(_) if is_folder && is_gone(&file) => {
                listing.leave_out(&file, tr!("It was removed while the folder was read."));
                continue;
            }
            Err(error) if is_folder => {
                listing.leave_out(&file, exclusion_reason(error));
                continue;
            }
            size => size?,
        };
        let named = names.count();
        match load_file(&connection, &file, kind, size, lone, &mut names, options) {
            Ok(read) => {
                readings.extend(read);
                paths.push(file);
            }
            Err(error) if is_folder && is_gone(&file) => {
                tracing::warn!(%error, "a file went away while the folder was read");
                drop_tables(&connection, &names.take_from(named));
                listing.leave_out(&file, tr!("It was removed while the folder was read."));
            }
            Err(error) if is_folder => {
                tracing::warn!(%error, "a file of the folder cannot be read");
                drop_tables(&connection, &names.take_from(named));
                listing.leave_out(&file, exclusion_reason(error));
            }
            Err(error) => return Err(error),
        }
    }
    if paths.is_empty() {
        return Err(listing.no_tables_error(&real));
    }
    readings.extend(listing.left_out);
    // The engine compares a path both as written in a query and after resolution.
    let readable: Vec<PathBuf> =
        paths.iter().cloned().chain(paths.iter().map(|file| without_wildcards(file).into())).collect();
    open::lock_connection(&connection, &readable).map_err(engine_failed)?;
    Ok(DuckWarehouse::new(connection, path, paths, options).with_readings(readings))
}

/// Returns the sentence with the reason for excluding a file.
fn exclusion_reason(error: WarehouseError) -> String {
    match error {
        WarehouseError::Unreadable { detail, .. } => detail,
        other => other.in_words(),
    }
}

/// Drops the tables and views that were created from a file before it proved unreadable.
fn drop_tables(connection: &Connection, tables: &[String]) {
    for table in tables.iter().map(String::as_str).chain([staged::STAGED]) {
        for kind in ["TABLE", "VIEW"] {
            // A reserved name may have no object, and dropping a view as a table fails, so errors are ignored.
            let _ = connection.execute_batch(&format!("DROP {kind} IF EXISTS {}", quote_identifier(table)));
        }
    }
}

/// Creates the tables of one file.
fn load_file(
    connection: &Connection,
    file: &Path,
    kind: FileKind,
    size: u64,
    lone: bool,
    names: &mut TableNames,
    options: &OpenOptions,
) -> Result<Vec<FileReading>, WarehouseError> {
    let base = kind::file_stem(file);
    let before = file_version(file);
    let readings = match kind {
        FileKind::Csv => vec![delimited::add(connection, file, size, &names.claim_unique_name(&base), options)?],
        FileKind::Parquet => Vec::from_iter(parquet::add(connection, file, &names.claim_unique_name(&base))?),
        FileKind::Json => vec![json::add(connection, file, size, &names.claim_unique_name(&base), options)?],
        FileKind::Excel => excel::add(connection, file, &base, lone, names, options)?,
    };
    match file_version(file) == before {
        true => Ok(readings),
        false => Err(WarehouseError::Locked {
            path: file.to_path_buf(),
            detail: tr!("it was changed while it was read: ask again"),
        }),
    }
}

/// Returns a text that changes when a file is written, replaced or truncated.
fn file_version(file: &Path) -> String {
    crate::fingerprint::data_version(&[file])
}

/// Checks a user's options for a file.
///
/// # Errors
/// A sentence that describes the invalid option.
pub fn check_file_options(options: &FileOptions) -> Result<(), String> {
    if let Some(label) = options.encoding.as_deref().filter(|label| !encoding::is_known(label)) {
        return Err(tr!("There is no encoding `{label}`: try utf-8, utf-16le, windows-1252 or iso-8859-15", label));
    }
    match options.delimiter.as_deref() {
        Some(delimiter) if records::parse_delimiter(options).is_none() => {
            Err(tr!("`{delimiter}` cannot separate cells: use one character, or `tab`", delimiter))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
