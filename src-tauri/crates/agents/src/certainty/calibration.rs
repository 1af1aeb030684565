//! Weights of the evidence for each model: fitted to judged answers where these exist, otherwise cautious defaults.

use super::evidence::Evidence;
use super::features::{Feature, Stage, feature_values};
use super::fitted::{Fitted, Weight};
use super::reasons;
use super::selector::ResultSelector;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vitrine_domain::certainty::{METRIC_REASON, UNMEASURED_REASON};
use vitrine_domain::{Certainty, CertaintyLevel, CertaintyReason};
use vitrine_words::{join_with_and, plural, tr};

/// A model whose answers were judged with the cautious weights. On held-out answers these distinguished right from wrong better than
/// weights fitted to the 71 other answers (docs/benchmarks.md).
struct Measured {
    model: &'static str,
    /// Date of the measurement, RFC 3339.
    date: &'static str,
    packs: &'static [&'static str],
    questions: usize,
    /// Minimum probability of a sure answer, after the further queries.
    sure: f64,
}

const MEASURED: &[Measured] = &[Measured {
    model: "qwen2.5-coder-1.5b",
    date: "2026-11-26T06:30:00Z",
    packs: &["bird_train", "spider_dev"],
    questions: 142,
    sure: 0.8,
}];
/// Version of the rules that judged the answers.
const EVALUATOR: &str = "2";

/// Weights of the evidence for one model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Name of the model in run logs; empty for the cautious weights of a model that was not measured.
    pub model: String,
    /// Date of the fit, RFC 3339.
    pub date: String,
    /// Packs whose questions the weights were fitted to.
    pub packs: Vec<String>,
    /// Number of questions that the weights were fitted to.
    pub questions: usize,
    /// Version of the rules that judged the answers.
    pub evaluator: String,
    /// Model for the estimate that is shown with the answer.
    pub first: Fitted,
    /// Model for the estimate after the further queries.
    pub firm: Fitted,
    /// Weights for choosing between compared results; absent if they were not fitted or choose worse than points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<ResultSelector>,
}

impl Default for Calibration {
    fn default() -> Self {
        Self::cautious_default()
    }
}

impl Calibration {
    /// Returns the built-in calibration for a model, or the cautious default.
    pub fn for_model(model: &str) -> Self {
        let Some(known) = MEASURED.iter().find(|known| known.model == model) else { return Self::cautious_default() };
        let cautious = Self::cautious_default();
        Self {
            model: known.model.to_owned(),
            date: known.date.to_owned(),
            packs: known.packs.iter().map(|pack| (*pack).to_owned()).collect(),
            questions: known.questions,
            evaluator: EVALUATOR.to_owned(),
            firm: Fitted { sure: known.sure, ..cautious.firm },
            ..cautious
        }
    }

    /// Returns weights for a model that was never measured: few, and with a high threshold. Token probabilities differ between models, so
    /// they have no weight here. Long queries were found to fail more often where candidates disagreed; if all queries agree, the length
    /// has no effect either.
    pub fn cautious_default() -> Self {
        let weights = |list: &[(Feature, f64, f64)]| {
            list.iter().map(|&(feature, weight, mean)| (feature, Weight { weight, mean })).collect::<BTreeMap<_, _>>()
        };
        let with_answer = [
            (Feature::Agreement, 3.0, 0.75),
            (Feature::Failures, -1.5, 0.05),
            (Feature::Doubts, -0.6, 0.3),
            // Few runs have such a reply.
            (Feature::Declined, -0.8, 0.0),
            (Feature::Empty, -2.0, 0.03),
            (Feature::Length, -0.4, 0.7),
        ];
        let behind = [
            (Feature::Samples, 2.5, 0.75),
            (Feature::Restated, 1.5, 0.7),
            (Feature::Broken, -0.8, 0.1),
            (Feature::Open, -0.4, 0.3),
        ];
        let firm: Vec<_> = with_answer.into_iter().chain(behind).collect();
        let fitted = |weights, sure| Fitted { bias: 1.0, weights, sure, unlikely: 0.5 };
        Self {
            model: String::new(),
            date: String::new(),
            packs: Vec::new(),
            questions: 0,
            evaluator: String::new(),
            first: fitted(weights(&with_answer), 0.9),
            firm: fitted(weights(&firm), 0.87),
            selector: None,
        }
    }

