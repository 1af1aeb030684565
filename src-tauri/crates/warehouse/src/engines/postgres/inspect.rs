//! Testing the connection to a PostgreSQL server: its address, network, encryption and login; then the identity and the
//! permissions of the login.

use super::family::Family;
use super::gate::SSL_REQUEST;
use super::pool::{Pool, Session};
use super::rights;
use crate::inspect::approach::reach_and_encrypt;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use crate::{OpenOptions, ServerAddress};
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_postgres::config::SslNegotiation;
use vitrine_domain::TestStage;
use vitrine_words::tr;

/// The names and requests of PostgreSQL's protocol for connection tests.
pub(crate) const PROTOCOL: Protocol = Protocol {
    product: "PostgreSQL",
    listens: "listen_addresses",
    verified: "sslmode=verify-full",
    unencrypted: "sslmode=disable",
    roots: "sslrootcert",
    switch_on: "ssl = on",
    opening: &SSL_REQUEST,
    socket: |folder, port| folder.join(format!(".s.PGSQL.{port}")),
    is_direct: |server| {
        server.postgres_config().is_ok_and(|config| config.get_ssl_negotiation() == SslNegotiation::Direct)
    },
    ask: |wire| {
        Box::pin(async move {
            wire.write_all(&SSL_REQUEST).await?;
            match wire.read_u8().await? {
                b'S' => Ok(true),
                b'N' => Ok(false),
                _ => Err(io::Error::other("what answers is no PostgreSQL server")),
            }
        })
    },
};

pub(crate) async fn inspect_server(report: &mut Report<'_>, server: ServerAddress, options: &OpenOptions) {
    let pool = Pool::new(server.clone(), options);
    let route = pool.as_ref().ok().and_then(Pool::ssh_route);
    if reach_and_encrypt(report, &server, route, &PROTOCOL).await.is_none() {
        return;
    }
    let limit = report.limit();
    let login = async {
        let pool = pool.map_err(Outcome::of_error)?;
        let session = pool.begin_read_session(limit).await.map_err(Outcome::of_error)?;
        let database = server.database_name();
        Ok((Outcome::ok(tr!("Signed in to the database {database}.", database)), (pool, session)))
    };
    let Some((pool, session)) = report.run_stage(TestStage::Login, login).await else { return };
    inspect_session(report, &session).await;
    pool.return_session(session).await;
    pool.clear_idle();
}

async fn inspect_session(report: &mut Report<'_>, session: &Session) {
    if session.family != Family::Postgres {
        report.run_stage(TestStage::Role, rights::of_other(session)).await;
        return;
    }
    if report.run_stage(TestStage::Role, rights::inspect_role(&session.client)).await.is_none() {
        return;
    }
    let Some(schemas) = report.run_stage(TestStage::Readable, rights::inspect_readable_tables(&session.client)).await
    else {
        return;
    };
    report.set_schemas(schemas);
    report.run_stage(TestStage::Rights, rights::beyond_reading(&session.client)).await;
}
