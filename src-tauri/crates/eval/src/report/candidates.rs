//! Figures over all candidates of a run: what could have been answered, what was, and where answers are lost.

use super::share::Share;
use crate::metrics::Rule;
use crate::metrics::candidates::{EvaluatedCandidates, JudgedQuery, QueryOrigin, pass_at_k};
use crate::metrics::error_class::ErrorClass;
use crate::run::Outcome;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::GenerationPath;

/// Figures over the candidates of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateSummary {
    /// Questions whose candidates were evaluated, of all questions. The other figures are over these questions.
    pub evaluated: Share,
    /// Mean number of candidates of a question.
    pub mean_candidates: f64,
    /// Number of queries that were not executed because of the limits.
    pub not_judged: usize,
    /// Questions with a right candidate, with `k` the most candidates of any question.
    pub pass_at_k: ShareAtK,
    /// The expected share of questions with a right one among `k` of their candidates, for growing `k`.
    pub pass_at: Vec<PassAtK>,
    /// Questions with a right one among their first `k` candidates, for growing `k`.
    pub recall_at: Vec<ShareAtK>,
    /// Questions with a right answer, candidate, attempt, variant or revision.
    pub upper_bound: Share,
    /// Questions all of whose candidates are right.
    pub lower_bound: Share,
    /// Questions with a wrong answer although one of their queries is right.
    pub right_not_chosen: Share,
    /// Questions with a right query by its generator, and by the generator's prompts if it has several.
    pub generators: Vec<GeneratorSummary>,
    /// Right answers by DSR-SQL's path; empty for other methods.
    pub paths: Vec<PathSummary>,
    /// Number of wrong answers by where they were lost.
    pub losses: BTreeMap<Loss, usize>,
    /// Number of wrong answers by class of error; an answer may have several.
    pub errors: BTreeMap<ErrorClass, usize>,
    /// Number of wrong answers that cannot be compared with gold SQL.
    pub unclassified: usize,
}

/// A share of questions for a number of candidates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShareAtK {
    /// The number of candidates.
    pub k: usize,
    /// The share of questions.
    #[serde(flatten)]
    pub share: Share,
}

/// The estimate of pass@k.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PassAtK {
    /// The number of candidates.
    pub k: usize,
    /// The number of questions.
    pub of: usize,
    /// The mean of the questions' probabilities, from 0 to 1.
    pub share: f64,
}

/// The right queries of a generator or of one of its prompts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GeneratorSummary {
    /// The node that wrote the queries; `variant` and `revision` stand for those of rules and of the revisor.
    pub generator: String,
    /// The number of the prompt, `corrections`, or `None` for all of the generator.
    pub prompt: Option<String>,
    /// Questions with a right query, of the questions for which it wrote any.
    pub right: Share,
    /// Number of questions for which no other generator, or no other prompt, wrote a right query.
    pub unique: usize,
}

/// Right answers by one of DSR-SQL's paths.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PathSummary {
    /// The kind of the path.
    pub path: GenerationPath,
    /// Right answers, of the questions with this path.
    pub right: Share,
}

/// The part of a method that lost a right answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Loss {
    /// The selected tables and columns lack a needed one, and no query is right.
    NotLinked,
    /// No query is right, although nothing needed is known to be missing.
    NotGenerated,
    /// A right query exists, but another one became the answer.
    NotChosen,
}

impl Loss {
    /// All parts, in the order of a run.
    pub const ALL: [Loss; 3] = [Loss::NotLinked, Loss::NotGenerated, Loss::NotChosen];

    /// Returns the display name of the part.
    pub fn name(self) -> &'static str {
        match self {
            Loss::NotLinked => "not linked",
            Loss::NotGenerated => "not generated",
            Loss::NotChosen => "generated, not chosen",
        }
    }

    /// Returns where a question's answer was lost; `None` if it is right or its candidates were not evaluated.
    pub fn of_outcome(outcome: &Outcome, rule: Rule) -> Option<Self> {
        let candidates = outcome.candidates.as_ref()?;
        if outcome.is_right(rule) {
            None
        } else if candidates.queries.iter().any(|query| is_right(query, rule)) {
            Some(Loss::NotChosen)
        } else if candidates.linked == Some(false) {
            Some(Loss::NotLinked)
        } else {
            Some(Loss::NotGenerated)
        }
    }
}

impl CandidateSummary {
    /// Summarizes the evaluated questions; `None` if there are none.
    pub fn from_outcomes(outcomes: &[Outcome], rule: Rule) -> Option<Self> {
        let evaluated: Vec<(&Outcome, &EvaluatedCandidates)> =
            outcomes.iter().filter_map(|outcome| Some((outcome, outcome.candidates.as_ref()?))).collect();
        if evaluated.is_empty() {
            return None;
        }
        let of = evaluated.len();
        let candidates: Vec<Vec<bool>> =
            evaluated.iter().map(|(outcome, candidates)| judge_candidates(outcome, candidates, rule)).collect();
        let most = candidates.iter().map(Vec::len).max().unwrap_or_default().max(1);
        let sizes = || std::iter::successors(Some(1), |k| Some(k * 2)).take_while(move |k| *k < most).chain([most]);
        let count_right = |candidates: &[bool]| candidates.iter().filter(|right| **right).count();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / of as f64;
        let first_right = |k: usize| {
            let count = candidates.iter().filter(|right| right.iter().take(k).any(|right| *right)).count();
            ShareAtK { k, share: Share::new(count, of) }
        };
        let pass = |k: usize| PassAtK {
            k,
            of,
            share: mean(&mut candidates.iter().map(|right| pass_at_k(right.len(), count_right(right), k))),
        };
        let losses = count_each(evaluated.iter().filter_map(|(outcome, _)| Loss::of_outcome(outcome, rule)));
        let right = evaluated.iter().filter(|(outcome, _)| outcome.is_right(rule)).count();
        let not_chosen = losses.get(&Loss::NotChosen).copied().unwrap_or_default();
        let wrong = || evaluated.iter().filter(|(outcome, _)| !outcome.is_right(rule));
        Some(Self {
            evaluated: Share::new(of, outcomes.len()),
            mean_candidates: mean(&mut candidates.iter().map(|right| right.len() as f64)),
            not_judged: evaluated.iter().flat_map(|(_, all)| &all.queries).filter(|q| q.verdict.is_none()).count(),
            pass_at_k: first_right(most),
            pass_at: sizes().map(pass).collect(),
            recall_at: sizes().map(first_right).collect(),
            upper_bound: Share::new(right + not_chosen, of),
            lower_bound: Share::new(
                candidates.iter().filter(|right| !right.is_empty() && right.iter().all(|right| *right)).count(),
                of,
            ),
            right_not_chosen: Share::new(not_chosen, of),
            generators: summarize_generators(&evaluated, rule),
            paths: summarize_paths(&evaluated, rule),
            losses,
            errors: count_each(wrong().flat_map(|(_, candidates)| candidates.errors.iter().copied())),
            unclassified: wrong().filter(|(_, candidates)| candidates.errors.is_empty()).count(),
        })
    }

