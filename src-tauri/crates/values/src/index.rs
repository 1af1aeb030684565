//! The index handle: a file, and the connection that reads it.

use crate::layout::Layout;
use crate::{ValuesError, storage, writer};
use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The index of one database's values, on disk.
///
/// Building is asynchronous. Searching and opening block for milliseconds, so asynchronous code should call them on a
/// blocking thread.
#[derive(Debug)]
pub struct ValueIndex {
    pub(crate) path: PathBuf,
    reader: Mutex<Reader>,
    pub(crate) building: tokio::sync::Mutex<()>,
}

/// The connection for searches, with the cached layout of the file.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    pub(crate) layout: Option<Arc<Layout>>,
}

/// The size of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexSize {
    /// Number of columns with stored values.
    pub columns: u64,
    /// Number of values, counted once per column.
    pub values: u64,
    /// Number of distinct texts with an embedding.
    pub embedded: u64,
    /// Size on disk in bytes.
    pub bytes: u64,
}

impl ValueIndex {
    /// Opens an index file. Creates the file and its folder if they do not exist.
    pub fn open(path: &Path) -> Result<Self, ValuesError> {
        let reader = Reader { connection: storage::open_index(path)?, layout: None };
        Ok(Self { path: path.to_owned(), reader: Mutex::new(reader), building: tokio::sync::Mutex::new(()) })
    }

    /// Returns the path of the index file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if a build for the catalog with this fingerprint is complete.
    pub fn is_built(&self, fingerprint: &str) -> Result<bool, ValuesError> {
        Ok(storage::read_note(&self.lock_reader().connection, writer::BUILT)?.as_deref() == Some(fingerprint))
    }

    /// Returns the number of columns, values and bytes.
    pub fn size(&self) -> Result<IndexSize, ValuesError> {
        let reader = self.lock_reader();
        let row = reader.connection.query_row(
            "SELECT (SELECT count(*) FROM source WHERE done = 1), (SELECT coalesce(sum(count), 0) FROM source WHERE done = 1),
                    (SELECT count(*) FROM vector)",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
        )?;
        let bytes = std::fs::metadata(&self.path).map_or(0, |m| m.len());
        Ok(IndexSize { columns: row.0 as u64, values: row.1 as u64, embedded: row.2 as u64, bytes })
    }

    pub(crate) fn lock_reader(&self) -> MutexGuard<'_, Reader> {
        // A panicked search leaves no inconsistent state because the reader never writes.
        self.reader.lock()
    }
}
