//! The identity and the permissions of a BigQuery login, read from BigQuery's responses; no write is attempted.

use super::address::ProjectAddress;
use super::introspect;
use super::jobs::Jobs;
use super::rest::Rest;
use crate::WarehouseError;
use crate::inspect::report::{Outcome, Report};
use crate::safety::lock_layer;
use serde_json::{Value, json};
use vitrine_domain::{SafetyKind, SafetyLayer, SafetyState, SchemaTables, TestStage};
use vitrine_words::{plural, tr};

/// Permissions on a table besides reading.
const WRITES: [&str; 3] = ["bigquery.tables.updateData", "bigquery.tables.update", "bigquery.tables.delete"];
const READS: &str = "bigquery.tables.getData";
/// Maximum number of datasets that a connection test reads.
const DATASETS: usize = 50;

/// Lists the tables of the first datasets for a connection test.
async fn list_first_tables(
    rest: &Rest,
    address: &ProjectAddress,
) -> Result<Vec<(String, Vec<String>)>, WarehouseError> {
    let wrong = |failure: super::rest::Failure| failure.at_connect(&rest.shown);
    let datasets = match address.named_datasets() {
        [] => introspect::fetch_datasets(rest, address).await.map_err(wrong)?,
        named => named.to_vec(),
    };
    let mut found = Vec::new();
    for dataset in datasets.into_iter().take(DATASETS) {
        let tables = introspect::fetch_table_names(rest, address, &dataset).await.map_err(wrong)?;
        found.push((dataset, tables));
    }
    Ok(found)
}

