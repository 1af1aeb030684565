//! Running a strategy over a pack. One line of JSON per question is written as soon as it is done; a run that was
//! stopped goes on where it ended.

use crate::metrics;
use crate::pack::{Pack, Question};
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, Models, RunSink};
use vitrine_domain::{AppError, AskSettings, Catalog, ErrorCode, EventBody, Page, Profile, RunEvent, RunReport, Usage};
use vitrine_sql::ReadOnlySql;
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::{Limits, Warehouse};

/// Rows of a result that are compared.
const COMPARED_ROWS: u64 = 100_000;

/// A database made ready for questions.
#[derive(Clone)]
pub struct Prepared {
    /// Where queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// What it holds.
    pub catalog: Arc<Catalog>,
    /// Its profile.
    pub profile: Arc<Profile>,
    /// Its value index.
    pub values: Option<Arc<ValueIndex>>,
    /// For semantic matches.
    pub embedder: Option<Arc<dyn Embedder>>,
}

/// What evaluation needs from the outside.
pub struct Lab {
    /// Makes a database file ready.
    pub prepare: Box<dyn Fn(PathBuf) -> BoxFuture<'static, Result<Prepared, AppError>> + Send + Sync>,
    /// Milliseconds since some fixed moment.
    pub clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Who answers.
    pub models: Models,
}

/// Which questions, how, and where results go.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// How to work on each question.
    pub settings: AskSettings,
    /// Every K-th question.
    pub every: usize,
    /// From this one on.
    pub offset: usize,
    /// At most so many.
    pub limit: Option<usize>,
    /// Folder for `results.jsonl` and the events of each run.
    pub out: PathBuf,
}

/// How one question went.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// The question's id.
    pub id: String,
    /// Its database.
    pub db_id: String,
    /// The pack's grading.
    pub hardness: String,
    /// By Spider's rule.
    pub spider: bool,
    /// By BIRD's rule.
    pub bird: bool,
    /// Whether there was an answer at all.
    pub answered: bool,
    /// The final SQL.
    pub sql: Option<String>,
    /// The first gold SQL.
    pub gold: String,
    /// Why there is no answer.
    pub error: Option<String>,
    /// What it cost.
    pub usage: Usage,
    /// What each agent cost.
    pub by_agent: BTreeMap<String, Usage>,
}

/// Runs the pack; `on_outcome` hears of each question with (done, total). Resumes from `results.jsonl`.
///
/// # Errors
/// Fails when the output folder cannot be written; a bad question never stops the run.
pub async fn run_pack(
    pack: &Pack,
    lab: &Lab,
    options: &EvalOptions,
    cancel: CancellationToken,
    mut on_outcome: impl FnMut(&Outcome, usize, usize),
) -> Result<Vec<Outcome>, AppError> {
    let path = options.out.join("results.jsonl");
    let unwritable = |e: std::io::Error| {
        AppError::new(ErrorCode::Internal, format!("{} cannot be written", path.display())).detail(e)
    };
    std::fs::create_dir_all(options.out.join("events")).map_err(unwritable)?;
    let mut outcomes = read_results(&path)?;
    let done: HashSet<String> = outcomes.iter().map(|o| o.id.clone()).collect();
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path).map_err(unwritable)?;
    let questions = pack.select(options.every, options.offset, options.limit);
    let mut prepared: BTreeMap<String, Prepared> = BTreeMap::new();
    for question in &questions {
        if done.contains(&question.id) || cancel.is_cancelled() {
            continue;
        }
        let outcome = match database(pack, lab, &mut prepared, &question.db_id).await {
            Ok(database) => work(question, &database, lab, options, &cancel).await,
            Err(error) => missing(question, error.to_string()),
        };
        if cancel.is_cancelled() {
            break;
        }
        writeln!(file, "{}", serde_json::to_string(&outcome).unwrap_or_default()).map_err(unwritable)?;
        outcomes.push(outcome);
        on_outcome(outcomes.last().expect("just pushed"), outcomes.len(), questions.len());
    }
    Ok(outcomes)
}

/// Reads what an earlier run wrote; a torn last line is dropped.
pub fn read_results(path: &Path) -> Result<Vec<Outcome>, AppError> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(Vec::new()) };
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

async fn database(
    pack: &Pack,
    lab: &Lab,
    prepared: &mut BTreeMap<String, Prepared>,
    db_id: &str,
) -> Result<Prepared, AppError> {
    if let Some(ready) = prepared.get(db_id) {
        return Ok(ready.clone());
    }
    let ready = (lab.prepare)(pack.database(db_id)).await?;
    prepared.insert(db_id.to_owned(), ready.clone());
    Ok(ready)
}

