//! Running a strategy over a pack. What comes of a question is written as soon as it is done; a run that was stopped
//! goes on where it ended.

use crate::attempt::{Attempt, EventList, by_agent};
use crate::folder::{Run, RunFolder, RunRecord};
use crate::meaning::Meaning;
use crate::metrics::{EVALUATOR_VERSION, Rule};
use crate::outcome::Outcome;
use crate::pack::{Pack, Question, Sample};
use crate::scope::Scope;
use futures::future::BoxFuture;
use futures::{StreamExt, stream};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use vitrine_agents::Models;
use vitrine_agents::run::sandbox::AnalysisSandbox;
use vitrine_domain::{AppError, AskSettings, Catalog, ErrorCode, Profile, RunReport};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// A database made ready for questions.
#[derive(Clone)]
pub struct Prepared {
    /// Where queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// What it holds.
    pub catalog: Arc<Catalog>,
    /// Functions of its own that a person lets queries call.
    pub allowed: AllowedFunctions,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// Its value index.
    pub values: Option<Arc<ValueIndex>>,
    /// For semantic matches.
    pub embedder: Option<Arc<dyn Embedder>>,
}

impl Prepared {
    pub(crate) fn prove(&self, sql: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(sql, &self.catalog, &self.allowed)
    }
}

/// What evaluation needs from the outside.
pub struct Lab {
    /// Makes the warehouse at an address ready.
    pub prepare: Box<dyn Fn(String) -> BoxFuture<'static, Result<Prepared, AppError>> + Send + Sync>,
    /// Milliseconds since some fixed moment.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Who answers.
    pub models: Models,
    /// Where one question's views are kept and analysed; gone with the question.
    pub sandbox: Box<dyn Fn() -> Option<Arc<dyn AnalysisSandbox>> + Send + Sync>,
}

/// Which questions, how, and where results go.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// How to work on each question.
    pub settings: AskSettings,
    /// Which questions.
    pub sample: Sample,
    /// What ambiguous ones mean.
    pub meaning: Meaning,
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
    pub scope: Scope,
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
    lab: Arc<Lab>,
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
        Meaning::Any => todo.collect(),
        Meaning::One | Meaning::Asked => todo.map(Question::meant).collect(),
    };

    let began = (lab.clock)();
    let bench = Bench {
        lab,
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
        let seconds = ((bench.lab.clock)() - began) as f64 / 1000.0;
        let pace = seconds / (outcomes.len() - done.len()) as f64;
        on_progress(Progress {
            outcome: &outcomes[outcomes.len() - 1],
            rule: pack.rule,
            scope: pack.scope,
            done: outcomes.len(),
            total: questions.len(),
            right: outcomes.iter().filter(|o| pack.scope.went_well(o, pack.rule)).count(),
            left_out: outcomes.iter().filter(|o| o.left_out.is_some()).count(),
            seconds_left: pace * (questions.len() - outcomes.len()) as f64,
        });
    }
    drop(results);
    if bench.cancel.is_cancelled() {
        return Err(AppError::new(ErrorCode::Cancelled, "The evaluation was stopped")
            .hint("The same command with --resume goes on from here"));
    }
    if !outcomes.is_sorted_by_key(|outcome| place[outcome.id.as_str()]) {
        outcomes.sort_by_key(|outcome| place[outcome.id.as_str()]);
        folder.rewrite(&outcomes)?;
    }
    Run::load(bench.settings.strategy.as_str(), &options.out)
}

/// Databases that are ready, each made so once however many questions wait for it.
pub(crate) type Databases = Mutex<HashMap<String, Arc<OnceCell<Prepared>>>>;

/// What all questions of a run share.
struct Bench {
    lab: Arc<Lab>,
    databases: Arc<Databases>,
    settings: AskSettings,
    rule: Rule,
    meaning: Meaning,
    scope: Scope,
    cancel: CancellationToken,
}

impl Bench {
    /// Asks and judges one question, on a thread of its own, so that whatever breaks there breaks alone; `None` when
    /// the run was cancelled.
    async fn measure(&self, question: Question, folder: &RunFolder) -> Result<Option<Outcome>, AppError> {
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let sink = Arc::new(EventList::new(&question.id, self.lab.clock.clone()));
        let attempt = Attempt {
            question: question.clone(),
            sink: Arc::clone(&sink),
            lab: Arc::clone(&self.lab),
            databases: Arc::clone(&self.databases),
            settings: self.settings.clone(),
            rule: self.rule,
            meaning: self.meaning,
            scope: self.scope,
            cancel: self.cancel.clone(),
        };
        let runtime = tokio::runtime::Handle::current();
        let worked = tokio::task::spawn_blocking(move || runtime.block_on(attempt.work())).await;
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
