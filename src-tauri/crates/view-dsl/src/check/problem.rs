//! Problems of a view, worded for models and users.

use std::fmt;
use vitrine_sql::{NameProblem, SqlRejection, find_similar_names};

/// A problem that prevents a view from being compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ViewProblem {
    /// The name of the view.
    pub view: String,
    /// Location in the view: `source`, `joins`, `metric total` ...
    pub place: String,
    /// Description and alternatives, in whole sentences.
    pub message: String,
}

impl fmt::Display for ViewProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View {}, {}: {}", self.view, self.place, self.message)
    }
}

/// Reasons why views cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The views do not fit the catalog or each other.
    #[error("{}", join_sentences(.0))]
    Problems(Vec<ViewProblem>),
    /// The compiled text is rejected because of a name that queries of this dialect must not contain.
    #[error("the view cannot be written in this dialect: {0}")]
    Refused(#[from] SqlRejection),
    /// The compiled text names an item that the catalog lacks.
    #[error("the view cannot be written in this dialect: {}", join_sentences(.0))]
    Names(Vec<NameProblem>),
}

fn join_sentences<T: fmt::Display>(all: &[T]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Maximum number of names listed in a message.
const LISTED: usize = 8;

/// Suggests alternatives for a name: similar names, otherwise some of the existing ones.
pub(crate) fn suggest_names(name: &str, there: &[String]) -> String {
    let near = find_similar_names(name, there.iter().map(|n| (last_part(n).to_owned(), n.clone())), 3);
    match (near.as_slice(), there) {
        ([], []) => String::new(),
        ([], there) if there.len() <= LISTED => format!(" There is {}.", join_names(there)),
        ([], there) => format!(" There is {} and others.", join_names(&there[..LISTED])),
        (near, _) => format!(" Did you mean {}?", join_alternatives(near)),
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}

/// Joins names with ", " as the separator.
pub(crate) fn join_names<T: AsRef<str>>(names: &[T]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// Joins names by commas and "or".
pub(crate) fn join_alternatives<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [head @ .., last] if !head.is_empty() => format!("{} or {}", join_names(head), last.as_ref()),
        names => join_names(names),
    }
}
