//! A connection by a driver tested: opened, then what can be read and what the login may do, as the driver's own process tells.

use super::report::{Outcome, Report};
use crate::cage::CagedWarehouse;
use crate::{OpenOptions, Warehouse, WarehouseUri};
use std::collections::BTreeMap;
use vitrine_domain::{SafetyKind, SafetyState, SchemaTables, TestStage};

/// Tests a database behind a driver.
pub(super) async fn inspect(report: &mut Report<'_>, uri: &WarehouseUri, options: &OpenOptions) {
    let login = async {
        let open = CagedWarehouse::of_driver(uri, options).await.map_err(Outcome::of_error)?;
        let what = uri
            .server()
            .map_or_else(|| "the database".to_owned(), |server| format!("the database {}", server.database()));
        Ok((Outcome::ok(format!("This login is let into {what}.")), open))
    };
    let Some(open) = report.run(TestStage::Login, login).await else { return };
    let role = async {
        let layers = open.safety().await.map_err(Outcome::of_error)?;
        let account = uri.server().and_then(|server| server.account().ok());
        let Some(account) = account else {
            return Ok((Outcome::skipped("A driver does not tell as whom one is signed in."), layers));
        };
        let compute = account
            .warehouse
            .map_or_else(|| "the user's default warehouse".to_owned(), |own| format!("the warehouse {own}"));
        Ok((Outcome::ok(format!("You are {}, and {compute} computes.", account.user)), layers))
    };
    let Some(layers) = report.run(TestStage::Role, role).await else { return };
    let readable = async {
        let catalog = open.catalog().await.map_err(Outcome::of_error)?;
        let only = catalog.search_path.first().cloned().unwrap_or_default();
        let mut counts = BTreeMap::<String, u32>::new();
        for table in &catalog.tables {
            *counts.entry(table.name.schema.clone().unwrap_or_else(|| only.clone())).or_default() += 1;
        }
        let schemas: Vec<SchemaTables> =
            counts.into_iter().map(|(name, tables)| SchemaTables { name, tables }).collect();
        let outcome = match catalog.tables.len() {
            0 => Outcome::warning("This login can read no table.")
                .advice("Grant it SELECT on the tables, and what it takes to see them."),
            tables => Outcome::ok(format!("{tables} tables can be read.")),
        };
        let lines: Vec<String> =
            schemas.iter().map(|schema| format!("{}: {} tables", schema.name, schema.tables)).collect();
        Ok((outcome.lines(lines), schemas))
    };
    if let Some(schemas) = report.run(TestStage::Readable, readable).await {
        report.schemas(schemas);
        let rights = async {
            let layer = layers.iter().find(|layer| layer.kind == SafetyKind::Rights);
            let unknown = || "A driver does not tell what a login may do.".to_owned();
            let says = layer.map_or_else(unknown, |layer| layer.says.clone());
            Ok((
                match layer.map(|layer| layer.state) {
                    Some(SafetyState::Holds) => Outcome::ok(says),
                    Some(SafetyState::Missing) => Outcome::warning(says).advice(
                        "Use a role of its own with USAGE and SELECT alone: docs/connections.md has the statements.",
                    ),
                    _ => Outcome::skipped(says),
                },
                (),
            ))
        };
        report.run(TestStage::Rights, rights).await;
    }
    open.close().await;
}
