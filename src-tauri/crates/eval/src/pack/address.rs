//! Addresses of the databases of packs.

use std::path::Path;

const SQLITE: &str = "sqlite:";
pub(super) const DUMP: &str = "dump:";
pub(super) const SCHEMA: &str = "ddl:";

/// Returns the address of a pack's SQLite database.
pub(super) fn sqlite_address(path: &Path) -> String {
    format!("{SQLITE}{}", path.display())
}

/// Returns a placeholder address for a database that must be loaded from its dump.
pub(super) fn dump_address(path: &Path) -> String {
    format!("{DUMP}{}", path.display())
}

/// Checks that a local address refers to an existing file or folder; other addresses pass.
pub(super) fn is_there(warehouse: &str) -> bool {
    let file = warehouse.strip_prefix(SQLITE).or(warehouse.strip_prefix(DUMP));
    let folder = warehouse.strip_prefix(SCHEMA);
    file.is_none_or(|path| Path::new(path).is_file()) && folder.is_none_or(|path| Path::new(path).is_dir())
}

/// Returns the address of a schema without data.
pub(super) fn schema_address(folder: &Path) -> String {
    format!("{SCHEMA}{}", folder.display())
}
