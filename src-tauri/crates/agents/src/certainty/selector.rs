//! Choice between compared results with weights that were fitted to judged results (CHASE-SQL, 3.5, where a model is trained for it): how
//! much the judge's comparisons count against the votes differs between models.

use super::features::Feature;
use super::fitted::{Fitted, Weight};
use super::logistic::{Example, fit_weights};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use vitrine_domain::Cluster;

/// Minimum number of questions for a fit: with right and with wrong results among the compared ones.
const LEAST: usize = 30;

/// The compared results of one question.
#[derive(Debug, Clone, Copy)]
pub struct ComparedQuestion<'a> {
    /// Candidates of each result.
    pub clusters: &'a [Cluster],
    /// Number of comparisons that the result of the row won against the result of the column.
    pub wins: &'a [Vec<u32>],
}

/// Weights for choosing between compared results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultSelector {
    /// Number of questions that the weights were fitted to.
    pub questions: usize,
    /// Logistic model of a result being right.
    pub fitted: Fitted,
}

impl ResultSelector {
    /// Fits weights to questions with the results that are right. Questions whose results are all right or all wrong are ignored. `None` if
    /// fewer than [`LEAST`] are left.
    pub fn fit(judged: &[(ComparedQuestion<'_>, Vec<bool>)]) -> Option<Self> {
        let tells = |right: &[bool]| right.contains(&true) && right.contains(&false);
        let telling: Vec<_> = judged.iter().filter(|(_, right)| tells(right)).collect();
        if telling.len() < LEAST {
            return None;
        }
        let examples: Vec<Example> = telling
            .iter()
            .flat_map(|(question, right)| {
                right.iter().enumerate().map(move |(at, &right)| Example { values: question.feature_values(at), right })
            })
            .collect();
        Some(Self { questions: telling.len(), fitted: fit_weights(&examples, &prior()) })
    }

    /// Returns the index of the result that is most probably right; of equal ones, the first.
    pub fn choose(&self, question: ComparedQuestion<'_>) -> usize {
        let probability = |at: usize| self.fitted.probability(&question.feature_values(at));
        let better = |best: usize, at: usize| if probability(at) > probability(best) { at } else { best };
        (0..question.clusters.len()).fold(0, better)
    }
}

impl ComparedQuestion<'_> {
    /// Returns the features of a result: its share of the votes, its share of won comparisons, and whether it is doubted.
    fn feature_values(&self, at: usize) -> Vec<(Feature, f64)> {
        let votes = |cluster: &Cluster| cluster.candidates.len() as f64;
        let all: f64 = self.clusters.iter().map(votes).sum();
        let won: u32 = self.wins[at].iter().sum();
        let lost: u32 = self.wins.iter().map(|row| row[at]).sum();
        let doubted = f64::from(u8::from(self.clusters[at].suspicious.is_some()));
        let mut values =
            vec![(Feature::Agreement, votes(&self.clusters[at]) / all.max(1.0)), (Feature::Empty, doubted)];
        if won + lost > 0 {
            values.push((Feature::Compared, f64::from(won) / f64::from(won + lost)));
        }
        values
    }
}

/// Returns cautious weights, with which votes and comparisons count about equally.
fn prior() -> Fitted {
    let weights = [(Feature::Agreement, 3.0, 0.4), (Feature::Compared, 3.0, 0.5), (Feature::Empty, -2.0, 0.1)];
    let weights = weights.into_iter().map(|(feature, weight, mean)| (feature, Weight { weight, mean })).collect();
    Fitted { bias: -0.5, weights, sure: 1.01, unlikely: 0.5 }
}

/// Returns the points of Algorithm 3 for each candidate of a result: one for each comparison that its result wins against a candidate of
/// another result, and one for each other candidate with the same result.
pub fn count_points(clusters: &[Cluster], wins: &[Vec<u32>]) -> Vec<u32> {
    let size = |index: usize| clusters[index].candidates.len() as u32;
    let against = |one: usize| (0..clusters.len()).map(|other| wins[one][other] * size(other)).sum::<u32>();
    (0..clusters.len()).map(|one| size(one) - 1 + against(one)).collect()
}

/// Returns the index of the result with the most points; at equal points the first, which is the more common one.
pub fn choose_by_points(scores: &[u32]) -> usize {
    (0..scores.len()).min_by_key(|&index| Reverse(scores[index])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared results of a question, with the right ones.
    struct Judged {
        clusters: Vec<Cluster>,
        wins: Vec<Vec<u32>>,
        right: Vec<bool>,
    }

    impl Judged {
        fn question(&self) -> ComparedQuestion<'_> {
            ComparedQuestion { clusters: &self.clusters, wins: &self.wins }
        }
    }

    /// Returns questions with two results each. The more common one is right in seven of ten; the judge prefers the right one in both orders
    /// as often as `judged_right` of ten.
    fn make_questions(count: usize, judged_right: usize) -> Vec<Judged> {
        let make = |number: usize| {
            let common_is_right = number * 7 % 10 < 7;
            let prefers_right = number * 3 / 10 % 10 < judged_right;
            let votes = 4 + number % 3;
            let cluster = |from: u32, votes: usize| Cluster {
                candidates: (from..from + votes as u32).collect(),
                suspicious: None,
            };
            let prefers_common = common_is_right == prefers_right;
            let (first, second) = if prefers_common { (2, 0) } else { (0, 2) };
            Judged {
                clusters: vec![cluster(1, votes), cluster(20, votes - 1)],
                wins: vec![vec![0, first], vec![second, 0]],
                right: vec![common_is_right, !common_is_right],
            }
        };
        (0..count).map(make).collect()
    }

    /// Returns the number of questions that a choice answers correctly.
    fn count_right(questions: &[Judged], choose: impl Fn(&Judged) -> usize) -> usize {
        questions.iter().filter(|judged| judged.right[choose(judged)]).count()
    }

    #[test]
    fn learned_weights_choose_at_least_as_well_as_points_whatever_the_judge_is_worth() {
        for (judged_right, of_judge) in [(5, false), (9, true)] {
            let (known, others) = (make_questions(100, judged_right), make_questions(100, judged_right));
            let examples: Vec<_> = known.iter().map(|judged| (judged.question(), judged.right.clone())).collect();
            let selector = ResultSelector::fit(&examples).unwrap();
            let learned = count_right(&others, |judged| selector.choose(judged.question()));
            let by_points = |judged: &Judged| choose_by_points(&count_points(&judged.clusters, &judged.wins));
            let points = count_right(&others, by_points);
            let votes = count_right(&others, |_| 0);
            assert!(learned >= points && learned >= votes, "{judged_right}: {learned} {points} {votes}: {selector:?}");
            assert_eq!(learned > votes, of_judge, "a judge no better than chance decides nothing");
        }
    }

    #[test]
    fn too_few_judged_questions_fit_nothing() {
        let fit = |questions: &[Judged]| {
            ResultSelector::fit(
                &questions.iter().map(|judged| (judged.question(), judged.right.clone())).collect::<Vec<_>>(),
            )
        };
        let known = make_questions(LEAST, 9);
        assert_eq!(fit(&known).map(|selector| selector.questions), Some(LEAST));
        assert_eq!(fit(&known[1..]), None);
        let all_right: Vec<Judged> =
            known.into_iter().map(|judged| Judged { right: vec![true, true], ..judged }).collect();
        assert_eq!(fit(&all_right), None, "such questions say nothing about the choice");
    }

    #[test]
    fn points_are_those_of_comparing_every_candidate() {
        let cluster = |candidates: &[u32]| Cluster { candidates: candidates.to_vec(), suspicious: None };
        let clusters = [cluster(&[1, 2, 3]), cluster(&[4, 5]), cluster(&[6])];
        // The first beats the second in both orders, the third beats the first in both orders, the rest is even.
        let wins = vec![vec![0, 2, 0], vec![0, 0, 1], vec![2, 1, 0]];
        assert_eq!(count_points(&clusters, &wins), [2 + 2 * 2, 1 + 1, 2 * 3 + 2]);
    }
}
