//! The index as a handle: a file, and the connection that reads it.

use crate::layout::Layout;
use crate::{ValuesError, storage, writer};
use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The index of one database's values, on disk.
///
/// Building is asynchronous; searching and opening block for milliseconds and belong on a blocking thread when called from
/// asynchronous code.
#[derive(Debug)]
pub struct ValueIndex {
    pub(crate) path: PathBuf,
    reader: Mutex<Reader>,
    pub(crate) building: tokio::sync::Mutex<()>,
}

/// The connection that searches read through, and what they have read of the file's layout.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) connection: Connection,
    pub(crate) layout: Option<Arc<Layout>>,
}

/// How much an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexSize {
    /// Columns whose values are in it.
    pub columns: u64,
    /// Values, counted once per column.
    pub values: u64,
    /// Distinct texts that have an embedding.
    pub embedded: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

impl ValueIndex {
    /// Opens an index file, creating it and its folder when absent.
    pub fn open(path: &Path) -> Result<Self, ValuesError> {
        let reader = Reader { connection: storage::open_index(path)?, layout: None };
        Ok(Self { path: path.to_owned(), reader: Mutex::new(reader), building: tokio::sync::Mutex::new(()) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a build of the catalog with this fingerprint has run to its end.
    pub fn is_built(&self, fingerprint: &str) -> Result<bool, ValuesError> {
        Ok(storage::read_note(&self.lock_reader().connection, writer::BUILT)?.as_deref() == Some(fingerprint))
    }

    /// How much it holds.
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
        // A search that panicked left nothing half-written: the reader only reads.
        self.reader.lock()
    }
}
