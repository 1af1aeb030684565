//! The context of a node's queries: what they may name, the contract for their results, and limits.

use crate::attempt::prepare::RuleUse;
use crate::attempt::views::Views;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::schema::prompt_schema::PromptSchema;
use vitrine_domain::{Agent, Switch};

/// How many candidates, and whether failures are repaired.
#[derive(Debug, Clone, Copy)]
pub struct AttemptLimits {
    /// Candidates wanted, the greedy ones included.
    pub candidates: u32,
    /// Repair rounds when nothing runs.
    pub rounds: u32,
    /// Which rules apply to queries.
    pub rules: RuleUse,
}

impl AttemptLimits {
    /// As set for this run.
    pub fn from_context(context: &RunContext) -> Self {
        let settings = &context.ask.settings;
        let feedback = settings.is_enabled(Switch::SqlFeedback);
        Self {
            candidates: settings.candidates.clamp(1, 16),
            rounds: if feedback { settings.max_rounds } else { 0 },
            rules: RuleUse::from_context(context),
        }
    }
}

/// The context in which a node writes and tries SQL.
pub struct AttemptContext<'a> {
    /// The run.
    pub context: &'a RunContext,
    /// The node.
    pub node: &'a str,
    /// The node's title for the user.
    pub title: &'static str,
    /// The part of the schema that prompts show.
    pub visible: &'a PromptSchema<'a>,
    /// Nodes whose outputs are read.
    pub inputs: &'a [&'a str],
    /// Views that a query may name.
    pub views: &'a Views,
    /// Stored values for prompts, one line per column.
    pub values: &'a [String],
    /// The required shape of the answer.
    pub contract: &'a OutputContract,
    /// The limits.
    pub limits: AttemptLimits,
    /// Number of the first candidate.
    pub first: u32,
}

/// What one query is tried with: the part of an attempt's context that needs no model.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// The run.
    pub context: &'a RunContext,
    /// The agent whose queries these are.
    pub agent: Agent,
    /// The node.
    pub node: &'a str,
    /// Views that a query may name.
    pub views: &'a Views,
    /// Stored values, one line per column.
    pub values: &'a [String],
    /// The required shape of the answer.
    pub contract: &'a OutputContract,
    /// Which rules apply.
    pub rules: RuleUse,
}

impl<'a> AttemptContext<'a> {
    /// Returns what a query for the answer is tried with.
    pub fn to_trial(&self) -> Trial<'a> {
        let &Self { context, node, views, values, contract, limits, .. } = self;
        Trial { context, agent: Agent::Generator, node, views, values, contract, rules: limits.rules }
    }
}
