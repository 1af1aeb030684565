//! Reads tables, columns and keys of an SQLite database.

use crate::definition::view_query;
use rusqlite::{Connection, Result};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};

/// Time for counting rows over all tables; the remaining tables get an estimate or none.
const COUNTING: Duration = Duration::from_millis(1_500);

/// Returns all tables and views with user data.
pub(super) fn read_tables(connection: &Connection) -> Result<Vec<Table>> {
    let mut listed = Vec::new();
    let shadows = read_shadow_tables(connection)?;
    let mut statement = connection.prepare(
        "SELECT name, type, sql FROM sqlite_schema
         WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let kind = if row.get_ref(1)?.as_str()? == "view" { TableKind::View } else { TableKind::Table };
        let definition = row.get::<_, Option<String>>(2)?.filter(|_| kind == TableKind::View);
        if !shadows.contains(&name) {
            listed.push((name, kind, definition));
        }
    }
    let estimates = read_row_estimates(connection);
    let started = Instant::now();
    let mut tables = Vec::with_capacity(listed.len());
    for (name, kind, definition) in listed {
        // A view over a dropped table has no columns, and a virtual table may lack its module.
        let (columns, primary_key) = read_columns(connection, &name).unwrap_or_default();
        if columns.is_empty() {
            tracing::warn!(table = name, "left out: its columns cannot be read");
            continue;
        }
        let row_count = match kind {
            TableKind::Table => row_count(connection, &name, COUNTING.saturating_sub(started.elapsed()), &estimates)?,
            TableKind::View => None,
        };
        let unique_keys = unique_keys(connection, &name)?;
        let foreign_keys = foreign_keys(connection, &name)?;
        tables.push(Table {
            name: TableName::from_unqualified(name),
            kind,
            comment: None,
            row_count,
            columns,
            primary_key,
            unique_keys,
            foreign_keys,
            definition: definition.as_deref().and_then(view_query),
        });
    }
    connect_keys(&mut tables);
    Ok(tables)
}

/// Returns the tables in which virtual tables store their data. The pragma lists all tables on each call, so it is
/// called once.
fn read_shadow_tables(connection: &Connection) -> Result<HashSet<String>> {
    let mut statement =
        connection.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn read_columns(connection: &Connection, table: &str) -> Result<(Vec<Column>, Vec<String>)> {
    // hidden = 1 marks the hidden columns of virtual tables; 2 and 3 are generated columns, which can be queried.
    let mut statement = connection.prepare_cached(
        "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid",
    )?;
    let mut rows = statement.query([table])?;
    let (mut columns, mut key) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let place: i64 = row.get(3)?;
        if place > 0 {
            key.push((place, name.clone()));
        }
        let nullable = !row.get::<_, bool>(2)?;
        columns.push(Column { name, data_type: row.get(1)?, nullable, comment: None });
    }
    key.sort();
    Ok((columns, key.into_iter().map(|(_, name)| name).collect()))
}

/// Returns the columns of UNIQUE constraints and of unique indexes without a condition, except for the primary key.
fn unique_keys(connection: &Connection, table: &str) -> Result<Vec<Vec<String>>> {
    let mut statement = connection.prepare_cached(
        "SELECT i.name, c.name FROM pragma_index_list(?1) i, pragma_index_info(i.name) c
          WHERE i.\"unique\" AND NOT i.partial AND i.origin <> 'pk' ORDER BY i.seq, c.seqno",
    )?;
    let mut rows = statement.query([table])?;
    let mut keys: Vec<(String, Vec<Option<String>>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let index: String = row.get(0)?;
        if keys.last().is_none_or(|(last, _)| *last != index) {
            keys.push((index, Vec::new()));
        }
        if let Some((_, columns)) = keys.last_mut() {
            columns.push(row.get(1)?);
        }
    }
    // Indexed expressions have no column name.
    Ok(keys.into_iter().filter_map(|(_, columns)| columns.into_iter().collect()).collect())
}

/// Returns foreign keys as declared; keys without referenced columns are completed by [`connect_keys`].
fn foreign_keys(connection: &Connection, table: &str) -> Result<Vec<ForeignKey>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq",
    )?;
    let mut rows = statement.query([table])?;
    let mut keys: Vec<(i64, ForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        if keys.last().is_none_or(|(last, _)| *last != id) {
            let ref_table = TableName::from_unqualified(row.get::<_, String>(1)?);
            keys.push((id, ForeignKey { columns: Vec::new(), ref_table, ref_columns: Vec::new() }));
        }
        if let Some((_, key)) = keys.last_mut() {
            key.columns.push(row.get(2)?);
            key.ref_columns.extend(row.get::<_, Option<String>>(3)?);
        }
    }
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// Resolves `REFERENCES parent` to the parent's primary key, and normalizes names to the tables' spelling.
fn connect_keys(tables: &mut [Table]) {
    let parents: HashMap<String, (TableName, Vec<String>, Vec<String>)> = tables
        .iter()
        .map(|table| {
            let names = table.columns.iter().map(|column| column.name.clone()).collect();
            (table.name.name.to_lowercase(), (table.name.clone(), table.primary_key.clone(), names))
        })
        .collect();
    for key in tables.iter_mut().flat_map(|table| &mut table.foreign_keys) {
        let Some((name, primary_key, columns)) = parents.get(&key.ref_table.name.to_lowercase()) else { continue };
        key.ref_table = name.clone();
        if key.ref_columns.len() != key.columns.len() && primary_key.len() == key.columns.len() {
            key.ref_columns = primary_key.clone();
        }
        for column in &mut key.ref_columns {
            if let Some(written) = columns.iter().find(|name| name.eq_ignore_ascii_case(column)) {
                column.clone_from(written);
            }
        }
    }
    for table in tables.iter_mut() {
        // A key to a missing table cannot be joined.
        table.foreign_keys.retain(|key| {
            key.ref_columns.len() == key.columns.len() && parents.contains_key(&key.ref_table.name.to_lowercase())
        });
    }
}

/// Reads the row counts stored by ANALYZE.
fn read_row_estimates(connection: &Connection) -> HashMap<String, u64> {
    let read = || -> Result<HashMap<String, u64>> {
        let mut statement = connection.prepare("SELECT tbl, CAST(stat AS INTEGER) FROM sqlite_stat1")?;
        let rows =
            statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?;
        rows.collect()
    };
    // Most databases have no such table.
    read().unwrap_or_default()
}

/// Counts the rows while time is left; otherwise returns the stored statistics, if any.
fn row_count(
    connection: &Connection,
    table: &str,
    time: Duration,
    estimates: &HashMap<String, u64>,
) -> Result<Option<u64>> {
    if !time.is_zero() {
        let started = Instant::now();
        connection.progress_handler(10_000, Some(move || started.elapsed() > time))?;
        let quoted = table.replace('"', "\"\"");
        let counted =
            connection.query_row(&format!("SELECT count(*) FROM \"{quoted}\""), [], |row| row.get::<_, i64>(0));
        connection.progress_handler(0, None::<fn() -> bool>)?;
        match counted {
            Ok(count) => return Ok(u64::try_from(count).ok()),
            Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(estimates.get(table).copied())
}
