//! The parts of a query: what each source delivers, and the query that joins it.

use crate::catalog::{FoundTable, check_names, find_table, is_same_name};
use crate::condition::Filter;
use crate::enough::enough_rows;
use crate::needs::{Use, find_uses};
use crate::part::{PartColumn, PartQuery, TablePart};
use crate::partial::{Aggregated, aggregate_at_sources};
use crate::reduce::choose_reductions;
use crate::source::Source;
use crate::words::{collect_words, mentions};
use vitrine_sql::{ReadOnlySql, named_tables};
use vitrine_warehouse::WarehouseError;
use vitrine_words::tr;

/// The parts of a query.
pub(crate) struct Plan {
    pub parts: Vec<TablePart>,
    /// The query that runs in the local engine.
    pub joining: ReadOnlySql,
    /// True if a part has groups rather than rows.
    pub is_grouped: bool,
}

/// The rows and columns that sources deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Groups of rows where possible.
    Groups,
    /// Rows with the columns that the query needs.
    Rows,
    /// Rows with all columns, so that an error can list them.
    AllColumns,
}

/// Splits a query.
///
/// # Errors
/// That a name means no table of a source.
pub(crate) fn split_query(sql: &ReadOnlySql, sources: &[Source], extent: Extent) -> Result<Plan, WarehouseError> {
    let written = named_tables(sql).or_else(|| sql.names_read().map(|names| names.stored.clone()));
    let Some(written) = written else {
        return Err(WarehouseError::Join {
            message: tr!("the tables of this query cannot be determined"),
            hint: tr!("Write each table as SOURCE.TABLE."),
        });
    };
    let mut found = Vec::new();
    for parts in &written {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        found.push(find_table(sources, &parts)?);
    }
    check_names(&found, sources)?;
    if extent == Extent::Groups
        && let Some(Aggregated { joining, parts }) = aggregate_at_sources(sql, sources)
    {
        // The tables that are not aggregated remain.
        if let Ok(mut plan) = split_rest(&joining, sources, &parts) {
            plan.parts.extend(parts);
            plan.is_grouped = true;
            return Ok(plan);
        }
    }
    Ok(split_tables(sql, sources, found, extent == Extent::AllColumns))
}

/// Splits a query some of whose tables are already delivered in groups.
fn split_rest(sql: &ReadOnlySql, sources: &[Source], done: &[TablePart]) -> Result<Plan, WarehouseError> {
    let mut found = Vec::new();
    for parts in named_tables(sql).unwrap_or_default() {
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let is_done = |part: &TablePart| matches!(parts.as_slice(), [source, name] if is_same_name(source, &sources[part.table.source].name) && is_same_name(name, &part.name));
        if !done.iter().any(is_done) {
            found.push(find_table(sources, &parts)?);
        }
    }
    Ok(split_tables(sql, sources, found, false))
}

fn split_tables(sql: &ReadOnlySql, sources: &[Source], found: Vec<FoundTable>, all_columns: bool) -> Plan {
    let text = sql.as_str();
    let words = collect_words(text);
    let by_place = text.contains('#') || text.to_lowercase().contains("columns");
    let uses = sql.with_query(|query| find_uses(&query, sources));
    let (uses, all) = uses.unwrap_or_else(|| (Vec::new(), true));
    let mut parts: Vec<TablePart> = Vec::new();
    for table in &found {
        if parts.iter().any(|part| part.table.is_same(table)) {
            continue;
        }
        let own: Vec<&Use> = uses.iter().filter(|used| used.table.is_same(table)).collect();
        // A use outside of FROM clauses has no entry, and needs everything.
        let unknown = found.iter().filter(|other| other.is_same(table)).count() > own.len();
        let every = all_columns || all || by_place || unknown || own.iter().any(|used| used.all_columns);
        let filters: Option<Vec<Filter>> = match unknown {
            true => None,
            false => own.iter().map(|used| used.filter.clone()).collect(),
        };
        let filter =
            filters.map(|mut filters| if filters.len() == 1 { filters.remove(0) } else { Filter::Any(filters) });
        let declared = table.table(sources);
        let needed = |at: &usize| every || mentions(&words, &declared.columns[*at].name);
        let columns: Vec<usize> = (0..declared.columns.len()).filter(needed).collect();
        let named = |at: &usize| {
            let column = &declared.columns[*at];
            PartColumn { name: column.name.clone(), data_type: column.data_type.clone() }
        };
        let names = match columns.is_empty() {
            true => vec![PartColumn { name: "one".to_owned(), data_type: String::new() }],
            false => columns.iter().map(named).collect(),
        };
        let limit = match found.as_slice() {
            [_] => sql.with_query(|query| enough_rows(&query, sources)).flatten(),
            _ => None,
        };
        let reductions = match own.as_slice() {
            [only] if !unknown => choose_reductions(table, &only.links, sources),
            _ => Vec::new(),
        };
        parts.push(TablePart {
            table: table.clone(),
            name: table.name.clone(),
            query: PartQuery::Rows { columns, filter, limit },
            columns: names,
            reductions,
        });
    }
    Plan { parts, joining: sql.clone(), is_grouped: false }
}
