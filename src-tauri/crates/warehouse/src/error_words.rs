//! Messages and hints for database errors.

use crate::engines::bigquery::address::ProjectAddress;
use crate::error::Limited;
use crate::{WarehouseError, WarehouseUri};
use vitrine_domain::money::format_usd;
use vitrine_domain::scan_money;
use vitrine_words::{format_decimal, tr};

impl WarehouseError {
    /// Returns the message in the language of the program.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Address { text, reason } => tr!("`{text}` is not an address of a database: {reason}", text, reason),
            Self::NotFound { path } => tr!("{path} does not exist", path = path.display()),
            Self::IsFolder { path, wanted } => tr!("{path} is a folder, not {wanted}", path = path.display(), wanted),
            Self::NoExport { extension } => tr!("results are not written to files ending in .{extension}", extension),
            Self::NotADatabase { path, wanted, .. } => tr!("{path} is not {wanted}", path = path.display(), wanted),
            Self::Unreadable { path, format, .. } => {
                tr!("{path} cannot be read as {format}", path = path.display(), format)
            }
            Self::Locked { path, .. } => tr!("{path} is locked by another program", path = path.display()),
            Self::Corrupt { path, .. } => tr!("{path} is damaged or cut short", path = path.display()),
            Self::Permission { path } => tr!("permission denied: {path} may not be opened", path = path.display()),
            Self::Unreachable { server, .. } => tr!("the server of {server} cannot be reached", server),
            Self::Ssh { message, .. }
            | Self::NoPermission { message }
            | Self::Query { message }
            | Self::Join { message, .. } => message.clone(),
            Self::OfSource { source, error } => tr!("{source}: {message}", source, message = error.in_words()),
            Self::Password { server, refused: true, .. } => {
                tr!("the server refused the password for {server}", server)
            }
            Self::Password { server, refused: false, .. } => {
                tr!("the server asks for a password for {server}", server)
            }
            Self::Passphrase { key, wrong: true } => {
                tr!("this is not the passphrase of the key {key}", key = key.display())
            }
            Self::Passphrase { key, wrong: false } => {
                tr!("a passphrase is needed for the key {key}", key = key.display())
            }
            Self::Unprotected { server, cleartext: true } => {
                tr!(
                    "the server at {server} requests the password in plain text without proof of its identity, so the password was not sent",
                    server
                )
            }
            Self::Unprotected { server, cleartext: false } => {
                tr!("the connection is not encrypted to {server}, so the password was not sent", server)
            }
            Self::NotAdmitted { server, .. } => tr!("the server refused the connection to {server}", server),
            Self::SignInAgain { server, .. } => tr!("the sign-in to {server} has expired", server),
            Self::NoPreview { table, reason } => tr!("{table} has no preview: {reason}", table, reason),
            Self::NoPlan { engine } => {
                tr!("{engine} offers no plan that Vitrine could show without running a part of the query", engine)
            }
            Self::NoDriver { name } => tr!("the driver {name} is not installed", name),
            Self::Empty { path, .. } => tr!("{path} holds no table", path = path.display()),
            Self::Refused { message } => {
                tr!("the database refused a statement that is more than a read: {message}", message)
            }
            Self::Timeout { seconds } => tr!("the query was stopped after {seconds} s", seconds),
            Self::Cancelled => tr!("the query was cancelled"),
            Self::Memory { megabytes } => tr!("the query needed more than its {megabytes} MB of memory", megabytes),
            Self::OverBudget { limit, bytes } => over_budget(*limit, *bytes),
            Self::OverRead { limit } => {
                tr!(
                    "the query was ended: it read more than the {most} that this one may read of what is left of a limit",
                    most = format_bytes(*limit)
                )
            }
            Self::OverCap { whose, most, spent, ahead, price } => {
                tr!("over budget: {what}", what = over_cap(whose, *most, *spent, *ahead, *price))
            }
            Self::Interrupted { .. } => tr!("the database engine stopped while it worked"),
            Self::OutOfScope { table, schemas } => {
                tr!("{table} is outside the scope of this connection ({schemas})", table, schemas = schemas.join(", "))
            }
            Self::NotApproved { .. } => tr!("this connection runs only SQL that was approved, and this was not"),
            Self::SchemaOnly => tr!("this warehouse is a schema without data, so nothing can be run on it"),
            Self::Io { action, path, message, .. } => {
                let path = path.display();
                match action.as_str() {
                    "copying" => tr!("copying {path} failed: {message}", path, message),
                    "opening" => tr!("opening {path} failed: {message}", path, message),
                    "writing" => tr!("writing {path} failed: {message}", path, message),
                    _ => tr!("reading {path} failed: {message}", path, message),
                }
            }
        }
    }

    /// Returns the advice on what to do next, if there is any.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Address { .. } => {
                tr!(
                    "Write sqlite:PATH, duckdb:PATH, file:PATH (a CSV, Parquet, JSON or Excel file, or a folder of them), ddl:PATH, postgresql://USER@HOST:PORT/DATABASE, mysql://USER@HOST:PORT/DATABASE, bigquery://PROJECT/DATASET, snowflake://USER@ACCOUNT/DATABASE/SCHEMA, clickhouse://USER@HOST:PORT/DATABASE, databricks://HOST/WAREHOUSE/CATALOG/SCHEMA, motherduck://REGION/DATABASE or adbc:DRIVER?uri=...."
                )
            }
            Self::NotFound { .. } => {
                tr!("Check the spelling of the path; a relative path starts at the current folder.")
            }
            Self::IsFolder { .. } => {
                tr!("Name the database file inside it, or use file:PATH for a folder of data files.")
            }
            Self::NoExport { .. } => tr!("Choose a name that ends in .csv, .xlsx, .parquet or .json."),
            Self::NotADatabase { .. } => {
                tr!(
                    "Use sqlite:, duckdb:, file: or ddl: as fits the file, or give the path alone to have its kind recognised."
                )
            }
            Self::Unreadable { .. } => {
                tr!("Check that it was copied completely, or save it again in the program that wrote it.")
            }
            Self::Locked { .. } => tr!("Close the other program, or open a copy of the file."),
            Self::Corrupt { .. } => tr!("Copy the file again from its source, or restore it from a backup."),
            Self::Permission { .. } => {
                tr!("Ask for permission on the file and on the folders above it, or choose another location.")
            }
            Self::Ssh { hint, .. } | Self::Join { hint, .. } => hint.clone(),
            Self::OfSource { error, .. } => return error.hint(),
            Self::Unreachable { .. } => {
                tr!("Check host and port, that the server runs, and that it can be reached from here.")
            }
            Self::Password { server, .. } => {
                let (engine, address) = (WarehouseUri::find_engine(server), WarehouseUri::parse_remote(server));
                let name = address.and_then(|address| address.password_variable()).unwrap_or_default();
                engine?.password_hint?(&name)
            }
            Self::Passphrase { .. } => {
                tr!(
                    "Enter the passphrase that the key was written with. It stays on this computer, and the server never gets it."
                )
            }
            Self::Unprotected { cleartext: true, .. } => {
                tr!(
                    "Add sslmode=verify-full to the address: then the server has to show a certificate that this computer trusts."
                )
            }
            Self::Unprotected { cleartext: false, .. } => {
                tr!(
                    "Enable encryption on the server. If that is not possible, sslmode=disable in an address that you wrote yourself sends the password unencrypted."
                )
            }
            Self::NotAdmitted { server, detail }
                if server.starts_with("bigquery:") && detail.starts_with("The sign-in may not act as") =>
            {
                tr!(
                    "Ask your administrator of Google Cloud to grant your sign-in roles/iam.serviceAccountTokenCreator on that service account."
                )
            }
            Self::NotAdmitted { server, .. } | Self::SignInAgain { server, .. } if signs_in_by_browser(server) => {
                tr!(
                    "Choose Sign in with Google where the connection is edited, or run: vitrine connections sign-in NAME"
                )
            }
            Self::NotAdmitted { server, .. } | Self::SignInAgain { server, .. } if server.starts_with("bigquery:") => {
                tr!(
                    "Sign in with `gcloud auth application-default login`, or name a service account's key file (key_file=PATH); then check project, dataset and billing project."
                )
            }
            Self::NotAdmitted { server, .. } if server.starts_with("snowflake:") => {
                tr!(
                    "Check account, database, schema, role and warehouse: names are case-sensitive, and most are in capitals."
                )
            }
            Self::NoDriver { name } if name == "snowflake" => {
                tr!("Get it once (about 28 MB): vitrine drivers add snowflake")
            }
            Self::NoDriver { name } => tr!("Add it: vitrine drivers add PATH --name {name}", name),
            Self::NotAdmitted { .. } => tr!("Check user and database, and that the server lets you in from here."),
            Self::SignInAgain { .. } => tr!("Enter the password again; open results stay open."),
            Self::NoPermission { .. } => {
                tr!("Ask your database administrator for SELECT on it, or ask about other tables.")
            }
            Self::Empty { looked_for, .. } => tr!("Put {what} there, or name another path.", what = looked_for),
            Self::Refused { .. } => tr!("Only a single SELECT can be run; Vitrine never changes a database."),
            Self::Timeout { .. } => {
                tr!("Narrow the question, for example to a shorter period, or raise the time limit.")
            }
            Self::Memory { .. } => tr!("Narrow the question, or raise the memory limit."),
            Self::OverBudget { .. } => {
                tr!(
                    "Ask for fewer columns or a shorter period (a condition on the column that the table is partitioned by), or raise maximum_bytes_billed in the address."
                )
            }
            Self::OverCap { .. } | Self::OverRead { .. } => {
                tr!(
                    "Ask for fewer columns or a shorter period, or raise the limit in the connection's settings or with: vitrine connections limit"
                )
            }
            Self::Interrupted { .. } => tr!("Ask again: the engine is restarted."),
            Self::OutOfScope { .. } => tr!("Use tables of these schemas, or widen the scope of the connection."),
            Self::NotApproved { .. } => {
                tr!("Approve it where it is shown, or with: vitrine approvals add CONNECTION SQL")
            }
            Self::SchemaOnly => tr!("Open a database with data: sqlite:, duckdb: or file:."),
            Self::Io { disk_full: true, .. } => {
                tr!("Free some space or choose another place, then try again; nothing was left behind.")
            }
            Self::Io { .. } => tr!("Check that the place exists and can be written to."),
            Self::Query { .. } | Self::NoPreview { .. } | Self::NoPlan { .. } | Self::Cancelled => return None,
        })
    }
}

