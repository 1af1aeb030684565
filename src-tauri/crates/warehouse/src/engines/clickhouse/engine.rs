//! The description of ClickHouse.

use super::address::{ClickhouseRules, PORTS, SCHEME};
use super::form::FORM;
use super::{ClickhouseWarehouse, inspect_server};
use crate::conformance::observer::{Observer, query_engine};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, Runs, Stages, require_server};
use crate::proven::{Proof, Proven};
use crate::{Metering, ReadingAhead, ServerAddress, WarehouseKind, WarehouseUri};
use vitrine_words::{later, tr};

const CHDB: &str = later!("chdb-core 26.9.0 behind a small HTTP server of the tests");
const CLICKHOUSES: &str = later!("ClickHouse's documents, November 2026");

/// The second connection of the conformance suite.
static OBSERVER: Observer = Observer {
    query: |server, options, sql| {
        Box::pin(async move { query_engine(&ClickhouseWarehouse::open(server, options).await?, sql).await })
    },
    sessions: |name| {
        format!(
            "FROM system.processes WHERE user = currentUser() AND query LIKE '%{name}%' AND query NOT LIKE '%system.processes%'"
        )
    },
    session: "query_id",
    end_sessions: Some(|server, options, ids| {
        Box::pin(async move {
            let observer = ClickhouseWarehouse::open(server, options).await?;
            for id in ids {
                observer.end_query(&id).await;
            }
            Ok(())
        })
    }),
    secrets: "SELECT name, auth_params FROM system.users",
};

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Clickhouse,
    title: "ClickHouse",
    note: later!("Server, over HTTP"),
    is_preview: true,
    schemes: &[SCHEME],
    form: FORM,
    location: LocationKind::Server,
    runs: Runs::Server,
    default_port: Some(PORTS[1]),
    has_rows: true,
    metering: Metering::Read,
    reading_ahead: ReadingAhead::Queried,
    password_variable: Some("CLICKHOUSE_PASSWORD"),
    password_file: None,
    password_hint: Some(|name| tr!("Enter the password. In scripts, set {name}.", name)),
    encryption: Encryption::Chosen { option: "sslmode", encrypted: "require", verified: "verify-full" },
    loads_dumps: false,
    proven: &[
        Proven::new(
            later!(
                "Preview: catalog, types, row, time and memory limits, stopping by KILL QUERY, hostile statements, `readonly = 1`, streamed rows, an error among them"
            ),
            Proof::Real,
            CHDB,
        ),
        Proven::new(later!("Preview: bytes estimated, counted, and held to limits by the engine"), Proof::Real, CHDB),
        Proven::new(later!("Preview: views without SQL"), Proof::Real, CHDB),
        Proven::new(later!("Preview: reading ahead within its limits"), Proof::Real, CHDB),
        Proven::new(
            later!(
                "Preview: the HTTP interface: passwords, settings with each request, statuses, exceptions behind rows, grants, the summary of what was read"
            ),
            Proof::Document,
            CLICKHOUSES,
        ),
        Proven::new(
            later!("Preview: a server of ClickHouse or its cloud; clusters"),
            Proof::Never,
            later!("no server of it"),
        ),
    ],
    parse: |text| ServerAddress::parse_by(&ClickhouseRules, text).map(WarehouseUri::of_server),
    adopt: None,
    recognize: None,
    open: |uri, options| {
        Box::pin(async move { Ok(Opened::new(ClickhouseWarehouse::open(require_server(uri)?, options).await?)) })
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
    unreachable: Some("clickhouse://nobody@127.0.0.1:1/nothing"),
    observer: Some(&OBSERVER),
    expressions: None,
};
