//! The description of MySQL.

use super::address::{MysqlRules, PORT, SCHEMES};
use super::form::FORM;
use super::{MysqlWarehouse, inspect_server};
use crate::conformance::observer::{Observer, query_engine};
use crate::engine::Engine;
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, PasswordFile, Runs, Stages, require_server};
use crate::proven::{Proof, Proven};
use crate::{Metering, ReadingAhead, ServerAddress, WarehouseKind, WarehouseUri};
use vitrine_words::{later, tr};

const MARIADB: &str = later!("a MariaDB server that the tests start");

/// The second connection of the conformance suite.
static OBSERVER: Observer = Observer {
    query: |server, options, sql| {
        Box::pin(async move { query_engine(&MysqlWarehouse::open(server, options).await?, sql).await })
    },
    sessions: |name| {
        format!(
            "FROM information_schema.processlist WHERE command <> 'Sleep' AND user = SUBSTRING_INDEX(USER(), '@', 1)
                   AND id <> CONNECTION_ID() AND info LIKE '%{name}%'"
        )
    },
    session: "id",
    end_sessions: Some(|server, options, ids| {
        Box::pin(async move {
            let observer = MysqlWarehouse::open(server, options).await?;
            for id in ids.iter().filter_map(|id| id.parse().ok()) {
                observer.end_session(id).await;
            }
            observer.close_idle_connections();
            Ok(())
        })
    }),
    secrets: "SELECT authentication_string FROM mysql.user",
};

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Mysql,
    title: "MySQL, MariaDB",
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
    password_variable: Some("MYSQL_PWD"),
    password_file: Some(PasswordFile::OptionFile),
    password_hint: Some(|_| tr!("Enter the password. In scripts, set MYSQL_PWD or use the file ~/.my.cnf.")),
    encryption: Encryption::Chosen { option: "ssl-mode", encrypted: "REQUIRED", verified: "VERIFY_IDENTITY" },
    loads_dumps: false,
    proven: &[
        Proven::new(
            later!("catalog, types, limits, cancelling, read-only sessions, hostile statements"),
            Proof::Real,
            MARIADB,
        ),
        Proven::new(later!("TLS, certificates, passwords"), Proof::Real, MARIADB),
        Proven::new(later!("staged test, rights, roles that are not active"), Proof::Real, MARIADB),
        Proven::new(
            later!("SSH tunnels under Linux"),
            Proof::Real,
            later!("OpenSSH before a MariaDB server that the tests start"),
        ),
        Proven::new(later!("roles of MySQL 8"), Proof::Never, later!("no server of it")),
        Proven::new(later!("MySQL by Oracle"), Proof::Never, later!("no server of it")),
    ],
    parse: |text| ServerAddress::parse_by(&MysqlRules, text).map(WarehouseUri::of_server),
    adopt: None,
    recognize: None,
    open: |uri, options| {
        Box::pin(async move { Ok(Opened::new(MysqlWarehouse::open(require_server(uri)?, options).await?)) })
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
    unreachable: Some("mysql://nobody@127.0.0.1:1/nothing"),
    observer: Some(&OBSERVER),
    expressions: None,
};
