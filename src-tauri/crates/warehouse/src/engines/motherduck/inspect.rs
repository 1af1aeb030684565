//! Testing the connection to MotherDuck: its address, network, encryption and login; then the identity and the
//! permissions of the token.

use super::{macros, read_tables, rights};
use crate::engines::duck::error_from_message;
use crate::engines::postgres::{PROTOCOL, Pool};
use crate::inspect::approach::reach_and_encrypt;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use crate::{OpenOptions, ServerAddress};
use tokio_postgres::Error;
use vitrine_domain::TestStage;
use vitrine_words::{later, tr};

const OURS: Protocol = Protocol {
    product: "MotherDuck",
    listens: later!("the region under Settings, Postgres endpoint"),
    unencrypted: later!("a server on this computer"),
    roots: later!("the system's certificates"),
    switch_on: "TLS",
    ..PROTOCOL
};

/// Tests the connection to a database of MotherDuck.
pub(crate) async fn inspect_server(report: &mut Report<'_>, server: ServerAddress, options: &OpenOptions) {
    let pool = Pool::new(server.clone(), options);
    if reach_and_encrypt(report, &server, None, &OURS).await.is_none() {
        return;
    }
    let (limit, database) = (report.limit(), server.database_name());
    let login = async {
        let pool = pool.map_err(Outcome::of_error)?;
        let session = pool.begin_read_session(limit).await.map_err(Outcome::of_error)?;
        let message = tr!("MotherDuck takes the token, and begins a transaction that only reads {database}.", database);
        Ok((Outcome::ok(message), (pool, session)))
    };
    let Some((pool, session)) = report.run_stage(TestStage::Login, login).await else { return };
    let failed = |error: Error| {
        let told = error.as_db_error().map_or_else(|| error.to_string(), |answer| answer.message().to_owned());
        Outcome::of_error(error_from_message(told))
    };
    let role = async {
        let found = rights::read_rights(&session, &database).await.map_err(failed)?;
        Ok((
            Outcome::ok(tr!("You are {user}.", user = found.user)).with_lines([format!("DuckDB {}", found.version)]),
            found,
        ))
    };
    let Some(found) = report.run_stage(TestStage::Role, role).await else { return };
    let readable = async {
        let tables = read_tables(&session).await.map_err(failed)?;
        macros::refuse_unsafe_macros(&macros::find_unsafe_macros(&session).await.map_err(failed)?)
            .map_err(Outcome::of_error)?;
        Ok(Outcome::from_readable_tables(
            &tables,
            "main",
            &tr!("Is it the database that you mean? It is named in the address."),
        ))
    };
    let Some(schemas) = report.run_stage(TestStage::Readable, readable).await else { return };
    report.set_schemas(schemas);
    let rights = async {
        Ok((
            Outcome::from_rights(rights::extra_rights(&found), tr!("MotherDuck does not tell what this token may do.")),
            (),
        ))
    };
    report.run_stage(TestStage::Rights, rights).await;
    pool.return_session(session).await;
    pool.clear_idle();
}
