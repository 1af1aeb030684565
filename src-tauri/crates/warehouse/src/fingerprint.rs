//! Fingerprints: unchanged as long as the inputs of a profile are unchanged.

use std::path::Path;
use std::time::UNIX_EPOCH;
use vitrine_domain::{Catalog, Table};

/// Returns a text that changes when a file's rows change, computed only from metadata.
pub(crate) fn data_version(paths: &[impl AsRef<Path>]) -> String {
    let mut version = String::new();
    for path in paths {
        // Metadata only, because opening a database file again would release the locks of this process on it.
        let Ok(metadata) = std::fs::metadata(path) else { continue };
        let modified =
            metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        version.push_str(&format!("{}:{};", metadata.len(), modified.as_nanos()));
    }
    version
}

/// Computes 32 hex digits over the schema and the data version.
pub(crate) fn compute_fingerprint(tables: &[Table], data_version: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(data_version.as_bytes());
    for table in tables {
        // Row counts are excluded, because they may be estimates; the data version covers changes.
        let counted_out = Table { row_count: None, ..table.clone() };
        hasher.update(serde_json::to_string(&counted_out).unwrap_or_default().as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Sets the fingerprint of a catalog from its tables.
pub(crate) fn set_fingerprint(mut catalog: Catalog, data_version: &str) -> Catalog {
    catalog.fingerprint = compute_fingerprint(&catalog.tables, data_version);
    catalog
}
