//! The description of DuckDB.

use super::DuckWarehouse;
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
const CAGED: CagedKind = CagedKind { dialect: Dialect::Duckdb, closes_when_idle: true, has_readings: false };
const SCHEME: &str = "duckdb";
const TEXTS: PathTexts = PathTexts {
    title: later!("A DuckDB database"),
    protection: Some(later!("DuckDB opens it READ_ONLY, with access to other files switched off.")),
};

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Duckdb,
    title: "DuckDB",
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
    parse: |text| parse_path(WarehouseKind::Duckdb, text),
    adopt: None,
    recognize: Some(|file| file.recognize(file.is_duckdb(), &["duckdb", "ddb"])),
    open: |uri, options| open_embedded(uri, options, CAGED, DuckWarehouse::open_database),
    serve: Some(|process| Box::pin(process.serve(|path, _, options| DuckWarehouse::open_database(path, options)))),
    stages: Stages::Path,
    inspect: |engine, report, uri, options| Box::pin(inspect_path(engine, &TEXTS, report, uri, options)),
    unreachable: Some("duckdb:/nowhere/nothing.csv"),
    observer: None,
    expressions: None,
};

/// Returns the address of a DuckDB database file.
pub fn duckdb_address(path: impl Into<PathBuf>) -> WarehouseUri {
    WarehouseUri::new(WarehouseKind::Duckdb, path)
}
