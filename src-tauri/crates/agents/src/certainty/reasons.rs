//! What decided an estimate, in plain sentences.

use super::evidence::{Evidence, Tally};
use super::features::Feature;
use super::fitted::Fitted;
use vitrine_domain::CertaintyReason;

/// Reasons that are told at most.
pub(super) const MOST: usize = 6;
/// A feature that moves the logarithm of the odds by less is no reason.
const NOTABLE: f64 = 0.15;

/// The features that moved the estimate most, the weightiest first.
pub(super) fn of(fitted: &Fitted, values: &[(Feature, f64)], evidence: &Evidence) -> Vec<CertaintyReason> {
    let mut moved: Vec<(f64, CertaintyReason)> = values
        .iter()
        .filter_map(|(feature, value)| {
            let shift = fitted.shift(*feature, *value);
            let supports = shift > 0.0;
            let text = sentence(*feature, supports, evidence)?;
            (shift.abs() >= NOTABLE)
                .then(|| (shift.abs(), CertaintyReason { code: feature.as_str().to_owned(), text, supports }))
        })
        .collect();
    moved.sort_by(|a, b| b.0.total_cmp(&a.0));
    moved.into_iter().map(|(_, reason)| reason).take(MOST).collect()
}

/// A feature in a sentence; `None` where there is nothing to tell.
fn sentence(feature: Feature, supports: bool, evidence: &Evidence) -> Option<String> {
    let of = |tally: Tally| format!("{} of {}", tally.count, tally.of);
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let times = |count: u32, one: &str, many: &str| match count {
        1 => one.to_owned(),
        more => format!("{more} {many}"),
    };
    let probability = evidence.probability.as_ref();
    let explained = evidence.explained.unwrap_or_default();
    Some(match (feature, supports) {
        (Feature::Agreement, _) if evidence.votes.of == 1 => "Only one query was written for the answer.".to_owned(),
        (Feature::Agreement, _) => format!("{} queries for the answer agree on this result.", of(evidence.votes)),
        (Feature::Failures, true) => "Every query that was tried ran.".to_owned(),
        (Feature::Failures, false) => format!("{} queries that were tried did not run.", of(evidence.failed)),
        (Feature::Results, true) => "No query gave another result.".to_owned(),
        (Feature::Results, false) => {
            let others = evidence.results.saturating_sub(1);
            format!("The queries that were tried also gave {}.", times(others, "another result", "other results"))
        }
        (Feature::Likelihood, true) => {
            format!("The model was at ease with its query ({} a word).", percent(probability?.mean()?))
        }
        (Feature::Likelihood, false) => {
            format!("The model hesitated over its query ({} a word).", percent(probability?.mean()?))
        }
        (Feature::Weakest, true) => "At no point was the model torn between two ways to write the query.".to_owned(),
        (Feature::Weakest, false) => {
            format!("At one point of the query the model gave its choice only {}.", percent(probability?.least()?))
        }
        (Feature::Doubts, true) => "No doubt came up while the query was written.".to_owned(),
        (Feature::Doubts, false) => {
            format!("{} came up while the query was written.", times(evidence.doubts, "One doubt", "doubts"))
        }
        (Feature::Empty, true) => return None,
        (Feature::Empty, false) => "The answer is empty.".to_owned(),
        (Feature::Length, true) => "The query is simple.".to_owned(),
        (Feature::Length, false) => "The query has many parts, and such queries go wrong more often.".to_owned(),
        (Feature::Schema, true) => "The database has few columns to mix up.".to_owned(),
        (Feature::Schema, false) => format!("The database has {} columns to mix up.", evidence.columns),
        (Feature::Samples, _) if evidence.broken.count > 0 => {
            format!("{} further queries that ran gave the same result.", of(evidence.samples))
        }
        (Feature::Samples, _) => format!("{} further queries gave the same result.", of(evidence.samples)),
        (Feature::Restated, _) if evidence.restated.of == 1 => match evidence.restated.count {
            0 => "Put in other words, the question gave another result.".to_owned(),
            _ => "Put in other words, the question gave the same result.".to_owned(),
        },
        (Feature::Restated, _) => {
            format!("{} queries for the question in other words gave the same result.", of(evidence.restated))
        }
        (Feature::Broken, true) => "Every further query ran.".to_owned(),
        (Feature::Broken, false) => format!("{} further queries did not run.", of(evidence.broken)),
        (Feature::Unmatched, true) => "The words of the question are found in the query.".to_owned(),
        (Feature::Unmatched, false) => {
            format!("{} longer words of the question have no match in the query.", of(explained.unmatched))
        }
        (Feature::Open, true) => "Question and query name the same things.".to_owned(),
        (Feature::Open, false) => {
            format!("Question and query differ in {}.", times(explained.open, "one point", "points"))
        }
        (Feature::Checks, true) => "Nothing in the data suggests that a number is off.".to_owned(),
        (Feature::Checks, false) => {
            format!("{} of the data may change a number.", times(explained.checks, "One property", "properties"))
        }
    })
}
