//! Queries derived from a query to examine its result, and a summary of a query.

mod condition_differences;
mod partial_match;
mod query_summary;
mod ranking_ties;

pub use condition_differences::{ConditionDifference, condition_differences};
pub use partial_match::{PartialMatch, partial_matches};
pub use query_summary::query_summary;
pub use ranking_ties::{BeyondLimit, beyond_limit};
