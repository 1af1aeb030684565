//! Lineage of fetched views (ProSPy, A.1): the tables, conditions and columns that a view was derived from, for the next fetch and for the
//! analyst.

use crate::attempt::views::Fetched;
use crate::prompt::format::one_line;
use vitrine_domain::{Catalog, ViewSpec};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_view_dsl::ViewDescription;

/// Maximum number of characters of a lineage.
const LONGEST: usize = 1_200;

/// Columns and lineage of a view.
#[derive(Default)]
pub(super) struct TracedView {
    /// Descriptions of the columns, one line each; empty for a view that was written as SQL.
    pub(super) columns: Vec<String>,
    /// Sources, conditions and computations in one line.
    pub(super) lineage: String,
}

/// Traces a view in the view language. A source that is an earlier view is named as such.
pub(super) fn trace_spec(spec: &ViewSpec, described: &ViewDescription, fetched: &[Fetched]) -> TracedView {
    let source = |table: &str| match fetched.iter().any(|view| view.name.eq_ignore_ascii_case(table)) {
        true => format!("the view {table}"),
        false => table.to_owned(),
    };
    let sources: Vec<String> = spec.source.iter().map(|named| source(&named.table)).collect();
    let columns: Vec<String> =
        described.columns.iter().map(|column| format!("{}: {}", column.name, column.text)).collect();
    let parts = [vec![format!("from {}", sources.join(", "))], described.conditions.clone(), columns.clone()];
    TracedView { columns, lineage: shorten_lineage(&parts.concat().join("; ")) }
}

/// Traces a view that was written as SQL: its columns by their stored columns, then the query.
pub(super) fn trace_sql(sql: &ReadOnlySql, catalog: &Catalog) -> TracedView {
    let bound = bind_names(sql, catalog);
    let output = |output: &vitrine_sql::OutputColumn| {
        let sources: Vec<String> = output.sources.iter().map(|(table, column)| format!("{table}.{column}")).collect();
        (!sources.is_empty()).then(|| format!("{}: {}", output.name, sources.join(", ")))
    };
    let from = format!("from {}", bound.tables.join(", "));
    let columns = bound.outputs.iter().filter_map(output);
    let parts: Vec<String> = std::iter::once(from).chain(columns).chain([sql.as_str().to_owned()]).collect();
    TracedView { columns: Vec::new(), lineage: shorten_lineage(&parts.join("; ")) }
}

fn shorten_lineage(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}
