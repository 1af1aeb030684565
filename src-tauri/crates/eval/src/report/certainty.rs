//! Reliability of the stated certainty.

use super::share::Share;
use serde::Serialize;
use vitrine_domain::{Certainty, CertaintyLevel};

/// Number of bins in the reliability diagram.
const BINS: usize = 5;

/// Reliability of the certainty of a set of answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CertaintySummary {
    /// Number of answers with a known certainty.
    pub answers: usize,
    /// Right answers among those called sure.
    pub sure_right: Share,
    /// Answers called sure, of all.
    pub called_sure: Share,
    /// Wrong answers that were not called sure, of all wrong answers.
    pub wrong_flagged: Share,
    /// Answers grouped by their stated probability.
    pub bins: Vec<Bin>,
}

/// Answers with probabilities between two bounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bin {
    /// The lower bound, 0 to 1.
    pub from: f64,
    /// The upper bound, 0 to 1.
    pub to: f64,
    /// The mean of the stated probabilities.
    pub said: f64,
    /// Right answers of the bin, of all its answers.
    pub right: Share,
}

impl CertaintySummary {
    /// Summarizes answers, each with `true` if it is right; `None` if there are none.
    pub fn from_answers<'a>(answers: impl IntoIterator<Item = (&'a Certainty, bool)>) -> Option<Self> {
        let answers: Vec<(&Certainty, bool)> = answers.into_iter().collect();
        let is_sure = |certainty: &Certainty| certainty.level == CertaintyLevel::Sure;
        let sure = || answers.iter().filter(|(certainty, _)| is_sure(certainty));
        let wrong = || answers.iter().filter(|(_, right)| !right);
        let bin = |index: usize| {
            let place = |probability: f64| ((probability * BINS as f64) as usize).min(BINS - 1);
            let inside = || answers.iter().filter(move |(certainty, _)| place(certainty.probability) == index);
            let right = Share::new(inside().filter(|(_, right)| *right).count(), inside().count());
            let said = inside().map(|(certainty, _)| certainty.probability).sum::<f64>() / right.of.max(1) as f64;
            let bound = |index: usize| index as f64 / BINS as f64;
            (right.of > 0).then(|| Bin { from: bound(index), to: bound(index + 1), said, right })
        };
        (!answers.is_empty()).then(|| Self {
            answers: answers.len(),
            sure_right: Share::new(sure().filter(|(_, right)| *right).count(), sure().count()),
            called_sure: Share::new(sure().count(), answers.len()),
            wrong_flagged: Share::new(wrong().filter(|(certainty, _)| !is_sure(certainty)).count(), wrong().count()),
            bins: (0..BINS).filter_map(bin).collect(),
        })
    }

    /// Returns the summary as one sentence.
    pub fn to_sentence(&self) -> String {
        let of = |share: Share| format!("{} of {} ({:.0}%)", share.count, share.of, share.percent());
        format!(
            "Certainty of {} answers: called sure {}, right of these {}; wrong ones that were flagged {}.",
            self.answers,
            of(self.called_sure),
            of(self.sure_right),
            of(self.wrong_flagged),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_that_were_called_sure_are_counted() {
        let certainty = |probability, level| Certainty { level, probability, reasons: Vec::new() };
        let sure = |probability| certainty(probability, CertaintyLevel::Sure);
        let check = |probability| certainty(probability, CertaintyLevel::Check);
        let answers =
            [(sure(0.95), true), (sure(1.0), true), (sure(0.9), false), (check(0.5), false), (check(0.45), true)];
        let summary =
            CertaintySummary::from_answers(answers.iter().map(|(certainty, right)| (certainty, *right))).unwrap();
        let shares = [summary.sure_right, summary.called_sure, summary.wrong_flagged].map(|s| (s.count, s.of));
        assert_eq!(shares, [(2, 3), (3, 5), (1, 2)]);
        let bins: Vec<(f64, usize, usize)> = summary.bins.iter().map(|b| (b.from, b.right.count, b.right.of)).collect();
        assert_eq!(bins, [(0.4, 1, 2), (0.8, 2, 3)]);
        assert_eq!(CertaintySummary::from_answers([]), None);
    }
}
