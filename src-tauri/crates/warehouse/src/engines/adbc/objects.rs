//! The catalog as a driver reports it: tables, columns, keys.

use super::driver::Pool;
use crate::{WarehouseError, cells};
use adbc_core::Connection;
use adbc_core::options::ObjectDepth;
use adbc_driver_manager::ManagedConnection;
use serde::Deserialize;
use vitrine_domain::{Column, Dialect, ForeignKey, Table, TableKind, TableName};
use vitrine_sql::DialectExt;

/// System schemas, which contain no user data.
const SYSTEM: [&str; 4] = ["information_schema", "pg_catalog", "pg_toast", "sys"];

#[derive(Deserialize)]
struct Schema {
    db_schema_name: Option<String>,
    db_schema_tables: Option<Vec<DriverTable>>,
}

#[derive(Deserialize)]
struct DriverTable {
    table_name: String,
    table_type: Option<String>,
    table_columns: Option<Vec<DriverColumn>>,
    table_constraints: Option<Vec<Constraint>>,
}

#[derive(Deserialize)]
struct DriverColumn {
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

/// Returns all tables that the driver lists, without system tables, and the catalog that contains all of them if names
/// may begin with it but do not.
pub(super) fn read_catalog(pool: &Pool, dialect: Dialect) -> Result<(Vec<Table>, Option<String>), WarehouseError> {
    let catalogs = pool.retry_expired_session(|| {
        pool.take_for_short()?.with_connection(|connection| Ok((list_catalogs(pool, connection)?, true)))
    })?;
    let (tables, holder) = merge_catalogs(&catalogs, dialect)?;
    Ok((tables, holder.filter(|_| dialect.sql().has_catalogs_in_names())))
}

/// Returns the list of the driver: the name of each catalog and its schemas as JSON.
fn list_catalogs(pool: &Pool, connection: &mut ManagedConnection) -> Result<Vec<(String, String)>, WarehouseError> {
    let reader = connection.get_objects(ObjectDepth::All, None, None, None, None, None);
    let reader = reader.map_err(|error| pool.in_query(&error))?;
    let mut catalogs = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|error| WarehouseError::query(error.to_string()))?;
        let Some(schemas) = batch.column_by_name("catalog_db_schemas") else { continue };
        let names = batch.column_by_name("catalog_name");
        for row in 0..batch.num_rows() {
            let name = names.and_then(|names| cells::format_cell(names, row)).unwrap_or_default();
            catalogs.extend(cells::format_cell(schemas, row).map(|text| (name, text)));
        }
    }
    Ok(catalogs)
}

/// Returns true if a catalog belongs to the engine itself.
fn is_own(catalog: &str, dialect: Dialect) -> bool {
    dialect.sql().system_catalogs().iter().any(|own| own.eq_ignore_ascii_case(catalog))
}

/// Collects the tables of all catalogs. If more than one catalog has tables, each name includes its catalog, because a
/// name without it would be ambiguous.
fn merge_catalogs(
    catalogs: &[(String, String)],
    dialect: Dialect,
) -> Result<(Vec<Table>, Option<String>), WarehouseError> {
    let mut tables: Vec<(&str, Vec<Table>)> = Vec::new();
    let catalogs = || catalogs.iter().filter(|(name, _)| !is_own(name, dialect));
    for (name, text) in catalogs() {
        let found = parse_tables(text, TableNaming { catalog: None, dialect })?;
        if !found.is_empty() {
            tables.push((name, found));
        }
    }
    if tables.len() > 1 {
        tables.clear();
        for (name, text) in catalogs() {
            let catalog = Some(name.as_str()).filter(|name| !name.is_empty());
            tables.push((name, parse_tables(text, TableNaming { catalog, dialect })?));
        }
    }
    let holder = match tables.as_slice() {
        [(name, _)] if !name.is_empty() => Some((*name).to_owned()),
        _ => None,
    };
    let mut tables: Vec<Table> = tables.into_iter().flat_map(|(_, tables)| tables).collect();
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((tables, holder))
}

