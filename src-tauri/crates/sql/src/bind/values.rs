//! Sources of the values in a result, used to decide which values to mask.

use super::scope::{HasManyRows, Source, Walk, merge_distinct};
use super::ties::{is_computed, stored_sources};
use crate::ast::{Named, resolve_table_name};
use crate::read_only::{NamesRead, ReadOnlySql};
use crate::text::same_name;
use vitrine_domain::{Catalog, Table};

/// Stored columns whose values a column of a result reveals.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutputSources {
    /// The column's name in the result. `None` if the engine generates it.
    pub name: Option<String>,
    /// The stored columns, as (table, column).
    pub columns: Vec<(String, String)>,
    /// True if the values are computed, so that an empty one reveals something too.
    pub computed: bool,
}

impl OutputSources {
    /// Returns true if the engine may give the column this name. Engines cut long names, and may add the table.
    pub fn may_be_called(&self, name: &str) -> bool {
        const SHORTEST_CUT: usize = 30;
        let last = name.rsplit('.').next().unwrap_or(name);
        self.name.as_deref().is_none_or(|own| {
            same_name(own, name)
                || same_name(own, last)
                || name.len() >= SHORTEST_CUT && own.get(..name.len()).is_some_and(|cut| same_name(cut, name))
        })
    }
}

/// Stored columns from which a result's values come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValueSources {
    /// The columns of the result. `None` if only the whole result can be attributed.
    pub outputs: Option<Vec<OutputSources>>,
    /// All columns that the query can read. `None` if it reads tables or columns that are not in the catalog.
    pub read: Option<Vec<(String, String)>>,
    /// The known tables that the query reads.
    pub tables: Vec<String>,
}

/// Traces stored values into a result. Counts hide their arguments. Sums and means hide them if `has_many` returns true
/// for their table and its GROUP BY columns. All other functions pass values on.
pub fn value_sources(sql: &ReadOnlySql, catalog: &Catalog, has_many: &dyn Fn(&str, &[String]) -> bool) -> ValueSources {
    if sql.calls_allowed_function() {
        return ValueSources::default();
    }
    if let Some(names) = sql.names_read() {
        let Some((tables, columns)) = resolve_engine_names(names, catalog) else { return ValueSources::default() };
        return ValueSources { outputs: None, read: Some(columns), tables };
    }
    let has_many: HasManyRows<'_> = has_many;
    sql.with_query(|query| {
        let mut walk = Walk::new(catalog, sql.dialect(), &[]);
        walk.has_many = Some(has_many);
        let rows = walk.walk_query(&query);
        let known = walk.issues.is_empty() && !walk.reads_unknown;
        let mut read = std::mem::take(&mut walk.columns);
        merge_distinct(&mut read, &rows.all_sources());
        let outputs = rows.cols.into_iter().map(|mut col| {
            let own = stored_sources(&col.sources).len();
            walk.add_tied(&mut col.sources);
            let columns = stored_sources(&col.sources);
            let computed = is_computed(&col.sources) || columns.len() > own;
            OutputSources { name: (!col.guessed).then_some(col.name), columns, computed }
        });
        let outputs = outputs.collect();
        ValueSources {
            outputs: (known && !rows.open).then_some(outputs),
            read: known.then(|| stored_sources(&read)),
            tables: walk.tables,
        }
    })
    .unwrap_or_default()
}

/// Returns the catalog's tables and columns that an engine's names can refer to. `None` if a table is not in the
/// catalog.
fn resolve_engine_names(names: &NamesRead, catalog: &Catalog) -> Option<(Vec<String>, Vec<Source>)> {
    let is_view = |parts: &[&str]| matches!(parts, [name] if names.views.iter().any(|view| same_name(view, name)));
    let mut tables: Vec<&Table> = Vec::new();
    for name in &names.tables {
        let parts: Vec<&str> = name.iter().map(String::as_str).collect();
        match resolve_table_name(catalog, &parts) {
            Named::Table(table) => tables.push(table),
            // The session determines which of them the engine reads.
            Named::OneOf(first) => {
                tables.extend(catalog.tables.iter().filter(|table| same_name(&table.name.name, &first.name.name)));
            }
            Named::Nothing if is_view(&parts) && !names.stored.contains(name) => {}
            Named::Elsewhere | Named::Nothing => return None,
        }
    }
    let is_row = |end: &String| {
        let called =
            names.aliases.iter().chain(&names.views).chain(names.tables.iter().filter_map(|parts| parts.last()));
        called.into_iter().any(|name| same_name(name, end))
    };
    let whole = names.unnamed || names.ends.iter().any(is_row);
    let mut columns = Vec::new();
    for table in &tables {
        let read = table.columns.iter().filter(|column| whole || is_named(names, table, &column.name));
        merge_distinct(
            &mut columns,
            &read.map(|column| (table.name.to_string(), column.name.clone())).collect::<Vec<_>>(),
        );
    }
    Some((tables.into_iter().map(|table| table.name.to_string()).collect(), columns))
}

fn is_named(names: &NamesRead, table: &Table, column: &str) -> bool {
    names.columns.iter().any(|(of, name)| {
        // SQLite also accepts the name of the row id for an integer primary key.
        let is_key = same_name(name, "rowid") && table.primary_key.iter().any(|key| same_name(key, column));
        (same_name(name, column) || is_key) && of.as_ref().is_none_or(|of| same_name(of, &table.name.name))
    })
}

#[cfg(test)]
mod tests;
