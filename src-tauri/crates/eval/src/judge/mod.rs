//! Judging: executes gold query and prediction, then compares their results by the rules.

mod attempts;
mod candidates;
mod clarifier;
mod database;
mod gold;
mod judgement;
mod needed;
mod prompts;
#[cfg(test)]
mod tests;

pub(crate) use attempts::{collect_attempts, find_generation_path};
pub(crate) use candidates::{JudgedQuestion, judge_attempts};
pub(crate) use clarifier::GoldClarifier;
pub use database::{BudgetedAccess, PreparedDatabase};
pub(crate) use gold::{Gold, load_golds, select_gold_schema};
pub(crate) use judgement::{Judgement, Prediction, judge_prediction};
pub(crate) use needed::{Families, collect_needed_names, collect_seen_names};
