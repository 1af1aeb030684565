//! Addresses of the databases of packs.

use std::path::Path;

const SQLITE: &str = "sqlite:";
pub(super) const DUMP: &str = "dump:";
pub(super) const SCHEMA: &str = "ddl:";

/// The address of a pack's database.
pub(super) fn sqlite(path: &Path) -> String {
    format!("{SQLITE}{}", path.display())
}

/// Stands for the address of a database that is to be loaded from its dump.
pub(super) fn dump(path: &Path) -> String {
    format!("{DUMP}{}", path.display())
}

/// Whether the database of an address that names a place here is at that place.
pub(super) fn is_there(warehouse: &str) -> bool {
    let file = warehouse.strip_prefix(SQLITE).or(warehouse.strip_prefix(DUMP));
    let folder = warehouse.strip_prefix(SCHEMA);
    file.is_none_or(|path| Path::new(path).is_file()) && folder.is_none_or(|path| Path::new(path).is_dir())
}

/// The address of a schema whose data is elsewhere.
pub(super) fn schema(folder: &Path) -> String {
    format!("{SCHEMA}{}", folder.display())
}
