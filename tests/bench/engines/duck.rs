//! Copies of SQLite databases in DuckDB: the same tables and rows, and the keys that the rows satisfy.

use anyhow::Result;
use duckdb::types::Value;
use rusqlite::types::ValueRef;
use std::path::Path;
use vitrine_domain::{Catalog, Table, TableName};

/// Copies a database into a new file.
pub fn copy(sqlite: &Path, catalog: &Catalog, duck: &Path) -> Result<()> {
    let from = rusqlite::Connection::open_with_flags(sqlite, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let to = duckdb::Connection::open(duck)?;
    in_order(catalog).into_iter().try_for_each(|table| copy_table(&from, table, &to))
}

/// Returns the tables sorted so that referenced tables come first.
fn in_order(catalog: &Catalog) -> Vec<&Table> {
    let mut left: Vec<&Table> = catalog.tables.iter().collect();
    let mut ordered: Vec<&Table> = Vec::new();
    while !left.is_empty() {
        let is_there = |name: &TableName| ordered.iter().any(|table| table.name == *name);
        let next = left.iter().position(|table| table.foreign_keys.iter().all(|key| is_there(&key.ref_table)));
        // In a cycle, one table has to be first.
        ordered.push(left.remove(next.unwrap_or(0)));
    }
    ordered
}

fn copy_table(from: &rusqlite::Connection, table: &Table, to: &duckdb::Connection) -> Result<()> {
    let name = quoted(&table.name.name);
    let columns = table.columns.iter().map(|column| {
        let column_name = quoted(&column.name);
        let held =
            from.query_row(&format!("SELECT group_concat(DISTINCT typeof({column_name})) FROM {name}"), [], |row| {
                row.get::<_, Option<String>>(0)
            })?;
        Ok(format!("{column_name} {}", type_of(&held.unwrap_or_default(), &column.data_type)))
    });
    let columns = columns.collect::<Result<Vec<_>>>()?;

    to.execute_batch(&format!("CREATE OR REPLACE TEMP TABLE held ({})", columns.join(", ")))?;
    let mut appender = to.appender_to_catalog_and_db("held", "temp", "main")?;
    let mut statement =
        from.prepare(&format!("SELECT {} FROM {name}", names(table.columns.iter().map(|c| &c.name))))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let cells = (0..columns.len()).map(|at| Ok(cell(row.get_ref(at)?))).collect::<Result<Vec<_>>>()?;
        appender.append_row(duckdb::appender_params_from_iter(cells))?;
    }
    appender.flush()?;

    let with = |keys: &[&String]| {
        let parts: Vec<&str> = columns.iter().chain(keys.iter().copied()).map(String::as_str).collect();
        to.execute_batch(&format!(
            "CREATE OR REPLACE TABLE {name} ({}); INSERT INTO {name} SELECT * FROM temp.held",
            parts.join(", ")
        ))
    };
    let mut kept: Vec<&String> = Vec::new();
    let keys = keys(table);
    for key in &keys {
        kept.push(key);
        if with(&kept).is_err() {
            kept.pop();
        }
    }
    Ok(with(&kept)?)
}

/// Returns a type that can represent all values of a column.
fn type_of(held: &str, declared: &str) -> &'static str {
    match held {
        _ if held.contains("text") || held.contains("blob") => "VARCHAR",
        _ if held.contains("real") => "DOUBLE",
        _ if held.contains("integer") || declared.to_ascii_uppercase().contains("INT") => "BIGINT",
        _ => "VARCHAR",
    }
}

fn cell(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::BigInt(number),
        ValueRef::Real(number) => Value::Double(number),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Value::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// Returns the key constraints of a table.
fn keys(table: &Table) -> Vec<String> {
    let primary = (!table.primary_key.is_empty()).then(|| format!("PRIMARY KEY ({})", names(&table.primary_key)));
    let unique = table.unique_keys.iter().map(|key| format!("UNIQUE ({})", names(key)));
    let foreign = table.foreign_keys.iter().map(|key| {
        let to = format!("{} ({})", quoted(&key.ref_table.name), names(&key.ref_columns));
        format!("FOREIGN KEY ({}) REFERENCES {to}", names(&key.columns))
    });
    primary.into_iter().chain(unique).chain(foreign).collect()
}

fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    names.into_iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
