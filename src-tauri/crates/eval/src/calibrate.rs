//! Calibration of a model's certainty from finished runs: fits weights to every second question and evaluates them on
//! the others. Uses the stored events only; no model is called.

mod selection;

pub use selection::SelectionQuality;

use crate::metrics::EVALUATOR_VERSION;
use crate::report::CertaintySummary;
use crate::run::{Outcome, Run};
use std::collections::BTreeSet;
use vitrine_agents::certainty::{Calibration, Evidence, Example, Stage, feature_values, fit_examples};
use vitrine_domain::{Agent, AppError, Certainty, ErrorCode, EventBody};
use vitrine_words::tr;

/// A calibration and its quality on the held-out questions.
#[derive(Debug, Clone)]
pub struct Calibrated {
    /// The fitted weights of the evidence.
    pub calibration: Calibration,
    /// Certainty of the held-out questions, by the estimate made with the answer.
    pub first: Option<CertaintySummary>,
    /// Certainty of the held-out questions, by the estimate after all checks.
    pub firm: Option<CertaintySummary>,
    /// The final estimate for each held-out question: pack, id, certainty, and `true` if the answer is right.
    pub left_out: Vec<(String, String, Certainty, bool)>,
    /// Choice between compared results; `None` if too few questions have right and wrong results.
    pub selection: Option<SelectionQuality>,
}

struct Answer {
    pack: String,
    id: String,
    evidence: Evidence,
    right: bool,
}

/// Fits a model's weights to the answers to every second question of the given runs. `date` is RFC 3339.
///
/// # Errors
/// Fails if the runs use several models, their events are missing, or the fitted answers are not both right and wrong.
pub fn calibrate_weights(runs: &[Run], date: &str) -> Result<Calibrated, AppError> {
    let mut models = BTreeSet::new();
    let (mut fitted, mut others) = (Vec::new(), Vec::new());
    for run in runs {
        for (index, outcome) in run.outcomes.iter().enumerate() {
            let (evidence, model) = collect_evidence(run, outcome)?;
            models.extend(model);
            if evidence.answered {
                let right = outcome.is_right(run.rule);
                let answer = Answer { pack: run.pack.clone(), id: outcome.id.clone(), evidence, right };
                if index % 2 == 0 { fitted.push(answer) } else { others.push(answer) }
            }
        }
    }
    let mut models = models.into_iter();
    let (Some(model), None) = (models.next(), models.next()) else {
        return Err(usage_error(tr!("These are not the runs of one model"))
            .with_hint(tr!("Name the folders of runs with the same model")));
    };
    let right = fitted.iter().filter(|answer| answer.right).count();
    if right == 0 || right == fitted.len() {
        return Err(usage_error(tr!("There are not both right and wrong answers among every second question"))
            .with_hint(tr!("Calibrate with runs over more questions")));
    }
    let cautious = Calibration::cautious_default();
    let weights = |stage: Stage| {
        let example =
            |answer: &Answer| Example { values: feature_values(&answer.evidence, stage), right: answer.right };
        fit_examples(&fitted.iter().map(example).collect::<Vec<_>>(), cautious.fitted_for(stage))
    };
    let (selector, selection) = selection::fit_selector(runs)?;
    let packs: BTreeSet<String> = runs.iter().map(|run| run.pack.clone()).collect();
    let calibration = Calibration {
        model,
        date: date.to_owned(),
        packs: packs.into_iter().collect(),
        questions: fitted.len(),
        evaluator: EVALUATOR_VERSION.to_owned(),
        first: weights(Stage::First),
        firm: weights(Stage::Firm),
        selector,
    };
    let judged = |stage: Stage| -> Vec<(Certainty, bool)> {
        others.iter().map(|answer| (calibration.estimate(&answer.evidence, stage), answer.right)).collect()
    };
    let summary =
        |judged: &[(Certainty, bool)]| CertaintySummary::from_answers(judged.iter().map(|(c, right)| (c, *right)));
    let (first, firm) = (judged(Stage::First), judged(Stage::Firm));
    let named = others.iter().zip(&firm);
    Ok(Calibrated {
        first: summary(&first),
        firm: summary(&firm),
        left_out: named.map(|(a, (c, right))| (a.pack.clone(), a.id.clone(), c.clone(), *right)).collect(),
        calibration,
        selection,
    })
}

/// Computes the evidence for a question's answer from its events, and returns the model that generated the answer.
fn collect_evidence(run: &Run, outcome: &Outcome) -> Result<(Evidence, Option<String>), AppError> {
    let mut model = None;
    let mut evidence = Evidence::default();
    for event in run.read_events(&outcome.id)? {
        if let EventBody::RunStarted { models, .. } = &event.body {
            model = models.get(&Agent::Generator).cloned();
        }
        evidence.apply(&event.body);
    }
    Ok((evidence, model))
}

fn usage_error(message: String) -> AppError {
    AppError::new(ErrorCode::Usage, message)
}
