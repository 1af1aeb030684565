//! Addresses of warehouses: `sqlite:PATH`, `duckdb:PATH`, `file:PATH`, `ddl:PATH`, or a path whose kind is recognised;
//! `postgresql://USER@HOST/DATABASE`, `mysql://USER@HOST/DATABASE`, `bigquery://PROJECT/DATASET`,
//! `snowflake://USER@ACCOUNT/DATABASE/SCHEMA`, `clickhouse://USER@HOST/DATABASE`,
//! `databricks://HOST/WAREHOUSE/CATALOG/SCHEMA`, `motherduck://REGION/DATABASE`, `adbc:DRIVER?uri=...`.

use crate::WarehouseError;
use crate::engines::adbc::address::{self as adbc, DriverAddress};
use crate::engines::bigquery::address::{self as bigquery, ProjectAddress};
use crate::files::kind::FileKind;
use crate::regular::{self, other_kind};
use crate::server::{ServerAddress, ServerKind};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use vitrine_words::tr;

/// The kind of a warehouse, which decides the engine that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum WarehouseKind {
    /// A database file of SQLite.
    Sqlite,
    /// A database file of DuckDB.
    Duckdb,
    /// Data files, read by DuckDB.
    File,
    /// A schema of `CREATE` statements, without data.
    Ddl,
    /// A database on a PostgreSQL server.
    Postgres,
    /// A database on a MySQL or MariaDB server.
    Mysql,
    /// A project of Google BigQuery.
    Bigquery,
    /// A database of a Snowflake account.
    Snowflake,
    /// A database on a ClickHouse server.
    Clickhouse,
    /// A catalog behind a SQL warehouse of Databricks.
    Databricks,
    /// A database of MotherDuck, which runs DuckDB as a service.
    Motherduck,
    /// A database behind a driver that the user added.
    Adbc,
}

impl WarehouseKind {
    /// All kinds in declaration order.
    pub const ALL: [Self; 12] = [
        Self::Sqlite,
        Self::Duckdb,
        Self::File,
        Self::Ddl,
        Self::Postgres,
        Self::Mysql,
        Self::Bigquery,
        Self::Snowflake,
        Self::Clickhouse,
        Self::Databricks,
        Self::Motherduck,
        Self::Adbc,
    ];
}

impl WarehouseKind {
    /// Kinds whose address is a path.
    const WITH_PATHS: [Self; 4] = [Self::Sqlite, Self::Duckdb, Self::File, Self::Ddl];

