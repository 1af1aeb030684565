//! Calibrating a model's certainty from finished runs: weights are fitted to every second question, and what they are worth
//! is measured on the others. The model is not asked again: the events of the runs say all.

use crate::metrics::EVALUATOR_VERSION;
use crate::report::CertaintySummary;
use crate::run::{Outcome, Run};
use std::collections::BTreeSet;
use vitrine_agents::certainty::{Calibration, Evidence, Example, Stage, fit, values};
use vitrine_domain::{Agent, AppError, Certainty, ErrorCode, EventBody};
use vitrine_words::tr;

/// A calibration with what it is worth.
#[derive(Debug, Clone)]
pub struct Calibrated {
    /// The weights.
    pub calibration: Calibration,
    /// Certainty of the questions that were left out of the fit, by the estimate with the answer.
    pub first: Option<CertaintySummary>,
    /// The same by the estimate after the work behind the answer.
    pub firm: Option<CertaintySummary>,
    /// The firm estimate for each question that was left out: pack, id, certainty, whether the answer is right.
    pub left_out: Vec<(String, String, Certainty, bool)>,
}

/// An answer of a run.
struct Answer {
    pack: String,
    id: String,
    evidence: Evidence,
    right: bool,
}

/// Fits the weights of a model to the answers to every second question of some runs. `date` is RFC 3339.
///
/// # Errors
/// When the runs are of several models, their events are gone, or they have too few answers, right or wrong.
pub fn calibrate(runs: &[Run], date: &str) -> Result<Calibrated, AppError> {
    let mut models = BTreeSet::new();
    let (mut fitted, mut others) = (Vec::new(), Vec::new());
    for run in runs {
        for (index, outcome) in run.outcomes.iter().enumerate() {
            let (evidence, model) = evidence(run, outcome)?;
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
        return Err(
            usage(tr!("These are not the runs of one model")).hint(tr!("Name the folders of runs with the same model"))
        );
    };
    let right = fitted.iter().filter(|answer| answer.right).count();
    if right == 0 || right == fitted.len() {
        return Err(usage(tr!("There are not both right and wrong answers among every second question"))
            .hint(tr!("Calibrate with runs over more questions")));
    }
    let cautious = Calibration::cautious();
    let weights = |stage: Stage| {
        let example = |answer: &Answer| Example { values: values(&answer.evidence, stage), right: answer.right };
        fit(&fitted.iter().map(example).collect::<Vec<_>>(), cautious.of(stage))
    };
    let packs: BTreeSet<String> = runs.iter().map(|run| run.pack.clone()).collect();
    let calibration = Calibration {
        model,
        date: date.to_owned(),
        packs: packs.into_iter().collect(),
        questions: fitted.len(),
        evaluator: EVALUATOR_VERSION.to_owned(),
        first: weights(Stage::First),
        firm: weights(Stage::Firm),
    };
    let judged = |stage: Stage| -> Vec<(Certainty, bool)> {
        others.iter().map(|answer| (calibration.estimate(&answer.evidence, stage), answer.right)).collect()
    };
    let summary = |judged: &[(Certainty, bool)]| CertaintySummary::of(judged.iter().map(|(c, right)| (c, *right)));
    let (first, firm) = (judged(Stage::First), judged(Stage::Firm));
    let named = others.iter().zip(&firm);
    Ok(Calibrated {
        first: summary(&first),
        firm: summary(&firm),
        left_out: named.map(|(a, (c, right))| (a.pack.clone(), a.id.clone(), c.clone(), *right)).collect(),
        calibration,
    })
}

/// What a question's events say of its answer, and the model that wrote it.
fn evidence(run: &Run, outcome: &Outcome) -> Result<(Evidence, Option<String>), AppError> {
    let mut model = None;
    let mut evidence = Evidence::default();
    for event in run.events(&outcome.id)? {
        if let EventBody::RunStarted { models, .. } = &event.body {
            model = models.get(&Agent::Generator).cloned();
        }
        evidence.apply(&event.body);
    }
    Ok((evidence, model))
}

fn usage(message: String) -> AppError {
    AppError::new(ErrorCode::Usage, message)
}
