//! Testing a server: found, reached, encrypted, signed in to; then what the login is and may do.

use super::http::{Failure, Http};
use super::{LOOKING, introspect, rights, sign_in};
use crate::inspect::approach::approach;
use crate::inspect::protocol::Protocol;
use crate::inspect::report::{Outcome, Report};
use crate::{OpenOptions, ServerAddress};
use std::collections::BTreeMap;
use vitrine_domain::{SchemaTables, TestStage};

const PROTOCOL: Protocol = Protocol {
    product: "ClickHouse",
    listens: "listen_host, http_port, https_port",
    verified: "sslmode=verify-full",
    unencrypted: "sslmode=disable",
    roots: "sslrootcert",
    switch_on: "https_port and openSSL",
    opening: &[],
    // An address names no socket.
    socket: |path, _| path.to_path_buf(),
    // It encrypts from the first byte.
    ask: |_| Box::pin(async { Ok(true) }),
};

/// Tests a server.
pub(crate) async fn inspect(report: &mut Report<'_>, server: ServerAddress, options: &OpenOptions) {
    let http = Http::new(server.clone(), options);
    if approach(report, &server, None, &PROTOCOL).await.is_none() {
        return;
    }
    let login = async {
        let http = http.map_err(Outcome::of_error)?;
        let settings = sign_in(&http).await.map_err(Outcome::of_error)?;
        let outcome = match server.database().as_str() {
            "" => Outcome::ok("The server lets this login in."),
            database => Outcome::ok(format!("The server lets this login into the database {database}.")),
        };
        Ok((outcome, (http, settings)))
    };
    let Some((http, settings)) = report.run(TestStage::Login, login).await else { return };
    let settings = (&settings, LOOKING.as_secs());
    let wrong = |failure: Failure| Outcome::of_error(failure.in_query(&http.shown, LOOKING.as_secs()));
    let role = async {
        let found = rights::read(&http, settings).await.map_err(wrong)?;
        Ok((Outcome::ok(format!("You are {}, on version {}.", found.user, found.version)), found))
    };
    let Some(found) = report.run(TestStage::Role, role).await else { return };
    let readable = async {
        let database = server.database();
        let (tables, _) = introspect::read(&http, settings, &database).await.map_err(wrong)?;
        let mut counts = BTreeMap::<String, u32>::new();
        for table in &tables {
            *counts.entry(table.name.schema.clone().unwrap_or_else(|| database.clone())).or_default() += 1;
        }
        let schemas: Vec<SchemaTables> =
            counts.into_iter().map(|(name, tables)| SchemaTables { name, tables }).collect();
        let lines: Vec<String> =
            schemas.iter().map(|schema| format!("{}: {} tables", schema.name, schema.tables)).collect();
        let outcome = match tables.len() {
            0 => Outcome::warning("This login can read no table.").advice("Grant it SELECT on the database."),
            1 => Outcome::ok("1 table can be read."),
            tables => Outcome::ok(format!("{tables} tables can be read.")),
        };
        Ok((outcome.lines(lines), schemas))
    };
    let Some(schemas) = report.run(TestStage::Readable, readable).await else { return };
    report.schemas(schemas);
    let rights = async {
        let outcome = match found.more {
            None => Outcome::warning("The server does not tell what this login may do."),
            Some(more) if more.is_empty() => Outcome::ok("This login may only read."),
            Some(more) => Outcome::warning(
                "This login may do more than read. Vitrine never does; another program with this login could.",
            )
            .lines(more)
            .advice("Use a login of its own with SELECT alone: docs/connections.md has the statements."),
        };
        Ok((outcome, ()))
    };
    report.run(TestStage::Rights, rights).await;
}
