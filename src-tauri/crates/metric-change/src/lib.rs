//! Explains why a metric changed between two periods, or differs between two groups, without a model: the change is
//! split by dimensions into contributions of their values, which sum to the change exactly.
//!
//! [`plan_change`] compiles the queries. The caller runs them and passes their rows to [`ChangePlan::read_totals`],
//! [`ChangePlan::split_by`] and [`ChangePlan::assemble_report`].
//!
//! Decisions:
//! - Numbers are exact fractions, so that contributions are compared with the change without a tolerance. Only if a
//!   column has floating-point numbers, groups may differ from the total by 1e-9 of their values.
//! - Every dimension is checked: its values must add up to the total on both sides. Otherwise it is left out with the
//!   reason, for example because rows were added in between.
//! - The value of the metric is compared with the value that its parts give. A metric that does not equal its parts is
//!   reported as not additive, and so are distinct counts, medians, smallest and largest values.
//! - Means are split as quotients of sum and count. Balances are split over dimensions other than time.

mod amount;
mod dimension;
mod explain;
mod members;
mod notes;
mod number;
mod period;
mod plan;
mod rank;
mod report;
mod request;
mod rounding;
mod sentence;
mod shape;
mod split;
mod totals;

pub use dimension::SplitDimension;
pub use members::Member;
pub use notes::read_last_day;
pub use number::Number;
pub use period::Period;
pub use plan::{ChangePlan, CountValues, LeftOut, MOST_DIMENSIONS, MOST_VALUES, PlannedDimension, plan_change};
pub use rank::explanatory_power;
pub use report::{DimensionChange, InputChange, MemberChange, MetricChange, OtherMembers, Presence, SideValue};
pub use request::{GroupPair, MetricChangeRequest, Side};
pub use shape::{Linear, Part, Shape, ShapeError, read_shape};
pub use split::{Contribution, split_change};
pub use totals::Totals;
