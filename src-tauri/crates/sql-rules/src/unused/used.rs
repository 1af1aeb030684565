//! The query's side of the comparison: its constants, its tables and columns, and its result.

use super::bounds::{Constants, digit_runs};
use crate::RuleInput;
use vitrine_domain::Page;
use vitrine_sql::Binding;

/// The constants, names and rows that a query uses.
pub(super) struct Used<'a> {
    pub input: &'a RuleInput<'a>,
    pub constants: Constants,
    pub binding: Binding,
    pub page: &'a Page,
}

/// A part that the query does not use, and what it uses instead, where that is clear.
pub(super) struct Unused {
    pub asked: String,
    pub instead: Vec<String>,
}

impl Used<'_> {
    /// Returns whether a table or column that the query uses has these digits in its name.
    pub fn has_named(&self, digits: &str) -> bool {
        let is_in = |name: &str| digit_runs(name).any(|run| run == digits);
        let columns = self.binding.columns.iter().map(|(_, column)| column);
        self.binding.tables.iter().chain(columns).any(|name| is_in(name))
    }
}
