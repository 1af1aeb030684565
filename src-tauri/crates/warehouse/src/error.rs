//! What goes wrong with databases, told so that a person knows what to do next.

use crate::SshFault;
use crate::bigquery::address::ProjectAddress;
use std::path::{Path, PathBuf};
use vitrine_domain::money::usd;
use vitrine_domain::{AppError, ErrorCode, capital, scan_money};

/// Everything that can go wrong between an address and its rows.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, thiserror::Error)]
pub enum WarehouseError {
    /// The address names no kind of warehouse that is known.
    #[error("`{text}` is not an address of a database: {reason}")]
    Address {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No such file or folder.
    #[error("{} does not exist", path.display())]
    NotFound {
        /// Where it should be.
        path: PathBuf,
    },
    /// A folder was given where a file is needed.
    #[error("{} is a folder, not {wanted}", path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
        /// What was expected, with its article.
        wanted: String,
    },
    /// No format for results has this ending.
    #[error("results are not written to files ending in .{extension}")]
    NoExport {
        /// The ending, in lower case.
        extension: String,
    },
    /// The file is of another kind, or of no kind that is known.
    #[error("{} is not {wanted}", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What was expected, with its article.
        wanted: String,
        /// What it is instead, or the reader's own message.
        detail: String,
    },
    /// The file is of the right kind by its name, and its content cannot be read as that.
    #[error("{} cannot be read as {format}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What it should be, with its article.
        format: String,
        /// The reader's own message.
        detail: String,
    },
    /// Another program holds the file.
    #[error("{} is locked by another program", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// The engine's own message.
        detail: String,
    },
    /// The file is damaged or cut short.
    #[error("{} is damaged or cut short", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The engine's own message.
        detail: String,
    },
    /// The operating system refused to let the file be read.
    #[error("permission denied: {} may not be opened", path.display())]
    Permission {
        /// The file.
        path: PathBuf,
    },
    /// No server answers there, or it went away.
    #[error("the server of {server} cannot be reached")]
    Unreachable {
        /// The database's address, without a password.
        server: String,
        /// What went wrong.
        detail: String,
    },
    /// There is no way to the server by SSH.
    #[error("{message}")]
    Ssh {
        /// What stands in the way.
        fault: SshFault,
        /// That in words.
        message: String,
        /// What to do next.
        hint: String,
        /// What the program wrote.
        detail: String,
    },
    /// The server wants a password and has got none, or another one.
    #[error("the server {} for {server}", if *refused { "refused the password" } else { "asks for a password" })]
    Password {
        /// The database's address, without a password.
        server: String,
        /// Whether it has got one.
        refused: bool,
        /// The server's own message, where there is one.
        detail: String,
    },
    /// The key that an address signs in with is behind a passphrase.
    #[error("{} the key {}", if *wrong { "this is not the passphrase of" } else { "a passphrase is needed for" }, key.display())]
    Passphrase {
        /// The file of the key.
        key: PathBuf,
        /// Whether there was one.
        wrong: bool,
    },
    /// A password could have been read on its way, or by whoever answers, and was not sent.
    #[error("{} {server}, so the password was not sent", if *cleartext { "nothing proves who asks for the password itself at" } else { "the connection is not encrypted to" })]
    Unprotected {
        /// The address without its password.
        server: String,
        /// Whether it asks for the password itself.
        cleartext: bool,
    },
    /// The server answers and does not let this person into this database.
    #[error("the server refused the connection to {server}")]
    NotAdmitted {
        /// The database's address, without a password.
        server: String,
        /// The server's own message.
        detail: String,
    },
    /// The login worked when the database was opened and works no longer: a password was changed, or has expired.
    #[error("the sign-in to {server} no longer holds")]
    SignInAgain {
        /// The database's address, without a password.
        server: String,
        /// The server's own message.
        detail: String,
    },
    /// This login may not read something that the query reads.
    #[error("{message}")]
    NoPermission {
        /// The engine's own message, which names it.
        message: String,
    },
    /// No rows of a table can be had without a query.
    #[error("{table} has no preview: {reason}")]
    NoPreview {
        /// The table.
        table: String,
        /// Why, as the end of a sentence.
        reason: String,
    },
    /// The driver that an address needs is not there.
    #[error("the driver {name} is not installed")]
    NoDriver {
        /// Its name.
        name: String,
    },
    /// A folder holds no file that could be a table.
    #[error("{} holds no table", path.display())]
    Empty {
        /// The folder or file.
        path: PathBuf,
        /// What was looked for.
        looked_for: String,
    },
    /// The engine would not let the statement run because it is more than a read.
    #[error("the database refused a statement that is more than a read: {message}")]
    Refused {
        /// The engine's own message.
        message: String,
    },
    /// The engine could not run the query.
    #[error("{message}")]
    Query {
        /// The engine's own message.
        message: String,
    },
    /// The query took longer than its limit and was interrupted.
    #[error("the query was stopped after {seconds} s")]
    Timeout {
        /// The limit.
        seconds: u64,
    },
    /// The person stopped it.
    #[error("the query was cancelled")]
    Cancelled,
    /// The query needed more memory than its limit.
    #[error("the query needed more than its {megabytes} MB of memory")]
    Memory {
        /// The limit.
        megabytes: u64,
    },
    /// The query would be billed for more than it may be, and was not run.
    #[error("{}", over_budget(*limit, *bytes))]
    OverBudget {
        /// Bytes that it may be billed for.
        limit: u64,
        /// Bytes that it would be billed for, as far as that is known.
        bytes: Option<u64>,
    },
    /// A limit of a question, a connection or a month would be passed, and the query was not run.
    #[error("over budget: {}", over_cap(what, *most, *spent, *ahead, *price))]
    OverCap {
        /// Whose limit.
        what: String,
        /// The limit, in bytes that are billed.
        most: u64,
        /// Bytes of it that are spent or set aside.
        spent: u64,
        /// Bytes that the query would be billed for.
        ahead: u64,
        /// What a tebibyte costs, in millionths of a US dollar, where that is known.
        price: Option<u64>,
    },
    /// The process that the engine works in ended.
    #[error("the database engine stopped while it worked")]
    Interrupted {
        /// How, as far as it is known.
        detail: String,
    },
    /// The query reads what the connection's scope leaves out.
    #[error("{table} is outside the scope of this connection ({})", schemas.join(", "))]
    OutOfScope {
        /// The table as the query names it; `the query` where it cannot be read that far.
        table: String,
        /// The schemas of the scope.
        schemas: Vec<String>,
    },
    /// The connection runs only SQL that was approved, and this text was not.
    #[error("this connection runs only SQL that was approved, and this was not")]
    NotApproved {
        /// The text, byte for byte as it would run.
        sql: String,
        /// Its SHA-256, 64 hex digits.
        sql_sha256: String,
    },
    /// A `ddl:` warehouse was asked for rows.
    #[error("this warehouse is a schema without data, so nothing can be run on it")]
    SchemaOnly,
    /// Reading or writing a file failed.
    #[error("{action} {} failed: {message}", path.display())]
    Io {
        /// What was being done, e.g. `writing`.
        action: String,
        /// The file.
        path: PathBuf,
        /// The operating system's message.
        message: String,
        /// Whether there was no space left.
        disk_full: bool,
    },
}

