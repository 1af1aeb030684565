//! Tables of definitions in the catalog of a database.

use crate::definition::{MetricsFile, SemanticTable};
use crate::problem::MetricError;
use vitrine_domain::{Catalog, Table};
use vitrine_words::tr;

/// The score of a table with the same own name and another qualifier.
const OTHER_QUALIFIER: usize = 1;

impl SemanticTable {
    /// Returns the name of the table in the database, as written in the definition.
    pub fn stored_name(&self) -> &str {
        self.table.as_deref().unwrap_or(&self.name)
    }
}

impl MetricsFile {
    /// Finds a table of the definitions by its name, ignoring case.
    pub fn find_table(&self, name: &str) -> Option<usize> {
        self.tables.iter().position(|table| table.name.eq_ignore_ascii_case(name.trim()))
    }
}

/// Finds the table of the catalog that a name such as `"db"."schema"."orders"` means. Outer parts that the catalog
/// omits are ignored; the others must be equal.
///
/// # Errors
/// Fails if the catalog has no such table, or if several match equally well.
pub(crate) fn find_stored_table<'c>(catalog: &'c Catalog, name: &str) -> Result<&'c Table, MetricError> {
    find_best_table(catalog, name, false).map(|(table, _)| table)
}

/// Finds the table that a name of an imported file means. If none has its qualifiers, a table with only the same own
/// name is returned, and `true`.
///
/// # Errors
/// Fails if the catalog has no such table, or if several match equally well.
pub(crate) fn find_imported_table<'c>(catalog: &'c Catalog, name: &str) -> Result<(&'c Table, bool), MetricError> {
    find_best_table(catalog, name, true)
}

fn find_best_table<'c>(
    catalog: &'c Catalog,
    name: &str,
    any_qualifier: bool,
) -> Result<(&'c Table, bool), MetricError> {
    let parts = split_name(name);
    let mut best: Vec<&Table> = Vec::new();
    let mut best_score = 0;
    for table in &catalog.tables {
        let Some(score) = match_parts(&parts, &table.name.name_parts().collect::<Vec<_>>()) else { continue };
        if score == OTHER_QUALIFIER && !any_qualifier {
            continue;
        }
        if score > best_score {
            best.clear();
            best_score = score;
        }
        if score == best_score {
            best.push(table);
        }
    }
    match best.as_slice() {
        [table] => Ok((table, best_score == OTHER_QUALIFIER)),
        [] => Err(MetricError::missing(tr!("The database has no table {name}", name))
            .with_hint(tr!("List the tables with: vitrine schema WAREHOUSE"))),
        several => {
            let names: Vec<String> = several.iter().map(|table| table.name.to_string()).collect();
            Err(MetricError::new(tr!("Several tables are called {name}: {names}", name, names = names.join(", ")))
                .with_hint(tr!("Write the table's name with its schema")))
        }
    }
}

/// Splits a table's name at dots outside of quotes.
fn split_name(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in name.trim().chars() {
        match (quote, c) {
            (None, '"' | '`') => quote = Some(c),
            (None, '[') => quote = Some(']'),
            (Some(end), c) if c == end => quote = None,
            (None, '.') => parts.push(String::new()),
            (_, c) => parts.last_mut().expect("at least one part").push(c),
        }
    }
    parts
}

/// Returns a score for the equal parts from the right; `None` if the tables' own names differ. A qualifier that differs
/// lowers the score below that of a bare name.
fn match_parts(wanted: &[String], own: &[&str]) -> Option<usize> {
    let mut pairs = wanted.iter().rev().zip(own.iter().rev());
    let (name, own_name) = pairs.next()?;
    if !name.eq_ignore_ascii_case(own_name) {
        return None;
    }
    let qualifiers: Vec<bool> = pairs.map(|(a, b)| a.eq_ignore_ascii_case(b)).collect();
    match qualifiers.iter().all(|equal| *equal) {
        // A table of the default schema is listed without one, so that its name is exactly the bare name.
        true => Some(2 + 2 * qualifiers.len() + usize::from(wanted.len() == own.len())),
        false => Some(OTHER_QUALIFIER),
    }
}
