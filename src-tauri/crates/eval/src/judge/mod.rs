//! Judging: executes gold query and prediction, then compares their results by the rules.

mod clarifier;
mod database;
mod gold;
mod judgement;
mod needed;

pub(crate) use clarifier::GoldClarifier;
pub use database::PreparedDatabase;
pub(crate) use gold::{Gold, load_golds};
pub(crate) use judgement::{Prediction, judge_prediction};
pub(crate) use needed::{Families, collect_needed_names, collect_seen_names};
