//! Resolving every table and column of a query against a catalog, with lineage, and mending names that do not resolve.
//!
//! What a query means is decided here the way the engines do it: scopes from the inside out, views before tables,
//! aliases where the dialect lets them stand. Where engines differ or a source has columns that cannot be listed (a
//! table function, a pivot), nothing is reported: a problem is only ever raised when the name cannot resolve.

mod binding;
mod edit;
mod expr;
mod from;
mod identifier_case;
mod joins;
mod query;
mod repair;
mod resolve;
mod scope;
mod select_list;

use crate::read_only::ReadOnlySql;
use crate::text;
use edit::Edit;
use scope::Walk;
use vitrine_domain::Catalog;

pub use binding::{Binding, NameProblem, OutputColumn, Rebound};

/// Resolves every table and column of a query.
pub fn bind(sql: &ReadOnlySql, catalog: &Catalog) -> Binding {
    sql.with_query(|query| Walk::new(catalog, sql.dialect(), &[]).run(&query).binding).unwrap_or_default()
}

/// How often a mended query is looked at again: one repair can bring another name into view.
const ROUNDS: usize = 6;

/// Mends names that do not resolve, where there is exactly one way to do it: a column taken from the wrong alias, a
/// table that was not joined though one path of foreign keys leads to it, a misspelt or differently cased name, a text
/// in double quotes. `None` when nothing is wrong or when anything stays unresolved.
pub fn rebind(sql: &ReadOnlySql, catalog: &Catalog) -> Option<Rebound> {
    let mut current = sql.clone();
    let mut notes: Vec<String> = Vec::new();
    let mut joined: Vec<String> = Vec::new();
    let mut left: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let step = current.with_query(|mut query| {
            let outcome = Walk::new(catalog, current.dialect(), &joined).run(&query);
            if outcome.issues.is_empty() {
                return Step::Bound;
            }
            // A name without a repair may resolve once the others are mended, so only a round without any is the end.
            let edits: Vec<Edit> = outcome.issues.into_iter().filter_map(|issue| issue.repair).collect();
            if edits.is_empty() {
                return Step::Stuck;
            }
            let made = edit::apply(&mut query, edits, current.dialect());
            if made.unlinked { Step::Stuck } else { Step::Changed(query.to_string(), made) }
        })?;
        match step {
            Step::Bound if notes.is_empty() => return None,
            Step::Bound => {
                let laid_out = text::format(current.as_str(), current.dialect());
                let sql = current.with_text(&laid_out).unwrap_or(current);
                return Some(Rebound { sql, notes, left });
            }
            Step::Stuck => return None,
            Step::Changed(text, made) => {
                current = current.with_text(&text)?;
                joined.extend(made.joined);
                left.extend(made.left);
                for note in made.notes {
                    if !notes.contains(&note) {
                        notes.push(note);
                    }
                }
            }
        }
    }
    None
}

enum Step {
    Bound,
    Stuck,
    Changed(String, edit::Made),
}
