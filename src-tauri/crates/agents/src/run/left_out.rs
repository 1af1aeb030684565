//! Tables and columns that are omitted from a run: by the user, or because others were selected before it.

use std::collections::HashSet;
use vitrine_domain::{Catalog, SchemaSelection, TableName};

/// Returns the catalog without these tables and `table.column` columns; keys that contain an omitted column are removed as well.
pub fn catalog_without(catalog: &Catalog, names: &[String]) -> Catalog {
    let tables: HashSet<TableName> =
        names.iter().filter_map(|name| catalog.find_table(name)).map(|table| table.name.clone()).collect();
    let columns: HashSet<(TableName, String)> = names
        .iter()
        .filter(|name| catalog.find_table(name).is_none())
        .filter_map(|name| resolve_column(catalog, name))
        .collect();
    remove_names(catalog, &tables, &columns)
}

/// Returns the catalog with only the selected tables and columns; keys that contain another column are removed as well.
pub fn catalog_within(catalog: &Catalog, selection: &SchemaSelection) -> Catalog {
    let (mut tables, mut columns) = (HashSet::new(), HashSet::new());
    for table in &catalog.tables {
        let full = table.name.to_string();
        let Some(selected) = selection.tables.iter().find(|known| known.name.eq_ignore_ascii_case(&full)) else {
            tables.insert(table.name.clone());
            continue;
        };
        let is_kept = |column: &str| selected.columns.iter().any(|known| known.eq_ignore_ascii_case(column));
        let all = table.columns.iter().map(|column| column.name.clone());
        let left_out = all.filter(|column| !selected.columns.is_empty() && !is_kept(column));
        columns.extend(left_out.map(|column| (table.name.clone(), column)));
    }
    remove_names(catalog, &tables, &columns)
}

fn remove_names(catalog: &Catalog, tables: &HashSet<TableName>, columns: &HashSet<(TableName, String)>) -> Catalog {
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

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{Column, Dialect, ForeignKey, Table, TableKind};

    fn table(name: &str, columns: &[&str], foreign_keys: Vec<ForeignKey>) -> Table {
        let column =
            |name: &&str| Column { name: (*name).into(), data_type: "INTEGER".into(), nullable: true, comment: None };
        Table {
            name: TableName::from_unqualified(name),
            kind: TableKind::Table,
            columns: columns.iter().map(column).collect(),
            primary_key: vec![columns[0].into()],
            definition: None,
            unique_keys: Vec::new(),
            foreign_keys,
            comment: None,
            row_count: None,
        }
    }

    #[test]
    fn only_the_selected_tables_and_columns_remain_with_their_keys() {
        let key = ForeignKey {
            columns: vec!["shop_id".into()],
            ref_table: TableName::from_unqualified("Shop"),
            ref_columns: vec!["id".into()],
        };
        let catalog = Catalog {
            database: String::new(),
            dialect: Dialect::Sqlite,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: vec![
                table("Shop", &["id", "town"], Vec::new()),
                table("sale", &["id", "shop_id", "total"], vec![key]),
                table("memo", &["id"], Vec::new()),
            ],
        };
        let shown = |selection: &SchemaSelection| -> Vec<(String, Vec<String>, usize, usize)> {
            let of = |table: &Table| {
                let columns = table.columns.iter().map(|column| column.name.clone()).collect();
                (table.name.to_string(), columns, table.primary_key.len(), table.foreign_keys.len())
            };
            catalog_within(&catalog, selection).tables.iter().map(of).collect()
        };
        let names = |columns: &[&str]| columns.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let mut selection = SchemaSelection::default();
        selection.add("shop", None);
        selection.add("sale", None);
        let whole = [
            ("Shop".to_owned(), names(&["id", "town"]), 1, 0),
            ("sale".to_owned(), names(&["id", "shop_id", "total"]), 1, 1),
        ];
        assert_eq!(shown(&selection), whole);
        selection.add("shop", Some("Town"));
        selection.add("sale", Some("total"));
        selection.add("sale", Some("shop_id"));
        let some =
            [("Shop".to_owned(), names(&["town"]), 0, 0), ("sale".to_owned(), names(&["shop_id", "total"]), 0, 0)];
        assert_eq!(shown(&selection), some);
    }
}
