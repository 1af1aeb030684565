//! Paths of joins that a repair can add, and the choice among them.

use vitrine_domain::TableName;

/// A path of foreign keys from a table in scope to a table that is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinPath {
    /// The joined tables in order; the last one is the table that was searched.
    pub tables: Vec<TableName>,
    /// The key columns of each step, on the side that is joined already.
    pub columns: Vec<String>,
}

/// Chooses among several shortest paths for a column or table name by position. `None` leaves the name unresolved.
pub type ChoosePath<'a> = &'a dyn Fn(&str, &[JoinPath]) -> Option<usize>;
