//! Results of name resolution: what names refer to, names that do not resolve, and a query with repaired names.

use crate::read_only::ReadOnlySql;
use std::fmt;

/// The result of name resolution.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// Tables of the catalog that the query reads, by their catalog names, in order of first use.
    pub tables: Vec<String>,
    /// Columns of the catalog that the query uses, as (table, column) with catalog names, in order of first use.
    pub columns: Vec<(String, String)>,
    /// Names that do not resolve.
    pub problems: Vec<NameProblem>,
    /// The columns of the result.
    pub outputs: Vec<OutputColumn>,
}

/// A column of a result and where its values come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// Name of the column in the result.
    pub name: String,
    /// The base columns it is computed from, as (table, column).
    pub sources: Vec<(String, String)>,
}

/// A name that does not resolve. Its display text is a sentence for a model or a user.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameProblem {
    /// A table or view that does not exist.
    UnknownTable {
        /// The name as written in the query.
        name: String,
        /// Names of existing tables that are similar.
        suggestions: Vec<String>,
    },
    /// A column that no table in scope has.
    UnknownColumn {
        /// The name as written, without its qualifier.
        name: String,
        /// The table or alias that was searched, if the name has a qualifier.
        qualifier: Option<String>,
        /// Possible replacements in SQL syntax, such as `t2.name`.
        suggestions: Vec<String>,
    },
    /// A column of a table that is not in this FROM clause.
    NotInScope {
        /// The table or alias as written.
        qualifier: String,
        /// The column name as written.
        name: String,
        /// True if the database has a table of this name.
        is_table: bool,
        /// Possible replacements in SQL syntax.
        suggestions: Vec<String>,
    },
    /// A column name that several tables have.
    Ambiguous {
        /// The name as written in the query.
        name: String,
        /// All candidates in SQL syntax.
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

/// A query with repaired names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairedNames {
    /// The repaired query; it binds without problems.
    pub sql: ReadOnlySql,
    /// One sentence for each change.
    pub notes: Vec<String>,
    /// Qualifiers, as written, of columns that turned out to belong to another table.
    pub wrong_qualifiers: Vec<String>,
}
