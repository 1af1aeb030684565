//! The description of BigQuery.

use super::address::{ProjectAddress, SCHEME};
use super::form::FORM;
use super::{BigqueryWarehouse, inspect_project};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, Runs, Stages};
use crate::proven::{Proof, Proven, SQLGLOT};
use crate::scope::ScopedWarehouse;
use crate::{Metering, OpenOptions, ReadingAhead, WarehouseError, WarehouseKind, WarehouseUri};
use std::sync::Arc;
use vitrine_words::later;

const EMULATOR: &str = "local-bigquery 0.4.0";
const GOOGLE: &str = later!("Google's reference, revision 20260811");

fn require_project(uri: &WarehouseUri) -> Result<ProjectAddress, WarehouseError> {
    uri.project_address().cloned().ok_or_else(|| WarehouseError::query("the address names no project"))
}

/// Opens a project, restricted to the datasets that the address names if there are several.
async fn open_project(uri: &WarehouseUri, options: &OpenOptions) -> Result<Opened, WarehouseError> {
    let address = require_project(uri)?;
    let warehouse = BigqueryWarehouse::open(address.clone(), options).await?;
    if address.dataset().is_some() || address.named_datasets().is_empty() {
        return Ok(Opened::new(warehouse));
    }
    let datasets = address.named_datasets().to_vec();
    Ok(Opened::new(ScopedWarehouse::new(Arc::new(warehouse), datasets, uri.schema_container())))
}

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Bigquery,
    title: "BigQuery",
    note: later!("Google Cloud project"),
    is_preview: false,
    schemes: &[SCHEME],
    form: FORM,
    location: LocationKind::Project,
    runs: Runs::Server,
    default_port: None,
    has_rows: true,
    metering: Metering::Billed,
    reading_ahead: ReadingAhead::Listed,
    password_variable: None,
    password_file: None,
    password_hint: None,
    encryption: Encryption::Always("Google always encrypts"),
    loads_dumps: false,
    proven: &[
        Proven::new(
            later!("catalog, types, nested values, paging, scope, time limit, cancelling"),
            Proof::Emulator,
            EMULATOR,
        ),
        Proven::new(later!("hostile statements"), Proof::Emulator, EMULATOR),
        Proven::new(later!("views without SQL"), Proof::Emulator, SQLGLOT),
        Proven::new(
            later!("free previews: rows without a job, nested values, whole projects"),
            Proof::Emulator,
            EMULATOR,
        ),
        Proven::new(later!("free previews: external tables, missing rights, short pages"), Proof::Document, GOOGLE),
        Proven::new(
            later!("sign-in with a key file or gcloud, two tokens, rates, 401 and 403"),
            Proof::Document,
            GOOGLE,
        ),
        Proven::new(
            later!("sign-in in the browser: consent, PKCE, state, refusals, an expired sign-in"),
            Proof::Document,
            later!("Google's document for desktop apps; RFC 6749, 7636 and 8252"),
        ),
        Proven::new(
            later!("acting as a service account"),
            Proof::Document,
            later!("Google's reference of IAM Service Account Credentials"),
        ),
        Proven::new(
            later!("tables of each day as one; filters that a partitioned table wants"),
            Proof::Emulator,
            EMULATOR,
        ),
        Proven::new(later!("bytes billed, limits of query, question and month"), Proof::Document, GOOGLE),
        Proven::new(later!("a project of Google's"), Proof::Never, later!("no account")),
    ],
    parse: |text| {
        ProjectAddress::parse(text).map(|project| WarehouseUri::from_project(WarehouseKind::Bigquery, project))
    },
    adopt: None,
    recognize: None,
    open: |uri, options| Box::pin(open_project(uri, options)),
    serve: None,
    stages: Stages::Login,
    inspect: |_, report, uri, options| {
        Box::pin(async move {
            if let Some(address) = uri.project_address() {
                inspect_project(report, address.clone(), options).await
            }
        })
    },
    unreachable: Some("bigquery://nobody/nothing?endpoint=http://127.0.0.1:1"),
    observer: None,
    expressions: None,
};