fn over_budget(limit: u64, bytes: Option<u64>) -> String {
    let most = format_bytes(limit);
    match bytes.map(format_bytes) {
        Some(billed) => tr!(
            "the query was not run: it would be billed for {billed}, more than the {most} that one query may",
            billed,
            most
        ),
        None => tr!("the query was not run: it would be billed for more than the {most} that one query may", most),
    }
}

fn over_cap(whose: &Limited, most: u64, spent: u64, ahead: u64, price: Option<u64>) -> String {
    let said = |bytes: u64| match price {
        Some(price) => format!("{} ({})", format_bytes(bytes), format_usd(scan_money(bytes, price))),
        None => format_bytes(bytes),
    };
    let what = match whose {
        Limited::Question => tr!("the limit of one question"),
        Limited::Month(Some(name)) => tr!("the month's limit of {name}", name),
        Limited::Month(None) => tr!("the month's limit of this database"),
        Limited::AllMonth => tr!("the month's limit of all connections"),
    };
    let (most, spent) = (said(most), said(spent));
    match (ahead, price) {
        // No estimate is available.
        (0, _) => tr!("{what} is {most}, {spent} of it are spent, and the next query was not run", what, most, spent),
        (_, None) => tr!(
            "{what} is {most}, {spent} of it are spent, and the next query would read {ahead}; it was not run",
            what,
            most,
            spent,
            ahead = said(ahead)
        ),
        (_, Some(_)) => tr!(
            "{what} is {most}, {spent} of it are spent, and the next query would be billed for {ahead}; it was not run",
            what,
            most,
            spent,
            ahead = said(ahead)
        ),
    }
}

/// Formats billed bytes in decimal units.
fn format_bytes(bytes: u64) -> String {
    let units = [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => {
            let value = bytes as f64 / size as f64;
            let places = usize::from(!format!("{value:.1}").ends_with(".0"));
            format!("{} {unit}", format_decimal(value, places))
        }
        None => tr!("{bytes} bytes", bytes),
    }
}

/// Returns true if a BigQuery address specifies a client for sign-in in the browser.
fn signs_in_by_browser(address: &str) -> bool {
    ProjectAddress::parse(address).is_ok_and(|project| project.signs_in_by_browser())
}
