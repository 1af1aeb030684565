//! The test of a driver connection: opening, readable tables and rights of the login, as reported by the driver's
//! process.

use super::report::{Outcome, Report};
use crate::cage::CagedWarehouse;
use crate::{OpenOptions, Warehouse, WarehouseUri};
use vitrine_domain::{Dialect, SafetyKind, SafetyState, TestStage};
use vitrine_words::tr;

/// Tests a database behind a driver. `role` describes the login, if the address contains it.
pub(crate) async fn inspect_driver(
    report: &mut Report<'_>,
    uri: &WarehouseUri,
    options: &OpenOptions,
    dialect: Dialect,
    role: Option<String>,
) {
    let login = async {
        let open = CagedWarehouse::of_driver(uri, dialect, options).await.map_err(Outcome::of_error)?;
        let says = match uri.server_address() {
            None => tr!("This login can connect to the database."),
            Some(server) => {
                tr!("This login can connect to the database {database}.", database = server.database_name())
            }
        };
        Ok((Outcome::ok(says), open))
    };
    let Some(open) = report.run_stage(TestStage::Login, login).await else { return };
    let describing = async {
        let layers = open.safety_layers().await.map_err(Outcome::of_error)?;
        Ok(match role {
            Some(role) => (Outcome::ok(role), layers),
            None => (Outcome::skipped(tr!("Drivers do not report the user of a connection.")), layers),
        })
    };
    let Some(layers) = report.run_stage(TestStage::Role, describing).await else { return };
    let readable = async {
        let catalog = open.load_catalog().await.map_err(Outcome::of_error)?;
        let only = catalog.search_path.first().cloned().unwrap_or_default();
        let advice = tr!("Grant it SELECT on the tables, and what it takes to see them.");
        Ok(Outcome::from_readable_tables(&catalog.tables, &only, &advice))
    };
    if let Some(schemas) = report.run_stage(TestStage::Readable, readable).await {
        report.set_schemas(schemas);
        let rights = async {
            let layer = layers.iter().find(|layer| layer.kind == SafetyKind::Rights);
            let unknown = || tr!("Drivers do not report the rights of a login.");
            let says = layer.map_or_else(unknown, |layer| layer.says.clone());
            Ok((
                match layer.map(|layer| layer.state) {
                    Some(SafetyState::Holds) => Outcome::ok(says),
                    Some(SafetyState::Missing) => Outcome::warning(says).with_advice(tr!(
                        "Use a separate role that has only USAGE on warehouse, database and schema, and SELECT on tables and views."
                    )),
                    _ => Outcome::skipped(says),
                },
                (),
            ))
        };
        report.run_stage(TestStage::Rights, rights).await;
    }
    open.close().await;
}