    /// Returns the number of wrong answers that a part lost.
    pub fn count_loss(&self, loss: Loss) -> usize {
        self.losses.get(&loss).copied().unwrap_or_default()
    }

    /// Returns the number of wrong answers with a class of error.
    pub fn count_error(&self, class: ErrorClass) -> usize {
        self.errors.get(&class).copied().unwrap_or_default()
    }
}

/// Returns `true` if a query is known to be right.
pub(super) fn is_right(query: &JudgedQuery, rule: Rule) -> bool {
    query.verdict.is_some_and(|verdict| verdict.is_right_by(rule))
}

/// Returns for each judged candidate if it is right. An answer without written SQL, such as one by code, is the only
/// candidate of its question.
pub(super) fn judge_candidates(outcome: &Outcome, candidates: &EvaluatedCandidates, rule: Rule) -> Vec<bool> {
    let all = candidates.final_queries();
    if all.is_empty() && outcome.answered {
        return vec![outcome.is_right(rule)];
    }
    all.into_iter().filter(|query| query.verdict.is_some()).map(|query| is_right(query, rule)).collect()
}

fn count_each<T: Ord>(values: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts
}

/// A generator with the prompt of a query.
type Source = (String, Option<String>);

/// Returns the generator of a query, and its prompt.
fn name_source(query: &JudgedQuery) -> Source {
    let prompt = match (query.prompt, query.attempt) {
        (Some(number), _) => Some(number.to_string()),
        (None, 0) => None,
        (None, _) => Some("corrections".to_owned()),
    };
    match query.origin {
        // All steps of DSR-SQL are one generator.
        QueryOrigin::Written if query.node.starts_with("step-") => ("step".to_owned(), None),
        QueryOrigin::Written => (query.node.clone(), prompt),
        QueryOrigin::Variant => ("variant".to_owned(), None),
        QueryOrigin::Revision => ("revision".to_owned(), None),
    }
}

fn summarize_generators(evaluated: &[(&Outcome, &EvaluatedCandidates)], rule: Rule) -> Vec<GeneratorSummary> {
    // For each question, its sources with `true` if one of their queries is right.
    let by_question: Vec<BTreeMap<Source, bool>> = evaluated
        .iter()
        .map(|(_, candidates)| {
            let mut found: BTreeMap<Source, bool> = BTreeMap::new();
            for query in candidates.queries.iter().filter(|query| query.verdict.is_some()) {
                *found.entry(name_source(query)).or_default() |= is_right(query, rule);
            }
            found
        })
        .collect();
    let all: BTreeSet<&Source> = by_question.iter().flat_map(BTreeMap::keys).collect();
    let generators: BTreeSet<&String> = all.iter().map(|(generator, _)| generator).collect();
    let mut summaries = Vec::new();
    for generator in generators {
        let summarize = |prompt: Option<&String>, is_own: &dyn Fn(&Source) -> bool| {
            let (mut right, mut of, mut unique) = (0, 0, 0);
            for found in &by_question {
                let wins = |own: bool| found.iter().any(|(source, right)| *right && is_own(source) == own);
                of += usize::from(found.keys().any(is_own));
                right += usize::from(wins(true));
                unique += usize::from(wins(true) && !wins(false));
            }
            let right = Share::new(right, of);
            GeneratorSummary { generator: generator.clone(), prompt: prompt.cloned(), right, unique }
        };
        summaries.push(summarize(None, &|source: &Source| source.0 == *generator));
        let sources: Vec<&&Source> = all.iter().filter(|source| source.0 == *generator).collect();
        if sources.len() > 1 {
            let prompts = sources.iter().filter(|source| source.1.is_some());
            summaries.extend(prompts.map(|own| summarize(own.1.as_ref(), &|source: &Source| source == **own)));
        }
    }
    summaries
}

fn summarize_paths(evaluated: &[(&Outcome, &EvaluatedCandidates)], rule: Rule) -> Vec<PathSummary> {
    let summary = |path: GenerationPath| {
        let taken = || evaluated.iter().filter(move |(_, candidates)| candidates.path == Some(path));
        let right = Share::new(taken().filter(|(outcome, _)| outcome.is_right(rule)).count(), taken().count());
        (right.of > 0).then_some(PathSummary { path, right })
    };
    GenerationPath::ALL.into_iter().filter_map(summary).collect()
}
