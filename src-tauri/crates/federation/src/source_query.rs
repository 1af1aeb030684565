//! The query that a source runs for one table.

use crate::condition::{Filter, WrittenFilter, write_filter};
use crate::source::Source;
use vitrine_domain::Table;
use vitrine_sql::{AllowedFunctions, DialectExt, ReadOnlySql, first_rows, quote_identifier, table_ref};
use vitrine_warehouse::{WarehouseError, prove_with};

/// Writes the query for some columns of a table, and for the rows that pass a filter as far as the source can evaluate it; with
/// a limit, for any of these rows.
pub(crate) fn write_query(
    source: &Source,
    table: &Table,
    columns: &[usize],
    filter: Option<&Filter>,
    limit: Option<u64>,
) -> String {
    let dialect = source.catalog.dialect;
    let names: Vec<String> = columns.iter().map(|at| quote_identifier(&table.columns[*at].name, dialect)).collect();
    let list = if names.is_empty() { "1 AS one".to_owned() } else { names.join(", ") };
    let from = format!("{}{}", table_ref(&table.name, dialect), write_where(source, table, filter));
    match limit {
        Some(rows) => first_rows(&list, &from, rows, dialect),
        None => format!("SELECT {list} FROM {from}"),
    }
}

/// Writes the query for the groups of a table by some columns, with the parts of aggregates. `None` if the source may merge
/// values of a key that differ in the local engine.
pub(crate) fn write_groups(
    source: &Source,
    table: &Table,
    keys: &[usize],
    parts: &[(String, String)],
    filter: Option<&Filter>,
) -> Option<String> {
    let dialect = source.catalog.dialect;
    let (mut list, mut groups) = (Vec::new(), Vec::new());
    for at in keys {
        let column = &table.columns[*at];
        let key = dialect.sql().pushed_key(&quote_identifier(&column.name, dialect), &column.data_type)?;
        list.push(format!("{} AS k{}", key.select, list.len() + 1));
        groups.push(key.group);
    }
    list.extend(parts.iter().map(|(part, name)| format!("{part} AS {}", quote_identifier(name, dialect))));
    if list.is_empty() {
        return None;
    }
    // Without keys, an empty table has one group with no rows.
    let ending = match groups.is_empty() {
        true => " HAVING COUNT(*) > 0".to_owned(),
        false => format!(" GROUP BY {}", groups.join(", ")),
    };
    let from = table_ref(&table.name, dialect);
    Some(format!("SELECT {} FROM {from}{}{ending}", list.join(", "), write_where(source, table, filter)))
}

/// Writes the query for the number of rows that [`write_query`] returns.
pub(crate) fn write_count(source: &Source, table: &Table, filter: Option<&Filter>) -> String {
    let from = table_ref(&table.name, source.catalog.dialect);
    format!("SELECT COUNT(*) AS n FROM {from}{}", write_where(source, table, filter))
}

fn write_where(source: &Source, table: &Table, filter: Option<&Filter>) -> String {
    match filter.and_then(|filter| write_filter(filter, source, table)) {
        Some(WrittenFilter { sql, .. }) => format!(" WHERE {sql}"),
        None => String::new(),
    }
}

/// Proves a query of a source.
///
/// # Errors
/// That the source's own proof refuses it.
pub(crate) fn prove_for(source: &Source, sql: &str) -> Result<ReadOnlySql, WarehouseError> {
    let proven = prove_with(sql, &source.catalog, &AllowedFunctions::default());
    proven.map_err(|refused| of_source(source, WarehouseError::query(format!("{refused}: {sql}"))))
}

/// Names the source of an error; the end of the whole query has none.
pub(crate) fn of_source(source: &Source, error: WarehouseError) -> WarehouseError {
    match error {
        WarehouseError::Cancelled | WarehouseError::Join { .. } => error,
        error => WarehouseError::OfSource { source: source.name.clone(), error: Box::new(error) },
    }
}
