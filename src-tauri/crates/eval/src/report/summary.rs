//! Summary of one run.

use super::candidates::CandidateSummary;
use super::certainty::CertaintySummary;
pub use super::share::Share;
use crate::metrics::Rule;
use crate::metrics::fault::Fault;
use crate::metrics::linking::Linking;
use crate::pack::{EvalScope, SkipReason};
use crate::run::{Outcome, Run, hardness_position};
use serde::Serialize;
use std::collections::BTreeMap;
use vitrine_domain::{Agent, AskSettings, PhaseTimes, Usage};

/// Summary figures of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The display name of the run.
    pub name: String,
    /// The version of the rules that judged it.
    pub evaluator: String,
    /// The settings of the run, if recorded.
    pub settings: Option<AskSettings>,
    /// Right answers by each rule; `None` for rules that did not judge the run.
    pub right: BTreeMap<Rule, Option<Share>>,
    /// Answers whose SQL ran; `None` for schema linking.
    pub answered: Option<Share>,
    /// Reliability of the answers' certainty; `None` if the run has no certainty.
    pub certainty: Option<CertaintySummary>,
    /// Clarification requests that offered the intended interpretation; `None` if there were none.
    pub asked: Option<Share>,
    /// Number of skipped questions, by reason.
    pub left_out: BTreeMap<SkipReason, usize>,
    /// Number of questions of the whole pack that are asked without the document that they name.
    pub missing_documents: usize,
    /// Quality of schema linking; `None` if unknown.
    pub linking: Option<LinkingMeans>,
    /// The mean cost of a question.
    pub cost: Cost,
    /// The median time of a question in seconds; `None` if not meaningful, because replies came from a file.
    pub median_seconds: Option<f64>,
    /// Mean times of a question by phase; `None` if unknown, or not meaningful because replies came from a file.
    pub phases: Option<MeanPhases>,
    /// Maximum number of questions run in parallel.
    pub at_once: usize,
    /// The median number of prompt tokens of a question.
    pub median_prompt_tokens: u64,
    /// The mean cost of a question by agent, in the order of a run's stages.
    pub by_agent: Vec<AgentCost>,
    /// Right answers by difficulty level, from easy to hard; empty without levels.
    pub by_hardness: Vec<Group>,
    /// Right answers grouped by database.
    pub by_database: Vec<Group>,
    /// Number of wrong answers by fault.
    pub faults: BTreeMap<Fault, usize>,
    /// Number of wrong answers without a known fault.
    pub unclassified: usize,
    /// Figures over all candidates; `None` if they were not evaluated.
    pub candidates: Option<CandidateSummary>,
}

/// Returns the share of right answers in the group with this name.
pub(super) fn right_in(groups: &[Group], name: &str) -> Option<Share> {
    groups.iter().find(|group| group.name == name).map(|group| group.right)
}

/// Right answers in one group of questions, by the pack's rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// Right answers of the group, of all its questions.
    pub right: Share,
}

/// Means over questions (macro averages).
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LinkingMeans {
    /// Share of questions for which no needed table is missing.
    pub table_strict_recall: f64,
    /// Mean recall of the needed tables.
    pub table_recall: f64,
    /// Mean precision of the selected tables.
    pub table_precision: f64,
    /// Mean F1 score of tables.
    pub table_f1: f64,
    /// Mean recall of the needed columns.
    pub column_recall: f64,
    /// Mean precision of the selected columns.
    pub column_precision: f64,
}

/// The mean cost of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Mean number of model calls.
    pub llm_calls: f64,
    /// Mean number of prompt tokens, including cached ones.
    pub prompt_tokens: f64,
    /// Mean number of prompt tokens served from the cache.
    pub cached_prompt_tokens: f64,
    /// Mean number of generated tokens.
    pub completion_tokens: f64,
    /// Mean number of statements sent to the database.
    pub db_calls: f64,
    /// Mean elapsed time in seconds.
    pub seconds: f64,
}

impl Cost {
    fn mean_per_question(total: Usage, questions: usize) -> Self {
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

    /// Returns the tokens that a model processed: uncached prompt tokens and generated tokens.
    pub fn worked_tokens(self) -> f64 {
        self.prompt_tokens - self.cached_prompt_tokens + self.completion_tokens
    }

    /// Returns the total of prompt and generated tokens.
    pub fn total_tokens(self) -> f64 {
        self.prompt_tokens + self.completion_tokens
    }
}

/// Mean times of a question by phase, in seconds. Concurrent calls overlap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct MeanPhases {
    /// Until the first token of each call before the answer.
    pub prompt: f64,
    /// From the first to the last token of each call before the answer.
    pub generation: f64,
    /// Queries before the answer.
    pub execution: f64,
    /// From the start to the answer.
    pub answer: f64,
    /// From the answer to the last estimate of its certainty.
    pub check: f64,
}

