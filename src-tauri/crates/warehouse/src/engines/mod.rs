//! One folder per engine, and the list of all engines.

pub(crate) mod adbc;
pub(crate) mod bigquery;
pub(crate) mod clickhouse;
pub(crate) mod databricks;
pub(crate) mod ddl;
pub(crate) mod duck;
pub(crate) mod embedded;
pub(crate) mod files;
mod form;
pub(crate) mod info;
pub(crate) mod motherduck;
pub(crate) mod mysql;
pub(crate) mod postgres;
mod server_form;
pub(crate) mod snowflake;
pub(crate) mod sqlite;

use crate::WarehouseKind;

pub use form::{AddressForm, FieldKind, FormField, FormValues};
pub use info::{Encryption, EngineInfo, LocationKind, PasswordFile, Runs};
pub(crate) use info::{Opened, PathTexts, Stages};

/// All engines, in the order in which they are offered.
static ENGINES: &[&EngineInfo] = &[
    &postgres::ENGINE,
    &mysql::ENGINE,
    &bigquery::ENGINE,
    &snowflake::ENGINE,
    &clickhouse::ENGINE,
    &databricks::ENGINE,
    &motherduck::ENGINE,
    &adbc::ENGINE,
    &sqlite::ENGINE,
    &duck::ENGINE,
    &files::ENGINE,
    &ddl::ENGINE,
    #[cfg(test)]
    &tests::made_up::ENGINE,
];

/// Returns all engines, in the order in which they are offered.
pub fn engines() -> impl Iterator<Item = &'static EngineInfo> {
    ENGINES.iter().copied()
}

impl WarehouseKind {
    /// Returns the description of the engine.
    pub fn info(self) -> &'static EngineInfo {
        engines().find(|engine| engine.kind == self).expect("every kind has an engine, as a test asserts")
    }
}

#[cfg(test)]
mod tests;
