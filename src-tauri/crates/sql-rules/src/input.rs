//! What rules may use: the database, the question, further knowledge.

use crate::question::QuestionFacts;
use crate::standing::Standing;
use vitrine_domain::{Catalog, Profile};

/// What rules may use besides the query.
#[derive(Clone, Copy)]
pub struct RuleInput<'a> {
    /// Tables, columns, keys.
    pub catalog: &'a Catalog,
    /// Column profiles, as far as known.
    pub profile: &'a Profile,
    /// What the question says.
    pub facts: &'a QuestionFacts,
    /// Further knowledge: definitions that came with the question.
    pub knowledge: &'a str,
    /// Stored values that were linked to the question, a line each.
    pub values: &'a [String],
    /// What the user wants to hold for every question.
    pub standing: &'a Standing,
    /// Qualifiers of columns that the repair of names resolved to another table.
    pub wrong_qualifiers: &'a [String],
    /// Codes of rules that are switched off.
    pub off: &'a [String],
}

impl RuleInput<'_> {
    /// Whether the rule with this code is switched on.
    pub fn is_rule_enabled(&self, code: &str) -> bool {
        !self.off.iter().any(|off| off.eq_ignore_ascii_case(code))
    }
}
