//! Relations that a view can read: a table of the catalog or an earlier view, with its keys.

use super::hidden::Hidden;
use vitrine_domain::{Catalog, Profile, Table, TableName};
use vitrine_sql::{ColumnType, DialectExt};

/// A view that later views may name, as returned by `check`; callers also describe materialised views with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewRelation {
    /// The name of the view.
    pub name: String,
    /// The columns of the view, in order.
    pub columns: Vec<ViewColumn>,
    /// Sets of columns that are unique; contains the empty set if there is only one row.
    pub keys: Vec<Vec<String>>,
    /// Sets of columns that are unique except where one of the columns is NULL.
    pub unique: Vec<Vec<String>>,
}

/// A column of a view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewColumn {
    /// The name of the column.
    pub name: String,
    /// The type in which it is stored.
    pub family: ColumnType,
    /// Its hidden type; `None` if it is not text, or if its values are unknown.
    pub hidden: Option<Hidden>,
    /// The catalog columns it is computed from, as (table, column).
    pub sources: Vec<(String, String)>,
    /// True if it is that one column, unchanged.
    pub plain: bool,
}

impl ViewRelation {
    /// Finds a column, ignoring case.
    pub fn column(&self, name: &str) -> Option<&ViewColumn> {
        self.columns.iter().find(|c| c.name.eq_ignore_ascii_case(name))
    }
}

/// The rows of a source.
#[derive(Debug, Clone)]
pub(crate) struct Rows<'a> {
    /// The name of the relation in SQL.
    pub name: TableName,
    /// Its table in the catalog; `None` for a view.
    pub table: Option<&'a Table>,
    pub relation: ViewRelation,
    /// Members of a union; empty for a single table or view.
    pub united: Vec<Rows<'a>>,
    /// The column that contains the name of each row's member.
    pub series: Option<String>,
}

impl<'a> Rows<'a> {
    pub fn of_table(table: &'a Table, catalog: &Catalog, profile: &Profile) -> Self {
        let name = table.name.to_string();
        let profile = profile.find_table(&table.name);
        let columns = table.columns.iter().map(|column| ViewColumn {
            name: column.name.clone(),
            family: catalog.dialect.sql().column_type(&column.data_type),
            hidden: Hidden::from_column(column, profile.and_then(|p| p.find_column(&column.name)), catalog.dialect),
            sources: vec![(name.clone(), column.name.clone())],
            plain: true,
        });
        let keys = if table.primary_key.is_empty() { Vec::new() } else { vec![table.primary_key.clone()] };
        Self {
            name: table.name.clone(),
            table: Some(table),
            relation: ViewRelation { columns: columns.collect(), keys, unique: referenced_keys(table, catalog), name },
            united: Vec::new(),
            series: None,
        }
    }

    pub fn of_view(relation: ViewRelation) -> Self {
        let name = TableName::from_unqualified(relation.name.clone());
        Self { name, table: None, relation, united: Vec::new(), series: None }
    }

    /// Returns the union of several relations over their common columns. It has no key, since rows may be equal.
    pub fn of_union(united: Vec<Rows<'a>>, series: Option<String>) -> Self {
        let (first, others) = united.split_first().expect("a union is of something");
        let common = first.relation.columns.iter().filter_map(|column| {
            let alike = others.iter().map(|rows| rows.relation.column(&column.name)).collect::<Option<Vec<_>>>()?;
            alike.into_iter().try_fold(column.clone(), merge_columns)
        });
        let mut columns: Vec<ViewColumn> = common.collect();
        columns.extend(series.iter().map(|name| ViewColumn {
            name: name.clone(),
            family: ColumnType::Text,
            hidden: Some(Hidden::Nothing),
            sources: Vec::new(),
            plain: false,
        }));
        let name = first.name.clone();
        let relation =
            ViewRelation { name: first.relation.name.clone(), columns, keys: Vec::new(), unique: Vec::new() };
        Self { name, table: None, relation, united, series }
    }

    /// Returns the tables and views that it reads.
    pub fn members(&self) -> &[Rows<'a>] {
        if self.united.is_empty() { std::slice::from_ref(self) } else { &self.united }
    }
}

/// Merges two columns of a union with the same name; `None` if their types are incompatible.
fn merge_columns(mut column: ViewColumn, other: &ViewColumn) -> Option<ViewColumn> {
    let number = |family: ColumnType| family.is_number() && family != ColumnType::Unknown;
    column.family = match (column.family, other.family) {
        (a, b) if a == b => a,
        (ColumnType::Unknown, _) | (_, ColumnType::Unknown) => ColumnType::Unknown,
        (a, b) if number(a) && number(b) && a != ColumnType::Float && b != ColumnType::Float => ColumnType::Decimal,
        (a, b) if number(a) && number(b) => ColumnType::Float,
        _ => return None,
    };
    if column.hidden != other.hidden {
        column.hidden = Some(Hidden::Nothing);
    }
    for source in &other.sources {
        if !column.sources.contains(source) {
            column.sources.push(source.clone());
        }
    }
    column.plain &= other.plain;
    Some(column)
}

/// Returns columns that foreign keys refer to, which must be unique if the engine enforces it.
fn referenced_keys(table: &Table, catalog: &Catalog) -> Vec<Vec<String>> {
    if !catalog.dialect.sql().enforces_referenced_keys() {
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
