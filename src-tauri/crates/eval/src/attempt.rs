//! One question on its way: its database is made ready, its gold is run, it is asked, and what came of it is judged.

use crate::judge::{Gold, Prediction, golds, judge};
use crate::lab::{Databases, Lab, Prepared};
use crate::linking::Linking;
use crate::meaning::{Asker, Meaning};
use crate::metrics::Rule;
use crate::outcome::Outcome;
use crate::pack::{LeftOut, Question};
use crate::scope::{Families, Scope, UntilLinked, needed, seen};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::method;
use vitrine_agents::{Ask, RunSink, UserClarifier};
use vitrine_domain::{AppError, AskSettings, EventBody, RunEvent, RunReport, Usage};

/// One question on its way.
pub(crate) struct Attempt {
    pub(crate) question: Question,
    pub(crate) sink: Arc<EventList>,
    pub(crate) lab: Arc<Lab>,
    pub(crate) databases: Arc<Databases>,
    pub(crate) settings: AskSettings,
    pub(crate) rule: Rule,
    pub(crate) meaning: Meaning,
    pub(crate) scope: Scope,
    pub(crate) cancel: CancellationToken,
}

impl Attempt {
    pub(crate) async fn work(self) -> Outcome {
        let question = &self.question;
        let database = match self.database().await {
            Ok(database) => database,
            Err(error) => return Outcome::missing(question, Some(error.to_string())),
        };
        if self.scope == Scope::Linking {
            return self.link(&database).await;
        }
        // First, since a question that cannot be measured need not be asked.
        let golds = match golds(question, &database).await {
            Ok(golds) => Arc::new(golds),
            Err(reason) => return Outcome::left_out(question, reason),
        };
        // The same error is the run's last event.
        let _ = vitrine_agents::run(self.ask(&database, &golds), self.sink.clone(), self.cancel.clone()).await;
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
            asked: self.sink.asked(),
            ..Outcome::missing(question, report.finished.flatten().map(|error| error.to_string()))
        };
        outcome.judged(judgement.verdict);
        outcome
    }

    /// The question as far as the tables and columns that it needs.
    async fn link(&self, database: &Prepared) -> Outcome {
        let question = &self.question;
        let families = Families::of(&database.catalog);
        let needed = needed(&question.gold_sql, database, &families);
        if needed.is_empty() {
            return Outcome::left_out(question, LeftOut::GoldFails);
        }
        let enough = self.cancel.child_token();
        let sink = Arc::new(UntilLinked { sink: self.sink.clone(), enough: enough.clone() });
        let ended = vitrine_agents::run(self.ask(database, &Arc::default()), sink, enough.clone()).await;
        let (report, _) = self.sink.report();
        let error = ended.err().filter(|_| !enough.is_cancelled()).map(|error| error.to_string());
        let seen = match error {
            Some(_) => Default::default(),
            None => families.fold(seen(&report.selection, &database.catalog)),
        };
        Outcome {
            fault: None,
            spider2: None,
            linking: Linking::best(&needed, &seen),
            usage: report.usage,
            by_agent: by_agent(&report),
            ..Outcome::missing(question, error)
        }
    }

    async fn database(&self) -> Result<Prepared, AppError> {
        let address = &self.question.warehouse;
        let cell = {
            let mut cells = self.databases.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(address.clone()).or_default())
        };
        cell.get_or_try_init(|| (self.lab.prepare)(address.clone())).await.cloned()
    }

    fn ask(&self, database: &Prepared, golds: &Arc<Vec<Gold>>) -> Ask {
        let asker = || Asker { database: database.clone(), golds: Arc::clone(golds), rule: self.rule };
        Ask {
            question: self.question.question.clone(),
            knowledge: self.question.evidence.clone(),
            settings: self.settings.clone(),
            warehouse_uri: self.question.db_id.clone(),
            warehouse: database.warehouse.clone(),
            catalog: database.catalog.clone(),
            allowed: database.allowed.clone(),
            profile: database.profile.clone(),
            values: database.values.clone(),
            embedder: database.embedder.clone(),
            models: self.lab.models.clone(),
            clarifier: (self.meaning == Meaning::Asked).then(|| Arc::new(asker()) as Arc<dyn UserClarifier>),
            sandbox: if method(&self.settings.strategy).is_ok_and(|method| method.info.runs_code) {
                (self.lab.sandbox)()
            } else {
                None
            },
            explain: false,
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

    /// Whether the reading that was meant was among those offered to the person; `None` where nobody was asked.
    fn asked(&self) -> Option<bool> {
        self.events().iter().rev().find_map(|event| match &event.body {
            EventBody::ReadingChosen { candidate, .. } => Some(candidate.is_some()),
            _ => None,
        })
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
