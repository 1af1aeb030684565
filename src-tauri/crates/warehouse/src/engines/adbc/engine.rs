//! The description of databases behind any driver.

use super::AdbcWarehouse;
use super::address::{DriverAddress, SCHEME};
use super::form::FORM;
use crate::cage::{CagedWarehouse, Login};
use crate::engines::info::{Encryption, EngineInfo, LocationKind, Opened, Runs, Stages};
use crate::inspect::driver::inspect_driver;
use crate::proven::{Proof, Proven, SQLGLOT};
use crate::{Metering, ReadingAhead, WarehouseError, WarehouseKind, WarehouseUri};
use vitrine_words::{later, tr};

fn require_driver(uri: &WarehouseUri) -> Result<&DriverAddress, WarehouseError> {
    uri.driver_address().ok_or_else(|| WarehouseError::query("the address names no driver"))
}

/// Reads the address of a driver's login.
fn read_login(login: Login) -> Result<DriverAddress, WarehouseError> {
    let driver = DriverAddress::parse(&login.address);
    driver.map(|driver| driver.with_password(login.password)).map_err(WarehouseError::query)
}

/// Describes the engine to the rest of the program.
pub(crate) static ENGINE: EngineInfo = EngineInfo {
    kind: WarehouseKind::Adbc,
    title: later!("Driver"),
    note: later!("SQL Server, Trino…"),
    is_preview: true,
    schemes: &[SCHEME],
    form: FORM,
    location: LocationKind::Driver,
    runs: Runs::Driver,
    default_port: None,
    has_rows: true,
    metering: Metering::Untold,
    reading_ahead: ReadingAhead::Queried,
    password_variable: None,
    password_file: None,
    password_hint: Some(|name| tr!("Enter the password. In scripts, set {name}.", name)),
    encryption: Encryption::Always("its driver decides on encryption"),
    loads_dumps: false,
    proven: &[
        Proven::new(
            later!("Preview: catalog, keys and queries with SQLite's driver"),
            Proof::Real,
            "adbc-driver-sqlite 1.13.0",
        ),
        Proven::new(
            later!("Preview: Trino's SQL: nested values, limits, cancelling, hostile statements"),
            Proof::Emulator,
            SQLGLOT,
        ),
        Proven::new(later!("Preview: Trino's SQL: views without SQL"), Proof::Emulator, SQLGLOT),
        Proven::new(later!("Preview: a server of Trino, and its drivers"), Proof::Never, later!("no server of it")),
        Proven::new(
            later!("Preview: SQL Server's T-SQL: JSON, limits, cancelling, hostile statements, views without SQL"),
            Proof::Emulator,
            SQLGLOT,
        ),
        Proven::new(later!("Preview: a SQL Server, and its drivers"), Proof::Never, later!("no server of it")),
        Proven::new(later!("Preview: signing in by a password, with Flight SQL's driver"), Proof::Emulator, SQLGLOT),
        Proven::new(later!("Preview: any other driver"), Proof::Never, later!("the user's own")),
    ],
    parse: |text| DriverAddress::parse(text).map(|driver| WarehouseUri::from_driver(WarehouseKind::Adbc, driver)),
    adopt: None,
    recognize: None,
    open: |uri, options| {
        Box::pin(async move {
            let dialect = require_driver(uri)?.dialect();
            Ok(Opened::from_process(CagedWarehouse::of_driver(uri, dialect, options).await?))
        })
    },
    serve: Some(|process| {
        Box::pin(process.serve(|library, login, options| AdbcWarehouse::open(library, read_login(login)?, options)))
    }),
    stages: Stages::Login,
    inspect: |_, report, uri, options| {
        Box::pin(async move {
            if let Some(driver) = uri.driver_address() {
                inspect_driver(report, uri, options, driver.dialect(), None).await
            }
        })
    },
    unreachable: None,
    observer: None,
    expressions: None,
};
