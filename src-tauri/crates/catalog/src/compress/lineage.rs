//! Lineage of view columns, derived from the view's query (ProSPy, appendix A.1, lineage-aware descriptions).

use vitrine_domain::{Catalog, Table};
use vitrine_sql::{ReadOnlySql, bind_names};

/// Maximum number of source columns listed for a column of a view.
const NAMED: usize = 4;

/// The tables that a view reads, and the source columns of each of its columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lineage {
    /// Tables and views of the catalog that the view's query reads.
    pub tables: Vec<String>,
    /// Pairs of a column and its sources, such as `orders.total`, with the source's comment if the view's column has
    /// none.
    pub columns: Vec<(String, String)>,
}

/// Returns the lineage of a view; `None` for tables and if the definition is unknown or cannot be parsed.
pub(super) fn trace_lineage(table: &Table, catalog: &Catalog) -> Option<Lineage> {
    let sql = ReadOnlySql::parse(table.definition.as_deref()?, catalog.dialect).ok()?;
    let bound = bind_names(&sql, catalog);
    if bound.tables.is_empty() {
        return None;
    }
    // A view may rename its columns, but their order stays.
    let outputs = bound.outputs.iter().filter(|_| bound.outputs.len() == table.columns.len());
    let columns = outputs.zip(&table.columns).filter(|(output, _)| !output.sources.is_empty());
    let columns = columns.map(|(output, column)| {
        let told = |(table, name): &(String, String)| {
            let base = catalog.find_table(table).and_then(|table| table.find_column(name));
            let said = base.and_then(|base| base.comment.as_deref()).filter(|_| column.comment.is_none());
            said.map_or_else(|| format!("{table}.{name}"), |said| format!("{table}.{name} ({said})"))
        };
        let mut from: Vec<String> = output.sources.iter().take(NAMED).map(told).collect();
        if output.sources.len() > NAMED {
            from.push("...".to_owned());
        }
        (column.name.clone(), from.join(", "))
    });
    Some(Lineage { columns: columns.collect(), tables: bound.tables })
}
