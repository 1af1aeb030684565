//! Input of rules besides the query: the database, the question, further knowledge.

use crate::question::QuestionFacts;
use crate::standing::Standing;
use vitrine_domain::{Catalog, Profile, RuleCode};

/// Input of rules besides the query.
#[derive(Clone, Copy)]
pub struct RuleInput<'a> {
    /// Tables, columns and keys of the database.
    pub catalog: &'a Catalog,
    /// Column profiles, as far as known.
    pub profile: &'a Profile,
    /// Facts extracted from the question.
    pub facts: &'a QuestionFacts,
    /// Further knowledge: definitions that were given with the question.
    pub knowledge: &'a str,
    /// Stored values that were linked to the question, one line each.
    pub values: &'a [String],
    /// The user's conditions for every question.
    pub standing: &'a Standing,
    /// Qualifiers of columns that the repair of names resolved to another table.
    pub wrong_qualifiers: &'a [String],
    /// Codes of rules that are disabled.
    pub off: &'a [RuleCode],
}

impl RuleInput<'_> {
    /// Returns true if the rule with this code is enabled.
    pub fn is_rule_enabled(&self, code: &str) -> bool {
        !self.off.iter().any(|off| off.eq_ignore_ascii_case(code))
    }
}
