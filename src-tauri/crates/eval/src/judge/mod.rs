//! Judging: executes gold query and prediction, then compares their results by the rules.

mod clarifier;
mod database;
mod gold;
mod judgement;
mod needed;

pub(crate) use clarifier::GoldClarifier;
pub use database::PreparedDatabase;
pub(crate) use gold::{Gold, golds};
pub(crate) use judgement::{Prediction, judge};
pub(crate) use needed::{Families, needed, seen};
