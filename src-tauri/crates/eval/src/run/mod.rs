//! Runs a strategy over a pack. Outcomes are written as soon as each question is done; an interrupted run can be
//! resumed.

mod environment;
mod events;
mod folder;
mod measurement;
mod outcome;

pub use environment::EvalEnvironment;
pub(crate) use folder::percent_encoded;
pub use folder::{Run, RunRecord, events_file};
pub use outcome::Outcome;
pub(crate) use outcome::hardness_position;
use vitrine_words::tr;

use crate::metrics::{EVALUATOR_VERSION, Rule};
use crate::pack::{AmbiguityMode, EvalScope, GivenSchema, Pack, Question, Sample};
use environment::Databases;
use events::EventList;
use folder::RunFolder;
use futures::{StreamExt, stream};
use measurement::{Measurement, by_agent};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, AskSettings, ErrorCode, RunReport};

/// Options of an evaluation run.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// Settings for answering each question.
    pub settings: AskSettings,
    /// The selection of questions to ask.
    pub sample: Sample,
    /// The treatment of ambiguous questions.
    pub meaning: AmbiguityMode,
    /// The schema that the method receives.
    pub schema: GivenSchema,
    /// Number of questions to run in parallel.
    pub jobs: usize,
    /// Folder for `run.json`, `results.jsonl` and the events of each question.
    pub out: PathBuf,
    /// Resumes with the results that the folder already holds.
    pub resume: bool,
    /// A file of recorded replies: models are called only for missing replies, which are then added. Two runs that
    /// share the file differ only by their settings and not by chance.
    pub replies: Option<PathBuf>,
}

/// Progress of a run, reported after each question.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The outcome of the question.
    pub outcome: &'a Outcome,
    /// The rule of the pack.
    pub rule: Rule,
    /// The depth of the evaluation.
    pub scope: EvalScope,
    /// Number of finished questions, including skipped ones and questions of an earlier session.
    pub done: usize,
    /// Number of questions in the sample.
    pub total: usize,
    /// Successful questions so far: right by the pack's rule, or with all needed tables.
    pub right: usize,
    /// Number of skipped questions so far.
    pub left_out: usize,
    /// Estimated seconds until the end, by the pace of this session.
    pub seconds_left: f64,
}

