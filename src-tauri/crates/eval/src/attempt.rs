//! One question on its way: its database is made ready, its gold is run, it is asked, and what came of it is judged.

use crate::judge::{Prediction, golds, judge};
use crate::metrics::Rule;
use crate::outcome::Outcome;
use crate::pack::Question;
use crate::run::{Databases, Lab, Prepared};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, RunSink};
use vitrine_domain::{AppError, AskSettings, EventBody, RunEvent, RunReport, Usage};

/// One question on its way.
pub(crate) struct Attempt {
    pub(crate) question: Question,
    pub(crate) sink: Arc<EventList>,
    pub(crate) lab: Arc<Lab>,
    pub(crate) databases: Arc<Databases>,
    pub(crate) settings: AskSettings,
    pub(crate) rule: Rule,
    pub(crate) cancel: CancellationToken,
}

impl Attempt {
    pub(crate) async fn work(self) -> Outcome {
        let question = &self.question;
        let database = match self.database().await {
            Ok(database) => database,
            Err(error) => return Outcome::missing(question, Some(error.to_string())),
        };
        // First, since a question that cannot be measured need not be asked.
        let golds = match golds(question, &database).await {
            Ok(golds) => golds,
            Err(reason) => return Outcome::left_out(question, reason),
        };
        // The same error is the run's last event.
        let _ = vitrine_agents::run(self.ask(&database), self.sink.clone(), self.cancel.clone()).await;
        let (report, last_tried) = self.sink.report();
        let sql = report.sql.clone().or(last_tried);
        let prediction = Prediction {
            sql: sql.as_deref(),
            ran: report.page.is_some(),
            rows: report.page.as_ref().filter(|_| report.code.is_some()),
            selection: &report.selection,
        };
        let judgement = judge(question, &database, &golds, prediction, self.rule).await;
        let mut outcome = Outcome {
            answered: report.page.is_some(),
            fault: judgement.fault,
            linking: judgement.linking,
            usage: report.usage,
            by_agent: by_agent(&report),
            sql,
            ..Outcome::missing(question, report.finished.flatten().map(|error| error.to_string()))
        };
        outcome.judged(judgement.verdict);
        outcome
    }

    async fn database(&self) -> Result<Prepared, AppError> {
        let address = &self.question.warehouse;
        let cell = {
            let mut cells = self.databases.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(address.clone()).or_default())
        };
        cell.get_or_try_init(|| (self.lab.prepare)(address.clone())).await.cloned()
    }

    fn ask(&self, database: &Prepared) -> Ask {
        Ask {
            question: self.question.question.clone(),
            knowledge: self.question.evidence.clone(),
            settings: self.settings.clone(),
            warehouse_uri: self.question.db_id.clone(),
            warehouse: database.warehouse.clone(),
            catalog: database.catalog.clone(),
            profile: database.profile.clone(),
            values: database.values.clone(),
            embedder: database.embedder.clone(),
            models: self.lab.models.clone(),
            person: None,
            laboratory: (self.lab.laboratory)(),
            started_at: String::new(),
        }
    }
}

pub(crate) fn by_agent(report: &RunReport) -> BTreeMap<String, Usage> {
    report.usage_by_agent.iter().map(|(agent, usage)| (agent.as_str().to_owned(), *usage)).collect()
}

/// A sink that keeps a run's events in memory.
pub(crate) struct EventList {
    began: u64,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
    run_id: String,
    events: Mutex<Vec<RunEvent>>,
}

impl EventList {
    pub(crate) fn new(run_id: &str, clock: Arc<dyn Fn() -> u64 + Send + Sync>) -> Self {
        Self { began: clock(), clock, run_id: run_id.to_owned(), events: Mutex::default() }
    }

    fn events(&self) -> MutexGuard<'_, Vec<RunEvent>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self) -> Vec<RunEvent> {
        std::mem::take(&mut *self.events())
    }

    /// The run's report, and the SQL that was tried last.
    fn report(&self) -> (RunReport, Option<String>) {
        let events = self.events();
        let tried = events.iter().rev().find_map(|event| match &event.body {
            EventBody::SqlAttempted { sql, .. } => Some(sql.clone()),
            _ => None,
        });
        (RunReport::fold(events.iter()), tried)
    }
}

impl RunSink for EventList {
    fn emit(&self, body: EventBody) {
        let at_ms = self.elapsed_ms();
        let mut events = self.events();
        let seq = events.len() as u32 + 1;
        events.push(RunEvent { run_id: self.run_id.clone(), seq, at_ms, body });
    }

    fn elapsed_ms(&self) -> u32 {
        ((self.clock)() - self.began) as u32
    }
}
