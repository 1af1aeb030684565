//! Rules over queries: each covers one mistake and declares what evidence it needs and how far it may go.
//!
//! A rule never decides alone. A *safe* rule changes a query that could not run as written. A *variant* is a second
//! query beside the one that was written; it needs evidence to take its place. A *hint* is a finding that is shown and
//! weighed. A *reading* is what the question may mean besides. A *standing condition* is the user's own and holds for every query. [`rules`] lists them all; every change and finding carries its rule's code.

mod by_place;
mod documents;
mod fixed;
#[cfg(test)]
mod fixtures;
mod input;
mod lint;
mod probe;
mod question;
mod reading;
mod registry;
mod repair;
mod standing;
pub mod values;
mod words;

pub use input::RuleInput;
pub use probe::{
    BeyondLimit, ConditionDifference, PartialMatch, beyond_limit, condition_differences, partial_matches, query_summary,
};
pub use question::QuestionFacts;
pub use registry::{
    ADD_VARIANTS, Changed, FIXED_NUMBER, KEY_BY_NAME, REPLACE_LITERAL, VAGUE_WORD, Variant, findings, is_reading,
    is_rule, readings, reads_definition, reads_description, reads_question, repair_names, repair_refused, rules, safe,
    standing, variants, variants_of_unbound,
};
pub use standing::{Standing, StandingCondition, left_aside};
pub use words::{singular, words};
