//! The names of a catalog that a model may write.

use crate::model::hidden::Hidden;
use crate::model::relation::{Rows, ViewRelation};
use serde_json::{Value, json};
use vitrine_domain::{Catalog, ForeignKey, Profile, Table, TableName};
use vitrine_sql::ColumnType;

/// Maximum number of columns whose names are listed; other names are verified only by the checker.
const LISTED_COLUMNS: usize = 400;

/// The names that a model may write.
pub(super) struct SchemaNames {
    pub(super) tables: Vec<String>,
    /// `table.column` with its type and hidden type.
    pub(super) columns: Vec<(String, ColumnType, Option<Hidden>)>,
    /// Pairs of a table and an alias that is derived from a key.
    pub(super) roles: Vec<(String, String)>,
    pub(super) listed: bool,
}

impl SchemaNames {
    pub(super) fn from_catalog(catalog: &Catalog, profile: &Profile, earlier: &[ViewRelation]) -> Self {
        let tables = catalog.tables.iter().map(|t| {
            let namesakes = catalog.tables.iter().filter(|o| o.name.name.eq_ignore_ascii_case(&t.name.name)).count();
            let name = if namesakes == 1 { t.name.name.clone() } else { t.name.to_string() };
            (name, Rows::of_table(t, catalog, profile).relation)
        });
        let views = earlier.iter().map(|v| (v.name.clone(), v.clone()));
        let all: Vec<(String, ViewRelation)> = views.chain(tables).collect();
        let column = |table: &str, relation: &ViewRelation| -> Vec<(String, ColumnType, Option<Hidden>)> {
            let columns = relation.columns.iter();
            columns.map(|c| (format!("{table}.{}", c.name), c.family, c.hidden.clone())).collect()
        };
        let mut columns: Vec<_> = all.iter().flat_map(|(name, relation)| column(name, relation)).collect();
        let mut roles = Vec::new();
        for (name, alias) in catalog.tables.iter().flat_map(|t| roles_of(t, catalog)) {
            let read = all.iter().find(|(_, r)| r.name == name);
            let taken =
                all.iter().any(|(n, _)| n.eq_ignore_ascii_case(&alias)) || roles.iter().any(|(_, a)| *a == alias);
            if let Some((table, relation)) = read.filter(|_| !taken) {
                let more = column(&alias, relation);
                if columns.len() + more.len() <= LISTED_COLUMNS {
                    columns.extend(more);
                    roles.push((table.clone(), alias));
                }
            }
        }
        let listed = columns.len() <= LISTED_COLUMNS;
        Self { tables: all.into_iter().map(|(name, _)| name).collect(), columns, roles, listed }
    }

    /// Returns the schema of columns whose stored or hidden type meets a condition; `None` if there are none.
    pub(super) fn column_schema(&self, fits: impl Fn(ColumnType) -> bool) -> Option<Value> {
        let meant = |hidden: &Option<Hidden>| hidden.as_ref().and_then(Hidden::family);
        let fit = self.columns.iter().filter(|(_, family, hidden)| fits(*family) || meant(hidden).is_some_and(&fits));
        let names: Vec<&str> = fit.map(|(name, ..)| name.as_str()).collect();
        match (names.is_empty(), self.listed) {
            (true, _) => None,
            (_, true) => Some(json!({"enum": names})),
            (_, false) => Some(json!({"type": "string", "maxLength": 120})),
        }
    }

    pub(super) fn table_schema(&self) -> Value {
        if self.listed { json!({"enum": self.tables}) } else { json!({"type": "string", "maxLength": 120}) }
    }

    /// Returns the schema of a source of a join, by its name or alias.
    pub(super) fn join_source_schema(&self) -> Value {
        let names: Vec<&String> = self.tables.iter().chain(self.roles.iter().map(|(_, alias)| alias)).collect();
        if self.listed { json!({"enum": names}) } else { self.table_schema() }
    }
}

/// Returns tables that a table refers to by several keys, or the table itself if it refers to itself, each with an
/// alias derived from the key.
fn roles_of(table: &Table, catalog: &Catalog) -> Vec<(String, String)> {
    let twice =
        |to: &TableName| *to == table.name || table.foreign_keys.iter().filter(|k| k.ref_table == *to).count() > 1;
    let keys = table.foreign_keys.iter().filter(|key| twice(&key.ref_table));
    let role = |key: &ForeignKey| {
        let [column] = key.columns.as_slice() else { return None };
        let read = catalog.tables.iter().find(|t| t.name == key.ref_table)?;
        let lower = column.to_ascii_lowercase();
        let stem = ["_id", "_key", "_code", "_no"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
        let plain = stem.starts_with(|c: char| c.is_ascii_alphabetic())
            && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        plain.then(|| (read.name.to_string(), stem.to_owned()))
    };
    keys.filter_map(role).collect()
}
