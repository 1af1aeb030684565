//! Running a strategy over a pack. What comes of a question is written as soon as it is done; a run that was stopped
//! goes on where it ended.

mod environment;
mod events;
mod folder;
mod measurement;
mod outcome;

pub use environment::EvalEnvironment;
pub(crate) use folder::percent_encoded;
pub use folder::{Run, RunRecord, events_file};
pub use outcome::Outcome;
pub(crate) use outcome::grade;
use vitrine_words::tr;

use crate::metrics::{EVALUATOR_VERSION, Rule};
use crate::pack::{AmbiguityMode, EvalScope, Pack, Question, Sample};
use environment::Databases;
use events::EventList;
use folder::RunFolder;
use futures::{StreamExt, stream};
use measurement::{Measurement, by_agent};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, AskSettings, ErrorCode, RunReport};

/// Which questions, how, and where results go.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// How to work on each question.
    pub settings: AskSettings,
    /// Which questions.
    pub sample: Sample,
    /// What ambiguous ones mean.
    pub meaning: AmbiguityMode,
    /// Questions worked on at a time.
    pub jobs: usize,
    /// Folder for `run.json`, `results.jsonl` and the events of each question.
    pub out: PathBuf,
    /// Whether to go on with what the folder already holds.
    pub resume: bool,
    /// A file of replies: a model is asked only what it does not hold, and it keeps what was asked. Two runs that share
    /// it differ by what they were told to do and not by chance.
    pub replies: Option<PathBuf>,
}

/// How far a run is, told after each question.
#[derive(Debug)]
pub struct Progress<'a> {
    /// What came of the question.
    pub outcome: &'a Outcome,
    /// The pack's rule.
    pub rule: Rule,
    /// How far questions are taken.
    pub scope: EvalScope,
    /// Questions done, those of an earlier sitting and those left out included.
    pub done: usize,
    /// All questions of the sample.
    pub total: usize,
    /// Those so far that went well: right by the pack's rule, or with all the tables that they need.
    pub right: usize,
    /// Those so far that do not count.
    pub left_out: usize,
    /// Seconds until the end, by the pace of this sitting.
    pub seconds_left: f64,
}

/// Runs the pack. Once all is done the results lie in the pack's order; a run that was cancelled can be resumed.
///
/// # Errors
/// When the sample is empty, the folder holds other results or cannot be written, and when it was cancelled. A question
/// that goes wrong, in whatever way, is only wrong.
pub async fn run_pack(
    pack: &Pack,
    environment: Arc<EvalEnvironment>,
    options: EvalOptions,
    cancel: CancellationToken,
    mut on_progress: impl FnMut(Progress<'_>),
) -> Result<Run, AppError> {
    let questions = pack.select(&options.sample)?;
    let record = RunRecord {
        pack: pack.name.clone(),
        rule: pack.rule,
        evaluator: EVALUATOR_VERSION.to_owned(),
        sample: options.sample.clone(),
        meaning: options.meaning,
        scope: pack.scope,
        settings: options.settings.clone(),
        left_out: pack.left_out.clone(),
    };
    let (folder, mut outcomes) = RunFolder::begin(&options.out, &record, options.resume)?;
    let place: HashMap<&str, usize> = questions.iter().enumerate().map(|(i, q)| (q.id.as_str(), i)).collect();
    outcomes.retain(|outcome| place.contains_key(outcome.id.as_str()));
    let done: HashSet<String> = outcomes.iter().map(|outcome| outcome.id.clone()).collect();
    let todo = questions.iter().filter(|q| !done.contains(&q.id)).cloned();
    let todo: Vec<Question> = match options.meaning {
        AmbiguityMode::Any => todo.collect(),
        AmbiguityMode::One | AmbiguityMode::Asked => todo.map(Question::meant).collect(),
    };

    let began = (environment.clock)();
    let bench = Bench {
        environment,
        databases: Arc::default(),
        settings: options.settings,
        rule: pack.rule,
        meaning: options.meaning,
        scope: pack.scope,
        cancel,
    };
    let (at_once, replayed) = (options.jobs.max(1), options.replies.is_some());
    let mut results = stream::iter(todo).map(|question| bench.measure(question, &folder)).buffer_unordered(at_once);
    while let Some(result) = results.next().await {
        // Nothing comes of a question that was cancelled.
        let Some(outcome) = result? else { continue };
        let outcome = Outcome { at_once, replayed, ..outcome };
        folder.append(&outcome)?;
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
            .hint(tr!("The same command with --resume goes on from here")));
    }
    if !outcomes.is_sorted_by_key(|outcome| place[outcome.id.as_str()]) {
        outcomes.sort_by_key(|outcome| place[outcome.id.as_str()]);
        folder.rewrite(&outcomes)?;
    }
    Run::load(bench.settings.strategy.as_str(), &options.out)
}

/// What all questions of a run share.
struct Bench {
    environment: Arc<EvalEnvironment>,
    databases: Arc<Databases>,
    settings: AskSettings,
    rule: Rule,
    meaning: AmbiguityMode,
    scope: EvalScope,
    cancel: CancellationToken,
}

impl Bench {
    /// Asks and judges one question, on a thread of its own, so that whatever breaks there breaks alone; `None` when
    /// the run was cancelled.
    async fn measure(&self, question: Question, folder: &RunFolder) -> Result<Option<Outcome>, AppError> {
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
            scope: self.scope,
            cancel: self.cancel.clone(),
        };
        let runtime = tokio::runtime::Handle::current();
        let worked = tokio::task::spawn_blocking(move || runtime.block_on(measurement.work())).await;
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let events = sink.take();
        let lines: Vec<String> = events.iter().filter_map(|e| serde_json::to_string(e).ok()).collect();
        folder.write_events(&question.id, &lines.join("\n"))?;
        Ok(Some(worked.unwrap_or_else(|panic| {
            let report = RunReport::fold(&events);
            Outcome {
                usage: report.usage,
                by_agent: by_agent(&report),
                ..Outcome::missing(&question, Some(format!("Something broke inside Vitrine: {panic}")))
            }
        })))
    }
}

#[cfg(test)]
mod tests;
