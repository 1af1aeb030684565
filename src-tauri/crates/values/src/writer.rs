//! Writes the file: one column at a time, with one transaction per batch.

use crate::fresh::Fresh;
use crate::storage::{self, StoredColumn};
use crate::{ValuesError, segment};
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};
use std::fs::{File, TryLockError};
use std::path::Path;

/// Key of the note that stores the catalog of the last complete build.
pub(crate) const BUILT: &str = "built";

/// Number of values per statement, so that SQLite finds the end of the table once for all of them.
const ROWS: usize = 64;

/// The only writer of an index file.
pub(crate) struct Writer {
    connection: Connection,
    /// Finished columns by table and name.
    stored: HashMap<(String, String), StoredColumn>,
    /// The column that is being written.
    open: Option<StoredColumn>,
    /// Id of the next value.
    next: i64,
    /// Number of values that are finished and not yet packed.
    waiting: i64,
    /// Keys of the most recently written values.
    fresh: Fresh,
    /// Lock against a second process, held for the lifetime of the writer.
    _lock: File,
}

impl Writer {
    /// Opens the file for writing. Removes remains of an interrupted build and the columns that are not to be kept.
    /// Also returns the number of removed columns.
    pub fn start_build(
        path: &Path,
        keep: &HashSet<(String, String)>,
        fingerprint: &str,
    ) -> Result<(Self, usize), ValuesError> {
        let lock = acquire_lock(path)?;
        let mut connection = storage::open_connection(path)?;
        let transaction = connection.transaction()?;
        if storage::read_note(&transaction, BUILT)?.is_some_and(|built| built != fingerprint) {
            storage::set_note(&transaction, BUILT, None)?;
        }
        let end = "SELECT max(coalesce((SELECT max(past) FROM segment), 0), coalesce((SELECT max(first + count) FROM source WHERE done), 0))";
        let broken: Vec<(i64, i64)> = transaction
            .prepare("SELECT id, first FROM source WHERE done = 0")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        for (id, first) in broken {
            // An unfinished column is always the last one written, so its values extend to the end.
            storage::drop_column(&transaction, id, first, i64::MAX)?;
        }
        let mut stored = HashMap::new();
        let mut removed = 0;
        for column in storage::load_columns(&transaction)? {
            let key = (column.table.clone(), column.name.clone());
            if keep.contains(&key) {
                stored.insert(key, column);
            } else {
                storage::drop_column(&transaction, column.id, column.first, column.end_value_id())?;
                removed += 1;
            }
        }
        let next = transaction.query_row(end, [], |row| row.get(0))?;
        transaction.commit()?;
        Ok((Self { connection, stored, open: None, next, waiting: 0, fresh: Fresh::new(next), _lock: lock }, removed))
    }

    /// Begins a column. Returns false if its values are already stored.
    pub fn begin_column(&mut self, table: &str, name: &str, fingerprint: &str) -> Result<bool, ValuesError> {
        let known = self.stored.get(&(table.to_owned(), name.to_owned()));
        if known.is_some_and(|c| c.fingerprint == fingerprint) {
            return Ok(false);
        }
        self.connection.execute(
            "INSERT INTO source(tbl, name, fingerprint, first, count, done) VALUES (?1, ?2, ?3, ?4, 0, 0)",
            params![table, name, fingerprint, self.next],
        )?;
        self.open = Some(StoredColumn {
            id: self.connection.last_insert_rowid(),
            table: table.to_owned(),
            name: name.to_owned(),
            fingerprint: fingerprint.to_owned(),
            first: self.next,
            count: 0,
        });
        Ok(true)
    }

    /// Adds values to the column and returns their number. Their keys are computed on another thread at the same time.
    pub fn append_values<T: AsRef<str> + Sync>(&mut self, texts: &[T]) -> Result<u64, ValuesError> {
        let Self { connection, fresh, next, .. } = self;
        let (inserted, ()) = rayon::join(|| insert_values(connection, *next, texts), || fresh.add(texts));
        inserted?;
        self.next += texts.len() as i64;
        Ok(texts.len() as u64)
    }

