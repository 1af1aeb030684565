//! Paired comparison of two runs over the same questions.

use crate::metrics::Rule;
use crate::run::{Outcome, hardness_position};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Number of resamples for the bootstrap interval.
const RESAMPLES: usize = 10_000;
/// Seed of the random numbers; fixed, so that the same runs always give the same interval.
const SEED: u64 = 0x5EED;

/// Comparison of a run with a base run, by one rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The rule that judged both.
    pub rule: Rule,
    /// Name of the base run.
    pub base: String,
    /// Name of the compared run.
    pub run: String,
    /// Counts over all questions that both runs have.
    pub all: Pairs,
    /// Difference of the shares of right answers, in percentage points.
    pub difference: f64,
    /// 95% confidence interval of the difference, by bootstrap over questions.
    pub interval: [f64; 2],
    /// p-value of the exact two-sided sign test over the flipped questions (McNemar).
    pub p: f64,
    /// Counts by difficulty level, from easy to hard; empty without levels.
    pub by_hardness: Vec<PairGroup>,
    /// Counts of paired outcomes by database.
    pub by_database: Vec<PairGroup>,
    /// Questions that only one of the two runs answered right.
    pub flips: Vec<Flip>,
}

/// Counts of questions by their outcomes in both runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pairs {
    /// Number of questions that only the compared run answered right.
    pub wins: u32,
    /// Number of questions that only the base run answered right.
    pub losses: u32,
    /// Number of questions that are right in both runs.
    pub both_right: u32,
    /// Number of questions that are wrong in both runs.
    pub both_wrong: u32,
}

impl Pairs {
    fn add(&mut self, base: bool, run: bool) {
        match (base, run) {
            (false, true) => self.wins += 1,
            (true, false) => self.losses += 1,
            (true, true) => self.both_right += 1,
            (false, false) => self.both_wrong += 1,
        }
    }

    /// Returns the number of pairs.
    pub fn pair_count(self) -> u32 {
        self.wins + self.losses + self.both_right + self.both_wrong
    }

    /// Returns wins minus losses in percentage points.
    pub fn win_difference(self) -> f64 {
        100.0 * (f64::from(self.wins) - f64::from(self.losses)) / f64::from(self.pair_count().max(1))
    }
}

/// The pairs of one group of questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PairGroup {
    /// The name of the group.
    pub name: String,
    /// Counts of the group's paired outcomes.
    #[serde(flatten)]
    pub pairs: Pairs,
}

/// A question that only one of two runs answered right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Flip {
    /// The id of the question.
    pub id: String,
    /// `true` if the run is right and the base run wrong.
    pub won: bool,
}

/// Compares the questions that both runs have; `None` if one was not judged by this rule.
pub fn compare_run_outcomes(base: (&str, &[Outcome]), run: (&str, &[Outcome]), rule: Rule) -> Option<Comparison> {
    let runs: HashMap<&str, &Outcome> = run.1.iter().map(|o| (o.id.as_str(), o)).collect();
    let mut all = Pairs::default();
    let mut by_hardness: BTreeMap<(usize, &str), Pairs> = BTreeMap::new();
    let mut by_database: BTreeMap<(usize, &str), Pairs> = BTreeMap::new();
    let (mut differences, mut flips) = (Vec::new(), Vec::new());
    for before in base.1 {
        let Some(after) = runs.get(before.id.as_str()) else { continue };
        let pair = (before.right_by(rule)?, after.right_by(rule)?);
        all.add(pair.0, pair.1);
        if !before.hardness.is_empty() {
            by_hardness.entry((hardness_position(&before.hardness), &before.hardness)).or_default().add(pair.0, pair.1);
        }
        by_database.entry((0, &before.db_id)).or_default().add(pair.0, pair.1);
        differences.push(i8::from(pair.1) - i8::from(pair.0));
        if pair.0 != pair.1 {
            flips.push(Flip { id: before.id.clone(), won: pair.1 });
        }
    }
    let groups = |groups: BTreeMap<(usize, &str), Pairs>| {
        groups.into_iter().map(|((_, name), pairs)| PairGroup { name: name.to_owned(), pairs }).collect()
    };
    Some(Comparison {
        rule,
        base: base.0.to_owned(),
        run: run.0.to_owned(),
        all,
        difference: all.win_difference(),
        interval: bootstrap_interval(&differences),
        p: sign_test(all.wins, all.losses),
        by_hardness: groups(by_hardness),
        by_database: groups(by_database),
        flips,
    })
}

