//! Addresses of warehouses: `sqlite:PATH`, `duckdb:PATH`, `file:PATH`, `ddl:PATH`, or a path whose kind is recognised;
//! `postgresql://USER@HOST/DATABASE`, `mysql://USER@HOST/DATABASE`, `bigquery://PROJECT/DATASET`,
//! `snowflake://USER@ACCOUNT/DATABASE/SCHEMA`, `clickhouse://USER@HOST/DATABASE`,
//! `databricks://HOST/WAREHOUSE/CATALOG/SCHEMA`, `motherduck://REGION/DATABASE`, `adbc:DRIVER?uri=...`.
//! `parse_address.rs` parses them.

use crate::WarehouseKind;
use crate::engines::adbc::address::DriverAddress;
use crate::engines::bigquery::address::ProjectAddress;
use crate::server::ServerAddress;
use std::fmt;
use std::path::{Path, PathBuf};

/// The address of a warehouse. Its `Display` form omits the password.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WarehouseUri {
    kind: WarehouseKind,
    place: Location,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Location {
    Path(PathBuf),
    Server(ServerAddress),
    Project(ProjectAddress),
    Driver(DriverAddress),
}

impl WarehouseUri {
    /// Creates the address of a path.
    pub fn new(kind: WarehouseKind, path: impl Into<PathBuf>) -> Self {
        Self { kind, place: Location::Path(path.into()) }
    }

    /// Creates the address of a database on a server.
    pub fn of_server(server: ServerAddress) -> Self {
        Self { kind: server.kind(), place: Location::Server(server) }
    }

    /// Creates the address of a project.
    pub(crate) fn from_project(kind: WarehouseKind, project: ProjectAddress) -> Self {
        Self { kind, place: Location::Project(project) }
    }

    /// Creates the address of a database behind a driver.
    pub(crate) fn from_driver(kind: WarehouseKind, driver: DriverAddress) -> Self {
        Self { kind, place: Location::Driver(driver) }
    }

    /// Returns the BigQuery project in a text if the text is such an address. Reads no files.
    pub fn project_of(text: &str) -> Option<ProjectAddress> {
        ProjectAddress::parse(text.trim()).ok()
    }

    /// Returns the kind of this address.
    pub fn kind(&self) -> WarehouseKind {
        self.kind
    }

    /// Returns the path; `None` for a server, project or driver.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Location::Path(path) => Some(path),
            Location::Server(_) | Location::Project(_) | Location::Driver(_) => None,
        }
    }

    /// Returns the server's address; `None` for other kinds.
    pub fn server_address(&self) -> Option<&ServerAddress> {
        match &self.place {
            Location::Path(_) | Location::Project(_) | Location::Driver(_) => None,
            Location::Server(server) => Some(server),
        }
    }

    /// Returns the address with this password, or unchanged if its kind has no password.
    pub fn with_password(self, password: Option<String>) -> Self {
        let place = match self.place {
            Location::Server(server) => Location::Server(server.with_password(password)),
            Location::Driver(driver) => Location::Driver(driver.with_password(password)),
            other @ (Location::Path(_) | Location::Project(_)) => other,
        };
        Self { place, ..self }
    }

    /// Returns the password. Only code that opens connections may use it.
    pub fn password(&self) -> Option<&str> {
        match &self.place {
            Location::Path(_) | Location::Project(_) => None,
            Location::Server(server) => server.password(),
            Location::Driver(driver) => driver.password(),
        }
    }

    /// Returns the environment variable that can hold the password if no user can be prompted; `None` if the address
    /// takes no password.
    pub fn password_variable(&self) -> Option<String> {
        match &self.place {
            Location::Path(_) | Location::Project(_) => None,
            Location::Server(_) => self.kind.info().password_variable.map(str::to_owned),
            Location::Driver(driver) => Some(driver.password_variable()),
        }
    }

    /// Returns the text that a stored password is bound to; `None` if the address takes no password. For a driver this
    /// is the entire address, because it is unknown which part decides where the password is sent.
    pub fn password_binding(&self) -> Option<String> {
        match &self.place {
            Location::Path(_) | Location::Project(_) => None,
            Location::Server(server) => Some(server.password_binding()),
            Location::Driver(driver) => Some(driver.to_string()),
        }
    }

    /// Returns the address of the BigQuery project; `None` for other kinds.
    pub fn project_address(&self) -> Option<&ProjectAddress> {
        match &self.place {
            Location::Path(_) | Location::Server(_) | Location::Driver(_) => None,
            Location::Project(project) => Some(project),
        }
    }

    /// Returns the driver's address; `None` for other kinds.
    pub(crate) fn driver_address(&self) -> Option<&DriverAddress> {
        match &self.place {
            Location::Path(_) | Location::Server(_) | Location::Project(_) => None,
            Location::Driver(driver) => Some(driver),
        }
    }

    /// Returns the address of another database that the same login reads: on a server the database with this name, in a
    /// cloud project these datasets, each `PROJECT.DATASET`. `None` for files and drivers, and if no such address exists.
    pub fn at_database(&self, name: &str, schemas: &[String]) -> Option<Self> {
        let place = match &self.place {
            Location::Server(server) => Location::Server(server.with_database(name)),
            Location::Project(project) => Location::Project(project.with_schemas(schemas)?),
            Location::Path(_) | Location::Driver(_) => return None,
        };
        Some(Self { kind: self.kind, place })
    }

    /// Returns the name of the driver that opens this address, if one is needed.
    pub fn driver_name(&self) -> Option<&str> {
        match &self.place {
            Location::Driver(driver) => Some(driver.driver_name()),
            Location::Server(server) => server.driver_name(),
            Location::Path(_) | Location::Project(_) => None,
        }
    }

    /// Returns the container of this address's schemas (project, database or catalog) if table names have three parts.
    pub(crate) fn schema_container(&self) -> Option<String> {
        let container = match &self.place {
            Location::Project(project) => Some(project.project().to_owned()),
            Location::Server(server) => server.schema_container(),
            Location::Path(_) | Location::Driver(_) => None,
        };
        container.filter(|name| !name.is_empty())
    }
}

impl fmt::Display for WarehouseUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Location::Path(path) => write!(f, "{}:{}", self.kind.info().scheme(), path.display()),
            Location::Server(server) => write!(f, "{server}"),
            Location::Project(project) => write!(f, "{project}"),
            Location::Driver(driver) => write!(f, "{driver}"),
        }
    }
}
