//! Rows that a negated condition leaves out because a value is missing. For a NULL `status <> 'cancelled'` is neither true nor
//! false, and `id NOT IN (list)` is never true where the list holds a NULL. Whether such rows belong to the answer, only the
//! person knows, so that the query that keeps them stands beside the answer.

mod conditions;
mod evidence;
mod scope;
mod select;

pub use select::{UnknownRows, unknown_rows};

/// The code of the rule that keeps rows without a value beside a negated condition.
pub const UNKNOWN_ROWS: &str = "V006";
/// The code of the rule that leaves missing values out of a list that rows must not be in.
pub const UNKNOWN_MEMBERS: &str = "V007";

#[cfg(test)]
mod tests;
