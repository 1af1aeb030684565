//! Tables and columns that the user omitted from a run.

use std::collections::HashSet;
use vitrine_domain::{Catalog, TableName};

/// Returns the catalog without these tables and `table.column` columns; keys that contain an omitted column are removed as well.
pub fn catalog_without(catalog: &Catalog, names: &[String]) -> Catalog {
    let tables: HashSet<TableName> =
        names.iter().filter_map(|name| catalog.find_table(name)).map(|table| table.name.clone()).collect();
    let columns: HashSet<(TableName, String)> = names
        .iter()
        .filter(|name| catalog.find_table(name).is_none())
        .filter_map(|name| resolve_column(catalog, name))
        .collect();
    let gone = |table: &TableName, column: &String| columns.contains(&(table.clone(), column.clone()));
    let mut rest = catalog.clone();
    rest.tables.retain(|table| !tables.contains(&table.name));
    for table in &mut rest.tables {
        let name = table.name.clone();
        table.columns.retain(|column| !gone(&name, &column.name));
        if table.primary_key.iter().any(|column| gone(&name, column)) {
            table.primary_key.clear();
        }
        table.unique_keys.retain(|key| !key.iter().any(|column| gone(&name, column)));
        table.foreign_keys.retain(|key| {
            !tables.contains(&key.ref_table)
                && !key.columns.iter().any(|column| gone(&name, column))
                && !key.ref_columns.iter().any(|column| gone(&key.ref_table, column))
        });
    }
    rest
}

/// Returns the column that `table.column` names.
pub fn resolve_column(catalog: &Catalog, name: &str) -> Option<(TableName, String)> {
    let (table, column) = name.rsplit_once('.')?;
    let table = catalog.find_table(table)?;
    Some((table.name.clone(), table.find_column(column)?.name.clone()))
}

/// Returns the first name that is neither a table nor a column.
pub fn find_unknown_name<'n>(catalog: &Catalog, mut names: impl Iterator<Item = &'n String>) -> Option<&'n String> {
    names.find(|name| catalog.find_table(name).is_none() && resolve_column(catalog, name).is_none())
}
