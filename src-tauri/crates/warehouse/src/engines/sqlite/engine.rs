//! The description of SQLite.

use super::SqliteWarehouse;
use crate::cage::CagedKind;
use crate::engines::embedded::{open_embedded, parse_path, path_form, read_path, write_path};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, PathTexts, Runs, Stages};
use crate::inspect::path::inspect_path;
use crate::proven::{LIBRARY, Proof, Proven};
use crate::{Metering, ReadingAhead, WarehouseKind, WarehouseUri};
use std::path::PathBuf;
use vitrine_domain::Dialect;
use vitrine_words::later;

/// The behaviour of the process that has a database open.
const CAGED: CagedKind = CagedKind { dialect: Dialect::Sqlite, closes_when_idle: false, has_readings: false };
const SCHEME: &str = "sqlite";
const TEXTS: PathTexts = PathTexts {
    title: later!("An SQLite database"),
    protection: Some(later!("SQLite opens it read-only, refuses everything but reads, and loads no extension.")),
};

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Sqlite,
    title: "SQLite",
    note: later!("Database file"),
    is_preview: false,
    schemes: &[SCHEME],
    form: path_form(|address| read_path(SCHEME, address), |values| write_path(SCHEME, values)),
    location: LocationKind::Path,
    runs: Runs::Embedded,
    default_port: None,
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Whole,
    password_variable: None,
    password_file: None,
    password_hint: None,
    encryption: Encryption::None,
    loads_dumps: false,
    proven: &[Proven::new(later!("catalog, types, limits, cancelling, hostile statements"), Proof::Real, LIBRARY)],
    parse: |text| parse_path(WarehouseKind::Sqlite, text),
    adopt: None,
    recognize: Some(|file| file.recognize(file.is_sqlite(), &["sqlite", "sqlite3", "db", "db3", "s3db", "sl3"])),
    open: |uri, options| open_embedded(uri, options, CAGED, SqliteWarehouse::open),
    serve: Some(|process| Box::pin(process.serve(|path, _, options| SqliteWarehouse::open(path, options)))),
    stages: Stages::Path,
    inspect: |engine, report, uri, options| Box::pin(inspect_path(engine, &TEXTS, report, uri, options)),
    unreachable: Some("sqlite:/nowhere/nothing.csv"),
    observer: None,
    expressions: None,
};

/// Returns the address of an SQLite database file.
pub fn sqlite_address(path: impl Into<PathBuf>) -> WarehouseUri {
    WarehouseUri::new(WarehouseKind::Sqlite, path)
}
