//! The description of schemas without data.

use super::{SchemaWarehouse, looks_like_schema_folder};
use crate::content::{DetectedFile, Recognition, SCRIPTS};
use crate::engines::embedded::{parse_path, path_form, read_path, write_path};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, PathTexts, Runs, Stages};
use crate::inspect::path::inspect_path;
use crate::proven::{Proof, Proven};
use crate::run::run_blocking;
use crate::{Metering, ReadingAhead, WarehouseError, WarehouseKind, WarehouseUri};
use std::path::Path;
use vitrine_words::later;

const SCHEME: &str = "ddl";
const TEXTS: PathTexts = PathTexts { title: later!("A schema without data"), protection: None };

async fn open_schema(uri: &WarehouseUri) -> Result<Opened, WarehouseError> {
    let path = uri.path().map(Path::to_path_buf).unwrap_or_default();
    run_blocking(move || Ok(Opened::new(SchemaWarehouse::open(&path)?))).await
}

/// Recognizes folders of definitions, tables of definitions and scripts.
fn recognize_schema(file: &DetectedFile<'_>) -> Option<Recognition> {
    if file.is_folder {
        return looks_like_schema_folder(file.path).then_some(Recognition::Content);
    }
    file.recognize(file.is_schema_table(), SCRIPTS)
}

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Ddl,
    title: later!("Schema only"),
    note: later!("CREATE TABLE scripts"),
    is_preview: false,
    schemes: &[SCHEME],
    form: path_form(|address| read_path(SCHEME, address), |values| write_path(SCHEME, values)),
    location: LocationKind::Path,
    runs: Runs::Embedded,
    default_port: None,
    has_rows: false,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Whole,
    password_variable: None,
    password_file: None,
    password_hint: None,
    encryption: Encryption::None,
    loads_dumps: false,
    proven: &[Proven::new(later!("CREATE TABLE scripts"), Proof::Real, later!("scripts of five dialects"))],
    parse: |text| parse_path(WarehouseKind::Ddl, text),
    adopt: None,
    recognize: Some(recognize_schema),
    open: |uri, _| Box::pin(open_schema(uri)),
    serve: None,
    stages: Stages::Path,
    inspect: |engine, report, uri, options| Box::pin(inspect_path(engine, &TEXTS, report, uri, options)),
    unreachable: Some("ddl:/nowhere/nothing.csv"),
    observer: None,
    expressions: None,
};
