//! Facts about a query as plain data: conditions, the two sides of a join, aggregates over repeated rows, the outline of
//! all its parts. Consumers do not need the parser's types.

mod conditions;
mod outline;
mod parts;
mod repeats;

pub use conditions::{Comparison, Condition, Constant, Membership, conditions_of, parse_condition, parse_conditions};
pub use outline::{QueryOutline, outline_query};
pub use parts::{Filtered, Joined, parse_filtered, parse_joined};
pub use repeats::{Grouping, Origins, Total, find_groupings};
