//! Rules over queries. Each covers one mistake and declares the evidence it needs and its applicability.
//!
//! A *safe* rule changes a query that could not run as written. A *variant* is a second query besides the original; it
//! replaces the original only with evidence. A *hint* is a finding that is shown and weighed. A *reading* is another
//! possible meaning of the question. A *standing condition* is defined by the user and applies to every query.
//! [`describe_rules`] lists all rules; every change and finding carries its rule's code.

mod by_place;
mod documents;
mod fixed;
#[cfg(test)]
mod fixtures;
mod input;
mod lint;
pub mod merging;
mod probe;
mod question;
mod reading;
mod registry;
mod repair;
mod standing;
mod unknown;
mod unused;
pub mod values;
mod words;

pub use input::RuleInput;
pub use probe::{
    BeyondLimit, ConditionDifference, PartialMatch, beyond_limit, condition_differences, partial_matches, query_summary,
};
pub use question::QuestionFacts;
pub use registry::{
    ADD_VARIANTS, Changed, FIXED_NUMBER, KEY_BY_NAME, QUOTE_NAMES, REPLACE_LITERAL, SAME_VALUES, UNUSED_NUMBER,
    VAGUE_WORD, Variant, apply_safe_rules, apply_standing_rules, collect_findings, describe_rules, find_path_readings,
    find_readings, find_variants, is_reading, is_rule, quote_names, reads_definition, reads_description,
    reads_question, repair_names, repair_refused, variants_of_unbound,
};
pub use standing::{Standing, StandingCondition, check_standing, left_aside};
pub use unknown::{UNKNOWN_MEMBERS, UNKNOWN_ROWS, UnknownRows, unknown_rows};
pub use unused::{UNUSED_PART, month_number, unused_parts};
pub use words::{singular_words, singularize};
