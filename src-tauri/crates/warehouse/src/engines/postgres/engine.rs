//! The description of PostgreSQL.

use super::address::{PORT, PostgresRules, SCHEMES};
use super::form::FORM;
use super::{PostgresWarehouse, inspect_server};
use crate::conformance::observer::{Observer, query_engine};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, PasswordFile, Runs, Stages, require_server};
use crate::proven::{Proof, Proven};
use crate::{Metering, ReadingAhead, ServerAddress, WarehouseKind, WarehouseUri};
use vitrine_words::{later, tr};

const POSTGRESQL: &str = later!("a PostgreSQL server that the tests start");

/// The second connection of the conformance suite.
static OBSERVER: Observer = Observer {
    query: |server, options, sql| {
        Box::pin(async move { query_engine(&PostgresWarehouse::open(server, options).await?, sql).await })
    },
    sessions: |name| {
        format!(
            "FROM pg_stat_activity WHERE state = 'active' AND usename = current_user AND pid <> pg_backend_pid()
                   AND query LIKE '%{name}%'"
        )
    },
    session: "pg_terminate_backend(pid)",
    end_sessions: None,
    secrets: "SELECT rolpassword FROM pg_authid",
};

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Postgres,
    title: "PostgreSQL",
    note: later!("Database server"),
    is_preview: false,
    schemes: SCHEMES,
    form: FORM,
    location: LocationKind::Server,
    runs: Runs::Server,
    default_port: Some(PORT),
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Whole,
    password_variable: Some("PGPASSWORD"),
    password_file: Some(PasswordFile::Passfile),
    password_hint: Some(|_| tr!("Enter the password. In scripts, set PGPASSWORD or use the file ~/.pgpass.")),
    encryption: Encryption::Chosen { option: "sslmode", encrypted: "require", verified: "verify-full" },
    loads_dumps: true,
    proven: &[
        Proven::new(
            later!("catalog, types, limits, cancelling, read-only sessions, hostile statements"),
            Proof::Real,
            POSTGRESQL,
        ),
        Proven::new(later!("TLS, certificates, passwords"), Proof::Real, POSTGRESQL),
        Proven::new(later!("staged test, rights of a role"), Proof::Real, POSTGRESQL),
        Proven::new(
            later!("a pooler in transaction mode"),
            Proof::Real,
            later!("PgBouncer before a PostgreSQL server that the tests start"),
        ),
        Proven::new(
            later!("SSH tunnels under Linux"),
            Proof::Real,
            later!("OpenSSH before a PostgreSQL server that the tests start"),
        ),
        Proven::new(
            later!("Redshift, CockroachDB: settings, tables, what is refused"),
            Proof::Document,
            later!("their makers' documents; a PostgreSQL server that answers so"),
        ),
        Proven::new(
            later!("Redshift, CockroachDB, Neon, Supabase, RDS, Aurora"),
            Proof::Never,
            later!("no server of them"),
        ),
    ],
    parse: |text| ServerAddress::parse_by(&PostgresRules, text).map(WarehouseUri::of_server),
    adopt: None,
    recognize: None,
    open: |uri, options| {
        Box::pin(async move { Ok(Opened::new(PostgresWarehouse::open(require_server(uri)?, options).await?)) })
    },
    serve: None,
    stages: Stages::Server,
    inspect: |_, report, uri, options| {
        Box::pin(async move {
            if let Some(server) = uri.server_address() {
                inspect_server(report, server.clone(), options).await
            }
        })
    },
    unreachable: Some("postgresql://nobody@127.0.0.1:1/nothing"),
    observer: Some(&OBSERVER),
    expressions: None,
};
