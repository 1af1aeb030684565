//! Weights for choosing between compared results, fitted to every second question and measured on the others.

use crate::metrics::Rule;
use crate::run::{Outcome, Run};
use vitrine_agents::certainty::{ComparedQuestion, ResultSelector, choose_by_points, count_points};
use vitrine_domain::{AppError, Cluster, EventBody};

/// Right choices between compared results among the held-out questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectionQuality {
    /// Number of held-out questions with right and with wrong results.
    pub questions: usize,
    /// Number of right choices by the fitted weights.
    pub learned: usize,
    /// Number of right choices by points (CHASE-SQL, Algorithm 3).
    pub points: usize,
}

/// The compared results of a question, with verdicts.
struct JudgedResults {
    clusters: Vec<Cluster>,
    wins: Vec<Vec<u32>>,
    right: Vec<bool>,
}

impl JudgedResults {
    fn to_question(&self) -> ComparedQuestion<'_> {
        ComparedQuestion { clusters: &self.clusters, wins: &self.wins }
    }
}

/// Fits a selector to the compared results in runs whose candidates were judged. The selector is discarded if it chooses worse than points on
/// the held-out questions.
pub(super) fn fit_selector(runs: &[Run]) -> Result<(Option<ResultSelector>, Option<SelectionQuality>), AppError> {
    let mut judged = Vec::new();
    for run in runs {
        for outcome in &run.outcomes {
            judged.extend(read_results(run, outcome)?);
        }
    }
    Ok(fit_halves(&judged))
}

fn fit_halves(judged: &[JudgedResults]) -> (Option<ResultSelector>, Option<SelectionQuality>) {
    let known: Vec<_> = judged.iter().step_by(2).map(|one| (one.to_question(), one.right.clone())).collect();
    let Some(selector) = ResultSelector::fit(&known) else { return (None, None) };
    let others: Vec<&JudgedResults> = judged.iter().skip(1).step_by(2).collect();
    let count = |choose: &dyn Fn(&JudgedResults) -> usize| others.iter().filter(|one| one.right[choose(one)]).count();
    let learned = count(&|one| selector.choose(one.to_question()));
    let points = count(&|one| choose_by_points(&count_points(&one.clusters, &one.wins)));
    let quality = SelectionQuality { questions: others.len(), learned, points };
    (Some(selector).filter(|_| learned >= points), Some(quality))
}

/// Reads the compared results of a question; `None` without a comparison, or if all results are right or all are wrong.
fn read_results(run: &Run, outcome: &Outcome) -> Result<Option<JudgedResults>, AppError> {
    let Some(candidates) = &outcome.candidates else { return Ok(None) };
    let compared = run.read_events(&outcome.id)?.into_iter().find_map(|event| match event.body {
        EventBody::Compared { clusters, wins, .. } => Some((clusters, wins)),
        _ => None,
    });
    let Some((clusters, wins)) = compared else { return Ok(None) };
    let queries = candidates.final_queries();
    let is_right = |cluster: &Cluster, rule: Rule| {
        let query = queries.iter().find(|query| cluster.candidates.contains(&query.candidate))?;
        Some(query.verdict?.is_right_by(rule))
    };
    let Some(right) = clusters.iter().map(|cluster| is_right(cluster, run.rule)).collect::<Option<Vec<bool>>>() else {
        return Ok(None);
    };
    let tells = right.contains(&true) && right.contains(&false);
    Ok(tells.then_some(JudgedResults { clusters, wins, right }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns questions with two results, of which the judge prefers the right one except in every tenth question.
    fn make_results(count: u32) -> Vec<JudgedResults> {
        let make = |number: u32| {
            let first_is_right = !number.is_multiple_of(3);
            let prefers_first = first_is_right == (number % 10 != 9);
            let (first, second) = if prefers_first { (2, 0) } else { (0, 2) };
            let cluster =
                |from: u32, votes: u32| Cluster { candidates: (from..from + votes).collect(), suspicious: None };
            JudgedResults {
                clusters: vec![cluster(1, 4), cluster(10, 3)],
                wins: vec![vec![0, first], vec![second, 0]],
                right: vec![first_is_right, !first_is_right],
            }
        };
        (0..count).map(make).collect()
    }

    #[test]
    fn weights_are_measured_on_questions_that_they_were_not_fitted_to() {
        let (selector, quality) = fit_halves(&make_results(80));
        let quality = quality.unwrap();
        assert_eq!(quality.questions, 40);
        assert!(quality.learned >= quality.points && quality.points > 0, "{quality:?}");
        assert_eq!(selector.unwrap().questions, 40);
        assert_eq!(fit_halves(&make_results(40)), (None, None), "too few");
    }
}