    /// Returns the fitted model of a stage.
    pub fn fitted_for(&self, stage: Stage) -> &Fitted {
        match stage {
            Stage::First => &self.first,
            Stage::Firm => &self.firm,
        }
    }

    /// Returns true if the weights were measured on answers of the model.
    pub fn is_measured(&self) -> bool {
        !self.model.is_empty()
    }

    /// Estimates the certainty of an answer.
    pub fn estimate(&self, evidence: &Evidence, stage: Stage) -> Certainty {
        let fitted = self.fitted_for(stage);
        if let Some(owners) = &evidence.metric_owners {
            return estimate_metrics(fitted, owners, evidence);
        }
        let mut values = feature_values(evidence, stage);
        if !self.is_measured() && evidence.is_unanimous() {
            values.retain(|(feature, value)| {
                *feature != Feature::Length || fitted.log_odds_shift(*feature, *value) > 0.0
            });
        }
        let probability = fitted.probability(&values);
        let mut reasons = reasons::collect_reasons(fitted, &values, evidence);
        reasons::add_doubts(&mut reasons, evidence);
        if !self.is_measured() {
            reasons.truncate(reasons::MOST - 1);
            reasons.push(CertaintyReason {
                code: UNMEASURED_REASON.to_owned(),
                text: tr!(
                    "The certainty of this model's answers has not been measured, so this is a cautious estimate."
                ),
                supports: false,
            });
        }
        // The threshold was measured on answers with further queries.
        let sure = match stage {
            Stage::Firm if !evidence.chosen && !evidence.is_asked_again() => {
                fitted.sure.max(Self::cautious_default().first.sure)
            }
            _ => fitted.sure,
        };
        let level = match probability {
            p if p < fitted.unlikely => CertaintyLevel::Unlikely,
            p if p >= sure && !evidence.forbids_sure() && !evidence.forbids_sure_by_data() => CertaintyLevel::Sure,
            _ => CertaintyLevel::Check,
        };
        Certainty { level, probability: (probability * 1e3).round() / 1e3, reasons }
    }
}

