//! The description of Databricks.

use super::address::{DatabricksRules, PORT, SCHEME};
use super::form::FORM;
use super::{DatabricksWarehouse, inspect_workspace};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, Runs, Stages, require_server};
use crate::proven::{Proof, Proven};
use crate::{Metering, ReadingAhead, ServerAddress, WarehouseKind, WarehouseUri};
use vitrine_words::{later, tr};

const SPARK: &str = later!("Spark 4.1.4 behind a small server of the tests that speaks the Statement Execution API");
const DATABRICKSES: &str = later!("Databricks' documents, November 2026, and a server of the tests written after them");

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Databricks,
    title: "Databricks",
    note: later!("SQL warehouse"),
    is_preview: true,
    schemes: &[SCHEME],
    form: FORM,
    location: LocationKind::Server,
    runs: Runs::Server,
    default_port: Some(PORT),
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Queried,
    password_variable: Some("DATABRICKS_TOKEN"),
    password_file: None,
    password_hint: Some(|_| {
        tr!(
            "Enter a personal access token, or the secret of the client id in the address. In scripts, set DATABRICKS_TOKEN."
        )
    }),
    encryption: Encryption::Always("the certificate is always verified"),
    loads_dumps: false,
    proven: &[
        Proven::new(
            later!(
                "Preview: types, row and time limits, stopping, hostile statements, preparing without running, nested values"
            ),
            Proof::Real,
            SPARK,
        ),
        Proven::new(later!("Preview: views without SQL"), Proof::Real, SPARK),
        Proven::new(
            later!(
                "Preview: tables, keys and comments of information_schema, privileges, tokens, states, chunks, errors"
            ),
            Proof::Document,
            DATABRICKSES,
        ),
        Proven::new(
            later!("Preview: a workspace of Databricks; results of more than 25 MiB; hive_metastore"),
            Proof::Never,
            later!("no account"),
        ),
    ],
    parse: |text| ServerAddress::parse_by(&DatabricksRules, text).map(WarehouseUri::of_server),
    adopt: None,
    recognize: None,
    open: |uri, options| {
        Box::pin(async move { Ok(Opened::new(DatabricksWarehouse::open(require_server(uri)?, options).await?)) })
    },
    serve: None,
    stages: Stages::Server,
    inspect: |_, report, uri, _| {
        Box::pin(async move {
            if let Some(server) = uri.server_address() {
                inspect_workspace(report, server.clone()).await
            }
        })
    },
    unreachable: Some("databricks://token:x@127.0.0.1:1/nothing/nothing"),
    observer: None,
    expressions: None,
};
