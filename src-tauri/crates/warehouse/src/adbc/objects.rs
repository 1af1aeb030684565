//! The catalog as any driver tells it: tables, columns, keys.

use super::driver::Pool;
use super::errors::in_query;
use crate::{WarehouseError, cells};
use adbc_core::Connection;
use adbc_core::options::ObjectDepth;
use serde::Deserialize;
use vitrine_domain::{Column, Dialect, ForeignKey, Table, TableKind, TableName};

/// Schemas that are about the database and hold nothing of the user's.
const SYSTEM: [&str; 4] = ["information_schema", "pg_catalog", "pg_toast", "sys"];

#[derive(Deserialize)]
struct Schema {
    db_schema_name: Option<String>,
    db_schema_tables: Option<Vec<Told>>,
}

#[derive(Deserialize)]
struct Told {
    table_name: String,
    table_type: Option<String>,
    table_columns: Option<Vec<ToldColumn>>,
    table_constraints: Option<Vec<Constraint>>,
}

#[derive(Deserialize)]
struct ToldColumn {
    column_name: String,
    ordinal_position: Option<i32>,
    remarks: Option<String>,
    xdbc_type_name: Option<String>,
    xdbc_nullable: Option<i16>,
}

#[derive(Deserialize)]
struct Constraint {
    constraint_type: String,
    constraint_column_names: Option<Vec<Option<String>>>,
    constraint_column_usage: Option<Vec<Usage>>,
}

#[derive(Deserialize)]
struct Usage {
    fk_db_schema: Option<String>,
    fk_table: String,
    fk_column_name: String,
}

/// All tables that the driver lists, but the system's.
pub(super) fn read(pool: &Pool, dialect: Dialect) -> Result<Vec<Table>, WarehouseError> {
    let connection = pool.take().map_err(|error| in_query(&error))?;
    let reader = connection.get_objects(ObjectDepth::All, None, None, None, None, None);
    let reader = reader.map_err(|error| in_query(&error))?;
    let mut tables = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|error| WarehouseError::query(error.to_string()))?;
        let Some(schemas) = batch.column_by_name("catalog_db_schemas") else { continue };
        for row in 0..batch.num_rows() {
            let Some(text) = cells::cell(schemas, row) else { continue };
            tables.extend(listed(&text, dialect)?);
        }
    }
    pool.put(connection);
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tables)
}

/// The tables of one catalog, from what stands in the list of its schemas.
fn listed(text: &str, dialect: Dialect) -> Result<Vec<Table>, WarehouseError> {
    let schemas: Vec<Schema> = serde_json::from_str(text)
        .map_err(|error| WarehouseError::query(format!("the driver's list of tables cannot be read: {error}")))?;
    let of_user = |schema: &Schema| {
        let name = schema.db_schema_name.as_deref().unwrap_or_default();
        !SYSTEM.iter().any(|system| system.eq_ignore_ascii_case(name))
    };
    let table = |schema: &Option<String>, told: Told| {
        let kind = told.table_type.unwrap_or_default().to_ascii_lowercase();
        let mut columns = told.table_columns.unwrap_or_default();
        columns.sort_by_key(|column| column.ordinal_position);
        let constraints = told.table_constraints.unwrap_or_default();
        let keys = |of: &str| {
            let found = constraints.iter().filter(move |key| key.constraint_type.eq_ignore_ascii_case(of));
            found.map(|key| key.constraint_column_names.iter().flatten().flatten().cloned().collect()).collect()
        };
        let primary: Vec<Vec<String>> = keys("PRIMARY KEY");
        Table {
            name: name(schema.as_deref(), &told.table_name, dialect),
            kind: if kind.contains("view") { TableKind::View } else { TableKind::Table },
            comment: None,
            row_count: None,
            columns: columns.into_iter().map(column).collect(),
            primary_key: primary.into_iter().next().unwrap_or_default(),
            unique_keys: keys("UNIQUE"),
            foreign_keys: constraints.iter().filter_map(|key| reference(key, dialect)).collect(),
            definition: None,
        }
    };
    let found = schemas.into_iter().filter(of_user).flat_map(|schema| {
        let (name, told) = (schema.db_schema_name, schema.db_schema_tables.unwrap_or_default());
        told.into_iter().map(move |told| (name.clone(), told))
    });
    let is_relation = |told: &Told| {
        let kind = told.table_type.as_deref().unwrap_or("table").to_ascii_lowercase();
        kind.contains("table") || kind.contains("view")
    };
    Ok(found
        .filter(|(_, told)| is_relation(told))
        .map(|(schema, told)| table(&schema, told))
        .filter(|table| !table.columns.is_empty())
        .collect())
}

/// The schema that needs no name is left out.
fn name(schema: Option<&str>, name: &str, dialect: Dialect) -> TableName {
    let usual = if dialect == Dialect::Postgres { "public" } else { "main" };
    let schema = schema.filter(|schema| !schema.is_empty() && *schema != usual).map(str::to_owned);
    TableName { catalog: None, schema, name: name.to_owned() }
}

fn column(told: ToldColumn) -> Column {
    Column {
        name: told.column_name,
        data_type: told.xdbc_type_name.unwrap_or_default(),
        nullable: told.xdbc_nullable != Some(0),
        comment: told.remarks.filter(|text| !text.trim().is_empty()),
    }
}

fn reference(key: &Constraint, dialect: Dialect) -> Option<ForeignKey> {
    let usage = key.constraint_column_usage.as_deref().filter(|usage| !usage.is_empty())?;
    let first = usage.first().filter(|_| key.constraint_type.eq_ignore_ascii_case("FOREIGN KEY"))?;
    Some(ForeignKey {
        columns: key.constraint_column_names.iter().flatten().flatten().cloned().collect(),
        ref_table: name(first.fk_db_schema.as_deref(), &first.fk_table, dialect),
        ref_columns: usage.iter().map(|usage| usage.fk_column_name.clone()).collect(),
    })
}