impl WarehouseError {
    /// A query error.
    pub fn query(message: impl Into<String>) -> Self {
        Self::Query { message: message.into() }
    }

    /// A file error, sorted into its kind.
    pub(crate) fn io(action: &str, path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        let path = path.to_path_buf();
        match error.kind() {
            Kind::NotFound => Self::NotFound { path },
            Kind::PermissionDenied => Self::Permission { path },
            kind => Self::Io {
                action: action.to_owned(),
                path,
                message: error.to_string(),
                disk_full: matches!(kind, Kind::StorageFull | Kind::QuotaExceeded),
            },
        }
    }

    /// Whether a question ends with it: the user stopped the query, or did not approve it. Another query is no answer to that.
    pub fn ends_run(&self) -> bool {
        matches!(self, Self::Cancelled | Self::NotApproved { .. })
    }

    /// What to do next, when there is something to do.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Address { .. } => {
                "Write sqlite:PATH, duckdb:PATH, file:PATH (a CSV, Parquet, JSON or Excel file, or a folder of them), ddl:PATH, postgresql://USER@HOST:PORT/DATABASE, mysql://USER@HOST:PORT/DATABASE, bigquery://PROJECT/DATASET, snowflake://USER@ACCOUNT/DATABASE/SCHEMA, clickhouse://USER@HOST:PORT/DATABASE, databricks://HOST/WAREHOUSE/CATALOG/SCHEMA or adbc:DRIVER?uri=....".into()
            }
            Self::NotFound { .. } => "Check the spelling of the path; a relative path starts at the current folder.".into(),
            Self::IsFolder { .. } => "Name the database file inside it, or use file:PATH for a folder of data files.".into(),
            Self::NoExport { .. } => "Choose a name that ends in .csv, .xlsx, .parquet or .json.".into(),
            Self::NotADatabase { .. } => {
                "Use sqlite:, duckdb:, file: or ddl: as fits the file, or give the path alone to have its kind recognised.".into()
            }
            Self::Unreadable { .. } => "Check that it was copied whole, or save it again in the program that wrote it.".into(),
            Self::Locked { .. } => "Close the other program, or open a copy of the file.".into(),
            Self::Corrupt { .. } => "Copy the file again from its source, or restore it from a backup.".into(),
            Self::Permission { .. } => "Ask for permission on the file and on the folders above it, or choose another place.".into(),
            Self::Ssh { hint, .. } => hint.clone(),
            Self::Unreachable { .. } => "Check host and port, that the server runs, and that it can be reached from here.".into(),
            Self::Password { server, .. } => {
                if server.starts_with("snowflake:") {
                    "Enter the password, the token or the key's passphrase. Where nobody can be asked, it can be in SNOWFLAKE_PASSWORD.".into()
                } else if server.starts_with("databricks:") {
                    "Enter a personal access token, or the secret of the client id in the address. Where nobody can be asked, it can be in DATABRICKS_TOKEN.".into()
                } else if server.starts_with("clickhouse:") {
                    "Enter the password. Where nobody can be asked, it can be in CLICKHOUSE_PASSWORD.".into()
                } else if server.starts_with("mysql:") {
                    "Enter the password. Where nobody can be asked, it can be in MYSQL_PWD or in the file ~/.my.cnf.".into()
                } else {
                    "Enter the password. Where nobody can be asked, it can be in PGPASSWORD or in the file ~/.pgpass.".into()
                }
            }
            Self::Passphrase { .. } => {
                "Enter the passphrase that the key was written with. It stays on this machine, and the server never gets it.".into()
            }
            Self::Unprotected { cleartext: true, .. } => {
                "Add sslmode=verify-full to the address: then the server has to show a certificate that this machine trusts.".into()
            }
            Self::Unprotected { cleartext: false, .. } => {
                "Have the server encrypt. Where it cannot, sslmode=disable in an address that you wrote yourself sends the password all the same.".into()
            }
            Self::NotAdmitted { server, detail } if server.starts_with("bigquery:") && detail.starts_with("The sign-in may not act as") => {
                "Have whoever runs Google Cloud grant your sign-in roles/iam.serviceAccountTokenCreator on that service account.".into()
            }
            Self::NotAdmitted { server, .. } | Self::SignInAgain { server, .. } if signs_in_by_browser(server) => {
                "Choose Sign in with Google where the connection is edited, or run: vitrine connections sign-in NAME".into()
            }
            Self::NotAdmitted { server, .. } | Self::SignInAgain { server, .. } if server.starts_with("bigquery:") => {
                "Sign in with `gcloud auth application-default login`, or name a service account's key file (key_file=PATH); then check project, dataset and billing project.".into()
            }
            Self::NotAdmitted { server, .. } if server.starts_with("snowflake:") => {
                "Check account, database, schema, role and warehouse: names are told apart by case, and most are in capitals.".into()
            }
            Self::NoDriver { name } if name == "snowflake" => "Get it once (about 28 MB): vitrine drivers add snowflake".into(),
            Self::NoDriver { name } => format!("Add it: vitrine drivers add PATH --name {name}"),
            Self::NotAdmitted { .. } => "Check user and database, and that the server lets you in from here.".into(),
            Self::SignInAgain { .. } => "Type the password anew; what is open stays open.".into(),
            Self::NoPermission { .. } => "Ask whoever runs the database for SELECT on it, or ask about other tables.".into(),
            Self::Empty { looked_for, .. } => format!("Put {looked_for} there, or name another path."),
            Self::Refused { .. } => "Only a single SELECT can be run; Vitrine never changes a database.".into(),
            Self::Timeout { .. } => "Narrow the question, for example to a shorter period, or raise the time limit.".into(),
            Self::Memory { .. } => "Narrow the question, or raise the memory limit.".into(),
            Self::OverBudget { .. } => {
                "Ask for fewer columns or a shorter period (a condition on the column that the table is partitioned by), or raise maximum_bytes_billed in the address.".into()
            }
            Self::OverCap { .. } => {
                "Ask for fewer columns or a shorter period, or raise the limit in the connection's settings or with: vitrine connections limit".into()
            }
            Self::Interrupted { .. } => "Ask again: the engine is started anew.".into(),
            Self::OutOfScope { .. } => "Use tables of these schemas, or widen the scope of the connection.".into(),
            Self::NotApproved { .. } => {
                "Approve it where it is shown, or with: vitrine approvals add CONNECTION SQL".into()
            }
            Self::SchemaOnly => "Open a database with data: sqlite:, duckdb: or file:.".into(),
            Self::Io { disk_full: true, .. } => "Free some space or choose another place, then try again; nothing was left behind.".into(),
            Self::Io { .. } => "Check that the place exists and can be written to.".into(),
            Self::Query { .. } | Self::NoPreview { .. } | Self::Cancelled => return None,
        })
    }
}