    /// Returns the part of an address before the colon.
    pub fn scheme(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Duckdb => "duckdb",
            Self::File => "file",
            Self::Ddl => "ddl",
            Self::Postgres => ServerKind::Postgres.schemes()[0],
            Self::Mysql => ServerKind::Mysql.schemes()[0],
            Self::Bigquery => bigquery::SCHEME,
            Self::Snowflake => ServerKind::Snowflake.schemes()[0],
            Self::Clickhouse => ServerKind::Clickhouse.schemes()[0],
            Self::Databricks => ServerKind::Databricks.schemes()[0],
            Self::Motherduck => ServerKind::Motherduck.schemes()[0],
            Self::Adbc => adbc::SCHEME,
        }
    }
}

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
        let kind = match server.kind() {
            ServerKind::Postgres => WarehouseKind::Postgres,
            ServerKind::Mysql => WarehouseKind::Mysql,
            ServerKind::Snowflake => WarehouseKind::Snowflake,
            ServerKind::Clickhouse => WarehouseKind::Clickhouse,
            ServerKind::Databricks => WarehouseKind::Databricks,
            ServerKind::Motherduck => WarehouseKind::Motherduck,
        };
        Self { kind, place: Location::Server(server) }
    }

    /// Creates the address of a BigQuery project.
    pub fn of_project(project: ProjectAddress) -> Self {
        Self { kind: WarehouseKind::Bigquery, place: Location::Project(project) }
    }

    /// Creates the address of a database behind a driver.
    fn of_driver(driver: DriverAddress) -> Self {
        Self { kind: WarehouseKind::Adbc, place: Location::Driver(driver) }
    }

    /// Parses an address. The kind of a bare path is detected from the file's first bytes, then from its extension.
    pub fn parse(text: &str) -> Result<Self, WarehouseError> {
        let text = text.trim();
        let wrong = |reason: &str| WarehouseError::Address { text: without_login(text), reason: reason.to_owned() };
        if text.is_empty() {
            return Err(wrong(&tr!("it is empty")));
        }
        if let Some((scheme, rest)) = text.split_once(':') {
            if ServerKind::of_scheme(scheme).is_some() {
                return ServerAddress::parse(text).map(Self::of_server).map_err(|reason| wrong(&reason));
            }
            if scheme.eq_ignore_ascii_case(bigquery::SCHEME) {
                return ProjectAddress::parse(text).map(Self::of_project).map_err(|reason| wrong(&reason));
            }
            if scheme.eq_ignore_ascii_case(adbc::SCHEME) {
                return DriverAddress::parse(text).map(Self::of_driver).map_err(|reason| wrong(&reason));
            }
            let known = WarehouseKind::WITH_PATHS.into_iter().find(|kind| kind.scheme().eq_ignore_ascii_case(scheme));
            if let Some(kind) = known {
                // `file:/a/b` and the URL form `file:///a/b` are both accepted.
                let path = if rest.starts_with("///") { &rest[2..] } else { rest };
                if path.is_empty() {
                    return Err(wrong(&tr!("the path is missing")));
                }
                return Ok(Self::new(kind, path));
            }
            // A single letter is a Windows drive, and file names may contain a colon.
            if scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric()) && !Path::new(text).exists() {
                return Err(wrong(&match may_hold_login(text) && !text.contains("://") {
                    true => tr!("databases of this kind are not supported"),
                    false => tr!("databases of kind `{scheme}` are not supported", scheme),
                }));
            }
        }
        let path = PathBuf::from(text);
        if may_hold_login(text) && !path.exists() {
            return Err(wrong(&tr!("it is neither a file nor an address of a kind that is known here")));
        }
        Ok(Self::new(detect_kind(&path)?, path))
    }

    /// Returns the displayable and storable form of a text that may be an address. For a URL that cannot be parsed,
    /// this is only the scheme. Reads no files.
    pub fn redact_address(text: &str) -> String {
        // A path may contain any characters and has no login.
        let scheme = text.trim().split_once(':').map_or("", |(scheme, _)| scheme);
        if WarehouseKind::WITH_PATHS.iter().any(|kind| kind.scheme().eq_ignore_ascii_case(scheme)) {
            return text.to_owned();
        }
        match Self::parse_remote(text) {
            Some(uri) => uri.to_string(),
            None if scheme.eq_ignore_ascii_case(adbc::SCHEME) => format!("{}:...", adbc::SCHEME),
            None => without_login(text),
        }
    }

    /// Parses the address of a server, a project or a driver; returns `None` for a path. Unlike [`Self::parse`], it
    /// reads no files.
    pub fn parse_remote(text: &str) -> Option<Self> {
        let (scheme, _) = text.trim().split_once(':')?;
        let is_named = |known: &str| scheme.eq_ignore_ascii_case(known);
        let known = ServerKind::of_scheme(scheme).is_some() || is_named(bigquery::SCHEME) || is_named(adbc::SCHEME);
        known.then(|| Self::parse(text).ok()).flatten()
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
            Location::Server(server) => Some(server.kind().password_variable().to_owned()),
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

    /// Returns the name of the driver that opens this address, if one is needed.
    pub fn driver_name(&self) -> Option<&str> {
        match (self.kind, &self.place) {
            (_, Location::Driver(driver)) => Some(driver.driver_name()),
            (WarehouseKind::Snowflake, _) => Some(ServerKind::Snowflake.schemes()[0]),
            _ => None,
        }
    }
}

/// Redacts a text that cannot be parsed as an address, because it may contain a password: a URL is reduced to its
/// scheme, and a text that may be an address in another form is omitted.
fn without_login(text: &str) -> String {
    match text.split_once("://") {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => format!("{scheme}://..."),
        None if !may_hold_login(text) => text.to_owned(),
        _ => "...".to_owned(),
    }
}

