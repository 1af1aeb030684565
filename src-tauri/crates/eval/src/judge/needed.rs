//! The part of a schema that a question needs, and the part that a run showed in its prompts.

use super::database::PreparedDatabase;
use crate::metrics::linking::SchemaNames;
use std::collections::HashMap;
use vitrine_catalog::compress_catalog;
use vitrine_domain::{Catalog, SchemaSelection};
use vitrine_sql::{NameProblem, ReadOnlySql};

/// Returns the tables and columns of each gold query; skips queries with a table that the schema does not have.
pub(crate) fn collect_needed_names(
    gold: &[String],
    database: &PreparedDatabase,
    families: &Families,
) -> Vec<SchemaNames> {
    let catalog = &database.catalog;
    let queries = gold.iter().filter_map(|sql| database.prove_read_only(sql).ok());
    let all_known = |sql: &ReadOnlySql| {
        let problems = vitrine_sql::bind_names(sql, catalog).problems;
        !problems.iter().any(|problem| matches!(problem, NameProblem::UnknownTable { .. }))
    };
    queries
        .filter(all_known)
        .filter_map(|sql| Some(families.fold_names(SchemaNames::of_query(&sql, catalog)?)))
        .filter(|names| !names.tables.is_empty())
        .collect()
}

/// Mapping from look-alike tables to their families, both in lower case.
pub(crate) struct Families(HashMap<String, String>);

impl Families {
    pub(crate) fn from_catalog(catalog: &Catalog) -> Self {
        let families = compress_catalog(catalog).tables.into_iter().filter(|family| family.members.len() > 1);
        let named = families.flat_map(|family| {
            let name = family.pattern.to_lowercase();
            family.members.into_iter().map(move |member| (member.to_string().to_lowercase(), name.clone()))
        });
        Self(named.collect())
    }

    pub(crate) fn fold_names(&self, names: SchemaNames) -> SchemaNames {
        let family = |table: String| self.0.get(&table).cloned().unwrap_or(table);
        SchemaNames {
            tables: names.tables.into_iter().map(family).collect(),
            columns: names.columns.into_iter().map(|(table, column)| (family(table), column)).collect(),
        }
    }
}

/// Returns the names that a run showed in its prompts: its selection, or the whole catalog if it selected nothing.
pub(crate) fn collect_seen_names(selection: &SchemaSelection, catalog: &Catalog) -> SchemaNames {
    if !selection.is_empty() {
        return SchemaNames::of_selection(selection, catalog);
    }
    let mut whole = SchemaSelection::default();
    catalog.tables.iter().for_each(|table| whole.add(&table.name.to_string(), None));
    SchemaNames::of_selection(&whole, catalog)
}
