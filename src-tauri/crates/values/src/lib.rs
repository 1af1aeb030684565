//! The value index: from a literal that a model wrote to the values that the database really stores (AV-SQL, section 4.1.3).
//!
//! ```text
//! build   select   which columns name things, by profile          search  keys        MinHash bands and other routes
//!         shape    what a value looks like                                lookup      the ids under the keys, weighed
//!         build    SELECT DISTINCT, streamed, column by column            edit        edit distance, 64 characters at a time
//!         fresh    keys of the values just written                        similarity  edit, words, abbreviation
//!         segment  ids under their keys, packed into pages                domains     cosine over small columns
//!         domains  embeddings of small columns                            search      filter and rank
//! ```
//!
//! One SQLite file per database. It has no upper size: values stream in batches, memory is bounded by what the database
//! may take to tell them apart, and a search costs a few seeks per segment and reads a bounded number of ids. A search
//! may run while a build is going on and sees every column that is finished.

mod build;
mod domains;
mod edit;
mod embed;
mod error;
mod fresh;
mod keys;
mod lookup;
mod parts;
mod search;
mod segment;
mod select;
mod shape;
mod similarity;
mod storage;
mod text;
mod variants;
mod writer;

pub use build::{BuildProgress, BuildReport, LONGEST_VALUE, SkippedColumn};
pub use domains::{EMBEDDED_TEXTS, SMALL_DOMAIN};
pub use embed::{Embedder, MiniLm};
pub use error::ValuesError;
pub use search::{SearchOptions, SearchTerm};
pub use variants::{is_variant, letters};

use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The index of one database's values, on disk.
///
/// Building is asynchronous; searching and opening block for milliseconds and belong on a blocking thread when called from
/// asynchronous code.
#[derive(Debug)]
pub struct ValueIndex {
    path: PathBuf,
    reader: Mutex<Reader>,
    building: tokio::sync::Mutex<()>,
}

/// The connection that searches read through, and what they have read of the file's layout.
#[derive(Debug)]
struct Reader {
    connection: Connection,
    layout: Option<std::sync::Arc<search::Layout>>,
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
        let reader = Reader { connection: storage::open(path)?, layout: None };
        Ok(Self { path: path.to_owned(), reader: Mutex::new(reader), building: tokio::sync::Mutex::new(()) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a build of the catalog with this fingerprint has run to its end.
    pub fn is_built(&self, fingerprint: &str) -> Result<bool, ValuesError> {
        Ok(storage::note(&self.reader().connection, writer::BUILT)?.as_deref() == Some(fingerprint))
    }

    /// How much it holds.
    pub fn size(&self) -> Result<IndexSize, ValuesError> {
        let reader = self.reader();
        let row = reader.connection.query_row(
            "SELECT (SELECT count(*) FROM source WHERE done = 1), (SELECT coalesce(sum(count), 0) FROM source WHERE done = 1),
                    (SELECT count(*) FROM vector)",
            [],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
        )?;
        let bytes = std::fs::metadata(&self.path).map_or(0, |m| m.len());
        Ok(IndexSize { columns: row.0 as u64, values: row.1 as u64, embedded: row.2 as u64, bytes })
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        // A search that panicked left nothing half-written: the reader only reads.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
