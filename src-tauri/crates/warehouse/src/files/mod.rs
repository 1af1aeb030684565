//! Data files as tables: an in-memory DuckDB that may read these files and nothing else.

mod below;
mod blocks;
mod cell;
mod cell_types;
mod column;
mod columns;
mod dates;
mod delimited;
mod encoding;
mod ends;
mod exact;
mod excel;
mod far_end;
mod file;
mod grid;
mod header;
pub(crate) mod kind;
mod layout;
mod months;
mod names;
mod numbers;
mod records;
mod sheet;
mod sniffed;
mod staged;
mod total_words;

use crate::duck::{DuckWarehouse, in_query, open, quoted};
use crate::{OpenOptions, WarehouseError};
use ::duckdb::Connection;
use file::{pattern, size, unreadable, without_wildcards, wrong_file};
use kind::FileKind;
use names::Names;
use std::path::{Path, PathBuf};
use vitrine_domain::FileOptions;
use vitrine_words::{later, told, tr};

const LOOKED_FOR: &str = later!("CSV, TSV, Parquet, JSON or Excel files");

/// Opens one file or a folder of files.
pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<DuckWarehouse, WarehouseError> {
    // Links are followed here, because the engine compares the paths that it may read with the real ones.
    let real = path.canonicalize().map_err(|error| WarehouseError::io("opening", path, &error))?;
    let files = if real.is_dir() { list(&real)? } else { vec![single(&real)?] };
    let engine_failed = |error: ::duckdb::Error| in_query(path, &error);
    let connection = open::in_memory(options).map_err(engine_failed)?;
    let mut names = Names::default();
    let lone = files.len() == 1 && !real.is_dir();
    let mut readings = Vec::new();
    for (file, kind) in &files {
        let base = kind::stem(file);
        match kind {
            FileKind::Csv => readings.push(delimited::add(&connection, file, &names.unique(&base), options)?),
            FileKind::Parquet => {
                add(&connection, file, &names.unique(&base), "read_parquet", "hive_partitioning = false", false)?
            }
            FileKind::Json => {
                let load = size(file) <= options.load_bytes;
                add(&connection, file, &names.unique(&base), "read_json", &json_options(size(file)), load)?;
            }
            FileKind::Excel => readings.extend(excel::add(&connection, file, &base, lone, &mut names, options)?),
        }
    }
    let paths: Vec<PathBuf> = files.into_iter().map(|(file, _)| file).collect();
    // The engine compares a path both as a query writes it and as it is found.
    let readable: Vec<PathBuf> =
        paths.iter().cloned().chain(paths.iter().map(|file| without_wildcards(file).into())).collect();
    open::lock(&connection, &readable).map_err(engine_failed)?;
    Ok(DuckWarehouse::new(connection, path, paths, options).with_readings(readings))
}

/// Whether what a user says about a file can be meant.
///
/// # Errors
/// What cannot, in a sentence.
pub fn check_file_options(options: &FileOptions) -> Result<(), String> {
    if let Some(label) = options.encoding.as_deref().filter(|label| !encoding::is_known(label)) {
        return Err(tr!(
            "There is no encoding called `{label}`: try utf-8, utf-16le, windows-1252 or iso-8859-15",
            label
        ));
    }
    match options.delimiter.as_deref() {
        Some(delimiter) if records::delimiter(options).is_none() => {
            Err(tr!("`{delimiter}` cannot part cells: one character does, or `tab`", delimiter))
        }
        _ => Ok(()),
    }
}

/// The whole file decides on types and not a sample, so that no query fails on a row further down. One object may be
/// the whole file, up to a size that several threads can hold.
fn json_options(size: u64) -> String {
    format!("sample_size = -1, maximum_object_size = {}, hive_partitioning = false", size.clamp(1 << 20, 128 << 20))
}

fn single(path: &Path) -> Result<(PathBuf, FileKind), WarehouseError> {
    let kind = FileKind::of(path).ok_or_else(|| WarehouseError::NotADatabase {
        path: path.to_path_buf(),
        wanted: told(file::LOOKED_FOR_ONE).to_owned(),
        detail: crate::address::describe_content(path),
    })?;
    if size(path) == 0 {
        return Err(unreadable(path, &kind.title(), &tr!("the file is empty (0 bytes)")));
    }
    Ok((path.to_path_buf(), kind))
}

/// The readable files of a folder, by name. What is empty holds no table; what is hidden is not meant.
fn list(folder: &Path) -> Result<Vec<(PathBuf, FileKind)>, WarehouseError> {
    let failed = |error: std::io::Error| WarehouseError::io("reading", folder, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(['.', '~']));
        if !hidden
            && path.is_file()
            && size(&path) > 0
            && let (Some(kind), Ok(real)) = (FileKind::of(&path), path.canonicalize())
        {
            files.push((real, kind));
        }
    }
    files.sort();
    files.dedup();
    if files.is_empty() {
        return Err(WarehouseError::Empty { path: folder.to_path_buf(), looked_for: told(LOOKED_FOR).to_owned() });
    }
    Ok(files)
}

/// Makes a table or a view of a file that one of the engine's functions reads.
fn add(
    connection: &Connection,
    file: &Path,
    name: &str,
    function: &str,
    options: &str,
    load: bool,
) -> Result<(), WarehouseError> {
    let kind = if load { "TABLE" } else { "VIEW" };
    let sql = format!("CREATE {kind} {} AS SELECT * FROM {function}({}, {options})", quoted(name), pattern(file));
    connection.execute_batch(&sql).map_err(|error| wrong_file(file, &error))
}

#[cfg(test)]
#[path = "../tests/files.rs"]
mod tests;

#[cfg(test)]
#[path = "../tests/exports.rs"]
mod exports;

#[cfg(test)]
#[path = "../tests/workbooks.rs"]
mod workbooks;