    /// Makes the column visible in place of its previous version.
    pub fn finish_column(&mut self) -> Result<(), ValuesError> {
        let Some(mut column) = self.open.take() else { return Ok(()) };
        let first = column.first;
        column.count = self.next - first;
        let transaction = self.connection.transaction()?;
        transaction.execute("UPDATE source SET count = ?1, done = 1 WHERE id = ?2", [column.count, column.id])?;
        if let Some(old) = self.stored.insert((column.table.clone(), column.name.clone()), column) {
            storage::drop_column(&transaction, old.id, old.first, old.end_value_id())?;
            if old.first >= self.fresh.first_value_id() {
                self.fresh.discard_values();
            }
        }
        transaction.commit()?;
        self.waiting += self.next - first;
        if self.waiting >= segment::ENOUGH as i64 * 2 {
            self.waiting = 0;
            segment::compact_segments(&mut self.connection, self.fresh.take_values(self.next))?;
        }
        Ok(())
    }

    /// Discards the values of the column, so that they can be written again.
    pub fn restart_column(&mut self) -> Result<(), ValuesError> {
        if let Some(column) = &self.open {
            self.connection.execute("DELETE FROM value WHERE id >= ?1", [column.first])?;
            self.next = column.first;
            self.fresh.discard_values();
        }
        Ok(())
    }

    /// Discards the column; its previous version stays.
    pub fn abandon_column(&mut self) -> Result<(), ValuesError> {
        if let Some(column) = self.open.take() {
            let transaction = self.connection.transaction()?;
            storage::drop_column(&transaction, column.id, column.first, i64::MAX)?;
            transaction.commit()?;
            self.next = column.first;
            self.fresh.discard_values();
        }
        Ok(())
    }

    /// Packs the remaining values. With a catalog fingerprint in `built`, records that the build is complete.
    pub fn pack_segments(&mut self, built: Option<&str>) -> Result<(), ValuesError> {
        segment::compact_segments(&mut self.connection, self.fresh.take_values(self.next))?;
        if built.is_some() {
            storage::set_note(&self.connection, BUILT, built)?;
        }
        // Best effort: otherwise, a later writer merges the log.
        let _ = self.connection.execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);");
        Ok(())
    }
}

/// Writes values with consecutive ids from `first`.
fn insert_values<T: AsRef<str>>(connection: &mut Connection, first: i64, texts: &[T]) -> Result<(), ValuesError> {
    let transaction = connection.transaction()?;
    {
        let several = format!("INSERT INTO value(id, text) VALUES {}", ["(?,?)"; ROWS].join(","));
        let mut several = transaction.prepare_cached(&several)?;
        let mut one = transaction.prepare_cached("INSERT INTO value(id, text) VALUES (?,?)")?;
        for (rows, id) in texts.chunks(ROWS).zip((first..).step_by(ROWS)) {
            if rows.len() == ROWS {
                for (place, (id, text)) in (id..).zip(rows).enumerate() {
                    several.raw_bind_parameter(2 * place + 1, id)?;
                    several.raw_bind_parameter(2 * place + 2, text.as_ref())?;
                }
                several.raw_execute()?;
            } else {
                for (id, text) in (id..).zip(rows) {
                    one.execute(params![id, text.as_ref()])?;
                }
            }
        }
    }
    Ok(transaction.commit()?)
}

/// Acquires the lock file next to the index, so that two processes never write the same ids.
fn acquire_lock(path: &Path) -> Result<File, ValuesError> {
    let folder = |source| ValuesError::Folder { path: path.to_owned(), source };
    let file = File::create(path.with_extension("lock")).map_err(folder)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ValuesError::Busy { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(folder(source)),
    }
}