impl MeanPhases {
    /// Returns the means; `None` without an answer whose phases are known.
    fn from_outcomes(outcomes: &[Outcome]) -> Option<Self> {
        let mut total = PhaseTimes::default();
        outcomes.iter().for_each(|outcome| total += outcome.phases);
        let mean = |ms: u64| ms as f64 / outcomes.len() as f64 / 1000.0;
        (total.answer_ms > 0).then(|| Self {
            prompt: mean(total.prompt_ms),
            generation: mean(total.generation_ms),
            execution: mean(total.execution_ms),
            answer: mean(total.answer_ms),
            check: mean(total.check_ms),
        })
    }
}

/// The cost of one agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentCost {
    /// The name of the agent.
    pub agent: String,
    /// Its share of the mean cost of a question.
    #[serde(flatten)]
    pub cost: Cost,
}

impl Summary {
    /// Summarizes a run; `rule` classifies answers as right or wrong.
    pub fn new(run: &Run, rule: Rule) -> Self {
        let outcomes = &run.outcomes;
        let n = outcomes.len();
        // Schema linking has no answers to judge.
        let answers: &[Outcome] = if run.scope == EvalScope::Answers { outcomes } else { &[] };
        let right = |rule: Rule| -> Option<Share> {
            if answers.is_empty() {
                return None;
            }
            let right: Option<Vec<bool>> = outcomes.iter().map(|outcome| outcome.right_by(rule)).collect();
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
            certainty: CertaintySummary::from_answers(
                answers.iter().filter_map(|o| Some((o.certainty.as_ref()?, o.is_right(rule)))),
            ),
            asked: asked_share(outcomes),
            left_out: run.left_out.clone(),
            missing_documents: run.missing_documents,
            linking: mean_linking(outcomes),
            cost: Cost::mean_per_question(usage, n),
            median_seconds: (!outcomes.iter().any(|o| o.replayed))
                .then(|| upper_median(outcomes.iter().map(|o| o.usage.wall_ms).collect()) as f64 / 1000.0),
            phases: MeanPhases::from_outcomes(outcomes).filter(|_| !outcomes.iter().any(|o| o.replayed)),
            at_once: outcomes.iter().map(|o| o.at_once).max().unwrap_or_default(),
            median_prompt_tokens: upper_median(outcomes.iter().map(|o| o.usage.prompt_tokens).collect()),
            by_agent: by_agent(outcomes),
            by_hardness: group_outcomes(answers, rule, |outcome| &outcome.hardness),
            by_database: group_outcomes(answers, rule, |outcome| &outcome.db_id),
            faults,
            unclassified: wrong().filter(|outcome| outcome.fault.is_none()).count(),
            candidates: CandidateSummary::from_outcomes(answers, rule),
        }
    }

    /// Returns the number of answers with a fault.
    pub fn count_fault(&self, fault: Fault) -> usize {
        self.faults.get(&fault).copied().unwrap_or_default()
    }
}

/// Returns the median; the upper one of two middle values.
fn upper_median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

fn asked_share(outcomes: &[Outcome]) -> Option<Share> {
    let asked: Vec<bool> = outcomes.iter().filter_map(|outcome| outcome.asked).collect();
    (!asked.is_empty()).then(|| Share::new(asked.iter().filter(|offered| **offered).count(), asked.len()))
}

fn mean_linking(outcomes: &[Outcome]) -> Option<LinkingMeans> {
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

/// Returns the sort position of an agent; unknown agents come last.
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
        .map(|(agent, total)| AgentCost {
            agent: agent.to_owned(),
            cost: Cost::mean_per_question(total, outcomes.len()),
        })
        .collect();
    costs.sort_by_key(|cost| agent_place(&cost.agent));
    costs
}

fn group_outcomes(outcomes: &[Outcome], rule: Rule, name: impl Fn(&Outcome) -> &String) -> Vec<Group> {
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
    groups.sort_by_key(|group| hardness_position(&group.name));
    groups
}
