//! What decided an estimate, in plain sentences.

use super::evidence::Evidence;
use super::features::Feature;
use super::fitted::Fitted;
use vitrine_domain::CertaintyReason;
use vitrine_words::{percent, plural, tr};

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
    let probability = evidence.probability.as_ref();
    let explained = evidence.explained.unwrap_or_default();
    Some(match (feature, supports) {
        (Feature::Agreement, _) if evidence.votes.of == 1 => tr!("Only one query was written for the answer."),
        (Feature::Agreement, _) => tr!(
            "{count} of {of} queries for the answer agree on this result.",
            count = evidence.votes.count,
            of = evidence.votes.of
        ),
        (Feature::Failures, true) => tr!("Every query that was tried ran."),
        (Feature::Failures, false) => tr!(
            "{count} of {of} queries that were tried did not run.",
            count = evidence.failed.count,
            of = evidence.failed.of
        ),
        (Feature::Results, true) => tr!("No query gave another result."),
        (Feature::Results, false) => {
            let others = evidence.results.saturating_sub(1);
            plural!(
                others,
                "The queries that were tried also gave another result.",
                "The queries that were tried also gave {n} other results."
            )
        }
        (Feature::Likelihood, true) => {
            tr!("The model was at ease with its query ({share} a word).", share = percent(probability?.mean()?))
        }
        (Feature::Likelihood, false) => {
            tr!("The model hesitated over its query ({share} a word).", share = percent(probability?.mean()?))
        }
        (Feature::Weakest, true) => tr!("At no point was the model torn between two ways to write the query."),
        (Feature::Weakest, false) => {
            tr!(
                "At one point of the query the model gave its choice only {share}.",
                share = percent(probability?.least()?)
            )
        }
        (Feature::Doubts, true) => tr!("No doubt came up while the query was written."),
        (Feature::Doubts, false) => {
            plural!(
                evidence.doubts,
                "One doubt came up while the query was written.",
                "{n} doubts came up while the query was written."
            )
        }
        (Feature::Empty, true) => return None,
        (Feature::Empty, false) => tr!("The answer is empty."),
        (Feature::Length, true) => tr!("The query is simple."),
        (Feature::Length, false) => tr!("The query has many parts, and such queries go wrong more often."),
        (Feature::Schema, true) => tr!("The database has few columns to mix up."),
        (Feature::Schema, false) => tr!("The database has {count} columns to mix up.", count = evidence.columns),
        (Feature::Samples, _) if evidence.broken.count > 0 => {
            tr!(
                "{count} of {of} further queries that ran gave the same result.",
                count = evidence.samples.count,
                of = evidence.samples.of
            )
        }
        (Feature::Samples, _) => tr!(
            "{count} of {of} further queries gave the same result.",
            count = evidence.samples.count,
            of = evidence.samples.of
        ),
        (Feature::Restated, _) if evidence.restated.of == 1 => match evidence.restated.count {
            0 => tr!("Put in other words, the question gave another result."),
            _ => tr!("Put in other words, the question gave the same result."),
        },
        (Feature::Restated, _) => {
            tr!(
                "{count} of {of} queries for the question in other words gave the same result.",
                count = evidence.restated.count,
                of = evidence.restated.of
            )
        }
        (Feature::Broken, true) => tr!("Every further query ran."),
        (Feature::Broken, false) => {
            tr!("{count} of {of} further queries did not run.", count = evidence.broken.count, of = evidence.broken.of)
        }
        (Feature::Unmatched, true) => tr!("The words of the question are found in the query."),
        (Feature::Unmatched, false) => {
            tr!(
                "{count} of {of} longer words of the question have no match in the query.",
                count = explained.unmatched.count,
                of = explained.unmatched.of
            )
        }
        (Feature::Open, true) => tr!("Question and query name the same things."),
        (Feature::Open, false) => {
            plural!(
                explained.open,
                "Question and query differ in one point.",
                "Question and query differ in {n} points."
            )
        }
        (Feature::Checks, true) => tr!("Nothing in the data suggests that a number is off."),
        (Feature::Checks, false) => {
            plural!(
                explained.checks,
                "One property of the data may change a number.",
                "{n} properties of the data may change a number."
            )
        }
    })
}
