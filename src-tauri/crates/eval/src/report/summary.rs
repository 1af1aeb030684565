//! What one run adds up to.

use super::certainty::CertaintySummary;
pub use super::share::Share;
use crate::metrics::Rule;
use crate::metrics::fault::Fault;
use crate::metrics::linking::Linking;
use crate::pack::{EvalScope, SkipReason};
use crate::run::{Outcome, Run, grade};
use serde::Serialize;
use std::collections::BTreeMap;
use vitrine_domain::{Agent, AskSettings, Usage};

/// One run in figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The run's name.
    pub name: String,
    /// The version of the rules that judged it.
    pub evaluator: String,
    /// How its questions were worked on, where that was recorded.
    pub settings: Option<AskSettings>,
    /// Right answers by each rule; `None` where it was not judged by it.
    pub right: BTreeMap<Rule, Option<Share>>,
    /// Answers whose SQL ran; `None` where questions were taken as far as schema linking.
    pub answered: Option<Share>,
    /// How far the certainty of its answers can be relied on; `None` where it was not told.
    pub certainty: Option<CertaintySummary>,
    /// Questions of which a person was asked whose reading was among those offered; `None` where nobody was asked.
    pub asked: Option<Share>,
    /// Questions left out, by reason.
    pub left_out: BTreeMap<SkipReason, usize>,
    /// How well tables and columns were chosen; `None` where nothing says so.
    pub linking: Option<LinkingMeans>,
    /// The mean cost of a question.
    pub cost: Cost,
    /// Half of the questions took at most so many seconds; `None` where that says nothing, as replies came from a file.
    pub median_seconds: Option<f64>,
    /// How many questions were worked on at once, at most.
    pub at_once: usize,
    /// Half of the questions took at most so many prompt tokens.
    pub median_prompt_tokens: u64,
    /// The mean cost of a question by agent, in the order of a run.
    pub by_agent: Vec<AgentCost>,
    /// By the pack's grading, from easy to hard; empty without one.
    pub by_hardness: Vec<Group>,
    /// By database.
    pub by_database: Vec<Group>,
    /// What is wrong with the wrong answers.
    pub faults: BTreeMap<Fault, usize>,
    /// Wrong answers of which nothing more is known.
    pub unclassified: usize,
}

/// The questions of one kind among some groups.
pub(super) fn right_in(groups: &[Group], name: &str) -> Option<Share> {
    groups.iter().find(|group| group.name == name).map(|group| group.right)
}

/// Right answers among the questions of one kind, by the pack's rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The kind.
    pub name: String,
    /// How many are right.
    pub right: Share,
}

/// Means over questions (macro averages).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LinkingMeans {
    /// The share of questions for which no needed table is missing.
    pub table_strict_recall: f64,
    /// Of tables.
    pub table_recall: f64,
    /// Of tables.
    pub table_precision: f64,
    /// Of tables.
    pub table_f1: f64,
    /// Of columns.
    pub column_recall: f64,
    /// Of columns.
    pub column_precision: f64,
}

/// The mean cost of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Model calls.
    pub llm_calls: f64,
    /// Prompt tokens, cached ones included.
    pub prompt_tokens: f64,
    /// Prompt tokens that did not have to be read again.
    pub cached_prompt_tokens: f64,
    /// Tokens written.
    pub completion_tokens: f64,
    /// Statements sent to the database.
    pub db_calls: f64,
    /// Time spent.
    pub seconds: f64,
}

impl Cost {
    fn mean(total: Usage, questions: usize) -> Self {
        let mean = |value: u64| value as f64 / questions.max(1) as f64;
        Self {
            llm_calls: mean(total.llm_calls),
            prompt_tokens: mean(total.prompt_tokens),
            cached_prompt_tokens: mean(total.cached_prompt_tokens),
            completion_tokens: mean(total.completion_tokens),
            db_calls: mean(total.db_calls),
            seconds: mean(total.wall_ms) / 1000.0,
        }
    }

    /// Tokens that a model had to work for: read anew, or written.
    pub fn worked_tokens(self) -> f64 {
        self.prompt_tokens - self.cached_prompt_tokens + self.completion_tokens
    }

    /// All tokens.
    pub fn tokens(self) -> f64 {
        self.prompt_tokens + self.completion_tokens
    }
}

/// What one agent costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentCost {
    /// The agent.
    pub agent: String,
    /// Its part of the mean cost of a question.
    #[serde(flatten)]
    pub cost: Cost,
}

