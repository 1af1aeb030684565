//! Testing MotherDuck: found, reached, encrypted, signed in to; then what the token is and may do.

use super::{macros, rights, tables};
use crate::duck::said;
use crate::inspect::approach::approach;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use crate::postgres::{PROTOCOL, Pool};
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

/// Tests a database of MotherDuck.
pub(crate) async fn inspect(report: &mut Report<'_>, server: ServerAddress, options: &OpenOptions) {
    let pool = Pool::new(server.clone(), options);
    if approach(report, &server, None, &OURS).await.is_none() {
        return;
    }
    let (limit, database) = (report.limit(), server.database());
    let login = async {
        let pool = pool.map_err(Outcome::of_error)?;
        let session = pool.begin(limit).await.map_err(Outcome::of_error)?;
        let message = tr!("MotherDuck takes the token, and begins a transaction that only reads {database}.", database);
        Ok((Outcome::ok(message), (pool, session)))
    };
    let Some((pool, session)) = report.run(TestStage::Login, login).await else { return };
    let failed = |error: Error| {
        let told = error.as_db_error().map_or_else(|| error.to_string(), |answer| answer.message().to_owned());
        Outcome::of_error(said(told))
    };
    let role = async {
        let found = rights::read(&session, &database).await.map_err(failed)?;
        Ok((Outcome::ok(tr!("You are {user}.", user = found.user)).lines([format!("DuckDB {}", found.version)]), found))
    };
    let Some(found) = report.run(TestStage::Role, role).await else { return };
    let readable = async {
        let tables = tables(&session).await.map_err(failed)?;
        macros::refused(&macros::unawares(&session).await.map_err(failed)?).map_err(Outcome::of_error)?;
        Ok(Outcome::readable(&tables, "main", &tr!("Is it the database that you mean? It is named in the address.")))
    };
    let Some(schemas) = report.run(TestStage::Readable, readable).await else { return };
    report.schemas(schemas);
    let rights = async {
        Ok((Outcome::rights(rights::more(&found), tr!("MotherDuck does not tell what this token may do.")), ()))
    };
    report.run(TestStage::Rights, rights).await;
    pool.rest(session).await;
    pool.clear();
}
