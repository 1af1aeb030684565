//! What rules know of the database and the question.

use crate::question::QuestionFacts;
use vitrine_domain::{Catalog, Profile};

/// What rules may know, beside the query.
#[derive(Clone, Copy)]
pub struct RuleInput<'a> {
    /// Tables, columns, keys.
    pub catalog: &'a Catalog,
    /// What columns hold, as far as known.
    pub profile: &'a Profile,
    /// What the question says.
    pub facts: &'a QuestionFacts,
    /// What else is known: definitions that came with the question, stored values that it was found to mean.
    pub knowledge: &'a str,
    /// Tables, by the names they go by, that a repair of names has found a column wrongly taken from.
    pub wrong_qualifiers: &'a [String],
    /// Codes of rules that are switched off.
    pub off: &'a [String],
}

impl RuleInput<'_> {
    /// Whether the rule with this code is switched on.
    pub fn allows(&self, code: &str) -> bool {
        !self.off.iter().any(|off| off.eq_ignore_ascii_case(code))
    }
}