/// Parses the tables of one catalog from the JSON list of its schemas.
fn parse_tables(text: &str, names: TableNaming<'_>) -> Result<Vec<Table>, WarehouseError> {
    let schemas: Vec<Schema> = serde_json::from_str(text)
        .map_err(|error| WarehouseError::query(format!("the driver's list of tables cannot be read: {error}")))?;
    let of_user = |schema: &Schema| {
        let name = schema.db_schema_name.as_deref().unwrap_or_default();
        !SYSTEM.iter().any(|system| system.eq_ignore_ascii_case(name))
    };
    let table = |schema: &Option<String>, told: DriverTable| {
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
            name: names.table_name(schema.as_deref(), &told.table_name),
            kind: if kind.contains("view") { TableKind::View } else { TableKind::Table },
            comment: None,
            row_count: None,
            columns: columns.into_iter().map(build_column).collect(),
            primary_key: primary.into_iter().next().unwrap_or_default(),
            unique_keys: keys("UNIQUE"),
            foreign_keys: constraints.iter().filter_map(|key| build_foreign_key(key, names)).collect(),
            definition: None,
        }
    };
    let found = schemas.into_iter().filter(of_user).flat_map(|schema| {
        let (name, told) = (schema.db_schema_name, schema.db_schema_tables.unwrap_or_default());
        told.into_iter().map(move |told| (name.clone(), told))
    });
    let is_relation = |told: &DriverTable| {
        let kind = told.table_type.as_deref().unwrap_or("table").to_ascii_lowercase();
        kind.contains("table") || kind.contains("view")
    };
    Ok(found
        .filter(|(_, told)| is_relation(told))
        .map(|(schema, told)| table(&schema, told))
        .filter(|table| !table.columns.is_empty())
        .collect())
}

/// The form of table names.
#[derive(Clone, Copy)]
struct TableNaming<'c> {
    /// The catalog, if names must include it.
    catalog: Option<&'c str>,
    dialect: Dialect,
}

impl TableNaming<'_> {
    /// Builds the name of a table. Without a catalog, the default schema is omitted.
    fn table_name(self, schema: Option<&str>, name: &str) -> TableName {
        let usual = self.dialect.sql().default_schema().unwrap_or("main");
        let needed = |schema: &&str| !schema.is_empty() && (self.catalog.is_some() || *schema != usual);
        let schema = schema.filter(needed).map(str::to_owned);
        TableName { catalog: self.catalog.map(str::to_owned), schema, name: name.to_owned() }
    }
}

fn build_column(told: DriverColumn) -> Column {
    Column {
        name: told.column_name,
        data_type: told.xdbc_type_name.unwrap_or_default(),
        nullable: told.xdbc_nullable != Some(0),
        comment: told.remarks.filter(|text| !text.trim().is_empty()),
    }
}

fn build_foreign_key(key: &Constraint, names: TableNaming<'_>) -> Option<ForeignKey> {
    let usage = key.constraint_column_usage.as_deref().filter(|usage| !usage.is_empty())?;
    let first = usage.first().filter(|_| key.constraint_type.eq_ignore_ascii_case("FOREIGN KEY"))?;
    Some(ForeignKey {
        columns: key.constraint_column_names.iter().flatten().flatten().cloned().collect(),
        ref_table: names.table_name(first.fk_db_schema.as_deref(), &first.fk_table),
        ref_columns: usage.iter().map(|usage| usage.fk_column_name.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog_json(schema: &str, tables: &[&str]) -> String {
        let column = r#"{"column_name": "id", "xdbc_type_name": "INT"}"#;
        let key = r#"{"constraint_type": "FOREIGN KEY", "constraint_column_names": ["id"], "constraint_column_usage":
            [{"fk_db_schema": "public", "fk_table": "people", "fk_column_name": "id"}]}"#;
        let table = |name: &&str| {
            format!(r#"{{"table_name": "{name}", "table_columns": [{column}], "table_constraints": [{key}]}}"#)
        };
        let tables: Vec<String> = tables.iter().map(table).collect();
        format!(r#"[{{"db_schema_name": "{schema}", "db_schema_tables": [{}]}}]"#, tables.join(","))
    }

    fn table_names(catalogs: &[(String, String)]) -> Vec<String> {
        let (tables, _) = merge_catalogs(catalogs, Dialect::Postgres).unwrap();
        tables.iter().map(|table| table.name.to_string()).collect()
    }

    #[test]
    fn tables_of_two_catalogs_have_two_names() {
        let of = |name: &str, schema: &str| (name.to_owned(), catalog_json(schema, &["people"]));
        let two = [of("shop", "public"), of("stock", "public")];
        assert_eq!(table_names(&two), ["shop.public.people", "stock.public.people"]);
        let key = &merge_catalogs(&two, Dialect::Postgres).unwrap().0[1].foreign_keys[0];
        assert_eq!(key.ref_table.to_string(), "stock.public.people", "a reference stays in its catalog");
        // A catalog with only system tables is ignored.
        let one = [of("shop", "public"), of("postgres", "pg_catalog")];
        assert_eq!(table_names(&one), ["people"]);
    }
}
