//! Context of a node's queries: the names they may use, the contract for their results, and limits.

use crate::attempt::prepare::RuleUse;
use crate::attempt::views::Views;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::schema::prompt_schema::PromptSchema;
use serde::{Deserialize, Serialize};
use vitrine_domain::{Agent, NodeId, Switch};

/// Number of candidates and of repair rounds.
#[derive(Debug, Clone, Copy)]
pub struct AttemptLimits {
    /// Number of candidates, including the greedy ones.
    pub candidates: u32,
    /// Maximum number of repair rounds if no query runs.
    pub rounds: u32,
    /// Rules that apply to the queries.
    pub rules: RuleUse,
    /// Temperature of the second and later corrections of one query; the first one is greedy.
    pub correction_temperature: f32,
    /// Handling of results without a value; `None` depends on the model.
    pub empty_results: Option<EmptyResults>,
}

/// Handling of results without a value during refinement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyResults {
    /// The query is kept, because an empty result can be the answer.
    Kept,
    /// The query is corrected like one that fails, as in the papers.
    Corrected,
}

/// Default temperature of corrections after the first, in [`AttemptLimits`].
pub const CORRECTION_TEMPERATURE: f32 = 0.7;

impl AttemptLimits {
    /// Reads the limits from the settings of this run.
    pub fn from_context(context: &RunContext) -> Self {
        let settings = &context.ask.options.settings;
        let feedback = settings.is_enabled(Switch::SqlFeedback);
        Self {
            candidates: settings.candidates.clamp(1, 16),
            rounds: if feedback { settings.max_rounds } else { 0 },
            rules: RuleUse::from_context(context),
            correction_temperature: CORRECTION_TEMPERATURE,
            empty_results: None,
        }
    }
}

/// Context in which a node writes and tries SQL.
pub struct AttemptContext<'a> {
    /// State of the run that the node belongs to.
    pub context: &'a RunContext,
    /// Id of the node in the graph.
    pub node: &'a NodeId,
    /// Title of the node for the user.
    pub title: &'static str,
    /// Part of the schema that prompts show.
    pub visible: &'a PromptSchema<'a>,
    /// Nodes whose outputs this node reads.
    pub inputs: &'a [&'a NodeId],
    /// Views that a query may name.
    pub views: &'a Views,
    /// Stored values for prompts, one line per column.
    pub values: &'a [String],
    /// Required shape of the answer.
    pub contract: &'a OutputContract,
    /// Limits on candidates and repair rounds.
    pub limits: AttemptLimits,
    /// Number of the first candidate.
    pub first: u32,
}

/// Inputs for trying one query: the part of an attempt's context that needs no model.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    /// State of the run that the query belongs to.
    pub context: &'a RunContext,
    /// Agent that writes these queries.
    pub agent: Agent,
    /// Id of the node in the graph.
    pub node: &'a NodeId,
    /// Views that a query may name.
    pub views: &'a Views,
    /// Stored values, one line per column.
    pub values: &'a [String],
    /// Required shape of the answer.
    pub contract: &'a OutputContract,
    /// Rules that apply to the query.
    pub rules: RuleUse,
}

impl<'a> AttemptContext<'a> {
    /// Returns true if a query without a value is corrected. By default, the empty results of a model that deliberates are kept.
    pub fn corrects_empty_results(&self) -> bool {
        match self.limits.empty_results {
            Some(handling) => handling == EmptyResults::Corrected,
            None => !self.contract.deliberates,
        }
    }

    /// Returns the inputs for trying a query for the answer.
    pub fn to_trial(&self) -> Trial<'a> {
        let &Self { context, node, views, values, contract, limits, .. } = self;
        Trial { context, agent: Agent::Generator, node, views, values, contract, rules: limits.rules }
    }
}
