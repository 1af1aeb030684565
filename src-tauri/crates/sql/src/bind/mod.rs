//! Resolving every table and column of a query against a catalog, with lineage, and mending names that do not resolve.
//!
//! What a query means is decided here the way the engines do it: scopes from the inside out, views before tables,
//! aliases where the dialect lets them stand. Where engines differ or a source has columns that cannot be listed (a
//! table function, a pivot), nothing is reported: a problem is only ever raised when the name cannot resolve.

mod edit;
mod expr;
mod from;
mod letters;
mod query;
mod repair;
mod resolve;
mod scope;

use crate::{ReadOnlySql, text};
use edit::Edit;
use scope::Walk;
use std::fmt;
use vitrine_domain::Catalog;

/// What the names of a query refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// Tables of the catalog that are read, by their catalog names, in order of first use.
    pub tables: Vec<String>,
    /// Columns of the catalog that are used, as (table, column) with catalog names, in order of first use.
    pub columns: Vec<(String, String)>,
    /// Names that do not resolve.
    pub problems: Vec<NameProblem>,
    /// The columns of the result.
    pub outputs: Vec<OutputColumn>,
}

/// A column of a result and where its values come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// The base columns it is computed from, as (table, column).
    pub sources: Vec<(String, String)>,
}

/// A name that does not resolve. Its text is a sentence for a model or a person.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameProblem {
    /// No such table or view.
    UnknownTable {
        /// As written.
        name: String,
        /// Names that may be meant.
        suggestions: Vec<String>,
    },
    /// No such column in the tables at hand.
    UnknownColumn {
        /// As written, without its qualifier.
        name: String,
        /// The table or alias it was looked for in, if one was given.
        qualifier: Option<String>,
        /// What may be meant, as it would be written, e.g. `t2.name`.
        suggestions: Vec<String>,
    },
    /// A column of a table that is not in this FROM clause.
    NotInScope {
        /// The table or alias as written.
        qualifier: String,
        /// The column as written.
        name: String,
        /// Whether there is such a table in the database.
        is_table: bool,
        /// What may be meant, as it would be written.
        suggestions: Vec<String>,
    },
    /// A column that several tables have.
    Ambiguous {
        /// As written.
        name: String,
        /// All it may mean, as it would be written.
        candidates: Vec<String>,
    },
}

impl fmt::Display for NameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (list, lead) = match self {
            NameProblem::UnknownTable { name, suggestions } => {
                write!(f, "There is no table {name}.")?;
                (suggestions, "Did you mean")
            }
            NameProblem::UnknownColumn { name, qualifier: Some(qualifier), suggestions } => {
                write!(f, "{qualifier} has no column {name}.")?;
                (suggestions, "Did you mean")
            }
            NameProblem::UnknownColumn { name, qualifier: None, suggestions } => {
                write!(f, "No table in this FROM clause has a column {name}.")?;
                (suggestions, "Did you mean")
            }
            NameProblem::NotInScope { qualifier, name, is_table: true, suggestions } => {
                write!(f, "{qualifier}.{name} cannot be used: {qualifier} is not in this FROM clause.")?;
                if suggestions.is_empty() {
                    return f.write_str(" Join it first.");
                }
                (suggestions, "Join it, or use")
            }
            NameProblem::NotInScope { qualifier, name, is_table: false, suggestions } => {
                write!(f, "{qualifier}.{name} cannot be used: nothing in this FROM clause is called {qualifier}.")?;
                (suggestions, "Did you mean")
            }
            NameProblem::Ambiguous { name, candidates } => {
                write!(f, "The column {name} is ambiguous.")?;
                (candidates, "Write")
            }
        };
        match list.as_slice() {
            [] => Ok(()),
            [one] => write!(f, " {lead} {one}{}", if lead.starts_with("Did") { "?" } else { "." }),
            [head @ .., last] => {
                write!(f, " {lead} {} or {last}{}", head.join(", "), if lead.starts_with("Did") { "?" } else { "." })
            }
        }
    }
}

/// A query whose names were mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebound {
    /// The mended query; it binds without problems.
    pub sql: ReadOnlySql,
    /// What was changed, one sentence each.
    pub notes: Vec<String>,
    /// Tables, by the names they go by, that a name was wrongly taken from.
    pub left: Vec<String>,
}

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
