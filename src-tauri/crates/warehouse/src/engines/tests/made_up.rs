//! An engine of this test: its folder, and one line in the list of engines. Its databases are SQLite files with another
//! scheme and extension.

use crate::cage::CagedKind;
use crate::engines::embedded::{open_embedded, parse_path, path_form, read_path, write_path};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, PathTexts, Runs, Stages};
use crate::engines::sqlite::SqliteWarehouse;
use crate::inspect::path::inspect_path;
use crate::{
    Metering, OpenOptions, ReadingAhead, TypedAddress, WarehouseKind, WarehouseUri, engines, inspect_connection,
    open_with, proof_layer, prove_read_only, read_page,
};
use rusqlite::Connection;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Dialect, SafetyState, TestState};

const SCHEME: &str = "madeup";
const CAGED: CagedKind = CagedKind { dialect: Dialect::Sqlite, closes_when_idle: false, has_readings: false };
const TEXTS: PathTexts = PathTexts { title: "A made-up database", protection: Some("It is opened read-only.") };

pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::MadeUp,
    title: "Made up",
    note: "Made-up file",
    is_preview: true,
    schemes: &[SCHEME],
    form: path_form(|address| read_path(SCHEME, address), |values| write_path(SCHEME, values)),
    location: LocationKind::Path,
    runs: Runs::Embedded,
    default_port: None,
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Queried,
    password_variable: None,
    password_file: None,
    password_hint: None,
    encryption: Encryption::None,
    loads_dumps: false,
    proven: &[],
    parse: |text| parse_path(WarehouseKind::MadeUp, text),
    adopt: None,
    recognize: Some(|file| file.recognize(false, &["madeup"])),
    open: |uri, options| open_embedded(uri, options, CAGED, SqliteWarehouse::open),
    serve: Some(|process| Box::pin(process.serve(|path, _, options| SqliteWarehouse::open(path, options)))),
    stages: Stages::Path,
    inspect: |engine, report, uri, options| Box::pin(inspect_path(engine, &TEXTS, report, uri, options)),
    unreachable: Some("madeup:/nowhere/nothing.madeup"),
    observer: None,
    expressions: None,
};

#[tokio::test]
async fn an_engine_needs_one_folder_and_one_line_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.madeup");
    // Without content, the name decides.
    std::fs::write(&path, "").unwrap();
    assert_eq!(WarehouseUri::parse(path.to_str().unwrap()).unwrap().kind(), WarehouseKind::MadeUp);
    let database = Connection::open(&path).unwrap();
    database.execute_batch("CREATE TABLE goods (id INTEGER); INSERT INTO goods VALUES (7)").unwrap();
    drop(database);

    assert!(engines().any(|engine| engine.title == "Made up"));
    let address = format!("{SCHEME}:{}", path.display());
    let uri = WarehouseUri::parse(&address.replacen("madeup", "MADEUP", 1)).unwrap();
    assert_eq!((uri.kind(), uri.to_string()), (WarehouseKind::MadeUp, address.clone()));
    let typed = TypedAddress::parse(&address);
    assert_eq!(typed.kind, Some(WarehouseKind::MadeUp));
    assert_eq!(ENGINE.write_address(&typed.values.unwrap()), Ok(address.clone()));
    assert_eq!(ENGINE.write_address(&Default::default()), Err("Choose a file.".to_owned()));
    assert_eq!(WarehouseUri::redact_address(&address), address);

    let options = OpenOptions { engine: None, ..OpenOptions::default() };
    let warehouse = open_with(&uri, &options).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let query = prove_read_only("SELECT id FROM goods", &catalog).unwrap();
    let rows = warehouse.run_query(&query, crate::Limits::default(), CancellationToken::new()).await.unwrap();
    assert_eq!(read_page(rows, 10).await.unwrap().rows, [[Some("7".to_owned())]]);

    let limit = Duration::from_secs(20);
    let test = inspect_connection(Ok(uri), &options, limit, &|_| {}, CancellationToken::new()).await;
    assert!(test.steps.iter().all(|step| matches!(step.state, TestState::Ok)), "{test:?}");
    assert!(test.steps[0].message.starts_with("A made-up database"), "{test:?}");
    assert_eq!(proof_layer(WarehouseKind::MadeUp).state, SafetyState::Unknown);
}
