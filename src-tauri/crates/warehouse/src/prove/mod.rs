//! Proves that a text only reads. First with the parser of `vitrine-sql`, whose tree the rest of the program uses; if
//! it cannot parse the text, with the engine's own parser and the same lists of functions. In the latter case, the
//! query runs unchanged and only its text is known.

mod duck;
mod postgres;
mod sqlite;
mod unread;

use crate::large_stack::on_a_large_stack;
use unread::Unread;
use vitrine_domain::Catalog;
use vitrine_sql::{
    AllowedFunctions, DialectExt, EngineParser, EngineReading, NameProblem, ReadOnlySql, SqlRejection, double_quoted,
    is_catalog_table, is_descriptive_table, named_tables, statement_text,
};
use vitrine_words::tr;

/// Proves that a text is a single query over `catalog` that only reads. May take some milliseconds if the engine's
/// parser is needed.
///
/// # Errors
/// The reason for the rejection. If neither parser accepts the text, the error is the first parser's.
pub fn prove_read_only(text: &str, catalog: &Catalog) -> Result<ReadOnlySql, SqlRejection> {
    prove_with(text, catalog, &AllowedFunctions::default())
}

/// Like [`prove_read_only`], but additionally allows these functions of the database.
///
/// # Errors
/// As [`prove_read_only`].
pub fn prove_with(text: &str, catalog: &Catalog, allowed: &AllowedFunctions) -> Result<ReadOnlySql, SqlRejection> {
    let own = own_functions(allowed, catalog).with_tables(ambiguous_names(text, catalog));
    let proven = prove_text(text, catalog, &own)?;
    let described = (!allowed.reads_catalog()).then(|| read_description(&proven, catalog)).flatten();
    described.map_or(Ok(proven), Err)
}

fn prove_text(text: &str, catalog: &Catalog, allowed: &AllowedFunctions) -> Result<ReadOnlySql, SqlRejection> {
    let dialect = catalog.dialect;
    let first = match ReadOnlySql::parse_with(text, dialect, allowed) {
        Err(first @ (SqlRejection::Syntax { .. } | SqlRejection::Unclear { .. })) => first,
        Err(first @ SqlRejection::NotAQuery { .. })
            if dialect.sql().has_describing_queries() && allowed.reads_catalog() =>
        {
            first
        }
        Ok(proven) => {
            let mistaken = called_on_rows(&proven, catalog, allowed).or_else(|| text_for_a_column(text, catalog));
            return mistaken.map_or(Ok(proven), Err);
        }
        refused => return refused,
    };
    let Some(parser) = dialect.sql().engine_parser() else { return Err(first) };
    let read: fn(&str, &Catalog) -> Result<EngineReading, Unread> = match parser {
        EngineParser::Duckdb => |text, _| duck::read_statement(text),
        EngineParser::Sqlite => sqlite::read_statement,
        EngineParser::Postgres => |text, _| postgres::read_statement(text),
    };
    let statement = statement_text(text, dialect)?;
    // A panic in the engine's parser rejects the statement.
    let unfinished = || Err(Unread::engine_error("the database's parser did not finish with the statement"));
    match on_a_large_stack(|| read(statement, catalog)).unwrap_or_else(unfinished) {
        Ok(reading) => ReadOnlySql::from_reading(statement, dialect, &reading, allowed),
        Err(Unread::Refused(_)) if matches!(first, SqlRejection::NotAQuery { .. }) => Err(first),
        Err(Unread::Refused(rejection)) => Err(rejection),
        Err(Unread::NotSql) => Err(first),
    }
}

/// Adds the database's own functions to the allowed ones. If a column has the same name as a function that takes rows,
/// binding decides between them, not the name.
fn own_functions(allowed: &AllowedFunctions, catalog: &Catalog) -> AllowedFunctions {
    let mut own = catalog.own_functions.clone();
    for function in own.iter_mut().filter(|function| function.on_rows) {
        function.on_rows = !catalog.tables.iter().any(|table| table.find_column(&function.name).is_some());
    }
    allowed.with_own_functions(&own)
}

/// Returns names of existing tables that may also be files, which DuckDB opens, or functions, which SQLite calls.
fn ambiguous_names(text: &str, catalog: &Catalog) -> Vec<Vec<String>> {
    let dialect = catalog.dialect.sql();
    let text = text.to_lowercase();
    let mut names = Vec::new();
    for table in &catalog.tables {
        let schema = table.name.schema.as_deref().unwrap_or("main");
        let name = table.name.name.as_str();
        if !dialect.may_misread_table(&[&catalog.database, schema, name], &text) {
            continue;
        }
        let holder = Some(catalog.database.as_str()).filter(|holder| !holder.is_empty());
        let mut add = |parts: &[&str]| names.push(parts.iter().map(|part| (*part).to_owned()).collect());
        add(&[schema, name]);
        holder.into_iter().for_each(|holder| add(&[holder, schema, name]));
        if schema == "main" {
            add(&[name]);
            holder.into_iter().for_each(|holder| add(&[holder, name]));
        }
    }
    names
}

/// Returns the rejection if the query reads a system table that is not one of the user's.
fn read_description(sql: &ReadOnlySql, catalog: &Catalog) -> Option<SqlRejection> {
    let read = named_tables(sql).or_else(|| sql.names_read().map(|names| names.stored.clone())).unwrap_or_default();
    read.iter().find_map(|parts| {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        (is_descriptive_table(&parts, catalog.dialect) && !is_catalog_table(catalog, &parts))
            .then(|| SqlRejection::Description { name: parts.join(".").to_lowercase() })
    })
}

/// Returns the rejection for an unknown column if the database has a function with this name that takes the table's
/// rows.
fn called_on_rows(sql: &ReadOnlySql, catalog: &Catalog, allowed: &AllowedFunctions) -> Option<SqlRejection> {
    if !catalog.own_functions.iter().any(|function| function.on_rows) {
        return None;
    }
    let all = allowed.with_own_functions(&catalog.own_functions);
    let name = vitrine_sql::bind_names(sql, catalog).problems.into_iter().find_map(|problem| match problem {
        NameProblem::UnknownColumn { name, .. } | NameProblem::NotInScope { name, .. } => {
            all.is_called_on_rows(&name).then_some(name)
        }
        _ => None,
    })?;
    Some(SqlRejection::called_as_column(&name))
}

/// Returns the rejection for a text in double quotes with the name of a column: in other engines it is that column, but
/// in MySQL it is a constant text without a warning.
fn text_for_a_column(text: &str, catalog: &Catalog) -> Option<SqlRejection> {
    if !catalog.dialect.sql().reads_quoted_column_as_text() {
        return None;
    }
    let is_column = |name: &String| catalog.tables.iter().any(|table| table.find_column(name).is_some());
    let name = double_quoted(text).into_iter().find(is_column)?;
    Some(SqlRejection::unclear(|| {
        tr!("\"{name}\", which is a text here: write `{name}` for the column, or '{name}' for the text", name)
    }))
}

#[cfg(test)]
pub(crate) mod tests;
