//! Name resolution: resolves every table and column of a query against a catalog, with lineage, and repairs unresolved
//! names.
//!
//! Names resolve as in the engines: inner scopes first, views before tables, and aliases where the dialect allows them.
//! Where engines differ, or a source has columns that cannot be listed (a table function, a pivot), nothing is
//! reported: a problem is raised only if the name cannot resolve.

mod binding;
mod edit;
mod expr;
mod fields;
mod from;
mod hidden_names;
mod identifier_case;
mod join_path;
mod joins;
mod key_graph;
mod keys;
mod query;
mod repair;
mod resolve;
mod scope;
mod select_list;
mod summary;
mod ties;
mod unquoted;
mod values;

use crate::read_only::{ReadOnlySql, rewrite_unformatted};
use crate::text;
use edit::Edit;
use scope::Walk;
use vitrine_domain::Catalog;

pub use binding::{Binding, NameProblem, OutputColumn, RepairedNames};
pub use fields::{field_names, field_type};
pub use join_path::{ChoosePath, JoinPath};
pub use unquoted::{QuotedNames, quote_names, unquoted_names};
pub use values::{OutputSources, ValueSources, value_sources};

/// Resolves every table and column of a query.
pub fn bind_names(sql: &ReadOnlySql, catalog: &Catalog) -> Binding {
    sql.with_query(|query| Walk::new(catalog, sql.dialect(), &[]).run(&query).binding).unwrap_or_default()
}

/// Maximum number of repair rounds: one repair can expose another unresolved name.
const ROUNDS: usize = 6;

/// Repairs unresolved names if exactly one repair binds: a column with the wrong alias, a missing join with a single
/// foreign key path, a misspelling or different case, or a string in double quotes. `None` if all names resolve, or if
/// any remains unresolved.
pub fn repair_names(sql: &ReadOnlySql, catalog: &Catalog) -> Option<RepairedNames> {
    repair_names_with(sql, catalog, &|_, _| None)
}

/// Repairs unresolved names like [`repair_names`]. If several paths of foreign keys lead to a missing table or column,
/// `choose` selects one.
pub fn repair_names_with(sql: &ReadOnlySql, catalog: &Catalog, choose: ChoosePath<'_>) -> Option<RepairedNames> {
    let mut current = sql.clone();
    let mut notes: Vec<String> = Vec::new();
    let mut joined: Vec<String> = Vec::new();
    let mut wrong_qualifiers: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let mut bound = false;
        let changed = rewrite_unformatted(&current, |query| {
            let mut walk = Walk::new(catalog, current.dialect(), &joined);
            walk.choose = Some(choose);
            let outcome = walk.run(query);
            bound = outcome.issues.is_empty();
            // A name without a repair may resolve after the others are repaired, so repair ends only with a round
            // without edits.
            let edits: Vec<Edit> = outcome.issues.into_iter().filter_map(|issue| issue.repair).collect();
            let made = (!edits.is_empty()).then(|| edit::apply_edits(query, edits, current.dialect()))?;
            (!made.unlinked).then_some(made)
        });
        if bound {
            let formatted = text::format_sql(current.as_str(), current.dialect());
            let sql = current.with_text(&formatted).unwrap_or(current);
            return (!notes.is_empty()).then_some(RepairedNames { sql, notes, wrong_qualifiers });
        }
        let (next, made) = changed?;
        current = next;
        joined.extend(made.joined);
        wrong_qualifiers.extend(made.wrong_qualifiers);
        for note in made.notes {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    None
}
