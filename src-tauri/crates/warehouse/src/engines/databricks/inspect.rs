//! Testing the connection to a workspace: its address, network, encryption and login; then the identity and the
//! permissions of the login.

use super::errors::Failure;
use super::http::Http;
use super::{LOOKING, check_access, introspect, rights, timeout_error};
use crate::ServerAddress;
use crate::inspect::approach::reach_and_encrypt;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use vitrine_domain::TestStage;
use vitrine_words::{later, tr};

const PROTOCOL: Protocol = Protocol {
    product: "Databricks",
    listens: later!("the workspace's host, without https:// before it"),
    verified: "https",
    unencrypted: later!("a server on this computer"),
    roots: later!("the system's certificates"),
    switch_on: "https",
    opening: &[],
    // The address of a workspace cannot name a socket.
    socket: |path, _| path.to_path_buf(),
    is_direct: |_| false,
    // The connection is encrypted from the first byte.
    ask: |_| Box::pin(async { Ok(true) }),
};

/// Tests the connection to a workspace.
pub(crate) async fn inspect_workspace(report: &mut Report<'_>, server: ServerAddress) {
    let http = Http::new(server.clone());
    if reach_and_encrypt(report, &server, None, &PROTOCOL).await.is_none() {
        return;
    }
    let login = async {
        let http = http.map_err(Outcome::of_error)?;
        let opened =
            tokio::time::timeout(LOOKING, check_access(&http)).await.map_err(|_| Outcome::of_error(timeout_error()))?;
        opened.map_err(Outcome::of_error)?;
        Ok((
            Outcome::ok(tr!("The warehouse is running; signed in to {database}.", database = server.database_name())),
            http,
        ))
    };
    let Some(http) = report.run_stage(TestStage::Login, login).await else { return };
    let wrong = |failure: Failure| Outcome::of_error(failure.in_query(&http.shown));
    let role = async {
        let found = rights::read_rights(&http).await.map_err(wrong)?;
        Ok((Outcome::ok(tr!("You are {user}.", user = found.user)), found))
    };
    let Some(found) = report.run_stage(TestStage::Role, role).await else { return };
    let readable = async {
        let (tables, _) = introspect::read_catalog(&http, introspect::PAGE).await.map_err(wrong)?;
        let own = http.warehouse.schema.as_deref().unwrap_or_default();
        Ok(Outcome::from_readable_tables(
            &tables,
            own,
            &tr!("Grant it USE CATALOG, USE SCHEMA and SELECT. Tables of hive_metastore are not read."),
        ))
    };
    let Some(schemas) = report.run_stage(TestStage::Readable, readable).await else { return };
    report.set_schemas(schemas);
    let rights =
        async { Ok((Outcome::from_rights(found.more, tr!("The catalog does not tell what this login may do.")), ())) };
    report.run_stage(TestStage::Rights, rights).await;
}
