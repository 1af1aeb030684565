//! Rows that a negated condition excludes because a value is NULL. For NULL, `status <> 'cancelled'` is neither true
//! nor false, and `id NOT IN (list)` is never true if the list contains NULL. Only the user knows if such rows belong
//! to the answer, so the query that keeps them is a variant.

mod conditions;
mod evidence;
mod scope;
mod select;

pub use select::{UnknownRows, unknown_rows};
use vitrine_domain::RuleCode;

/// Code of the rule that keeps rows without a value in a negated condition.
pub const UNKNOWN_ROWS: RuleCode = RuleCode::new("V006");
/// Code of the rule that removes NULL values from the list of a NOT IN.
pub const UNKNOWN_MEMBERS: RuleCode = RuleCode::new("V007");

#[cfg(test)]
mod tests;