/// Runs the pack. When all questions are done, the results are sorted in the pack's order; a cancelled run can be
/// resumed.
///
/// # Errors
/// Fails if the sample is empty, the folder holds other results or cannot be written, or the run was cancelled. An
/// error in a question only makes that question wrong.
pub async fn run_pack(
    pack: &Pack,
    environment: Arc<EvalEnvironment>,
    options: EvalOptions,
    cancel: CancellationToken,
    mut on_progress: impl FnMut(Progress<'_>),
) -> Result<Run, AppError> {
    let questions = pack.select_questions(&options.sample)?;
    let record = RunRecord {
        pack: pack.name.clone(),
        rule: pack.rule,
        evaluator: EVALUATOR_VERSION.to_owned(),
        sample: options.sample.clone(),
        meaning: options.meaning,
        scope: pack.scope,
        schema: options.schema,
        settings: options.settings.clone(),
        left_out: pack.left_out.clone(),
        missing_documents: pack.count_missing_documents(),
    };
    let (folder, mut outcomes) = RunFolder::start_or_resume(&options.out, &record, options.resume)?;
    let place: HashMap<&str, usize> = questions.iter().enumerate().map(|(i, q)| (q.id.as_str(), i)).collect();
    outcomes.retain(|outcome| place.contains_key(outcome.id.as_str()));
    let done: HashSet<String> = outcomes.iter().map(|outcome| outcome.id.clone()).collect();
    let todo = questions.iter().filter(|q| !done.contains(&q.id)).cloned();
    let todo: Vec<Question> = match options.meaning {
        AmbiguityMode::Any => todo.collect(),
        AmbiguityMode::One | AmbiguityMode::Asked => todo.map(Question::keep_interpretation).collect(),
    };

    let mut unasked: HashMap<String, usize> = HashMap::new();
    todo.iter().for_each(|question| *unasked.entry(question.warehouse.clone()).or_default() += 1);
    let warehouses: HashMap<String, String> =
        todo.iter().map(|question| (question.id.clone(), question.warehouse.clone())).collect();
    let began = (environment.clock)();
    let bench = Bench {
        environment,
        databases: Arc::default(),
        settings: options.settings,
        rule: pack.rule,
        meaning: options.meaning,
        schema: options.schema,
        scope: pack.scope,
        cancel,
    };
    let (at_once, replayed) = (options.jobs.max(1), options.replies.is_some());
    let mut results =
        stream::iter(todo).map(|question| bench.measure_question(question, &folder)).buffer_unordered(at_once);
    while let Some(result) = results.next().await {
        // A cancelled question has no outcome.
        let Some(outcome) = result? else { continue };
        let outcome = Outcome { at_once, replayed, ..outcome };
        folder.append_outcome(&outcome)?;
        if let Some(address) = warehouses.get(&outcome.id)
            && let Some(left) = unasked.get_mut(address)
        {
            *left -= 1;
            if *left == 0 {
                bench.release_database(address);
            }
        }
        outcomes.push(outcome);
        let seconds = ((bench.environment.clock)() - began) as f64 / 1000.0;
        let pace = seconds / (outcomes.len() - done.len()) as f64;
        on_progress(Progress {
            outcome: &outcomes[outcomes.len() - 1],
            rule: pack.rule,
            scope: pack.scope,
            done: outcomes.len(),
            total: questions.len(),
            right: outcomes.iter().filter(|o| o.went_well(pack.scope, pack.rule)).count(),
            left_out: outcomes.iter().filter(|o| o.left_out.is_some()).count(),
            seconds_left: pace * (questions.len() - outcomes.len()) as f64,
        });
    }
    drop(results);
    if bench.cancel.is_cancelled() {
        return Err(AppError::new(ErrorCode::Cancelled, tr!("The evaluation was stopped"))
            .with_hint(tr!("The same command with --resume continues")));
    }
    if !outcomes.is_sorted_by_key(|outcome| place[outcome.id.as_str()]) {
        outcomes.sort_by_key(|outcome| place[outcome.id.as_str()]);
        folder.rewrite_results(&outcomes)?;
    }
    Run::load(bench.settings.strategy.as_str(), &options.out)
}

/// State that all questions of a run share.
struct Bench {
    environment: Arc<EvalEnvironment>,
    databases: Arc<Databases>,
    settings: AskSettings,
    rule: Rule,
    meaning: AmbiguityMode,
    schema: GivenSchema,
    scope: EvalScope,
    cancel: CancellationToken,
}

impl Bench {
    /// Forgets a prepared database and closes its warehouse.
    fn release_database(&self, address: &str) {
        self.databases.lock().unwrap_or_else(PoisonError::into_inner).remove(address);
        (self.environment.release)(address);
    }

    /// Asks and judges one question in its own task, so that a panic affects only that question; `None` if the run was
    /// cancelled.
    async fn measure_question(&self, question: Question, folder: &RunFolder) -> Result<Option<Outcome>, AppError> {
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let sink = Arc::new(EventList::new(&question.id, self.environment.clock.clone()));
        let measurement = Measurement {
            question: question.clone(),
            sink: Arc::clone(&sink),
            environment: Arc::clone(&self.environment),
            databases: Arc::clone(&self.databases),
            settings: self.settings.clone(),
            rule: self.rule,
            meaning: self.meaning,
            schema: self.schema,
            scope: self.scope,
            cancel: self.cancel.clone(),
        };
        let runtime = tokio::runtime::Handle::current();
        let worked = tokio::task::spawn_blocking(move || runtime.block_on(measurement.measure_question())).await;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let events = sink.take_events();
        let lines: Vec<String> = events.iter().filter_map(|e| serde_json::to_string(e).ok()).collect();
        folder.write_events(&question.id, &lines.join("\n"))?;
        Ok(Some(worked.unwrap_or_else(|panic| {
            let report = RunReport::from_events(&events);
            Outcome {
                usage: report.usage,
                by_agent: by_agent(&report),
                ..Outcome::without_answer(&question, Some(format!("Something broke inside Vitrine: {panic}")))
            }
        })))
    }
}

#[cfg(test)]
mod tests;
