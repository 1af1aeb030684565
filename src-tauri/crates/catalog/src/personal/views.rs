//! Finds columns of views that show masked columns under another name.

use std::collections::HashMap;
use vitrine_domain::{Catalog, EgressPolicy, PersonalColumn, PersonalKind, Table, TableKind, TableName};
use vitrine_sql::{ReadOnlySql, ValueSources, value_sources};

/// Maximum depth of views over views.
const DEPTH: usize = 8;

/// Adds the columns of views whose values come from masked columns. If only the tables of a view's query are known, all
/// its columns are masked when one of those tables has a masked column; if its query is unknown, when the user masks
/// any column.
pub(super) fn add(found: &mut Vec<PersonalColumn>, catalog: &Catalog, policy: &EgressPolicy) {
    let views: Vec<&Table> = catalog.tables.iter().filter(|table| table.kind == TableKind::View).collect();
    if views.is_empty() || !found.iter().any(|column| column.masked) {
        return;
    }
    let followed: Vec<Option<ValueSources>> = views.iter().map(|view| trace_view_sources(view, catalog)).collect();
    for _ in 0..DEPTH {
        let new = masked_by(&views, &followed, found, policy);
        if new.is_empty() {
            break;
        }
        for column in new {
            match found.iter_mut().find(|own| own.table == column.table && own.column == column.column) {
                Some(own) => own.masked = true,
                None => found.push(column),
            }
        }
    }
}

/// Returns the columns of views that must be masked and are not yet.
fn masked_by(
    views: &[&Table],
    followed: &[Option<ValueSources>],
    found: &[PersonalColumn],
    policy: &EgressPolicy,
) -> Vec<PersonalColumn> {
    let masked: HashMap<(&str, &str), PersonalKind> = (found.iter().filter(|column| column.masked))
        .map(|column| ((column.table.as_str(), column.column.as_str()), column.kind))
        .collect();
    let any = |sources: &[(String, String)]| {
        sources.iter().find_map(|(table, column)| masked.get(&(table.as_str(), column.as_str())).copied())
    };
    let mut new = Vec::new();
    for (view, sources) in views.iter().zip(followed) {
        let table = view.name.to_string();
        for (at, column) in view.columns.iter().enumerate() {
            let kind = match sources {
                Some(ValueSources { outputs: Some(outputs), .. }) if outputs.len() == view.columns.len() => {
                    any(&outputs[at].columns)
                }
                Some(ValueSources { read: Some(read), .. }) => any(read),
                _ => of_unknown(view, found, policy),
            };
            let is_new = !masked.contains_key(&(table.as_str(), column.name.as_str()))
                && !is_listed(&policy.allowed, &view.name, &column.name);
            new.extend(kind.filter(|_| is_new).map(|kind| PersonalColumn {
                table: table.clone(),
                column: column.name.clone(),
                kind,
                masked: true,
            }));
        }
    }
    new
}

/// Returns the sources of a view's values; `None` if its query cannot be parsed. The query is not executed.
fn trace_view_sources(view: &Table, catalog: &Catalog) -> Option<ValueSources> {
    let sql = ReadOnlySql::parse(view.definition.as_deref()?, catalog.dialect).ok()?;
    Some(value_sources(&sql, catalog, &|_, _| false))
}

/// Returns the kind of a masked column that a view may show, judged by the table names in its query.
fn of_unknown(view: &Table, found: &[PersonalColumn], policy: &EgressPolicy) -> Option<PersonalKind> {
    let Some(definition) = view.definition.as_deref() else {
        return (!policy.masked.is_empty()).then_some(PersonalKind::Chosen);
    };
    let is_separator = |c: char| !c.is_alphanumeric() && c != '_';
    let words: Vec<&str> = definition.split(is_separator).collect();
    let own = view.name.to_string();
    let is_named = |column: &&PersonalColumn| {
        let last = column.table.rsplit('.').next().unwrap_or(&column.table);
        let mut parts = last.split(is_separator).filter(|part| !part.is_empty());
        column.masked
            && column.table != own
            && parts.all(|part| words.iter().any(|word| word.eq_ignore_ascii_case(part)))
    };
    found.iter().find(is_named).map(|column| column.kind)
}

/// Returns true for a column that the user lists as `table.column`.
pub(super) fn is_listed(list: &[String], table: &TableName, column: &str) -> bool {
    let full = table.to_string();
    list.iter().filter_map(|listed| listed.rsplit_once('.')).any(|(of, own)| {
        own.eq_ignore_ascii_case(column) && (of.eq_ignore_ascii_case(&full) || of.eq_ignore_ascii_case(&table.name))
    })
}
