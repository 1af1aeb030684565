//! Tables of definitions: CSV files with the columns `table_name`, `description`, `DDL`.

use vitrine_domain::{Dialect, Table, TableKind, TableName};

/// Parses one table per row; a row without a definition becomes a table without columns.
pub(super) fn parse_table_list(text: &str, dialect: Dialect) -> Vec<Table> {
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let Ok(header) = reader.headers().cloned() else { return Vec::new() };
    let place = |name: &str| header.iter().position(|column| column.trim().eq_ignore_ascii_case(name));
    let (name_at, description_at, ddl_at) = (place("table_name"), place("description"), place("ddl"));
    let mut tables = Vec::new();
    for record in reader.records().flatten() {
        let field = |at: Option<usize>| at.and_then(|at| record.get(at)).map(str::trim).filter(|text| !text.is_empty());
        let comment = field(description_at).map(str::to_owned);
        let Some(name) = field(name_at) else { continue };
        let name = parse_name(name);
        let mut table = field(ddl_at)
            .and_then(|ddl| parse_definition(ddl, dialect))
            .unwrap_or_else(|| table_without_columns(name.clone()));
        // The list may contain a schema that the definition omits.
        if table.name.schema.is_none() && name.schema.is_some() {
            table.name = name;
        }
        table.comment = comment.or(table.comment);
        tables.push(table);
    }
    tables
}

fn parse_definition(ddl: &str, dialect: Dialect) -> Option<Table> {
    vitrine_ddl::parse(ddl, dialect).ok()?.pop()
}

pub(super) fn table_without_columns(name: TableName) -> Table {
    Table {
        name,
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: Vec::new(),
        primary_key: Vec::new(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    }
}

/// Parses `table`, `schema.table` or `database.schema.table` without quotes.
pub(super) fn parse_name(text: &str) -> TableName {
    let clean = |part: &str| part.trim_matches(['"', '`']).to_owned();
    let mut parts: Vec<&str> = text.splitn(3, '.').collect();
    let name = clean(parts.pop().unwrap_or_default());
    let schema = parts.pop().map(clean);
    TableName { catalog: parts.pop().map(clean), schema, name }
}
