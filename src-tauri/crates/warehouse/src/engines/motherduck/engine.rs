//! The description of MotherDuck.

use super::address::{MotherduckRules, PORT, SCHEME, adopt_endpoint};
use super::expressions::EXPRESSIONS;
use super::form::FORM;
use super::{MotherduckWarehouse, inspect_server};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, Runs, Stages, require_server};
use crate::proven::{Proof, Proven};
use crate::{Metering, ReadingAhead, ServerAddress, WarehouseKind, WarehouseUri};
use vitrine_words::{later, tr};

const DUCKDB_WHEEL: &str =
    later!("DuckDB 1.5.5 (its wheel) behind a small server of the tests that speaks PostgreSQL's protocol");
const MOTHERDUCKS: &str = later!("MotherDuck's documents, November 2026, and a server of the tests written after them");

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Motherduck,
    title: "MotherDuck",
    note: later!("DuckDB in the cloud"),
    is_preview: true,
    schemes: &[SCHEME],
    form: FORM,
    location: LocationKind::Server,
    runs: Runs::Server,
    default_port: Some(PORT),
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Queried,
    password_variable: Some("MOTHERDUCK_TOKEN"),
    password_file: None,
    password_hint: Some(|_| tr!("Enter an access token. In scripts, set MOTHERDUCK_TOKEN.")),
    encryption: Encryption::Always("the certificate is always verified"),
    loads_dumps: false,
    proven: &[
        Proven::new(
            later!(
                "Preview: catalog, types, row and time limits, stopping, transactions that only read, macros in the place of functions, hostile statements"
            ),
            Proof::Real,
            DUCKDB_WHEEL,
        ),
        Proven::new(later!("Preview: reading ahead within its limits"), Proof::Real, DUCKDB_WHEEL),
        Proven::new(
            later!("Preview: the endpoint: tokens, databases, codes of errors, orders to stop"),
            Proof::Document,
            MOTHERDUCKS,
        ),
        Proven::new(
            later!(
                "Preview: MotherDuck itself: its TLS, read scaling tokens, shares, whatever it takes of PostgreSQL's protocol"
            ),
            Proof::Never,
            later!("no account"),
        ),
    ],
    parse: |text| ServerAddress::parse_by(&MotherduckRules, text).map(WarehouseUri::of_server),
    adopt: Some(adopt_endpoint),
    recognize: None,
    open: |uri, options| {
        Box::pin(async move { Ok(Opened::new(MotherduckWarehouse::open(require_server(uri)?, options).await?)) })
    },
    serve: None,
    stages: Stages::Server,
    inspect: |_, report, uri, options| {
        Box::pin(async move {
            if let Some(server) = uri.server_address() {
                inspect_server(report, server.clone(), options).await
            }
        })
    },
    unreachable: Some("motherduck://127.0.0.1:1/nothing"),
    observer: None,
    expressions: Some(EXPRESSIONS),
};
