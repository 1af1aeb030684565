//! Facts about a query as plain data: conditions, the two sides of a join, aggregates over repeated rows. For readers
//! that do not know the parser's types.

mod conditions;
mod parts;
mod repeats;

pub use conditions::{Comparison, Condition, Constant, Membership, condition, conditions, conditions_of};
pub use parts::{Filtered, Joined, filtered, joined};
pub use repeats::{Grouping, Origins, Total, groupings};
