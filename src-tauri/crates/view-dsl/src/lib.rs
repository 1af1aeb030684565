//! The view language of ProSPy (sections 3.3, A.3, B.2.3): specs of [`vitrine_domain::ViewSpec`] are checked against a
//! catalog and compiled to SQL of any dialect, with aggregation pushed down.
//!
//! Decisions:
//! - A metric counts each row of its table once per group. Where joins repeat that table's rows, the compiled query
//!   identifies repetitions by the table's key, or by row numbers if it has none (`model/grain.rs`). Only `count`
//!   without a column counts joined rows.
//! - All dialects behave alike: quotients keep their fraction and are NULL over 0, weeks begin on Monday, NULL sorts
//!   last, a timestamp is compared with a day by its date, the time between two dates is counted in calendar steps.
//! - A metric with conditions has the value that the view would give with these conditions, but groups without such
//!   rows are kept.
//! - Medians and deviations are exact in all dialects; those without such aggregates use window functions
//!   (`write/spread.rs`).
//! - Hidden numbers and dates in text columns come from the column's profile (`model/hidden.rs`).
//! - A join group is a tree. Cyclic joins, joins that undo a left join, and sources that no key links are rejected.

mod check;
mod compile;
mod describe;
mod json_schema;
mod model;
mod write;

pub use check::problem::{ViewError, ViewProblem};
pub use compile::{check_views, compile_view};
pub use describe::{ColumnDescription, ViewDescription, describe_view};
pub use json_schema::{Offer, ViewSchema, json_schema};
pub use model::hidden::Hidden;
pub use model::relation::{ViewColumn, ViewRelation};