/// Estimates the certainty of an answer by metrics. No model wrote its query, so that nothing but the data and the definitions can be wrong:
/// it is sure unless something contradicts it. No share of right answers was measured; the probability is the lowest one of its level.
fn estimate_metrics(fitted: &Fitted, owners: &[String], evidence: &Evidence) -> Certainty {
    let text = match owners {
        [] => tr!("A metric defines this number, and every word of the question is used."),
        owners => tr!("Defined by {owners}, and every word of the question is used.", owners = join_with_and(owners)),
    };
    let mut reasons = vec![CertaintyReason { code: METRIC_REASON.to_owned(), text, supports: true }];
    reasons::add_doubts(&mut reasons, evidence);
    if evidence.empty {
        reasons.push(reasons::against("empty", tr!("The answer is empty.")));
    }
    if evidence.doubts > 0 {
        let text = plural!(evidence.doubts, "One check questioned the query.", "{n} checks questioned the query.");
        reasons.push(reasons::against("doubts", text));
    }
    let has_checks = evidence.explained.is_some_and(|explained| explained.checks > 0);
    if has_checks {
        reasons.push(reasons::against("checks", tr!("A property of the data may change a number.")));
    }
    let is_doubted = evidence.doubts > 0 || has_checks || evidence.forbids_sure() || evidence.forbids_sure_by_data();
    match is_doubted {
        true => Certainty { level: CertaintyLevel::Check, probability: fitted.unlikely, reasons },
        false => Certainty { level: CertaintyLevel::Sure, probability: fitted.sure.min(1.0), reasons },
    }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::{Explained, Tally};
    use super::*;

    #[test]
    fn a_long_query_is_sure_only_where_every_query_gave_its_result() {
        let all = |count: u32| Tally { count, of: count };
        let level = |samples: Tally, restated: Tally, broken: u32, doubts: u32| {
            let mut long = Evidence::default();
            (long.votes, long.parts, long.answered) = (all(2), 8, true);
            (long.failed, long.broken) = (Tally { count: 0, of: 2 }, Tally { count: broken, of: 3 });
            (long.samples, long.restated, long.doubts) = (samples, restated, doubts);
            long.explained = Some(Explained::default());
            Calibration::cautious_default().estimate(&long, Stage::Firm).level
        };
        assert_eq!(level(all(2), all(1), 0, 0), CertaintyLevel::Sure);
        assert_eq!(level(all(2), all(1), 0, 1), CertaintyLevel::Check, "a doubt came up");
        assert_eq!(level(Tally { count: 1, of: 2 }, all(1), 0, 0), CertaintyLevel::Check);
        assert_eq!(level(all(2), Tally { count: 0, of: 1 }, 0, 0), CertaintyLevel::Check);
        assert_eq!(level(all(2), all(1), 1, 0), CertaintyLevel::Check, "one did not run");
        assert_eq!(level(Tally::default(), Tally::default(), 0, 0), CertaintyLevel::Check, "nothing was asked again");
    }

    #[test]
    fn a_measured_threshold_is_for_answers_that_were_asked_again() {
        let known = Calibration::for_model(MEASURED[0].model);
        let all = |count: u32| Tally { count, of: count };
        let level = |samples: Tally, votes: u32| {
            let mut evidence = Evidence::default();
            (evidence.votes, evidence.failed) = (all(votes), Tally { count: 0, of: votes });
            (evidence.parts, evidence.samples, evidence.answered) = (3, samples, true);
            let certainty = known.estimate(&evidence, Stage::Firm);
            assert!(certainty.probability > known.firm.sure, "{certainty:?}");
            certainty.level
        };
        assert_eq!(level(all(4), 2), CertaintyLevel::Sure);
        assert_eq!(level(Tally::default(), 8), CertaintyLevel::Sure, "often enough before");
        assert_eq!(level(Tally::default(), 2), CertaintyLevel::Check, "nothing was asked again");
    }

    #[test]
    fn an_answer_by_metrics_is_sure_unless_something_contradicts_it() {
        let level = |change: &dyn Fn(&mut Evidence)| {
            let mut evidence = Evidence::default();
            (evidence.metric_owners, evidence.answered) = (Some(vec!["Finance".to_owned()]), true);
            (evidence.votes, evidence.failed) = (Tally { count: 1, of: 1 }, Tally { count: 0, of: 1 });
            change(&mut evidence);
            let certainty = Calibration::cautious_default().estimate(&evidence, Stage::First);
            assert!(!certainty.is_measured(), "no share of right answers was measured");
            assert!(certainty.reasons.iter().any(|reason| reason.text.contains("Finance") && reason.supports));
            certainty.level
        };
        assert_eq!(level(&|_| {}), CertaintyLevel::Sure);
        assert_eq!(level(&|evidence| evidence.empty = true), CertaintyLevel::Check);
        assert_eq!(level(&|evidence| evidence.doubts = 1), CertaintyLevel::Check);
        assert_eq!(level(&|evidence| evidence.inconsistent = true), CertaintyLevel::Check);
    }

    #[test]
    fn calibrations_that_come_with_the_program_are_of_their_models_and_can_be_used() {
        for Measured { model, .. } in MEASURED {
            let known = Calibration::for_model(model);
            assert_eq!(known.model, *model);
            assert!(known.questions >= 40, "a threshold needs answers");
            for fitted in [&known.first, &known.firm] {
                assert!(fitted.sure > fitted.unlikely && !fitted.weights.is_empty(), "{fitted:?}");
                let against = fitted.weights.iter().find(|(feature, of)| of.weight * feature.direction() < 0.0);
                assert_eq!(against, None, "no doubt speaks for an answer");
            }
        }
        assert!(!Calibration::for_model("another").is_measured());
    }
}
