//! Data files, read by DuckDB.

use crate::cage::CagedKind;
use crate::content::{DetectedFile, Recognition};
use crate::engines::embedded::{open_embedded, parse_path, path_form, read_path, write_path};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, PathTexts, Runs, Stages};
use crate::files::{kind::FileKind, open_files};
use crate::inspect::path::inspect_path;
use crate::proven::{LIBRARY, Proof, Proven};
use crate::{Metering, ReadingAhead, WarehouseKind};
use vitrine_domain::Dialect;
use vitrine_words::later;

/// The behaviour of the process that has a database open.
const CAGED: CagedKind = CagedKind { dialect: Dialect::Duckdb, closes_when_idle: false, has_readings: true };
/// The dialect of queries that join tables of several sources.
pub const JOIN_DIALECT: Dialect = Dialect::Duckdb;
const SCHEME: &str = "file";
const TEXTS: PathTexts = PathTexts {
    title: later!("Data files"),
    protection: Some(later!(
        "The files are read into a database in memory; they themselves are opened for reading alone."
    )),
};

/// Recognizes any folder, Parquet by its content and other formats by their names.
fn recognize_files(file: &DetectedFile<'_>) -> Option<Recognition> {
    if file.is_folder {
        return Some(Recognition::Folder);
    }
    let has_name = || FileKind::from_path(file.path).map(|_| Recognition::Name);
    file.recognize(file.is_parquet(), &[]).or_else(has_name)
}

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::File,
    title: later!("Files"),
    note: later!("CSV, Parquet, JSON, Excel"),
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
    proven: &[Proven::new(later!("CSV, JSON, Parquet, Excel; limits, cancelling"), Proof::Real, LIBRARY)],
    parse: |text| parse_path(WarehouseKind::File, text),
    adopt: None,
    recognize: Some(recognize_files),
    open: |uri, options| open_embedded(uri, options, CAGED, open_files),
    serve: Some(|process| Box::pin(process.serve(|path, _, options| open_files(path, options)))),
    stages: Stages::Path,
    inspect: |engine, report, uri, options| Box::pin(inspect_path(engine, &TEXTS, report, uri, options)),
    unreachable: Some("file:/nowhere/nothing.csv"),
    observer: None,
    expressions: None,
};
