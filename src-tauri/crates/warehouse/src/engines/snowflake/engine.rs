//! The description of Snowflake.

use super::SnowflakeWarehouse;
use super::address::{SCHEME, SnowflakeRules};
use super::form::FORM;
use crate::cage::{CagedWarehouse, Login};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, Runs, Stages};
use crate::inspect::driver::inspect_driver;
use crate::proven::{Proof, Proven, SQLGLOT};
use crate::{Metering, ReadingAhead, ServerAddress, WarehouseError, WarehouseKind, WarehouseUri};
use vitrine_domain::Dialect;
use vitrine_words::{later, tr};

const FAKESNOW: &str = "fakesnow 0.12.1";
const SNOWFLAKES: &str = later!("Snowflake's reference, November 2026");

/// Reads the address of a driver's login.
fn read_login(login: Login) -> Result<ServerAddress, WarehouseError> {
    let server = ServerAddress::parse_by(&SnowflakeRules, &login.address);
    server.map(|server| server.with_password(login.password)).map_err(WarehouseError::query)
}

/// Describes the login of an address.
fn describe_login(uri: &WarehouseUri) -> Option<String> {
    let account = uri.server_address()?.snowflake_account().ok()?;
    let user = account.user;
    Some(match account.warehouse {
        None => tr!("You are {user}, and the user's default warehouse computes.", user),
        Some(warehouse) => tr!("You are {user}, and the warehouse {warehouse} computes.", user, warehouse),
    })
}

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Snowflake,
    title: "Snowflake",
    note: later!("Snowflake account"),
    is_preview: false,
    schemes: &[SCHEME],
    form: FORM,
    location: LocationKind::Server,
    runs: Runs::Driver,
    default_port: None,
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Queried,
    password_variable: Some("SNOWFLAKE_PASSWORD"),
    password_file: None,
    password_hint: Some(|_| {
        tr!("Enter the password, the token or the key's passphrase. In scripts, set SNOWFLAKE_PASSWORD.")
    }),
    encryption: Encryption::Always("its driver always verifies the certificate"),
    loads_dumps: false,
    proven: &[
        Proven::new(later!("tables, types, JSON, limits, cancelling, the driver's end"), Proof::Emulator, FAKESNOW),
        Proven::new(later!("hostile statements"), Proof::Emulator, FAKESNOW),
        Proven::new(later!("reading ahead within its limits"), Proof::Emulator, FAKESNOW),
        Proven::new(later!("views without SQL"), Proof::Emulator, SQLGLOT),
        Proven::new(
            later!("views, foreign keys, grants, a refused login, an expired session, one tab of the browser"),
            Proof::Document,
            SNOWFLAKES,
        ),
        Proven::new(later!("bytes before a query by EXPLAIN"), Proof::Document, SNOWFLAKES),
        Proven::new(
            later!("an account; keys, browser, OAuth; roles and warehouses"),
            Proof::Never,
            later!("no account"),
        ),
    ],
    parse: |text| ServerAddress::parse_by(&SnowflakeRules, text).map(WarehouseUri::of_server),
    adopt: None,
    recognize: None,
    open: |uri, options| {
        Box::pin(
            async move { Ok(Opened::from_process(CagedWarehouse::of_driver(uri, Dialect::Snowflake, options).await?)) },
        )
    },
    serve: Some(|process| {
        Box::pin(
            process.serve(|library, login, options| SnowflakeWarehouse::open(library, &read_login(login)?, options)),
        )
    }),
    stages: Stages::Login,
    inspect: |_, report, uri, options| {
        Box::pin(inspect_driver(report, uri, options, Dialect::Snowflake, describe_login(uri)))
    },
    unreachable: Some("snowflake://nobody:x@nobody/nothing?endpoint=http://127.0.0.1:1"),
    observer: None,
    expressions: None,
};
