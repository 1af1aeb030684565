//! What a rule is, and the codes that others name.

use crate::input::RuleInput;
use crate::reading::Meanings;
use sqlparser::ast::Query;
use vitrine_domain::{Applicability, Evidence};
use vitrine_sql::ReadOnlySql;

/// Changes a query and describes each change; empty where it changes nothing.
pub(super) type Change = fn(&mut Query, &RuleInput<'_>) -> Vec<String>;
/// Makes the query of another reading of the question; `None` where there is none.
pub(super) type Read = fn(&mut Query, &RuleInput<'_>) -> Option<Meanings>;
/// Describes a finding.
pub(super) type FindingCheck = fn(&ReadOnlySql, &RuleInput<'_>) -> Option<String>;

/// What a rule does, and at which stage.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// Puts names of a text in quotes, by `vitrine_sql::quote_names`, where the text does not resolve without.
    Quotes,
    /// Repairs names, by `vitrine_sql::repair_names`.
    Names,
    /// Changes a query whose names do not bind, before their repair.
    Unbound(Change),
    /// Changes a query after the repair of its names.
    Repaired(Change),
    /// Changes a query whose names bind.
    Bound(Change),
    /// The same, also applied where the database rejects the query.
    Refused(Change),
    /// Changes a query that the database rejects, and no other.
    Rejected(Change),
    /// Reports a finding.
    Look(FindingCheck),
    /// Replaces constants by stored values; the caller looks the values up.
    Values,
    /// Makes the query of another reading of the question.
    Reading(Read),
    /// The query of another reading that the model tells beside its own; the caller reads it from the reply.
    Told,
    /// Looks at the query of the answer beside its result; the caller passes both.
    Answer,
    /// Puts what the user wants always into a query whose names bind, after everything else.
    Standing(Change),
}

/// A rule.
pub(super) struct Rule {
    pub code: &'static str,
    pub name: &'static str,
    pub summary: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub evidence: &'static [Evidence],
    pub applicability: Applicability,
    pub work: Work,
}

impl Rule {
    /// Whether it is switched on.
    pub fn is_on(&self, input: &RuleInput<'_>) -> bool {
        input.is_rule_enabled(self.code) && input.is_rule_enabled(self.name)
    }
}

/// The code of the rule that puts names in quotes.
pub const QUOTE_NAMES: &str = "N005";
/// The code of the rule that replaces a constant by its stored spelling.
pub const REPLACE_LITERAL: &str = "V001";
/// The code of the rule that looks a key up by a name.
pub const KEY_BY_NAME: &str = "V002";
/// The code of the rule that compares with every spelling variant of a value.
pub const ADD_VARIANTS: &str = "V003";

/// The code of the rule that merges values which probably mean the same thing.
pub const SAME_VALUES: &str = "V005";

/// The code of the rule that takes up another reading of the question which the model tells.
pub const VAGUE_WORD: &str = "A003";

/// The code of the rule that finds numbers which the query's form decides.
pub const FIXED_NUMBER: &str = "L010";
/// The code of the rule that finds numbers of the question which the query does not use.
pub const UNUSED_NUMBER: &str = "L001";
