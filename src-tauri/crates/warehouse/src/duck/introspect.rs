//! Reading tables, columns, comments and keys of a DuckDB database.

use super::quoted;
use crate::definition::view_query;
use duckdb::{Connection, Result, Row};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};

/// Time for counting rows, over all tables; the engine's estimate stands for the rest.
const COUNTING: Duration = Duration::from_millis(1_500);

type Key = (String, String);

/// All tables and views, by schema, then in the order in which they were made.
pub(super) fn tables(connection: &Connection) -> Result<Vec<Table>> {
    let mut columns = columns(connection)?;
    let mut primary_keys = HashMap::new();
    let mut unique_keys: HashMap<Key, Vec<Vec<String>>> = HashMap::new();
    let mut foreign_keys: HashMap<Key, Vec<ForeignKey>> = HashMap::new();
    constraints(connection, &mut primary_keys, &mut unique_keys, &mut foreign_keys)?;
    unique_indexes(connection, &columns, &mut unique_keys)?;
    let mut statement = connection.prepare(
        "SELECT * FROM (
           SELECT schema_name, table_name, comment, estimated_size, false AS computed, table_oid AS oid, NULL AS sql
             FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
           UNION ALL
           SELECT schema_name, view_name, comment, NULL, true, view_oid, sql
             FROM duckdb_views() WHERE NOT internal AND database_name = current_database())
         ORDER BY schema_name <> 'main', schema_name, oid",
    )?;
    let listed = statement.query_map([], |row| {
        let key: Key = (row.get(0)?, row.get(1)?);
        let computed: bool = row.get(4)?;
        Ok(Table {
            name: name(&key.0, &key.1),
            kind: if computed { TableKind::View } else { TableKind::Table },
            comment: text(row, 2)?,
            row_count: row.get::<_, Option<i64>>(3)?.and_then(|count| u64::try_from(count).ok()),
            columns: columns.remove(&key).unwrap_or_default(),
            primary_key: primary_keys.remove(&key).unwrap_or_default(),
            unique_keys: unique_keys.remove(&key).unwrap_or_default(),
            foreign_keys: foreign_keys.remove(&key).unwrap_or_default(),
            definition: text(row, 6)?.as_deref().and_then(view_query),
        })
    })?;
    let mut tables = listed.collect::<Result<Vec<_>>>()?;
    // A view over something that is gone has no columns.
    tables.retain(|table| !table.columns.is_empty());
    let started = Instant::now();
    for table in tables.iter_mut().filter(|table| table.kind == TableKind::Table) {
        // The estimate counts deleted rows too.
        if started.elapsed() < COUNTING {
            let from: Vec<String> = table.name.parts().map(quoted).collect();
            let count = connection
                .query_row(&format!("SELECT count(*) FROM {}", from.join(".")), [], |row| row.get::<_, i64>(0))?;
            table.row_count = u64::try_from(count).ok();
        }
    }
    Ok(tables)
}

fn name(schema: &str, table: &str) -> TableName {
    TableName { catalog: None, schema: (schema != "main").then(|| schema.to_owned()), name: table.to_owned() }
}

fn text(row: &Row<'_>, index: usize) -> Result<Option<String>> {
    Ok(row.get::<_, Option<String>>(index)?.filter(|text| !text.trim().is_empty()))
}

fn columns(connection: &Connection) -> Result<HashMap<Key, Vec<Column>>> {
    let mut statement = connection.prepare(
        "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment
           FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
          ORDER BY schema_name, table_name, column_index",
    )?;
    let mut rows = statement.query([])?;
    let mut columns: HashMap<Key, Vec<Column>> = HashMap::new();
    while let Some(row) = rows.next()? {
        let column = Column {
            name: row.get(2)?,
            data_type: row.get(3)?,
            nullable: row.get::<_, Option<bool>>(4)?.unwrap_or(true),
            comment: text(row, 5)?,
        };
        columns.entry((row.get(0)?, row.get(1)?)).or_default().push(column);
    }
    Ok(columns)
}

fn constraints(
    connection: &Connection,
    primary_keys: &mut HashMap<Key, Vec<String>>,
    unique_keys: &mut HashMap<Key, Vec<Vec<String>>>,
    foreign_keys: &mut HashMap<Key, Vec<ForeignKey>>,
) -> Result<()> {
    // Lists travel as JSON text, which keeps any character of a name.
    let mut statement = connection.prepare(
        "SELECT schema_name, table_name, constraint_type, to_json(constraint_column_names)::VARCHAR,
                referenced_table, to_json(referenced_column_names)::VARCHAR
           FROM duckdb_constraints()
          WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
          ORDER BY schema_name, table_name, constraint_index",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key: Key = (row.get(0)?, row.get(1)?);
        let names = |index| -> Result<Vec<String>> {
            Ok(row
                .get::<_, Option<String>>(index)?
                .and_then(|json| serde_json::from_str(&json).ok())
                .unwrap_or_default())
        };
        let columns = names(3)?;
        let kind: String = row.get(2)?;
        if kind == "PRIMARY KEY" {
            primary_keys.insert(key, columns);
        } else if kind == "UNIQUE" {
            unique_keys.entry(key).or_default().push(columns);
        } else if let Some(table) = row.get::<_, Option<String>>(4)? {
            // DuckDB has no keys across schemas.
            let foreign = ForeignKey { columns, ref_table: name(&key.0, &table), ref_columns: names(5)? };
            foreign_keys.entry(key).or_default().push(foreign);
        }
    }
    Ok(())
}

/// Columns of unique indexes; one over an expression is no key.
fn unique_indexes(
    connection: &Connection,
    columns: &HashMap<Key, Vec<Column>>,
    unique_keys: &mut HashMap<Key, Vec<Vec<String>>>,
) -> Result<()> {
    // The list is text: of names, in quotes where they need them, and of expressions in brackets.
    let mut statement = connection.prepare(
        "SELECT schema_name, table_name, to_json(TRY_CAST(expressions AS VARCHAR[]))::VARCHAR
           FROM duckdb_indexes() WHERE database_name = current_database() AND is_unique AND NOT is_primary
          ORDER BY schema_name, table_name, index_oid",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key: Key = (row.get(0)?, row.get(1)?);
        let listed = row.get::<_, Option<String>>(2)?.and_then(|json| serde_json::from_str::<Vec<String>>(&json).ok());
        let (Some(listed), Some(columns)) = (listed, columns.get(&key)) else { continue };
        let column = |said: &String| {
            let same = |column: &&Column| {
                [column.name.clone(), quoted(&column.name)].iter().any(|name| name.eq_ignore_ascii_case(said))
            };
            columns.iter().find(same).map(|column| column.name.clone())
        };
        if let Some(names) = listed.iter().map(column).collect() {
            unique_keys.entry(key).or_default().push(names);
        }
    }
    Ok(())
}
