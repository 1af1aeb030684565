//! Opens an SQLite file with all available restrictions.

use crate::safety::lock_layer;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization, TransactionOperation};
use rusqlite::limits::Limit;
use rusqlite::{Connection, Error, ErrorCode, MAIN_DB, OpenFlags};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use vitrine_domain::SafetyLayer;
use vitrine_words::tr;

/// Time to wait for a program that is writing.
const BUSY: Duration = Duration::from_millis(1_500);
/// Maximum size of a value in bytes; larger texts and blobs cause an error instead of exhausting memory.
const LARGEST_VALUE: i32 = 256 << 20;

/// Pragmas that only return information. All others are refused.
const READING_PRAGMAS: [&str; 14] = [
    "table_info",
    "table_xinfo",
    "table_list",
    "foreign_key_list",
    "index_list",
    "index_info",
    "index_xinfo",
    "collation_list",
    "function_list",
    "schema_version",
    "encoding",
    "page_count",
    "compile_options",
    // Used by full-text tables during their own reads.
    "data_version",
];

/// Functions that access data outside the database or change how it is read.
const FORBIDDEN_FUNCTIONS: [&str; 6] = ["load_extension", "fts3_tokenizer", "writefile", "readfile", "edit", "fsdir"];

/// Opens the file with an SQLite URI parameter and reads its schema once, so that an unreadable file fails here.
pub(super) fn try_open(path: &Path, parameter: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match parameter {
        "" => Connection::open_with_flags(path, flags)?,
        _ => Connection::open_with_flags(file_uri(path, parameter), flags | OpenFlags::SQLITE_OPEN_URI)?,
    };
    harden_connection(&connection)?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))?;
    let inner = inner_tables(&connection)?;
    connection.authorizer(Some(move |context: AuthContext<'_>| match context.action {
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name }
            if inner.contains(&table_name.to_lowercase()) =>
        {
            Authorization::Allow
        }
        _ => authorize_action(context),
    }))?;
    Ok(connection)
}

/// Returns the names of the tables in which R*Trees store their nodes. An R*Tree prepares its write statements even for
/// reading. They never run: the file is opened read-only, and such statements in queries are refused earlier.
fn inner_tables(connection: &Connection) -> rusqlite::Result<HashSet<String>> {
    // Only a virtual table has no root page.
    let mut statement = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage = 0")?;
    let virtual_tables = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut inner = HashSet::new();
    for name in virtual_tables {
        let name = name?.to_lowercase();
        inner.extend(["node", "rowid", "parent"].map(|part| format!("{name}_{part}")));
    }
    Ok(inner)
}

fn file_uri(path: &Path, parameter: &str) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'%' | b'?' | b'#' | 0x80.. => uri.push_str(&format!("%{byte:02X}")),
            _ => uri.push(char::from(*byte)),
        }
    }
    uri + "?" + parameter
}

/// Applies all restrictions. Tests also use it on writable databases.
pub(super) fn harden_connection(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    for (option, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        connection.set_db_config(option, on)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LARGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    rusqlite::vtab::series::load_module(connection)?;
    connection.authorizer(Some(authorize_action))
}

/// Returns the restrictions of a connection as a safety layer.
pub(super) fn read_lock_layer(connection: &Connection) -> rusqlite::Result<SafetyLayer> {
    // The statement is only prepared and would change nothing even if it were allowed.
    let refused = |sql: &str| {
        let denied = |error: &Error| error.sqlite_error_code() == Some(ErrorCode::AuthorizationForStatementDenied);
        connection.prepare(sql).is_err_and(|error| denied(&error))
    };
    let locks = [
        (tr!("the file is opened read-only"), connection.is_readonly(MAIN_DB)?),
        (tr!("writes are refused"), refused("CREATE TABLE vitrine_locked (a)")),
        (tr!("other files are refused"), refused("ATTACH ':memory:' AS vitrine_locked")),
        (tr!("settings are refused"), refused("PRAGMA journal_mode = wal")),
        (
            tr!("the file's own definitions are not trusted"),
            !connection.db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA)?,
        ),
        (tr!("its inner tables cannot be written"), connection.db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE)?),
    ];
    Ok(lock_layer(
        "SQLite",
        &locks,
        tr!("The open connection was asked, and statements were prepared without being run."),
    ))
}

fn authorize_action(context: AuthContext<'_>) -> Authorization {
    let allowed = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => {
            !FORBIDDEN_FUNCTIONS.contains(&function_name.to_ascii_lowercase().as_str())
        }
        AuthAction::Pragma { pragma_name, .. } => READING_PRAGMAS.contains(&pragma_name.to_ascii_lowercase().as_str()),
        // Two passes over one result need one snapshot.
        AuthAction::Transaction { operation } => {
            !matches!(operation, TransactionOperation::Unknown | TransactionOperation::Release)
        }
        _ => false,
    };
    if allowed { Authorization::Allow } else { Authorization::Deny }
}
