//! Problems of a view, worded for a model and a user.

use std::fmt;
use vitrine_sql::{NameProblem, SqlRejection, resembling};

/// One problem that keeps a view from being compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ViewProblem {
    /// The view's name.
    pub view: String,
    /// Where in it: `source`, `joins`, `metric total` ...
    pub place: String,
    /// What is wrong and what exists instead; whole sentences.
    pub message: String,
}

impl fmt::Display for ViewProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View {}, {}: {}", self.view, self.place, self.message)
    }
}

/// Why views have no SQL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// They do not fit the catalog, or each other.
    #[error("{}", sentences(.0))]
    Problems(Vec<ViewProblem>),
    /// The compiled text is rejected: a name that no query of this dialect may contain.
    #[error("the view cannot be written in this dialect: {0}")]
    Refused(#[from] SqlRejection),
    /// The compiled text names something that the catalog lacks.
    #[error("the view cannot be written in this dialect: {}", sentences(.0))]
    Names(Vec<NameProblem>),
}

fn sentences<T: fmt::Display>(all: &[T]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The most names that a message lists.
const LISTED: usize = 8;

/// Alternatives for a name: similar names, or else some of all that exist.
pub(crate) fn instead(name: &str, there: &[String]) -> String {
    let near = resembling(name, there.iter().map(|n| (last(n).to_owned(), n.clone())), 3);
    match (near.as_slice(), there) {
        ([], []) => String::new(),
        ([], there) if there.len() <= LISTED => format!(" There is {}.", list(there)),
        ([], there) => format!(" There is {} and others.", list(&there[..LISTED])),
        (near, _) => format!(" Did you mean {}?", choice(near)),
    }
}

fn last(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

/// Names joined by commas.
pub(crate) fn list<T: AsRef<str>>(names: &[T]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// Names joined by commas and "or".
pub(crate) fn choice<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [head @ .., last] if !head.is_empty() => format!("{} or {}", list(head), last.as_ref()),
        names => list(names),
    }
}
