//! Testing the connection to a MySQL server: its address, network, encryption and login; then the identity and the
//! permissions of the login.

use super::gate;
use super::pool::{Pool, Session};
use super::rights;
use super::roles::Idle;
use crate::inspect::approach::reach_and_encrypt;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use crate::{OpenOptions, ServerAddress};
use mysql_async::Error;
use mysql_async::prelude::Queryable;
use vitrine_domain::{SchemaTables, TestStage};
use vitrine_words::tr;

const PROTOCOL: Protocol = Protocol {
    product: "MySQL",
    listens: "bind-address",
    verified: "ssl-mode=VERIFY_IDENTITY",
    unencrypted: "ssl-mode=DISABLED",
    roots: "ssl-ca",
    switch_on: "ssl-cert and ssl-key",
    // The server sends the first message.
    opening: &[],
    socket: |path, _| path.to_path_buf(),
    is_direct: |_| false,
    ask: |wire| Box::pin(gate::request_encryption(wire)),
};
const TABLES: &str = "SELECT table_schema, CAST(count(*) AS CHAR) FROM information_schema.tables
    WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') GROUP BY table_schema ORDER BY 1";

/// Tests the connection to a server.
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
        let outcome = match server.database_name().as_str() {
            "" => Outcome::ok(tr!("Signed in.")),
            database => Outcome::ok(tr!("Signed in to the database {database}.", database)),
        };
        Ok((outcome, (pool, session)))
    };
    let Some((pool, mut session)) = report.run_stage(TestStage::Login, login).await else { return };
    inspect_session(report, &mut session).await;
    pool.return_session(session).await;
    pool.clear_idle();
}

async fn inspect_session(report: &mut Report<'_>, session: &mut Session) {
    let wrong = |error: Error| Outcome::failed(error.to_string());
    let role = async {
        let found = rights::read_login_rights(session).await.map_err(wrong)?;
        let outcome =
            Outcome::ok(tr!("You are {user}, on version {version}.", user = found.user, version = found.version));
        // Missing tables may require an inactive role.
        let outcome = match found.idle.is_empty() {
            true => outcome,
            false => outcome
                .with_lines(found.idle.iter().map(Idle::describe_role))
                .with_advice(tr!("No query runs with such a role. What one allows counts here once it is the login's default role (SET DEFAULT ROLE).")),
        };
        Ok((outcome, found))
    };
    let Some(found) = report.run_stage(TestStage::Role, role).await else { return };
    let readable = async {
        let schemas: Vec<(String, String)> = session.conn.query(TABLES).await.map_err(wrong)?;
        let schemas: Vec<SchemaTables> = schemas
            .into_iter()
            .map(|(name, tables)| SchemaTables { name, tables: tables.parse().unwrap_or_default() })
            .collect();
        let tables: u32 = schemas.iter().map(|schema| schema.tables).sum();
        let outcome = Outcome::from_table_count(tables).unwrap_or_else(|| {
            Outcome::warning(tr!("This login can read no table.")).with_advice(tr!("Grant it SELECT on the database."))
        });
        Ok((outcome.with_schema_lines(&schemas), schemas))
    };
    let Some(schemas) = report.run_stage(TestStage::Readable, readable).await else { return };
    report.set_schemas(schemas);
    let rights = async {
        let idle = found.idle.iter().filter(|role| !role.only_reads()).map(Idle::describe_role);
        let lines: Vec<String> = found.more.iter().cloned().chain(idle).collect();
        let outcome = match (found.more.is_empty(), lines.is_empty()) {
            (true, true) => Outcome::ok(tr!("This login may only read.")),
            (true, false) => Outcome::warning(tr!(
                "This login may only read as it signs in, and more by a role that another program could set."
            ))
            .with_lines(lines)
            .with_advice(tr!("Use a login of its own without such roles: CREATE USER 'vitrine'@'%' IDENTIFIED BY '...'; GRANT SELECT, SHOW VIEW ON db.* TO 'vitrine'@'%';")),
            (false, _) => Outcome::warning(tr!(
                "This login may do more than read. Vitrine never does; another program with this login could."
            ))
            .with_lines(lines)
            .with_advice(tr!("Use a separate login that can only read: CREATE USER 'vitrine'@'%' IDENTIFIED BY '...'; GRANT SELECT, SHOW VIEW ON db.* TO 'vitrine'@'%';")),
        };
        Ok((outcome, ()))
    };
    report.run_stage(TestStage::Rights, rights).await;
}
