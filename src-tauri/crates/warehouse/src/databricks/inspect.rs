//! Testing a workspace: found, reached, encrypted, signed in to; then what the login is and may do.

use super::errors::Failure;
use super::http::Http;
use super::{LOOKING, admitted, introspect, late, rights};
use crate::ServerAddress;
use crate::inspect::approach::approach;
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
    // An address names no socket.
    socket: |path, _| path.to_path_buf(),
    // It encrypts from the first byte.
    ask: |_| Box::pin(async { Ok(true) }),
};

/// Tests a workspace.
pub(crate) async fn inspect(report: &mut Report<'_>, server: ServerAddress) {
    let http = Http::new(server.clone());
    if approach(report, &server, None, &PROTOCOL).await.is_none() {
        return;
    }
    let login = async {
        let http = http.map_err(Outcome::of_error)?;
        let opened = tokio::time::timeout(LOOKING, admitted(&http)).await.map_err(|_| Outcome::of_error(late()))?;
        opened.map_err(Outcome::of_error)?;
        Ok((
            Outcome::ok(tr!(
                "The warehouse is awake and lets this login into {database}.",
                database = server.database()
            )),
            http,
        ))
    };
    let Some(http) = report.run(TestStage::Login, login).await else { return };
    let wrong = |failure: Failure| Outcome::of_error(failure.in_query(&http.shown));
    let role = async {
        let found = rights::read(&http).await.map_err(wrong)?;
        Ok((Outcome::ok(tr!("You are {user}.", user = found.user)), found))
    };
    let Some(found) = report.run(TestStage::Role, role).await else { return };
    let readable = async {
        let (tables, _) = introspect::read(&http, introspect::PAGE).await.map_err(wrong)?;
        let own = http.warehouse.schema.as_deref().unwrap_or_default();
        Ok(Outcome::readable(
            &tables,
            own,
            &tr!("Grant it USE CATALOG, USE SCHEMA and SELECT. Tables of hive_metastore are not read."),
        ))
    };
    let Some(schemas) = report.run(TestStage::Readable, readable).await else { return };
    report.schemas(schemas);
    let rights =
        async { Ok((Outcome::rights(found.more, tr!("The catalog does not tell what this login may do.")), ())) };
    report.run(TestStage::Rights, rights).await;
}