/// Returns true for texts like `ann:hidden@host/shop` and `host=db password=hidden`.
fn may_hold_login(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.contains('@') && text.contains(':') || lower.contains("password") || lower.contains("pwd=")
}

impl fmt::Display for WarehouseUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Location::Path(path) => write!(f, "{}:{}", self.kind.scheme(), path.display()),
            Location::Server(server) => write!(f, "{server}"),
            Location::Project(project) => write!(f, "{project}"),
            Location::Driver(driver) => write!(f, "{driver}"),
        }
    }
}

fn detect_kind(path: &Path) -> Result<WarehouseKind, WarehouseError> {
    let by_name = kind_by_name(path);
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return Err(WarehouseError::from_io_error("reading", path, &error)),
    };
    if metadata.is_dir() {
        return Ok(if crate::engines::ddl::looks_like_schema_folder(path) {
            WarehouseKind::Ddl
        } else {
            WarehouseKind::File
        });
    }
    if let Some(detail) = other_kind(&metadata) {
        let wanted = tr!("a database or a data file that Vitrine knows");
        return Err(WarehouseError::NotADatabase { path: path.to_path_buf(), wanted, detail });
    }
    let head = first_bytes(path)?;
    kind_by_content(path, &head).or(by_name).ok_or_else(|| WarehouseError::NotADatabase {
        path: path.to_path_buf(),
        wanted: tr!("a database or a data file that Vitrine knows"),
        detail: tr!("neither its content nor its name says what it is"),
    })
}

/// Detects the kind of a file from its first bytes.
fn kind_by_content(path: &Path, head: &[u8]) -> Option<WarehouseKind> {
    if head.starts_with(b"SQLite format 3\0") {
        Some(WarehouseKind::Sqlite)
    } else if head.get(8..12) == Some(b"DUCK") {
        Some(WarehouseKind::Duckdb)
    } else if head.starts_with(b"PAR1") {
        Some(WarehouseKind::File)
    } else if FileKind::from_path(path) == Some(FileKind::Csv) && crate::engines::ddl::is_schema_table(path) {
        Some(WarehouseKind::Ddl)
    } else {
        None
    }
}

fn kind_by_name(path: &Path) -> Option<WarehouseKind> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "sqlite" | "sqlite3" | "db" | "db3" | "s3db" | "sl3" => Some(WarehouseKind::Sqlite),
        "duckdb" | "ddb" => Some(WarehouseKind::Duckdb),
        "sql" | "ddl" => Some(WarehouseKind::Ddl),
        _ => FileKind::from_path(path).map(|_| WarehouseKind::File),
    }
}

/// Describes the detected content of a file, for messages about files of the wrong kind.
pub(crate) fn describe_content(path: &Path) -> String {
    let Ok(head) = first_bytes(path) else { return String::new() };
    if head.is_empty() {
        return tr!("the file is empty (0 bytes)");
    }
    match kind_by_content(path, &head) {
        Some(WarehouseKind::Sqlite) => tr!("it is an SQLite database: use sqlite:PATH"),
        Some(WarehouseKind::Duckdb) => tr!("it is a DuckDB database: use duckdb:PATH"),
        Some(WarehouseKind::Ddl) => tr!("it is a table of definitions: use ddl:PATH"),
        Some(WarehouseKind::File) => tr!("it is a Parquet file: use file:PATH"),
        _ => match kind_by_name(path) {
            Some(WarehouseKind::File) => tr!("it is a data file: use file:PATH"),
            Some(WarehouseKind::Ddl) => tr!("it is an SQL script: use ddl:PATH"),
            _ if head.iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()) => tr!("it holds plain text"),
            _ => tr!("its first bytes are not those of such a file"),
        },
    }
}