async fn work(
    question: &Question,
    database: &Prepared,
    lab: &Lab,
    options: &EvalOptions,
    cancel: &CancellationToken,
) -> Outcome {
    let sink = Arc::new(EventList {
        began: (lab.clock)(),
        clock: lab.clock.clone(),
        run_id: question.id.clone(),
        events: Mutex::new(Vec::new()),
    });
    let ask = Ask {
        question: question.question.clone(),
        knowledge: question.evidence.clone().filter(|e| !e.trim().is_empty()),
        settings: options.settings.clone(),
        warehouse_uri: question.db_id.clone(),
        warehouse: database.warehouse.clone(),
        catalog: database.catalog.clone(),
        profile: database.profile.clone(),
        values: database.values.clone(),
        embedder: database.embedder.clone(),
        models: lab.models.clone(),
        started_at: String::new(),
    };
    let _ = vitrine_agents::run(ask, sink.clone(), cancel.clone()).await;
    let events = std::mem::take(&mut *sink.events.lock().expect("events"));
    let lines: Vec<String> = events.iter().filter_map(|e| serde_json::to_string(e).ok()).collect();
    let _ = std::fs::write(options.out.join("events").join(format!("{}.jsonl", question.id)), lines.join("\n"));
    let report = RunReport::fold(&events);
    let (spider, bird) = judge(question, database, report.sql.as_deref().filter(|_| report.page.is_some())).await;
    Outcome {
        spider,
        bird,
        answered: report.page.is_some(),
        sql: report.sql,
        error: report.finished.flatten().map(|e| e.to_string()),
        usage: report.usage,
        by_agent: report.usage_by_agent.into_iter().map(|(a, u)| (a.as_str().to_owned(), u)).collect(),
        ..missing(question, String::new())
    }
}

fn missing(question: &Question, error: String) -> Outcome {
    Outcome {
        id: question.id.clone(),
        db_id: question.db_id.clone(),
        hardness: question.hardness.clone().unwrap_or_default(),
        spider: false,
        bird: false,
        answered: false,
        sql: None,
        gold: question.gold_sql[0].clone(),
        error: Some(error),
        usage: Usage::default(),
        by_agent: BTreeMap::new(),
    }
}

/// Compares the predicted result with every gold result; both are run here, in full.
async fn judge(question: &Question, database: &Prepared, sql: Option<&str>) -> (bool, bool) {
    let Some(predicted) = rows(database, sql).await else { return (false, false) };
    let mut verdict = (false, false);
    for gold_sql in &question.gold_sql {
        let Some((gold, ordered)) = rows(database, Some(gold_sql)).await else { continue };
        verdict.0 |= metrics::spider(&predicted.0, &gold, ordered);
        verdict.1 |= metrics::bird(&predicted.0, &gold);
    }
    verdict
}

async fn rows(database: &Prepared, sql: Option<&str>) -> Option<(Page, bool)> {
    let mut sql = ReadOnlySql::parse(sql?, database.catalog.dialect).ok()?;
    // Spider's gold SQL writes text in double quotes, which the engine here takes for names only.
    if !vitrine_sql::bind(&sql, &database.catalog).problems.is_empty()
        && let Some(rebound) = vitrine_sql::rebind(&sql, &database.catalog)
    {
        sql = rebound.sql;
    }
    let limits = Limits { rows: Some(COMPARED_ROWS), timeout: Duration::from_secs(60), ..Limits::default() };
    let batches = database.warehouse.query(&sql, limits, CancellationToken::new()).await.ok()?;
    let page = vitrine_warehouse::read_page(batches, COMPARED_ROWS).await.ok()?;
    Some((page, sql.is_ordered()))
}

/// A sink that keeps a run's events in memory.
struct EventList {
    began: u64,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    run_id: String,
    events: Mutex<Vec<RunEvent>>,
}

impl RunSink for EventList {
    fn emit(&self, body: EventBody) {
        let at_ms = self.elapsed_ms();
        let mut events = self.events.lock().expect("events");
        let seq = events.len() as u32 + 1;
        events.push(RunEvent { run_id: self.run_id.clone(), seq, at_ms, body });
    }

    fn elapsed_ms(&self) -> u32 {
        ((self.clock)() - self.began) as u32
    }
}