impl From<WarehouseError> for AppError {
    fn from(error: WarehouseError) -> Self {
        use WarehouseError as E;
        let code = match &error {
            E::Address { .. } | E::NoExport { .. } => ErrorCode::Usage,
            E::NotFound { .. }
            | E::IsFolder { .. }
            | E::NotADatabase { .. }
            | E::Unreadable { .. }
            | E::Locked { .. }
            | E::Corrupt { .. }
            | E::Permission { .. }
            | E::Unreachable { .. }
            | E::Ssh { .. }
            | E::NotAdmitted { .. }
            | E::NoDriver { .. }
            | E::Unprotected { .. }
            | E::Empty { .. } => ErrorCode::Connection,
            // There is no password that could be typed.
            E::SignInAgain { server, .. } if server.starts_with("bigquery:") => ErrorCode::Connection,
            E::Password { .. } | E::SignInAgain { .. } => ErrorCode::Password,
            E::Passphrase { .. } => ErrorCode::Passphrase,
            E::Refused { .. } => ErrorCode::NotReadOnly,
            // As with the limits of what models cost.
            E::OverCap { .. } => ErrorCode::Usage,
            E::NotApproved { .. } => ErrorCode::NotApproved,
            E::Query { .. }
            | E::NoPreview { .. }
            | E::NoPermission { .. }
            | E::OutOfScope { .. }
            | E::Timeout { .. }
            | E::Memory { .. }
            | E::OverBudget { .. }
            | E::Interrupted { .. }
            | E::SchemaOnly => ErrorCode::Query,
            E::Cancelled => ErrorCode::Cancelled,
            E::Io { .. } => ErrorCode::Internal,
        };
        let mut app = AppError::new(
            code,
            match &error {
                E::Query { .. } => "The database could not run the query".to_owned(),
                E::NoPermission { .. } => "This login may not read what the query reads".to_owned(),
                E::Io { disk_full: true, path, .. } => {
                    format!("The disk is full: {} could not be written", path.display())
                }
                E::OverCap { .. } => capital(&error.to_string()),
                other => sentence(&other.to_string()),
            },
        );
        app.hint = error.hint();
        app.detail = match error {
            E::NotADatabase { detail, .. }
            | E::Unreadable { detail, .. }
            | E::Locked { detail, .. }
            | E::Corrupt { detail, .. }
            | E::Unreachable { detail, .. }
            | E::Ssh { detail, .. }
            | E::Password { detail, .. }
            | E::NotAdmitted { detail, .. }
            | E::SignInAgain { detail, .. }
            | E::Interrupted { detail }
                if !detail.is_empty() =>
            {
                Some(detail)
            }
            E::Query { message } | E::NoPermission { message } => Some(message),
            E::Io { message, disk_full: true, .. } => Some(message),
            E::NotApproved { sql, sql_sha256 } => Some(format!("{sql}\nSHA-256 {sql_sha256}")),
            _ => None,
        };
        app
    }
}