fn first_bytes(path: &Path) -> Result<Vec<u8>, WarehouseError> {
    let mut head = Vec::with_capacity(64);
    regular::open_file(path)
        .and_then(|file| file.take(64).read_to_end(&mut head))
        .map_err(|error| WarehouseError::from_io_error("reading", path, &error))?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_as_they_are_read() {
        for text in ["sqlite:shop.db", "duckdb:/data/a b.duckdb", "file:../data", "ddl:schema.sql"] {
            assert_eq!(WarehouseUri::parse(text).unwrap().to_string(), text);
        }
        let server = WarehouseUri::parse("postgres://ann:hidden@host/shop").unwrap();
        assert_eq!((server.to_string().as_str(), server.path()), ("postgresql://ann@host/shop", None));
        assert!(!format!("{server:?}").contains("hidden"));
        let error = WarehouseUri::parse("postgresql://ann:hidden@host:door/shop").unwrap_err();
        assert!(!format!("{error:?} {error} {:?}", error.hint()).contains("hidden"));
        assert_eq!(WarehouseUri::parse("SQLite:///tmp/a.db").unwrap().to_string(), "sqlite:/tmp/a.db");
    }

    #[test]
    fn unsupported_databases_are_named_and_the_supported_ones_listed() {
        let error = WarehouseUri::parse("oracle://ann:hidden@host/db").unwrap_err();
        assert!(error.to_string().contains("`oracle`") && !error.to_string().contains("hidden"), "{error}");
        assert!(error.hint().unwrap().contains("sqlite:PATH"));
        for pasted in [
            "ann:hidden@host/db",
            "ann:hi/hidden@host:5432/db",
            "host=db password=hidden user=ann",
            "x y://a:hidden@h",
            "\"postgresql://a:hidden@h/d\"",
        ] {
            let error = WarehouseUri::parse(pasted).unwrap_err();
            assert!(!format!("{error:?} {error}").contains("hidden"), "{error}");
        }
        assert!(WarehouseUri::parse("sqlite:").is_err());
        assert!(WarehouseUri::parse("  ").is_err());
    }

    #[test]
    fn an_address_that_cannot_be_read_is_never_repeated() {
        for text in [
            "postgresql://ann:hidden@host:door/shop",
            "postgresql:/ann:hidden@host/shop",
            "postgresql:ann:hidden@host/shop",
            "postgres://ann:hid#den@host/shop",
            "oracle://ann:hidden@host/shop",
            "oracle:thin:ann/hidden@host:1521",
            "hidden:ann@host/shop",
            "ann:hidden@host/shop",
            "ann.b:hidden@host:5432/shop",
            "host=db user=ann password=hidden dbname=shop",
            "Server=db;Uid=ann;Pwd=hidden;",
        ] {
            let error = WarehouseUri::parse(text).unwrap_err();
            let told =
                format!("{error:?} {error} {:?} {:?}", error.hint(), vitrine_domain::AppError::from(error.clone()));
            assert!(!told.contains("hidden") && !told.contains("hid#den"), "{told}");
        }
        // File names may contain these characters.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a@b:c.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        assert!(WarehouseUri::parse(path.to_str().unwrap()).is_ok());
    }

    #[test]
    fn a_bare_path_is_recognised_by_content_before_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            WarehouseUri::parse(path.to_str().unwrap()).map(|uri| uri.kind())
        };
        assert_eq!(at("misnamed.csv", b"SQLite format 3\0rest").unwrap(), WarehouseKind::Sqlite);
        assert_eq!(at("misnamed.db", b"12345678DUCKrest").unwrap(), WarehouseKind::Duckdb);
        assert_eq!(at("a.CSV", b"a,b\n1,2\n").unwrap(), WarehouseKind::File);
        assert_eq!(at("empty.db", b"").unwrap(), WarehouseKind::Sqlite);
        assert_eq!(at("schema.sql", b"CREATE TABLE t(a int);").unwrap(), WarehouseKind::Ddl);
        assert_eq!(at("DDL.csv", b"table_name,DDL\nt,\"CREATE TABLE t(a int)\"\n").unwrap(), WarehouseKind::Ddl);
        assert!(matches!(at("notes.bin", b"\x01\x02"), Err(WarehouseError::NotADatabase { .. })));
        assert!(matches!(WarehouseUri::parse("/no/such/file.db"), Err(WarehouseError::NotFound { .. })));
        // A folder with definitions is a schema; any other folder is treated as data files.
        assert_eq!(WarehouseUri::parse(folder.path().to_str().unwrap()).unwrap().kind(), WarehouseKind::Ddl);
        let other = tempfile::tempdir().unwrap();
        assert_eq!(WarehouseUri::parse(other.path().to_str().unwrap()).unwrap().kind(), WarehouseKind::File);
    }
}
