//! SQLite's own parse of a text. SQLite exposes no tree, so the statement is prepared over empty tables of the same
//! names, and an authorizer records its accesses.

use super::unread::Unread;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, Error, ErrorCode};
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use vitrine_domain::Catalog;
use vitrine_sql::{EngineReading, NamesRead, SqlRejection, order_and_limit, quote_identifier};

/// Time limit for preparing, which is exponential for views that read each other repeatedly.
const TIME: Duration = Duration::from_secs(2);
/// Steps of the virtual machine or the parser between two checks of the time.
const STEPS: i32 = 1_000;
/// Maximum number of columns of a created table.
const MOST_COLUMNS: usize = 2_000;

/// The accesses of a statement.
#[derive(Default)]
struct Touched {
    functions: BTreeSet<String>,
    tables: BTreeSet<String>,
    columns: BTreeSet<(String, String)>,
    /// The first access that is more than reading.
    refused: Option<Unread>,
}

/// Parses the text with SQLite.
pub(super) fn read_statement(sql: &str, catalog: &Catalog) -> Result<EngineReading, Unread> {
    let failed = |error: Error| Unread::engine_error(error.to_string());
    let connection = tables_of(catalog).map_err(failed)?;
    // Built-in tables of the engine: pragmas, settings and statistics.
    let brought = query_names(&connection, "SELECT name FROM pragma_module_list").map_err(failed)?;
    let known = query_names(&connection, "SELECT name FROM sqlite_schema").map_err(failed)?;
    let touched: Arc<Mutex<Touched>> = Arc::default();
    let notes = Arc::clone(&touched);
    let authorise = move |context: AuthContext<'_>| {
        let mut touched = notes.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = match context.action {
            AuthAction::Select | AuthAction::Recursive => None,
            AuthAction::Read { table_name, column_name } => {
                let name = table_name.to_lowercase();
                touched.columns.insert((table_name.to_owned(), column_name.to_owned()));
                if !known.contains(&name) && (brought.contains(&name) || name.starts_with("pragma_")) {
                    touched.tables.insert(name);
                }
                None
            }
            // The engine implements the JSON operators as functions.
            AuthAction::Function { function_name: "->" | "->>" } => None,
            AuthAction::Function { function_name } => {
                touched.functions.insert(function_name.to_lowercase());
                None
            }
            AuthAction::Pragma { .. } => Some(Unread::not_a_query("PRAGMA")),
            AuthAction::Attach { .. } => Some(Unread::writes("ATTACH")),
            AuthAction::Detach { .. } => Some(Unread::writes("DETACH")),
            AuthAction::Insert { .. } => Some(Unread::writes("INSERT")),
            AuthAction::Update { .. } => Some(Unread::writes("UPDATE")),
            AuthAction::Delete { .. } => Some(Unread::writes("DELETE")),
            _ => Some(Unread::other_change()),
        };
        match refused {
            Some(refused) => {
                touched.refused.get_or_insert(refused);
                Authorization::Deny
            }
            None => Authorization::Allow,
        }
    };
    connection.authorizer(Some(authorise)).map_err(failed)?;
    let began = Instant::now();
    connection.progress_handler(STEPS, Some(move || began.elapsed() > TIME)).map_err(failed)?;
    let prepared = connection.prepare(sql).map(|statement| {
        (statement.readonly() && statement.column_count() > 0, statement.is_explain() != 0, statement.parameter_count())
    });
    let mut touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(refused) = touched.refused.take() {
        return Err(refused);
    }
    match prepared {
        Ok((_, true, _)) => return Err(Unread::not_a_query("EXPLAIN")),
        Ok((false, ..)) => return Err(Unread::other_statement()),
        Ok((true, false, 0)) => {}
        Ok(_) => return Err(Unread::Refused(SqlRejection::Parameter { name: "?".to_owned() })),
        Err(Error::MultipleStatement) => return Err(Unread::Refused(SqlRejection::NotOneStatement)),
        Err(Error::SqliteFailure(code, _)) if code.code == ErrorCode::OperationInterrupted => {
            return Err(Unread::Refused(SqlRejection::TooDeep));
        }
        Err(error) => return Err(not_prepared(&error)),
    }
    let (ordered, limit) = order_and_limit(sql, catalog.dialect);
    // A table function may return the values of its arguments.
    let stored = || touched.columns.iter().filter(|(table, _)| !touched.tables.contains(&table.to_lowercase()));
    let tables: Vec<Vec<String>> = stored().map(|(table, _)| vec![table.clone()]).collect();
    let names = NamesRead {
        stored: tables.clone(),
        tables,
        columns: stored().map(|(table, column)| (Some(table.clone()), column.clone())).collect(),
        ..NamesRead::default()
    };
    Ok(EngineReading {
        names,
        functions: touched.functions.iter().map(|name| vec![name.clone()]).collect(),
        table_functions: touched.tables.iter().map(|name| vec![name.clone()]).collect(),
        ordered,
        limit,
        ..EngineReading::default()
    })
}

fn not_prepared(error: &Error) -> Unread {
    let text = match error {
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    };
    let syntax = ["syntax error", "unrecognized token", "incomplete input"].iter().any(|part| text.contains(part));
    if syntax { Unread::NotSql } else { Unread::engine_error(text) }
}

/// Creates an empty database with the tables of a catalog and locks it.
fn tables_of(catalog: &Catalog) -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    rusqlite::vtab::series::load_module(&connection)?;
    let mut made = HashSet::new();
    for table in &catalog.tables {
        let name = &table.name.name;
        if table.columns.is_empty() || !made.insert(name.to_lowercase()) {
            continue;
        }
        let columns: Vec<String> = table
            .columns
            .iter()
            .take(MOST_COLUMNS)
            .map(|column| quote_identifier(&column.name, catalog.dialect))
            .collect();
        let script = format!("CREATE TABLE {} ({})", quote_identifier(name, catalog.dialect), columns.join(", "));
        // A name that cannot be created, such as one reserved by the engine, cannot be used by the query either.
        if let Err(error) = connection.execute_batch(&script) {
            tracing::debug!(table = %name, %error, "the table is not known to the proof");
        }
    }
    for (option, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
    ] {
        connection.set_db_config(option, on)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    Ok(connection)
}

fn query_names(connection: &Connection, sql: &str) -> rusqlite::Result<HashSet<String>> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    rows.map(|name| name.map(|name| name.to_lowercase())).collect()
}
