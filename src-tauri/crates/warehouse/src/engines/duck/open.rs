//! Opens DuckDB with all available restrictions.

use super::errors;
use crate::regular::other_kind;
use crate::safety::lock_layer;
use crate::{OpenOptions, WarehouseError};
use duckdb::{AccessMode, Config, Connection, Result};
use std::path::{Path, PathBuf};
use vitrine_domain::SafetyLayer;
use vitrine_words::tr;

/// Maximum number of bytes that may be spilled.
const MOST_SPILLED: u64 = 8 << 30;

/// Opens a database file read-only.
pub(super) fn open_database(path: &Path, options: &OpenOptions) -> Result<Connection, WarehouseError> {
    let metadata = std::fs::metadata(path).map_err(|error| WarehouseError::from_io_error("opening", path, &error))?;
    if metadata.is_dir() {
        return Err(WarehouseError::IsFolder { path: path.to_path_buf(), wanted: tr!("a DuckDB database file") });
    }
    if let Some(detail) = other_kind(&metadata) {
        let wanted = tr!("a DuckDB database file");
        return Err(WarehouseError::NotADatabase { path: path.to_path_buf(), wanted, detail });
    }
    let open = || {
        let config = build_config(options)?.access_mode(AccessMode::ReadOnly)?.enable_external_access(false)?;
        let connection = Connection::open_with_flags(path, config)?;
        lock_connection(&connection, &[])?;
        // Reads the schema, so that a damaged file fails here instead of in the first question.
        connection.query_row("SELECT count(*) FROM duckdb_columns()", [], |row| row.get::<_, i64>(0))?;
        Ok(connection)
    };
    open().map_err(|error| errors::at_open(path, &error))
}

/// Opens an empty database in memory that can still read any file; [`lock_connection`] removes this access.
pub(crate) fn in_memory(options: &OpenOptions) -> Result<Connection> {
    Connection::open_in_memory_with_flags(build_config(options)?)
}

fn build_config(options: &OpenOptions) -> Result<Config> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from) as i64,
        threads => i64::from(threads),
    };
    let spill = options.temp_folder.as_deref().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    let room = options.temp_folder.as_deref().map_or(0, spill_limit);
    Config::default()
        .enable_autoload_extension(false)?
        .max_memory(&format!("{}B", options.memory_bytes))?
        .threads(threads)?
        .with("allow_community_extensions", "false")?
        .with("temp_directory", spill)?
        .with("max_temp_directory_size", format!("{room}B"))?
        .custom_user_agent("vitrine")
}

/// Returns the bytes that all sorts and joins together may spill: at most half of the free space in the folder.
fn spill_limit(folder: &Path) -> u64 {
    MOST_SPILLED.min(free_bytes(folder).map_or(MOST_SPILLED, |free| free / 2))
}

#[cfg(target_os = "linux")]
fn free_bytes(folder: &Path) -> Option<u64> {
    rustix::fs::statvfs(folder).ok().map(|about| about.f_bavail.saturating_mul(about.f_frsize))
}

#[cfg(not(target_os = "linux"))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Allows reading these files and no others, permanently.
pub(crate) fn lock_connection(connection: &Connection, readable: &[PathBuf]) -> Result<()> {
    // A fixed time zone, so that a query returns the same text on every machine.
    connection.execute_batch("SET GLOBAL TimeZone = 'UTC'")?;
    if !readable.is_empty() {
        let list: Vec<String> = readable.iter().map(|path| quote_literal(&path.to_string_lossy())).collect();
        connection.execute_batch(&format!("SET GLOBAL allowed_paths = [{}]", list.join(", ")))?;
    }
    connection.execute_batch("SET GLOBAL enable_external_access = false; SET GLOBAL lock_configuration = true")
}

/// Checks which restrictions a connection currently has.
pub(super) fn check_locks(connection: &Connection) -> Result<SafetyLayer> {
    // Data files are exposed as tables in memory, which are discarded with the connection.
    let sql = "SELECT bool_and(readonly OR path IS NULL) FROM duckdb_databases() WHERE NOT internal";
    let reads: bool = connection.query_row(sql, [], |row| row.get(0))?;
    let setting = |name: &str, wanted: &str| {
        let sql = format!("SELECT current_setting({})::VARCHAR", quote_literal(name));
        connection.query_row(&sql, [], |row| row.get::<_, String>(0)).map(|value| value == wanted)
    };
    let locks = [
        (tr!("the file is opened read-only"), reads),
        (tr!("no other file and no address can be read"), setting("enable_external_access", "false")?),
        (tr!("settings can no longer be changed"), setting("lock_configuration", "true")?),
        (tr!("extensions are not loaded automatically"), setting("autoload_known_extensions", "false")?),
        (tr!("extensions of third parties are refused"), setting("allow_community_extensions", "false")?),
    ];
    Ok(lock_layer("DuckDB", &locks, tr!("The open connection was asked for its settings and databases.")))
}

/// Quotes a text as an SQL literal.
pub(crate) fn quote_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Quotes a name as an SQL identifier.
pub(crate) fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spilled_is_bounded_in_all_and_is_nothing_without_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let bound = |temp_folder: Option<PathBuf>| -> String {
            let connection = in_memory(&OpenOptions { temp_folder, ..OpenOptions::default() }).unwrap();
            connection.query_row("SELECT current_setting('max_temp_directory_size')", [], |row| row.get(0)).unwrap()
        };
        assert_eq!(bound(None), "0 bytes");
        let few = free_bytes(folder.path()).is_some_and(|free| free / 2 < MOST_SPILLED);
        let most = bound(Some(folder.path().to_path_buf()));
        assert!(most == "8.0 GiB" || few, "{most}");
    }
}