fn over_budget(limit: u64, bytes: Option<u64>) -> String {
    let most = format!("more than the {} that one query may", amount(limit));
    match bytes {
        Some(bytes) => format!("the query was not run: it would be billed for {}, {most}", amount(bytes)),
        None => format!("the query was not run: it would be billed for {most}"),
    }
}

fn over_cap(what: &str, most: u64, spent: u64, ahead: u64, price: Option<u64>) -> String {
    let said = |bytes: u64| match price {
        Some(price) => format!("{} ({})", amount(bytes), usd(scan_money(bytes, price))),
        None => amount(bytes),
    };
    format!(
        "{what} is {}, {} of it are spent, and the next query would be billed for {}; it was not run",
        said(most),
        said(spent),
        said(ahead)
    )
}

/// Bytes as they are billed, in units of a thousand.
fn amount(bytes: u64) -> String {
    let units = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => {
            let text = format!("{:.1}", bytes as f64 / size as f64);
            format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
        }
        None => format!("{bytes} bytes"),
    }
}

/// Whether an address of BigQuery names a client for the sign-in in the browser.
fn signs_in_by_browser(address: &str) -> bool {
    ProjectAddress::parse(address).is_ok_and(|project| project.signs_in_by_browser())
}

/// A capital at the front, unless a path or a quoted text stands there.
fn sentence(text: &str) -> String {
    let prose = ["the ", "this ", "permission ", "nothing "].iter().any(|start| text.starts_with(start));
    if prose { capital(text) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_read_names_the_file_and_says_what_to_do() {
        let os = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let app = AppError::from(WarehouseError::io("reading", Path::new("/data/shop.db"), &os));
        assert_eq!(app.code, ErrorCode::Connection);
        assert!(app.message.contains("/data/shop.db") && app.message.contains("Permission denied"));
        assert!(app.hint.unwrap().contains("permission"));
    }

    #[test]
    fn what_would_cost_too_much_says_how_much_and_what_to_do() {
        let app = AppError::from(WarehouseError::OverBudget { limit: 10_000_000_000, bytes: Some(1_540_000_000_000) });
        assert_eq!(
            app.message,
            "The query was not run: it would be billed for 1.5 TB, more than the 10 GB that one query may"
        );
        assert!(app.code == ErrorCode::Query && app.hint.unwrap().contains("maximum_bytes_billed"));
        let unknown = WarehouseError::OverBudget { limit: 900, bytes: None };
        assert!(unknown.to_string().ends_with("more than the 900 bytes that one query may"));
    }

    #[test]
    fn names_of_files_keep_their_letters() {
        let app = AppError::from(WarehouseError::NotFound { path: "shop.db".into() });
        assert_eq!(app.message, "shop.db does not exist");
        assert_eq!(AppError::from(WarehouseError::Cancelled).message, "The query was cancelled");
    }

    #[test]
    fn a_full_disk_is_called_a_full_disk() {
        let os = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let app = AppError::from(WarehouseError::io("writing", Path::new("out.csv"), &os));
        assert!(app.message.starts_with("The disk is full"), "{app}");
        assert!(app.hint.unwrap().contains("Free some space"));
    }
}
