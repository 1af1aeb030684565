//! The content of files, detected from their first bytes and their names.

use crate::WarehouseError;
use crate::engines::ddl::is_schema_table;
use crate::files::kind::FileKind;
use crate::regular;
use std::io::Read;
use std::path::Path;
use vitrine_words::tr;

/// A file whose engine is unknown.
pub(crate) struct DetectedFile<'a> {
    /// The path of the file.
    pub(crate) path: &'a Path,
    /// The first bytes of the file; empty for a folder.
    pub(crate) head: &'a [u8],
    /// True for a folder.
    pub(crate) is_folder: bool,
}

/// The reason why an engine reads a path, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Recognition {
    /// Any folder.
    Folder,
    /// The name of the file.
    Name,
    /// The content of the file or folder.
    Content,
}

impl DetectedFile<'_> {
    /// Recognizes a file by its content, or else by one of these extensions.
    pub(crate) fn recognize(&self, has_content: bool, extensions: &[&str]) -> Option<Recognition> {
        if self.is_folder {
            return None;
        }
        let has_extension = || {
            let own = self.path.extension().and_then(|own| own.to_str()).unwrap_or_default().to_ascii_lowercase();
            extensions.contains(&own.as_str())
        };
        has_content.then_some(Recognition::Content).or_else(|| has_extension().then_some(Recognition::Name))
    }

    /// Returns true for a database file of SQLite.
    pub(crate) fn is_sqlite(&self) -> bool {
        self.head.starts_with(b"SQLite format 3\0")
    }

    /// Returns true for a database file of DuckDB.
    pub(crate) fn is_duckdb(&self) -> bool {
        self.head.get(8..12) == Some(b"DUCK")
    }

    /// Returns true for a Parquet file.
    pub(crate) fn is_parquet(&self) -> bool {
        self.head.starts_with(b"PAR1")
    }

    /// Returns true for a CSV file with definitions of tables.
    pub(crate) fn is_schema_table(&self) -> bool {
        FileKind::from_path(self.path) == Some(FileKind::Csv) && is_schema_table(self.path)
    }
}

/// Extensions of SQL scripts.
pub(crate) const SCRIPTS: &[&str] = &["sql", "ddl"];

/// Describes the detected content of a file, for messages about files of the wrong kind.
pub(crate) fn describe_content(path: &Path) -> String {
    let Ok(head) = first_bytes(path) else { return String::new() };
    if head.is_empty() {
        return tr!("the file is empty (0 bytes)");
    }
    let file = DetectedFile { path, head: &head, is_folder: false };
    if file.is_sqlite() {
        tr!("it is an SQLite database: use sqlite:PATH")
    } else if file.is_duckdb() {
        tr!("it is a DuckDB database: use duckdb:PATH")
    } else if file.is_parquet() {
        tr!("it is a Parquet file: use file:PATH")
    } else if file.is_schema_table() {
        tr!("it is a table of definitions: use ddl:PATH")
    } else if FileKind::from_path(path).is_some() {
        tr!("it is a data file: use file:PATH")
    } else if file.recognize(false, SCRIPTS).is_some() {
        tr!("it is an SQL script: use ddl:PATH")
    } else if head.iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()) {
        tr!("it holds plain text")
    } else {
        tr!("its first bytes are not those of such a file")
    }
}

/// Reads the first bytes of a file, which show its kind.
pub(crate) fn first_bytes(path: &Path) -> Result<Vec<u8>, WarehouseError> {
    let mut head = Vec::with_capacity(64);
    regular::open_file(path)
        .and_then(|file| file.take(64).read_to_end(&mut head))
        .map_err(|error| WarehouseError::from_io_error("reading", path, &error))?;
    Ok(head)
}