/// Returns the p-value of the exact two-sided sign test: the probability of a split at least this uneven.
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let n = wins + losses;
    // Computed with logarithms, because 0.5 to the power of several thousand underflows.
    let mut term = f64::from(n) * 0.5_f64.ln();
    let mut tail = 0.0;
    for k in 0..=wins.min(losses) {
        tail += term.exp();
        term += (f64::from(n - k) / f64::from(k + 1)).ln();
    }
    (2.0 * tail).min(1.0)
}

/// Returns the 95% interval of the mean over resamples of the questions, in percentage points.
fn bootstrap_interval(differences: &[i8]) -> [f64; 2] {
    let n = differences.len();
    if n == 0 {
        return [0.0; 2];
    }
    let mut state = SEED;
    let mut means: Vec<i64> =
        (0..RESAMPLES).map(|_| (0..n).map(|_| i64::from(differences[next_below(&mut state, n)])).sum()).collect();
    means.sort_unstable();
    let at = |share: f64| 100.0 * means[((RESAMPLES - 1) as f64 * share).round() as usize] as f64 / n as f64;
    [at(0.025), at(0.975)]
}

/// Returns the next random number below `n`, by SplitMix64, which needs no library and is platform-independent.
fn next_below(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    ((u128::from(z) * n as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build_outcomes(right: &[bool]) -> Vec<Outcome> {
        let outcome = |(index, &right): (usize, &bool)| Outcome {
            id: format!("q{index}"),
            db_id: if index % 2 == 0 { "even" } else { "odd" }.to_owned(),
            spider: right,
            ..Outcome::default()
        };
        right.iter().enumerate().map(outcome).collect()
    }

    #[test]
    fn the_sign_test_is_exact() {
        assert!((sign_test(5, 5) - 1.0).abs() < 1e-9);
        assert!((sign_test(10, 0) - 2.0 / 1024.0).abs() < 1e-9);
        assert!((sign_test(8, 2) - 112.0 / 1024.0).abs() < 1e-9);
        assert!((sign_test(0, 0) - 1.0).abs() < 1e-9);
        assert!((0.02..0.03).contains(&sign_test(1550, 1430)), "a large pack does not underflow");
    }

    #[test]
    fn wins_losses_and_flips_are_counted_over_common_questions() {
        let base = build_outcomes(&[true, true, false, false, true]);
        let run = build_outcomes(&[true, false, true, false]);
        let found = compare_run_outcomes(("a", &base), ("b", &run), Rule::Spider).unwrap();
        assert_eq!(found.all, Pairs { wins: 1, losses: 1, both_right: 1, both_wrong: 1 });
        let odd = &found.by_database[1];
        assert_eq!((odd.name.as_str(), odd.pairs), ("odd", Pairs { losses: 1, both_wrong: 1, ..Pairs::default() }));
        let flips: Vec<_> = found.flips.iter().map(|f| (f.id.as_str(), f.won)).collect();
        assert_eq!(flips, [("q1", false), ("q2", true)]);
        assert_eq!(found.difference, 0.0);
        assert_eq!(compare_run_outcomes(("a", &base), ("b", &run), Rule::Spider2), None, "not judged by this rule");
    }

    #[test]
    fn the_interval_holds_the_difference_and_is_the_same_each_time() {
        let base = build_outcomes(&[false; 100]);
        let run = build_outcomes(&std::array::from_fn::<_, 100, _>(|i| i < 20));
        let found = compare_run_outcomes(("a", &base), ("b", &run), Rule::Spider).unwrap();
        let [low, high] = found.interval;
        // The normal approximation gives 20 plus or minus 7.8.
        assert!((11.0..=14.0).contains(&low) && (26.0..=29.0).contains(&high), "{low} to {high}");
        assert_eq!(compare_run_outcomes(("a", &base), ("b", &run), Rule::Spider).unwrap().interval, found.interval);
        let same = compare_run_outcomes(("a", &base), ("b", &base), Rule::Spider).unwrap();
        assert_eq!((same.interval, same.p), ([0.0, 0.0], 1.0));
    }
}
