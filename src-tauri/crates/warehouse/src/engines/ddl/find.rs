//! Finds the files that define a schema, and the names that their folders imply.
//!
//! Supported layouts: a script; a folder of scripts; `DATABASE/SCHEMA/DDL.csv` with one `TABLE.json` per table beside
//! it; and a folder of such databases.

use crate::files::kind::FileKind;
use crate::{WarehouseError, regular};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use vitrine_words::tr;

/// Maximum depth of folders below the given one.
const DEPTH: usize = 5;

/// The format of a file with definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// A CSV file with one row per table.
    List,
    /// A JSON file that describes one table.
    Record,
    /// A script of SQL statements.
    Script,
}

/// Database and schema names taken from folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FolderNames {
    pub(super) catalog: Option<String>,
    pub(super) schema: Option<String>,
}

#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) kind: SourceKind,
    pub(super) place: FolderNames,
}

/// Returns all files that define tables, in a stable order.
pub(super) fn find_sources(path: &Path) -> Result<Vec<Source>, WarehouseError> {
    let metadata = std::fs::metadata(path).map_err(|error| WarehouseError::from_io_error("opening", path, &error))?;
    let mut found = Vec::new();
    if metadata.is_dir() {
        walk_folder(path, DEPTH, &mut found).map_err(|error| WarehouseError::from_io_error("reading", path, &error))?;
    } else {
        let kind = detect_source_kind(path).unwrap_or(SourceKind::Script);
        found.push(Source { path: path.to_path_buf(), kind, place: infer_folder_names(path) });
    }
    if found.is_empty() {
        return Err(WarehouseError::Empty { path: path.to_path_buf(), looked_for: tr!(".sql files or a DDL.csv") });
    }
    Ok(found)
}

fn walk_folder(folder: &Path, depth: usize, found: &mut Vec<Source>) -> std::io::Result<()> {
    let mut entries =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            continue;
        }
        if path.is_dir() {
            if depth > 0 {
                walk_folder(&path, depth - 1, found)?;
            }
        } else if let Some(kind) = detect_source_kind(&path) {
            let place = infer_folder_names(&path);
            found.push(Source { path, kind, place });
        }
    }
    Ok(())
}

fn detect_source_kind(path: &Path) -> Option<SourceKind> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "sql" | "ddl" => Some(SourceKind::Script),
        "csv" if is_schema_table(path) => Some(SourceKind::List),
        "json" if is_record(path) => Some(SourceKind::Record),
        _ => None,
    }
}

/// Derives the names from the path `DATABASE/SCHEMA/file`.
fn infer_folder_names(path: &Path) -> FolderNames {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name = |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let schema = absolute.parent();
    FolderNames { catalog: name(schema.and_then(Path::parent)), schema: name(schema) }
}

/// Returns true if a CSV file is a table of definitions: it has a column `table_name` and one for definitions or
/// descriptions.
pub(crate) fn is_schema_table(path: &Path) -> bool {
    let Ok(file) = regular::open_file(path) else { return false };
    let mut head = String::new();
    if BufReader::new(file.take(4_096)).read_line(&mut head).is_err() {
        return false;
    }
    let columns: Vec<String> = head
        .trim_start_matches('\u{feff}')
        .split(',')
        .map(|column| column.trim().trim_matches('"').to_ascii_lowercase())
        .collect();
    columns.first().is_some_and(|first| first == "table_name")
        && columns.len() <= 3
        && columns[1..].iter().any(|column| column == "ddl" || column == "description")
}

/// Returns true if a JSON file describes one table.
fn is_record(path: &Path) -> bool {
    let mut head = [0; 16_384];
    let Ok(mut file) = regular::open_file(path) else { return false };
    let Ok(length) = file.read(&mut head) else { return false };
    let head = String::from_utf8_lossy(&head[..length]);
    head.trim_start().starts_with('{') && (head.contains("\"table_name\"") || head.contains("\"table_fullname\"")) && {
        // Long names may push the second key beyond the examined part.
        head.contains("\"column_names\"") || length == 16_384
    }
}

/// Returns true if a folder is more likely a schema than a set of data files.
pub(crate) fn looks_like_schema_folder(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).take(10_000).collect();
    let is_list = |path: &PathBuf| detect_source_kind(path) == Some(SourceKind::List);
    if paths.iter().any(is_list) {
        return true;
    }
    if paths.iter().any(|path| FileKind::from_path(path).is_some()) {
        return false;
    }
    paths.iter().any(|path| detect_source_kind(path) == Some(SourceKind::Script))
        || paths.iter().filter(|path| path.is_dir()).take(20).any(|path| nested_list(path, DEPTH - 1))
}

fn nested_list(folder: &Path, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).take(1_000).collect();
    paths.iter().any(|path| detect_source_kind(path) == Some(SourceKind::List))
        || depth > 0 && paths.iter().filter(|path| path.is_dir()).take(5).any(|path| nested_list(path, depth - 1))
}
