//! What words without SQL and brackets need: what things are called, and a note that some part has no such words.

use std::cell::Cell;

/// What things are called on screen.
pub trait Names {
    /// A column, by the table or step that the query reads it from.
    fn column(&self, table: Option<&str>, column: &str) -> String;

    /// The rows of a table or step; `None` where no few words say which they are.
    fn rows(&self, table: &str) -> Option<String>;

    /// What a key's values stand for: the rows of a table.
    fn thing(&self, table: Option<&str>, column: &str) -> Option<String>;

    /// Whether a column is the primary key of its table, so that each row has a value of its own.
    fn is_key(&self, table: Option<&str>, column: &str) -> bool;

    /// The only value of a column, where a step has one row.
    fn single_value(&self, step: &str, column: &str) -> Option<String>;

    /// What `COUNT(*)` counts, where that is surely the rows of one table.
    fn counted(&self) -> Option<Rows>;
}

/// The rows of a table.
pub enum Rows {
    /// Its name is a plural that stands for them.
    Called(String),
    /// Nobody can tell whether its name does.
    Of(String),
}

/// What plain words need.
#[derive(Clone, Copy)]
pub(super) struct Plain<'a> {
    pub(super) names: &'a dyn Names,
    pub(super) unclear: &'a Cell<bool>,
}

impl Plain<'_> {
    /// Some part has no plain words.
    pub(super) fn is_unclear(&self) {
        self.unclear.set(true);
    }
}
