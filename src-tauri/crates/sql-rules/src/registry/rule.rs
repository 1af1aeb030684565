//! The definition of a rule, and codes that other crates use.

use crate::input::RuleInput;
use crate::reading::Meanings;
use sqlparser::ast::Query;
use vitrine_domain::{Applicability, Evidence, RuleCode};
use vitrine_sql::ReadOnlySql;

/// Changes a query and describes each change. Returns no descriptions if nothing changed.
pub(super) type Change = fn(&mut Query, &RuleInput<'_>) -> Vec<String>;
/// Changes a query to another reading of the question. Returns `None` if no other reading exists.
pub(super) type Read = fn(&mut Query, &RuleInput<'_>) -> Option<Meanings>;
/// Describes a finding, if there is one.
pub(super) type FindingCheck = fn(&ReadOnlySql, &RuleInput<'_>) -> Option<String>;

/// The work of a rule and the stage at which it applies.
#[derive(Clone, Copy)]
pub(super) enum Work {
    /// Quotes names in a text that does not resolve without quotes, with `vitrine_sql::quote_names`.
    Quotes,
    /// Repairs unresolved names, with `vitrine_sql::repair_names`.
    Names,
    /// Chooses among several paths of joins during the repair of names.
    Paths,
    /// Changes a query whose names do not bind, before their repair.
    Unbound(Change),
    /// Changes a query after the repair of its names.
    Repaired(Change),
    /// Changes a query whose names bind.
    Bound(Change),
    /// Same as `Bound`, and also applied if the database rejects the query.
    Refused(Change),
    /// Changes only a query that the database rejects.
    Rejected(Change),
    /// Reports a finding about a query.
    Look(FindingCheck),
    /// Replaces constants by stored values that the caller looks up.
    Values,
    /// Derives the query of another reading of the question.
    Reading(Read),
    /// Accepts the query of another reading that the model proposes besides its own; the caller parses it from the
    /// reply.
    Told,
    /// Examines the query of the answer together with its result; the caller passes both.
    Answer,
    /// Adds the user's standing conditions to a query whose names bind, after all other rules.
    Standing(Change),
}

/// One rule, with its description and its work.
pub(super) struct Rule {
    pub code: RuleCode,
    pub name: &'static str,
    pub summary: &'static str,
    pub before: &'static str,
    pub after: &'static str,
    pub evidence: &'static [Evidence],
    pub applicability: Applicability,
    pub work: Work,
}

impl Rule {
    /// Returns true if the rule is enabled.
    pub fn is_on(&self, input: &RuleInput<'_>) -> bool {
        input.is_rule_enabled(&self.code) && input.is_rule_enabled(self.name)
    }
}

/// Code of the rule that quotes names.
pub const QUOTE_NAMES: RuleCode = RuleCode::new("N005");
/// Code of the rule that chooses among several paths of joins.
pub const JOIN_CHOICE: RuleCode = RuleCode::new("N007");
/// Code of the rule that replaces a constant by its stored spelling.
pub const REPLACE_LITERAL: RuleCode = RuleCode::new("V001");
/// Code of the rule that looks up a key by a name.
pub const KEY_BY_NAME: RuleCode = RuleCode::new("V002");
/// Code of the rule that compares with every spelling variant of a value.
pub const ADD_VARIANTS: RuleCode = RuleCode::new("V003");

/// Code of the rule that merges values that probably have the same meaning.
pub const SAME_VALUES: RuleCode = RuleCode::new("V005");

/// Code of the rule that accepts another reading of the question from the model.
pub const VAGUE_WORD: RuleCode = RuleCode::new("A003");

/// Code of the rule that finds numbers determined by the query's form.
pub const FIXED_NUMBER: RuleCode = RuleCode::new("L010");
/// Code of the rule that finds numbers of the question that the query does not use.
pub const UNUSED_NUMBER: RuleCode = RuleCode::new("L001");
