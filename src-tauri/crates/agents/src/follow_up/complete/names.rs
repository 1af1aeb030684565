//! What a follow-up needs to know of a database: stored values, and the names of tables and columns.

use std::collections::BTreeSet;

/// Columns, each with its table.
pub type ColumnSet = BTreeSet<(String, String)>;

/// Looks up words in a database's names and stored values, without a model.
pub trait StoredNames {
    /// Returns for each phrase the columns that store it as a value; only those of `within`, where it is given.
    fn find_columns(&self, phrases: &[String], within: Option<&ColumnSet>) -> Vec<ColumnSet>;
    /// Returns true for the name of a table or a column.
    fn is_name(&self, phrase: &str) -> bool;
    /// Returns true for the name of a table, or of a column that rows can be grouped by.
    fn names_dimension(&self, phrase: &str) -> bool;
}
