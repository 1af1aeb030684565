//! Reasons of an estimate as plain sentences.

use super::evidence::{Evidence, Tally};
use super::features::Feature;
use super::fitted::Fitted;
use vitrine_domain::CertaintyReason;
use vitrine_words::{format_percent, plural, tr};

/// Maximum number of reasons that are shown.
pub(super) const MOST: usize = 6;
/// Minimum change of the log-odds that makes a feature a reason.
const NOTABLE: f64 = 0.15;

/// Returns the features that changed the estimate most, in descending order of their effect.
pub(super) fn collect_reasons(fitted: &Fitted, values: &[(Feature, f64)], evidence: &Evidence) -> Vec<CertaintyReason> {
    let mut moved: Vec<(f64, CertaintyReason)> = values
        .iter()
        .filter_map(|(feature, value)| {
            let shift = fitted.log_odds_shift(*feature, *value);
            let supports = shift > 0.0;
            let text = feature_sentence(*feature, supports, evidence)?;
            (shift.abs() >= NOTABLE)
                .then(|| (shift.abs(), CertaintyReason { code: feature.as_str().to_owned(), text, supports }))
        })
        .collect();
    moved.sort_by(|a, b| b.0.total_cmp(&a.0));
    moved.into_iter().map(|(_, reason)| reason).take(MOST).collect()
}

/// Returns a reason against an answer.
pub(super) fn against(code: &str, text: String) -> CertaintyReason {
    CertaintyReason { code: code.to_owned(), text, supports: false }
}

/// Adds the doubts that forbid a sure answer before the other reasons.
pub(super) fn add_doubts(reasons: &mut Vec<CertaintyReason>, evidence: &Evidence) {
    let mut add = |code: &str, text: String| {
        reasons.truncate(MOST - 1);
        reasons.insert(0, against(code, text));
    };
    if evidence.described {
        add("described", tr!("A table's description mentions rows that the query counts."));
    }
    if evidence.ambiguous {
        add("ambiguous", tr!("The question has two meanings that give different results."));
    }
    if evidence.contested {
        let text = tr!("A variant of the query fits the question better and gives a different result.");
        add("contested", text);
    }
    if evidence.fixed {
        add("fixed", tr!("The form of the query fixes its result, regardless of the data."));
    }
    if evidence.inconsistent {
        let text = tr!("The data contains several spellings of one value, which the query counts separately.");
        add("inconsistent", text);
    }
    if evidence.defined {
        add("defined", tr!("Rows excluded by a definition count as missing here, which may not be intended."));
    }
    if evidence.unlisted {
        add("unlisted", tr!("A list after NOT IN contains a missing value, so the condition is never true."));
    }
    if evidence.unknown {
        let text = tr!("Rows without a value are excluded by “not”; including them gives a different result.");
        add("unknown", text);
    }
    // An answer that ignores a part of the question answers another question, so this reason precedes all others.
    for unused in evidence.unused.iter().rev() {
        add("unused", unused.clone());
    }
}

