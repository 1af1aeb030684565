//! Parses CREATE TABLE statements into tables, for databases that are known only by their schema.
//!
//! Dumps contain many statements that do not define columns, in dialects that no parser covers completely. Therefore
//! this crate reads the relevant clauses from the tokens and skips the rest.

mod reader;
mod script;
mod statement;

use reader::Reader;
use sqlparser::tokenizer::{Token, Tokenizer};
use statement::DdlStatement;
use std::collections::HashMap;
use vitrine_domain::{Catalog, Column, Dialect, ForeignKey, Table, TableKind, TableName};
use vitrine_sql::parse::{self, Offsets, is_significant};
use vitrine_sql::{DialectExt, ReadOnlySql, SqlRejection, bind_names};

/// Parses the tables and views that an SQL script creates, with their keys, foreign keys and comments.
///
/// # Errors
/// Returns an error if the script contains text but creates no table.
pub fn parse(sql: &str, dialect: Dialect) -> Result<Vec<Table>, SqlRejection> {
    let mut tables = Tables { known: empty_catalog(dialect), places: HashMap::new() };
    let mut first_error = None;
    let mut any = false;
    for text in script::split_statements(sql, dialect) {
        any = true;
        if !statement::may_matter(text) {
            continue;
        }
        let read =
            tokenize_significant(text, dialect).and_then(|tokens| Reader::new(&tokens, dialect).parse_statement());
        match read {
            Ok(DdlStatement::Table(table)) => tables.insert_table(table),
            Ok(DdlStatement::View { name, columns, comment, query_at }) => {
                let definition = extract_view_query(text, dialect, query_at);
                if let Some(view) = build_view(&tables.known, name, columns, comment, definition) {
                    tables.insert_table(view);
                }
            }
            Ok(DdlStatement::Keys(keys)) => {
                if let Some(table) = tables.find_table(&keys.name) {
                    keys.primary_key.iter().for_each(|c| statement::not_null(&mut table.columns, c));
                    if !keys.primary_key.is_empty() {
                        table.primary_key = keys.primary_key;
                    }
                    table.unique_keys.extend(keys.unique_keys);
                    add_keys(table, keys.foreign_keys);
                }
            }
            Ok(DdlStatement::TableComment(name, comment)) => {
                if let Some(table) = tables.find_table(&name) {
                    table.comment = Some(comment);
                }
            }
            Ok(DdlStatement::ColumnComment(name, column, comment)) => {
                let table = tables.find_table(&name);
                if let Some(column) =
                    table.and_then(|t| t.columns.iter_mut().find(|c| c.name.eq_ignore_ascii_case(&column)))
                {
                    column.comment = Some(comment);
                }
            }
            Ok(DdlStatement::Nothing) => {}
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    if tables.known.tables.is_empty() {
        let nothing =
            SqlRejection::Syntax { message: "no CREATE TABLE statement was found".to_owned(), line: 0, column: 0 };
        return Err(if any { first_error.unwrap_or(nothing) } else { SqlRejection::Empty });
    }
    Ok(tables.known.tables)
}

fn empty_catalog(dialect: Dialect) -> Catalog {
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: Vec::new(),
    }
}

/// The tables parsed so far, indexed by name.
struct Tables {
    known: Catalog,
    places: HashMap<String, usize>,
}

impl Tables {
    fn find_table(&mut self, name: &TableName) -> Option<&mut Table> {
        let place = self.places.get(&name.to_string().to_lowercase())?;
        self.known.tables.get_mut(*place)
    }

    /// Adds a table. It replaces an earlier one of the same name, like CREATE OR REPLACE.
    fn insert_table(&mut self, table: Table) {
        match self.find_table(&table.name) {
            Some(known) => *known = table,
            None => {
                self.places.insert(table.name.to_string().to_lowercase(), self.known.tables.len());
                self.known.tables.push(table);
            }
        }
    }
}

fn tokenize_significant(text: &str, dialect: Dialect) -> Result<Vec<Token>, SqlRejection> {
    let tokens = Tokenizer::new(dialect.sql().grammar(), text).tokenize();
    let tokens = tokens.map_err(|e| SqlRejection::Syntax {
        message: e.message,
        line: e.location.line,
        column: e.location.column,
    })?;
    Ok(tokens.into_iter().filter(is_significant).collect())
}

fn add_keys(table: &mut Table, keys: Vec<ForeignKey>) {
    for key in keys {
        if !table.foreign_keys.contains(&key) {
            table.foreign_keys.push(key);
        }
    }
}

/// Returns the query of a view as written, from the given token on.
fn extract_view_query(text: &str, dialect: Dialect, token: usize) -> Option<&str> {
    let tokens = parse::tokenize_sql(text, dialect).ok()?;
    let start = tokens.iter().filter(|t| is_significant(&t.token)).nth(token)?.span.start;
    Some(text[Offsets::new(text).byte_offset_at(start)..].trim_end())
}

/// Creates a view with its definition and with its declared columns, or otherwise the columns that its query returns.
fn build_view(
    known: &Catalog,
    name: TableName,
    declared: Vec<Column>,
    comment: Option<String>,
    definition: Option<&str>,
) -> Option<Table> {
    let mut columns = declared;
    let query = definition.filter(|_| columns.is_empty());
    if let Some(query) = query.and_then(|query| ReadOnlySql::parse(query, known.dialect).ok()) {
        let bound = bind_names(&query, known);
        let source_type = |sources: &[(String, String)]| match sources {
            [(table, column)] => {
                known.find_table(table).and_then(|t| t.find_column(column)).map(|c| c.data_type.clone())
            }
            _ => None,
        };
        columns = bound
            .outputs
            .into_iter()
            .map(|o| Column {
                data_type: source_type(&o.sources).unwrap_or_default(),
                name: o.name,
                nullable: true,
                comment: None,
            })
            .collect();
    }
    let table = |columns| Table {
        name,
        kind: TableKind::View,
        comment,
        row_count: None,
        columns,
        primary_key: vec![],
        definition: definition.map(str::to_owned),
        unique_keys: Vec::new(),
        foreign_keys: vec![],
    };
    (!columns.is_empty()).then(|| table(columns))
}

#[cfg(test)]
mod tests;
