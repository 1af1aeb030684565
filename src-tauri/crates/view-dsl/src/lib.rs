//! The view language of ProSPy (sections 3.3, A.3, B.2.3): specs of [`vitrine_domain::ViewSpec`] are checked against a
//! catalog and compiled to SQL of any dialect, with aggregation pushed down.
//!
//! Decisions:
//! - A metric counts each row of its table once per group. Where joins repeat that table's rows, the compiled
//!   query tells repetitions apart by the table's key, or by numbering its rows where it has none (`model/grain.rs`). Only `count`
//!   without a column counts joined rows, because they are what it is about.
//! - Equal everywhere: quotients keep their fraction and are NULL over 0, weeks begin on Monday, NULL sorts last, a time
//!   is compared with a day by the day that it is on, the time between two dates is counted in steps of the calendar.
//! - A metric with conditions is what the view would give with these among its own, but groups without such rows stay.
//! - Medians and deviations are exact everywhere; where a dialect has none they are written out (`write/spread.rs`).
//! - Hidden numbers and dates in text columns come from the column's profile (`model/hidden.rs`).
//! - A join group is a tree. A join in a circle, one that undoes a left join, and sources that no key links are refused.

mod check;
mod compile;
mod describe;
mod json_schema;
mod model;
mod write;

pub use check::problem::{ViewError, ViewProblem};
pub use compile::{check, compile};
pub use describe::{ColumnDescription, ViewDescription, describe};
pub use json_schema::{Offer, ViewSchema, json_schema};
pub use model::hidden::Hidden;
pub use model::relation::{ViewColumn, ViewRelation};
