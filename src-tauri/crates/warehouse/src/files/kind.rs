//! Kinds of data files by their names.

use std::path::Path;
use vitrine_words::tr;

/// The format of a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    Csv,
    Parquet,
    Json,
    Excel,
}

const COMPRESSED: [&str; 2] = ["gz", "zst"];

impl FileKind {
    /// Returns the kind of a file by its extension, also before `.gz` and `.zst`.
    pub(crate) fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let mut parts = name.rsplit('.');
        let last = parts.next()?;
        let compressed = COMPRESSED.contains(&last);
        let extension = if compressed { parts.next()? } else { last };
        // A name without a dot has no extension.
        parts.next()?;
        match extension {
            "csv" | "tsv" | "tab" | "psv" => Some(Self::Csv),
            "json" | "ndjson" | "jsonl" | "geojson" => Some(Self::Json),
            "parquet" | "pq" if !compressed => Some(Self::Parquet),
            "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" if !compressed => Some(Self::Excel),
            _ => None,
        }
    }

    /// Returns the kind in words, with the article.
    pub(crate) fn title(self) -> String {
        match self {
            Self::Csv => tr!("a CSV file"),
            Self::Parquet => tr!("a Parquet file"),
            Self::Json => tr!("a JSON file"),
            Self::Excel => tr!("an Excel file"),
        }
    }
}

/// Returns true if a file's extension indicates compression.
pub(super) fn is_compressed(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|extension| COMPRESSED.contains(&extension.as_str()))
}

/// Returns a file's name without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a file's name without its extensions.
pub(super) fn file_stem(path: &Path) -> String {
    let name = file_name(path);
    let lower = name.to_ascii_lowercase();
    let outer = COMPRESSED.iter().find_map(|end| lower.strip_suffix(&format!(".{end}"))).map_or(name.len(), str::len);
    let name = &name[..outer];
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}
