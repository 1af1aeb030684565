//! Testing the connection to a server: its address, network, encryption and login; then the identity and the
//! permissions of the login.

use super::http::{Failure, Http};
use super::{LOOKING, introspect, rights, sign_in};
use crate::inspect::approach::reach_and_encrypt;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use crate::{OpenOptions, ServerAddress};
use vitrine_domain::TestStage;
use vitrine_words::tr;

const PROTOCOL: Protocol = Protocol {
    product: "ClickHouse",
    listens: "listen_host, http_port, https_port",
    verified: "sslmode=verify-full",
    unencrypted: "sslmode=disable",
    roots: "sslrootcert",
    switch_on: "https_port and openSSL",
    opening: &[],
    // The address of a ClickHouse server cannot name a socket.
    socket: |path, _| path.to_path_buf(),
    is_direct: |_| false,
    // The connection is encrypted from the first byte.
    ask: |_| Box::pin(async { Ok(true) }),
};

/// Tests the connection to a server.
pub(crate) async fn inspect_server(report: &mut Report<'_>, server: ServerAddress, options: &OpenOptions) {
    let http = Http::new(server.clone(), options);
    if reach_and_encrypt(report, &server, None, &PROTOCOL).await.is_none() {
        return;
    }
    let login = async {
        let http = http.map_err(Outcome::of_error)?;
        let settings = sign_in(&http).await.map_err(Outcome::of_error)?;
        let outcome = match server.database_name().as_str() {
            "" => Outcome::ok(tr!("Signed in.")),
            database => Outcome::ok(tr!("Signed in to the database {database}.", database)),
        };
        Ok((outcome, (http, settings)))
    };
    let Some((http, settings)) = report.run_stage(TestStage::Login, login).await else { return };
    let settings = (&settings, LOOKING.as_secs());
    let wrong = |failure: Failure| Outcome::of_error(failure.in_query(&http.shown, LOOKING.as_secs()));
    let role = async {
        let found = rights::read_rights(&http, settings).await.map_err(wrong)?;
        Ok((
            Outcome::ok(tr!("You are {user}, on version {version}.", user = found.user, version = found.version)),
            found,
        ))
    };
    let Some(found) = report.run_stage(TestStage::Role, role).await else { return };
    let readable = async {
        let database = server.database_name();
        let (tables, _) = introspect::read_catalog(&http, settings, &database).await.map_err(wrong)?;
        Ok(Outcome::from_readable_tables(&tables, &database, &tr!("Grant it SELECT on the database.")))
    };
    let Some(schemas) = report.run_stage(TestStage::Readable, readable).await else { return };
    report.set_schemas(schemas);
    let rights =
        async { Ok((Outcome::from_rights(found.more, tr!("The server does not tell what this login may do.")), ())) };
    report.run_stage(TestStage::Rights, rights).await;
}
