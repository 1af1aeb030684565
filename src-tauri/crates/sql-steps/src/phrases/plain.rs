//! Context for descriptions without SQL and parentheses: display names, and a flag for parts without such words.

use std::cell::Cell;

/// Display names of tables and columns.
pub trait DisplayNames {
    /// Returns the name of a column; `table` is the table or step that the query reads it from.
    fn column_name(&self, table: Option<&str>, column: &str) -> String;

    /// Returns a name for the rows of a table or step; `None` if it would not be short.
    fn row_name(&self, table: &str) -> Option<String>;

    /// Returns the name of the entity that a key's values represent: the rows of a table.
    fn entity_name(&self, table: Option<&str>, column: &str) -> Option<String>;

    /// Returns true if a column is the primary key of its table, so that each row has its own value.
    fn is_key(&self, table: Option<&str>, column: &str) -> bool;

    /// Describes the only value of a column of a step with one row.
    fn single_value(&self, step: &str, column: &str) -> Option<String>;

    /// Returns the rows that `COUNT(*)` counts, if they are certainly the rows of one table.
    fn counted_rows(&self) -> Option<Rows>;
}

/// The rows of a table.
pub enum Rows {
    /// The table's name is a plural that names its rows.
    Called(String),
    /// The table's name may not name its rows.
    Of(String),
}

/// Context for descriptions in plain words.
#[derive(Clone, Copy)]
pub(super) struct Plain<'a> {
    pub(super) names: &'a dyn DisplayNames,
    pub(super) unclear: &'a Cell<bool>,
}

impl Plain<'_> {
    /// Records that some part has no plain words.
    pub(super) fn is_unclear(&self) {
        self.unclear.set(true);
    }
}
