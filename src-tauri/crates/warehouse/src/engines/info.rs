//! The description of an engine: all that the rest of the program needs to know about it.

use super::form::AddressForm;
use crate::cage::{CagedWarehouse, EngineProcess};
use crate::conformance::observer::{Expression, Observer};
use crate::content::{DetectedFile, Recognition};
use crate::inspect::report::Report;
use crate::proven::Proven;
use crate::scope::ScopedWarehouse;
use crate::{
    Metering, OpenOptions, ReadingAhead, ServerAddress, Warehouse, WarehouseError, WarehouseKind, WarehouseUri,
};
use futures::future::BoxFuture;
use std::sync::Arc;

/// An engine, defined by the `ENGINE` of its folder.
pub struct EngineInfo {
    /// The id of the engine.
    pub kind: WarehouseKind,
    /// The name of the product, in English.
    pub title: &'static str,
    /// The server, account or file that a connection needs, in a few English words.
    pub note: &'static str,
    /// True if the engine was not tested with a real server, or is otherwise incomplete.
    pub is_preview: bool,
    /// The schemes of addresses; they are written with the first one.
    pub schemes: &'static [&'static str],
    /// The form for addresses.
    pub form: AddressForm,
    /// The kind of location that an address names.
    pub location: LocationKind,
    /// The program that runs queries.
    pub runs: Runs,
    /// The port for addresses without one.
    pub default_port: Option<u16>,
    /// True if there are rows; false for a schema without data.
    pub has_rows: bool,
    /// The way in which the bytes of queries are known.
    pub metering: Metering,
    /// The amount of data that may be read before the first question.
    pub reading_ahead: ReadingAhead,
    /// The environment variable from which the server's own programs read a password.
    pub password_variable: Option<&'static str>,
    /// The file in which the server's own programs look for a password.
    pub password_file: Option<PasswordFile>,
    /// Returns the hint for a missing password, which may name the environment variable.
    pub(crate) password_hint: Option<fn(name: &str) -> String>,
    /// The encryption of connections.
    pub encryption: Encryption,
    /// True if `psql` loads dumps into such a server.
    pub loads_dumps: bool,
    /// The features with their evidence.
    pub proven: &'static [Proven],
    /// Parses an address with one of the schemes.
    pub(crate) parse: fn(&str) -> Result<WarehouseUri, String>,
    /// Rewrites an address with another engine's scheme if it names a database of this engine.
    pub(crate) adopt: Option<fn(&str) -> Option<String>>,
    /// Recognizes a file or folder without a scheme.
    pub(crate) recognize: Option<fn(&DetectedFile<'_>) -> Option<Recognition>>,
    /// Opens a database, in a separate process if the options or the engine require it.
    pub(crate) open: for<'a> fn(&'a WarehouseUri, &'a OpenOptions) -> OpenFuture<'a>,
    /// Answers orders in the separate process.
    pub(crate) serve: Option<fn(EngineProcess) -> BoxFuture<'static, ()>>,
    /// The stages of a connection test.
    pub(crate) stages: Stages,
    /// Tests a connection in stages.
    pub(crate) inspect:
        for<'a, 'r> fn(&'static EngineInfo, &'a mut Report<'r>, &'a WarehouseUri, &'a OpenOptions) -> BoxFuture<'a, ()>,
    /// An address without a server or file, for the conformance suite.
    pub(crate) unreachable: Option<&'static str>,
    /// The second connection of the conformance suite.
    pub(crate) observer: Option<&'static Observer>,
    /// The expressions of the conformance suite that differ from the dialect's.
    pub(crate) expressions: Option<&'static [Expression]>,
}

/// The kind of location that an address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocationKind {
    /// A file or folder of this computer.
    Path,
    /// A database on a server.
    Server,
    /// A project of a cloud.
    Project,
    /// A database behind a driver that the user added.
    Driver,
}

/// The program that runs the queries of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// A library of this program.
    Embedded,
    /// A server, to which this program connects itself.
    Server,
    /// A server, to which a driver in a separate process connects.
    Driver,
}

/// The file in which a server's own programs look for a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordFile {
    /// PostgreSQL's password file, `~/.pgpass`.
    Passfile,
    /// MySQL's option file, `~/.my.cnf`.
    OptionFile,
}

/// The encryption of an engine's connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// The engine has no connection.
    None,
    /// Always encrypted, with a verified certificate, for this reason.
    Always(&'static str),
    /// Chosen by an option of the address.
    Chosen {
        /// The name of the option.
        option: &'static str,
        /// The value for encryption without verification.
        encrypted: &'static str,
        /// The value for a verified certificate.
        verified: &'static str,
    },
}

/// The texts of a connection test for a file or folder, in English.
pub(crate) struct PathTexts {
    /// The kind of database.
    pub(crate) title: &'static str,
    /// The protection against changes; `None` for a database without rows.
    pub(crate) protection: Option<&'static str>,
}

/// The stages of a connection test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stages {
    /// The stages of a file or a folder.
    Path,
    /// The stages of a server, with those before login.
    Server,
    /// The stages from login on: signing in also shows if the server is reachable.
    Login,
}

/// The future of an opened database.
pub(crate) type OpenFuture<'a> = BoxFuture<'a, Result<Opened, WarehouseError>>;

/// An opened database, with its process if it runs in a separate one.
pub(crate) struct Opened {
    pub(crate) warehouse: Arc<dyn Warehouse>,
    pub(crate) caged: Option<Arc<CagedWarehouse>>,
}

impl Opened {
    /// Creates the result for a database that this process has open.
    pub(crate) fn new(warehouse: impl Warehouse + 'static) -> Self {
        Self { warehouse: Arc::new(warehouse), caged: None }
    }

    /// Creates the result for a database that a separate process has open.
    pub(crate) fn from_process(caged: CagedWarehouse) -> Self {
        let caged = Arc::new(caged);
        Self { warehouse: caged.clone(), caged: Some(caged) }
    }
}

impl EngineInfo {
    /// Returns the scheme with which addresses are written.
    pub fn scheme(&self) -> &'static str {
        self.schemes[0]
    }

    /// Returns true for one of the engine's schemes, in upper or lower case.
    pub fn has_scheme(&self, scheme: &str) -> bool {
        self.schemes.iter().any(|known| known.eq_ignore_ascii_case(scheme))
    }

    /// Opens a warehouse, restricted to the schemas of the options.
    pub(crate) async fn open_scoped(
        &self,
        uri: &WarehouseUri,
        options: &OpenOptions,
    ) -> Result<Arc<dyn Warehouse>, WarehouseError> {
        let warehouse = (self.open)(uri, options).await?.warehouse;
        Ok(self.apply_scope(warehouse, uri, options))
    }

    /// Restricts an open warehouse to the schemas of the options.
    pub(crate) fn apply_scope(
        &self,
        warehouse: Arc<dyn Warehouse>,
        uri: &WarehouseUri,
        options: &OpenOptions,
    ) -> Arc<dyn Warehouse> {
        match options.schemas.is_empty() {
            true => warehouse,
            false => Arc::new(ScopedWarehouse::new(warehouse, options.schemas.clone(), uri.schema_container())),
        }
    }
}

/// Returns the server of an address; fails for other addresses, which do not reach engines of servers.
pub(crate) fn require_server(uri: &WarehouseUri) -> Result<ServerAddress, WarehouseError> {
    uri.server_address().cloned().ok_or_else(|| WarehouseError::query("the address names no server"))
}