/// Returns the tested permissions that the login has on a table; `None` if BigQuery does not report them.
async fn fetch_permissions(rest: &Rest, address: &ProjectAddress, dataset: &str, table: &str) -> Option<Vec<String>> {
    let asked = format!("{table}:testIamPermissions");
    let path = ["projects", address.project(), "datasets", dataset, "tables", &asked];
    let permissions: Vec<&str> = [READS].into_iter().chain(WRITES).collect();
    let answer = rest.post(&path, &json!({"permissions": permissions})).await.ok()?;
    let held = answer.get("permissions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Some(held.iter().filter_map(|right| Some(right.as_str()?.to_owned())).collect())
}

/// Returns the protections that keep the project's data from being changed.
pub(super) async fn read_safety_layers(jobs: &Jobs) -> Result<Vec<SafetyLayer>, WarehouseError> {
    let (rest, address) = (&jobs.rest, &jobs.address);
    // The scope of the login's token is known only after a request.
    let seen = list_first_tables(rest, address).await?;
    let narrows = rest.sign_in().uses_read_only_token();
    let megabytes = jobs.billed_limit(None).div_ceil(1_000_000);
    let bounded = tr!("no query is billed for more than {megabytes} MB", megabytes);
    let engine = lock_layer(
        "BigQuery",
        &[
            (tr!("every statement is prepared first and has to be a SELECT by BigQuery's own word"), true),
            (bounded, true),
            (tr!("queries run with a token that is good for reading alone"), narrows),
        ],
        tr!("Known from the sign-in and the parameters of each query."),
    );
    let first = seen.into_iter().find_map(|(dataset, tables)| tables.into_iter().next().map(|table| (dataset, table)));
    let rights = match &first {
        Some((dataset, table)) => fetch_permissions(rest, address, dataset, table).await,
        None => None,
    };
    let (state, says) = match rights.map(|rights| filter_write_rights(&rights)) {
        None => (SafetyState::Unknown, tr!("BigQuery did not say what this login may change.")),
        Some(more) if more.is_empty() => {
            (SafetyState::Holds, tr!("This login may not change the first table that it sees."))
        }
        Some(more) => (SafetyState::Missing, tr!("This login may do more than read: {more}.", more = more.join(", "))),
    };
    let how = tr!("BigQuery was asked with testIamPermissions about one table; nothing was tried.");
    let (way, way_says) = match address.emulator_endpoint() {
        Some(_) => (SafetyState::Holds, tr!("The emulator is on this computer.")),
        None => (SafetyState::Holds, tr!("The connection is encrypted, with a certificate that this computer trusts.")),
    };
    Ok(vec![
        engine,
        SafetyLayer::new(SafetyKind::Rights, state, says, how),
        SafetyLayer::new(SafetyKind::Connection, way, way_says, tr!("Nothing else is ever connected to.")),
    ])
}

fn filter_write_rights(rights: &[String]) -> Vec<String> {
    rights.iter().filter(|right| WRITES.contains(&right.as_str())).cloned().collect()
}

/// Tests a project: the sign-in, the readable tables, and the permissions of the login.
pub(crate) async fn inspect_project_access(
    report: &mut Report<'_>,
    address: ProjectAddress,
    open: Result<Jobs, WarehouseError>,
) {
    let login = async {
        let jobs = open.map_err(Outcome::of_error)?;
        jobs.rest.signed_in().await.map_err(Outcome::of_error)?;
        let said = match jobs.rest.sign_in().display_name() {
            Some(_) => tr!("Google accepted the sign-in."),
            None => tr!("An emulator on this computer asks for no login."),
        };
        Ok((Outcome::ok(said), jobs))
    };
    let Some(jobs) = report.run_stage(TestStage::Login, login).await else { return };
    let role = async {
        // A query that reads nothing is free and shows whether this login may run queries.
        jobs.prepare_query("SELECT 1").await.map_err(Outcome::of_error)?;
        let billed = address.billing_project();
        Ok((
            Outcome::ok(match jobs.rest.sign_in().display_name() {
                Some(user) => tr!("You are {user}, and may run queries in the project {billed}.", user, billed),
                None => tr!("The sign-in has no user name, and may run queries in the project {billed}.", billed),
            }),
            (),
        ))
    };
    if report.run_stage(TestStage::Role, role).await.is_none() {
        return;
    }
    let readable = async {
        let found = list_first_tables(&jobs.rest, &address).await.map_err(Outcome::of_error)?;
        let schemas: Vec<SchemaTables> = found
            .iter()
            .map(|(name, tables)| SchemaTables { name: name.clone(), tables: tables.len() as u32 })
            .collect();
        let count: u32 = schemas.iter().map(|schema| schema.tables).sum();
        let outcome = match count {
            0 => Outcome::warning(tr!("This login sees no table."))
                .with_advice(tr!("Grant it roles/bigquery.dataViewer on the dataset.")),
            count => Outcome::ok(plural!(count, "{n} table can be seen.", "{n} tables can be seen.")),
        };
        Ok((outcome.with_schema_lines(&schemas), (schemas, found)))
    };
    let Some((schemas, found)) = report.run_stage(TestStage::Readable, readable).await else { return };
    report.set_schemas(schemas);
    let rights = async {
        let first = found.into_iter().find_map(|(dataset, tables)| Some((dataset, tables.into_iter().next()?)));
        let Some((dataset, table)) = first else {
            return Ok((Outcome::skipped(tr!("There is no table to check.")), ()));
        };
        let outcome = match fetch_permissions(&jobs.rest, &address, &dataset, &table).await {
            None => Outcome::skipped(tr!("BigQuery did not say what this login may change.")),
            Some(rights) if !rights.iter().any(|right| right == READS) => {
                Outcome::warning(tr!("This login sees {dataset}.{table} and may not read its rows.", dataset, table))
                    .with_advice(tr!("Grant it roles/bigquery.dataViewer on the dataset."))
            }
            Some(rights) if filter_write_rights(&rights).is_empty() => {
                Outcome::ok(tr!("This login may only read {dataset}.{table}.", dataset, table))
            }
            Some(rights) => Outcome::warning(tr!(
                "This login may do more than read. Vitrine never does; another program with this login could."
            ))
            .with_lines(filter_write_rights(&rights))
            .with_advice(tr!("Use a service account of its own that has only roles/bigquery.jobUser on the project and roles/bigquery.dataViewer on the dataset.")),
        };
        Ok((outcome, ()))
    };
    report.run_stage(TestStage::Rights, rights).await;
}