/// Describes a feature in a sentence; `None` if there is nothing to report.
fn feature_sentence(feature: Feature, supports: bool, evidence: &Evidence) -> Option<String> {
    let probability = evidence.probability.as_ref();
    let explained = evidence.explained.unwrap_or_default();
    Some(match (feature, supports) {
        (Feature::Compared, _) => return None,
        (Feature::Agreement, _) if evidence.votes.of == 1 => tr!("Only one query was written for the answer."),
        (Feature::Agreement, _) => tr!(
            "{count} of {of} queries written for the answer gave this result.",
            count = evidence.votes.count,
            of = evidence.votes.of
        ),
        (Feature::Failures, true) => tr!("Every query that was tried ran."),
        (Feature::Failures, false) => tr!(
            "{count} of {of} queries that were tried failed.",
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
            tr!(
                "The model was confident in its query ({share} per token).",
                share = format_percent(probability?.mean_probability()?)
            )
        }
        (Feature::Likelihood, false) => {
            tr!(
                "The model was less confident in its query ({share} per token).",
                share = format_percent(probability?.mean_probability()?)
            )
        }
        (Feature::Weakest, true) => tr!("The model never hesitated between two ways to write the query."),
        (Feature::Weakest, false) => {
            tr!(
                "At one point of the query, the model's confidence was only {share}.",
                share = format_percent(probability?.lowest_probability()?)
            )
        }
        (Feature::Doubts, true) => tr!("No check questioned the query."),
        (Feature::Doubts, false) => {
            plural!(evidence.doubts, "One check questioned the query.", "{n} checks questioned the query.")
        }
        (Feature::Declined, true) => return None,
        (Feature::Declined, false) => {
            plural!(
                evidence.declined,
                "One reply stated that the data does not contain the answer.",
                "{n} replies stated that the data does not contain the answer."
            )
        }
        (Feature::Empty, true) => return None,
        (Feature::Empty, false) => tr!("The answer is empty."),
        (Feature::Length, true) => tr!("The query is simple."),
        (Feature::Length, false) => tr!("The query has many parts, and such queries are wrong more often."),
        (Feature::Schema, true) => tr!("The database has few columns that could be confused."),
        (Feature::Schema, false) => {
            tr!("The database has {count} columns that could be confused.", count = evidence.columns)
        }
        (Feature::Samples, _) => asked_again(evidence.samples, evidence.broken.count > 0),
        (Feature::Restated, _) if evidence.restated.of == 1 => match evidence.restated.count {
            0 => tr!("The rephrased question gave a different result."),
            _ => tr!("The rephrased question gave the same result."),
        },
        (Feature::Restated, _) => {
            tr!(
                "{count} of {of} queries for the rephrased question gave the same result.",
                count = evidence.restated.count,
                of = evidence.restated.of
            )
        }
        (Feature::Broken, true) => tr!("Every query that the model wrote as a check ran."),
        (Feature::Broken, false) => tr!(
            "{count} of {of} queries that the model wrote as a check failed.",
            count = evidence.broken.count,
            of = evidence.broken.of
        ),
        (Feature::Unmatched, true) => tr!("The query uses the words of the question."),
        (Feature::Unmatched, false) => {
            tr!(
                "{count} of {of} longer words of the question have no match in the query.",
                count = explained.unmatched.count,
                of = explained.unmatched.of
            )
        }
        (Feature::Open, true) => tr!("Question and query refer to the same things."),
        (Feature::Open, false) => {
            plural!(
                explained.open,
                "Question and query differ in one point.",
                "Question and query differ in {n} points."
            )
        }
        (Feature::Checks, true) => tr!("Nothing in the data suggests a wrong number."),
        (Feature::Checks, false) => {
            plural!(
                explained.checks,
                "One property of the data may change a number.",
                "{n} properties of the data may change a number."
            )
        }
    })
}

/// Describes the results of asking the same question again after the answer. These queries did not contribute to the answer and are
/// reported separately. `some_broke` is true if only the queries that ran are counted.
fn asked_again(Tally { count, of }: Tally, some_broke: bool) -> String {
    match (of, count, some_broke) {
        (1, 0, _) => {
            tr!("Asked again as a check, the model wrote a query with a different result.")
        }
        (1, _, _) => {
            tr!("Asked again as a check, the model wrote a query with the same result.")
        }
        (_, 0, false) => {
            tr!("Asked again as a check, the model wrote {of} queries; none gave this result.", of)
        }
        (_, 0, true) => {
            tr!("Asked again as a check, the model wrote {of} queries that ran; none gave this result.", of)
        }
        (_, _, false) => {
            tr!("Asked again as a check, the model wrote {of} queries; {count} gave the same result.", of, count)
        }
        (_, _, true) => {
            tr!(
                "Asked again as a check, the model wrote {of} queries that ran; {count} gave the same result.",
                of,
                count
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_text(feature: Feature, evidence: &Evidence) -> String {
        feature_sentence(feature, false, evidence).unwrap()
    }

    #[test]
    fn what_was_asked_as_a_check_does_not_read_as_if_it_were_of_the_answer() {
        let mut evidence = Evidence::default();
        (evidence.votes, evidence.samples) = (Tally { count: 2, of: 2 }, Tally { count: 0, of: 1 });
        assert_eq!(
            reason_text(Feature::Agreement, &evidence),
            "2 of 2 queries written for the answer gave this result."
        );
        assert_eq!(
            reason_text(Feature::Samples, &evidence),
            "Asked again as a check, the model wrote a query with a different result."
        );
        evidence.samples = Tally { count: 0, of: 4 };
        assert!(
            reason_text(Feature::Samples, &evidence).ends_with("the model wrote 4 queries; none gave this result.")
        );
        evidence.samples = Tally { count: 3, of: 4 };
        assert!(reason_text(Feature::Samples, &evidence).ends_with("wrote 4 queries; 3 gave the same result."));
        evidence.broken = Tally { count: 1, of: 5 };
        assert!(reason_text(Feature::Samples, &evidence).ends_with("4 queries that ran; 3 gave the same result."));
        assert_eq!(reason_text(Feature::Broken, &evidence), "1 of 5 queries that the model wrote as a check failed.");
    }
}
