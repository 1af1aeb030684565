//! The file: its tables, and opening connections to it.
//!
//! Values of one column have consecutive ids, so a value needs no reference to its column, and a column is deleted by a
//! range. Postings are packed into pages of about one SQLite page each (see `segment`), because one row per posting
//! would take three times the space and most of the build time for ten million values.

use crate::ValuesError;
use crate::keys::FORMAT;
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params};
use std::path::Path;
use std::time::{Duration, Instant};

/// A column with stored values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredColumn {
    /// Row id of the column.
    pub id: i64,
    /// Name of the table as in queries.
    pub table: String,
    pub name: String,
    /// Digest that changes if the column's profile changes.
    pub fingerprint: String,
    /// Id of its first value.
    pub first: i64,
    /// Number of the column's values.
    pub count: i64,
}

impl StoredColumn {
    /// Returns the id after the last value.
    pub fn end_value_id(&self) -> i64 {
        self.first + self.count
    }
}

const SCHEMA: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source(id INTEGER PRIMARY KEY, tbl TEXT NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL,
                    first INTEGER NOT NULL, count INTEGER NOT NULL, done INTEGER NOT NULL);
CREATE TABLE value(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE segment(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, past INTEGER NOT NULL, live INTEGER NOT NULL);
CREATE TABLE posting(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE vector(text TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE embedded(source INTEGER PRIMARY KEY);
";

/// Number of bytes of the file that are memory-mapped for searches. A larger map would be faster for the largest files,
/// but the process would appear to use that much memory.
const MAPPED: u32 = 256 << 20;

/// Maximum time to wait for another process that uses the file.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens the file for searches, creating it if it does not exist. A damaged file, or one of another format, is emptied,
/// because the index can always be rebuilt.
pub fn open_index(path: &Path) -> Result<Connection, ValuesError> {
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|source| ValuesError::Folder { path: folder.to_owned(), source })?;
    }
    let connection = match prepare_file(path) {
        Err(ValuesError::Storage(error)) if is_damage(&error) => {
            for suffix in ["", "-wal", "-shm"] {
                let mut file = path.as_os_str().to_owned();
                file.push(suffix);
                // If a file cannot be removed, the second attempt fails with the reason.
                let _ = std::fs::remove_file(file);
            }
            prepare_file(path)
        }
        other => other,
    }?;
    connection.execute_batch(&format!("PRAGMA mmap_size={MAPPED}"))?;
    Ok(connection)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

fn prepare_file(path: &Path) -> Result<Connection, ValuesError> {
    let mut connection = open_connection(path)?;
    if read_version(&connection)? == FORMAT {
        return Ok(connection);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have created it in the meantime.
    if read_version(&transaction)? != FORMAT {
        let tables: Vec<String> = transaction
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let drops: String = tables.iter().map(|t| format!("DROP TABLE \"{}\";", t.replace('"', "\"\""))).collect();
        transaction.execute_batch(&format!("{drops}{SCHEMA}PRAGMA user_version={FORMAT};"))?;
    }
    transaction.commit()?;
    Ok(connection)
}

fn read_version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Opens another connection to a file that [`open_index`] has prepared.
pub fn open_connection(path: &Path) -> Result<Connection, ValuesError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute_batch("PRAGMA page_size=4096;")?;
    write_ahead(&connection)?;
    // Losing the last transaction in a power failure only costs reading one column again, so full syncs are
    // unnecessary.
    connection.execute_batch("PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// Enables write-ahead logging. SQLite does not wait for another process that does the same at this moment.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let began = Instant::now();
    loop {
        match connection.execute_batch("PRAGMA journal_mode=WAL;") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && began.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            set => return set,
        }
    }
}

/// Returns all finished columns, sorted by first id.
pub fn load_columns(connection: &Connection) -> Result<Vec<StoredColumn>, ValuesError> {
    let mut statement = connection
        .prepare_cached("SELECT id, tbl, name, fingerprint, first, count FROM source WHERE done = 1 ORDER BY first")?;
    let rows = statement.query_map([], |row| {
        Ok(StoredColumn {
            id: row.get(0)?,
            table: row.get(1)?,
            name: row.get(2)?,
            fingerprint: row.get(3)?,
            first: row.get(4)?,
            count: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Reads a note by its key.
pub fn read_note(connection: &Connection, key: &str) -> Result<Option<String>, ValuesError> {
    Ok(connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()?)
}

/// Writes a note, or removes it if `value` is `None`.
pub fn set_note(connection: &Connection, key: &str, value: Option<&str>) -> Result<(), ValuesError> {
    match value {
        Some(value) => connection.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![key, value])?,
        None => connection.execute("DELETE FROM meta WHERE key = ?1", [key])?,
    };
    Ok(())
}

/// Deletes a column and its values, finished or not. Its postings become unused and are removed when segments are
/// compacted.
pub fn drop_column(connection: &Connection, id: i64, first: i64, past: i64) -> Result<(), ValuesError> {
    connection.execute("DELETE FROM value WHERE id >= ?1 AND id < ?2", [first, past])?;
    connection.execute("DELETE FROM source WHERE id = ?1", [id])?;
    connection.execute("DELETE FROM embedded WHERE source = ?1", [id])?;
    Ok(())
}
