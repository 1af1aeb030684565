//! Relations that a view can read: a table of the catalog or an earlier view, with its keys.

use super::hidden::Hidden;
use vitrine_domain::{Catalog, Dialect, Profile, Table, TableName};
use vitrine_sql::ColumnType;

/// A view that later views may name, as `check` returns it; callers also describe a materialised view with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewRelation {
    /// Its name.
    pub name: String,
    /// Its columns, in order.
    pub columns: Vec<ViewColumn>,
    /// Sets of columns that are unique; the empty set where there is one row only.
    pub keys: Vec<Vec<String>>,
    /// Sets of columns that are unique except where one of the columns is NULL.
    pub unique: Vec<Vec<String>>,
}

/// A column of a view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewColumn {
    /// Its name.
    pub name: String,
    /// Its type as it is stored.
    pub family: ColumnType,
    /// Its hidden type; `None` where it is not text, or where nothing is known of its values.
    pub hidden: Option<Hidden>,
    /// The catalog columns it is computed from, as (table, column).
    pub sources: Vec<(String, String)>,
    /// Whether it is that one column, unchanged.
    pub plain: bool,
}

impl ViewRelation {
    /// Finds a column, ignoring case.
    pub fn column(&self, name: &str) -> Option<&ViewColumn> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }
}

/// A source's rows.
#[derive(Debug, Clone)]
pub(crate) struct Rows<'a> {
    /// Its name in SQL.
    pub name: TableName,
    /// Its table in the catalog; `None` for a view.
    pub table: Option<&'a Table>,
    pub relation: ViewRelation,
}

impl<'a> Rows<'a> {
    pub fn of_table(table: &'a Table, catalog: &Catalog, profile: &Profile) -> Self {
        let name = table.name.to_string();
        let profile = profile.table(&table.name);
        let columns = table.columns.iter().map(|column| ViewColumn {
            name: column.name.clone(),
            family: ColumnType::of(&column.data_type, catalog.dialect),
            hidden: Hidden::of(column, profile.and_then(|p| p.column(&column.name)), catalog.dialect),
            sources: vec![(name.clone(), column.name.clone())],
            plain: true,
        });
        let keys = if table.primary_key.is_empty() { Vec::new() } else { vec![table.primary_key.clone()] };
        Self {
            name: table.name.clone(),
            table: Some(table),
            relation: ViewRelation { columns: columns.collect(), keys, unique: referred(table, catalog), name },
        }
    }

    pub fn of_view(relation: ViewRelation) -> Self {
        Self { name: TableName::bare(relation.name.clone()), table: None, relation }
    }
}

/// Columns that foreign keys refer to, which have to be unique. SQLite checks this only when a row is written with the
/// check switched on, and benchmarks are full of such keys that refer to repeated values.
fn referred(table: &Table, catalog: &Catalog) -> Vec<Vec<String>> {
    if catalog.dialect == Dialect::Sqlite {
        return Vec::new();
    }
    let keys = catalog.tables.iter().flat_map(|t| &t.foreign_keys).filter(|key| key.ref_table == table.name);
    let mut found: Vec<Vec<String>> = Vec::new();
    for columns in keys.map(|key| &key.ref_columns) {
        if !columns.is_empty() && !found.contains(columns) {
            found.push(columns.clone());
        }
    }
    found
}
