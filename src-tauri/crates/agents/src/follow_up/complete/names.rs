//! Names and stored values of a database, in the form that follow-ups need.

use std::collections::BTreeSet;

/// Set of columns as (table, column).
pub type ColumnSet = BTreeSet<(String, String)>;

/// Looks up words in a database's names and stored values, without a model.
pub trait StoredNames {
    /// Returns for each phrase the columns that store it as a value, limited to `within` if given.
    fn find_columns(&self, phrases: &[String], within: Option<&ColumnSet>) -> Vec<ColumnSet>;
    /// Returns true if the phrase is the name of a table or a column.
    fn is_name(&self, phrase: &str) -> bool;
    /// Returns true if the phrase is the name of a table, or of a column that rows can be grouped by.
    fn names_dimension(&self, phrase: &str) -> bool;
}