impl Summary {
    /// Adds up a run, by the given rule where one is needed.
    pub fn new(run: &Run, rule: Rule) -> Self {
        let outcomes = &run.outcomes;
        let n = outcomes.len();
        // Where nobody answered nothing is right or wrong.
        let answers: &[Outcome] = if run.scope == EvalScope::Answers { outcomes } else { &[] };
        let right = |rule: Rule| -> Option<Share> {
            if answers.is_empty() {
                return None;
            }
            let right: Option<Vec<bool>> = outcomes.iter().map(|outcome| outcome.right(rule)).collect();
            right.map(|right| Share::new(right.into_iter().filter(|&right| right).count(), n))
        };
        let wrong = || answers.iter().filter(|outcome| !outcome.is_right(rule));
        let mut faults = BTreeMap::new();
        for fault in wrong().filter_map(|outcome| outcome.fault) {
            *faults.entry(fault).or_default() += 1;
        }
        let mut usage = Usage::default();
        outcomes.iter().for_each(|outcome| usage += outcome.usage);
        Self {
            name: run.name.clone(),
            evaluator: run.evaluator.clone(),
            settings: run.settings.clone(),
            right: Rule::ALL.into_iter().map(|rule| (rule, right(rule))).collect(),
            answered: (!answers.is_empty())
                .then(|| Share::new(answers.iter().filter(|outcome| outcome.answered).count(), n)),
            certainty: CertaintySummary::of(
                answers.iter().filter_map(|o| Some((o.certainty.as_ref()?, o.is_right(rule)))),
            ),
            asked: asked(outcomes),
            left_out: run.left_out.clone(),
            linking: linking(outcomes),
            cost: Cost::mean(usage, n),
            median_seconds: (!outcomes.iter().any(|o| o.replayed))
                .then(|| median(outcomes.iter().map(|o| o.usage.wall_ms).collect()) as f64 / 1000.0),
            at_once: outcomes.iter().map(|o| o.at_once).max().unwrap_or_default(),
            median_prompt_tokens: median(outcomes.iter().map(|o| o.usage.prompt_tokens).collect()),
            by_agent: by_agent(outcomes),
            by_hardness: groups(answers, rule, |outcome| &outcome.hardness),
            by_database: groups(answers, rule, |outcome| &outcome.db_id),
            faults,
            unclassified: wrong().filter(|outcome| outcome.fault.is_none()).count(),
        }
    }

    /// How many answers have a fault.
    pub fn fault(&self, fault: Fault) -> usize {
        self.faults.get(&fault).copied().unwrap_or_default()
    }
}

/// The middle value; the upper one of two.
fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

fn asked(outcomes: &[Outcome]) -> Option<Share> {
    let asked: Vec<bool> = outcomes.iter().filter_map(|outcome| outcome.asked).collect();
    (!asked.is_empty()).then(|| Share::new(asked.iter().filter(|offered| **offered).count(), asked.len()))
}

fn linking(outcomes: &[Outcome]) -> Option<LinkingMeans> {
    let all: Vec<Linking> = outcomes.iter().filter_map(|outcome| outcome.linking).collect();
    let mean = |value: fn(&Linking) -> f64| all.iter().map(value).sum::<f64>() / all.len() as f64;
    (!all.is_empty()).then(|| LinkingMeans {
        table_strict_recall: mean(|l| f64::from(u8::from(l.tables.is_complete()))),
        table_recall: mean(|l| l.tables.recall()),
        table_precision: mean(|l| l.tables.precision()),
        table_f1: mean(|l| l.tables.f1()),
        column_recall: mean(|l| l.columns.recall()),
        column_precision: mean(|l| l.columns.precision()),
    })
}

/// The place of an agent in a run; unknown ones come last.
pub(super) fn agent_place(agent: &str) -> usize {
    Agent::ALL.iter().position(|known| known.as_str() == agent).unwrap_or(Agent::ALL.len())
}

fn by_agent(outcomes: &[Outcome]) -> Vec<AgentCost> {
    let mut totals: BTreeMap<&str, Usage> = BTreeMap::new();
    for (agent, usage) in outcomes.iter().flat_map(|outcome| &outcome.by_agent) {
        *totals.entry(agent).or_default() += *usage;
    }
    let mut costs: Vec<AgentCost> = totals
        .into_iter()
        .map(|(agent, total)| AgentCost { agent: agent.to_owned(), cost: Cost::mean(total, outcomes.len()) })
        .collect();
    costs.sort_by_key(|cost| agent_place(&cost.agent));
    costs
}

fn groups(outcomes: &[Outcome], rule: Rule, name: impl Fn(&Outcome) -> &String) -> Vec<Group> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| !name(outcome).is_empty()) {
        let (right, of) = counts.entry(name(outcome)).or_default();
        *right += usize::from(outcome.is_right(rule));
        *of += 1;
    }
    let mut groups: Vec<Group> = counts
        .into_iter()
        .map(|(name, (right, of))| Group { name: name.to_owned(), right: Share::new(right, of) })
        .collect();
    groups.sort_by_key(|group| grade(&group.name));
    groups
}
