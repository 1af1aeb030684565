//! State shared by the stages of one run: the models, the warehouse, the event sink, and the running totals.

use crate::candidate::Candidate;
use crate::certainty::Evidence;
use crate::run::ask::Ask;
use crate::run::budget::Spending;
use crate::run::egress::{Egress, ShownPage};
use crate::run::events::{RunSink, sample_page};
use crate::run::left_out;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{
    Agent, AppError, Catalog, EventBody, NodeId, Page, Profile, StageKind, Switch, Usage, ValueMatch,
};
use vitrine_llm::{ChatModel, Request};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::Standing;
use vitrine_values::ValueIndex;

/// One run's shared state.
pub struct RunContext {
    /// The question with everything that a run needs.
    /// Comments, profile and stored values are those that its models may be told.
    pub ask: Ask,
    /// What its models may be told.
    pub egress: Egress,
    /// The catalog with what the user left out of this run, so that it is known where values come from.
    pub whole_catalog: Arc<Catalog>,
    /// What the database stores, for checks of which no model is told.
    pub stored: Stored,
    /// What the user wants to hold for every question, as far as it concerns this one.
    pub standing: Standing,
    /// Stops everything.
    pub cancel: CancellationToken,
    sink: Arc<dyn RunSink>,
    pub(super) spending: Spending,
    /// Candidates that ran, with their nodes and a few of their rows, in case the run ends early.
    ran: Mutex<Vec<(NodeId, Candidate)>>,
    /// Told of each of them.
    ran_more: Notify,
    /// Held while the user is asked about a query: one question at a time.
    pub(super) approving: tokio::sync::Mutex<()>,
    /// Material for the explanation of the answer.
    told: Mutex<ExplanationMaterial>,
    /// What speaks for and against the answer, as far as events tell.
    evidence: Mutex<Evidence>,
}

/// What a database stores, as far as it was read ahead.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its value index, when built.
    pub values: Option<Arc<ValueIndex>>,
    /// Its profile.
    pub profile: Arc<Profile>,
}

impl Stored {
    fn from_ask(ask: &Ask) -> Self {
        Self { values: ask.values.clone(), profile: Arc::clone(&ask.profile) }
    }
}

/// Material that a run collects for the explanation of its answer.
#[derive(Debug, Clone, Default)]
pub struct ExplanationMaterial {
    /// Stored values similar to parts of the question.
    pub values: Vec<ValueMatch>,
    /// Views that were passed on, by name.
    pub views: Vec<String>,
    /// What a reply said to be missing from the data, and what comes nearest.
    pub declined: Option<(String, Vec<String>)>,
    /// The query of the answer, with its rows.
    pub answer: Option<(ReadOnlySql, Page)>,
    /// Codes of the rules whose changes the answer's query took.
    pub adopted: Vec<String>,
    /// The beginning of the first request for SQL: system text and schema.
    pub opening: Option<Request>,
}

impl RunContext {
    /// Shares `ask` among the stages of one run.
    pub fn new(mut ask: Ask, sink: Arc<dyn RunSink>, cancel: CancellationToken) -> Self {
        let whole = Stored::from_ask(&ask);
        let egress = Egress::apply_policy(&mut ask);
        // An answer that leaves says no more than its model knows.
        let stored = if ask.answer_leaves { Stored::from_ask(&ask) } else { whole };
        let whole_catalog = Arc::clone(&ask.catalog);
        if let Some(names) = ask.earlier.as_ref().map(|e| &e.steered.without).filter(|names| !names.is_empty()) {
            ask.catalog = Arc::new(left_out::catalog_without(&whole_catalog, names));
        }
        let standing = Standing::from_definitions(&ask.standing, &whole_catalog, &ask.question);
        let spending = Spending::new(&ask.settings, sink.clone(), ask.meter.clone());
        let (ran, ran_more) = (Mutex::default(), Notify::new());
        let (told, evidence) = (Mutex::default(), Mutex::default());
        let approving = tokio::sync::Mutex::default();
        Self {
            ask,
            egress,
            whole_catalog,
            stored,
            standing,
            cancel,
            sink,
            spending,
            ran,
            ran_more,
            approving,
            told,
            evidence,
        }
    }

    /// Emits an event.
    pub fn emit(&self, body: EventBody) {
        match &body {
            EventBody::ValuesRetrieved { matches, .. } => {
                self.record_material(|told| told.values.extend(matches.iter().cloned()))
            }
            EventBody::Aggregated { views, .. } => self.record_material(|told| told.views.clone_from(views)),
            EventBody::NotInData { missing, nearest, .. } => self.record_material(|told| {
                told.declined.get_or_insert_with(|| (missing.clone(), nearest.clone()));
            }),
            EventBody::ViewFetched { name, error: None, .. } => {
                self.record_material(|told| told.views.push(name.clone()))
            }
            _ => {}
        }
        self.evidence.lock().apply(&body);
        self.sink.emit(body);
    }

    /// What speaks for and against the answer so far.
    pub fn evidence(&self) -> Evidence {
        self.evidence.lock().clone()
    }

    /// Warns the user of something that makes the answer less sure, without ending the run.
    pub fn warn(&self, node: Option<&str>, message: impl Into<String>) {
        let (node, message) = (node.map(str::to_owned), message.into());
        self.emit(EventBody::Warning { node, message, aside: false, passing: false });
    }

    /// Warns the user of something about the run that says nothing of the answer.
    pub fn warn_aside(&self, node: Option<&str>, message: impl Into<String>) {
        let (node, message) = (node.map(str::to_owned), message.into());
        self.emit(EventBody::Warning { node, message, aside: true, passing: false });
    }

    /// Tells the user how the search stands; nothing of it is shown once something was found.
    pub fn warn_in_passing(&self, message: impl Into<String>) {
        self.emit(EventBody::Warning { node: None, message: message.into(), aside: true, passing: true });
    }

    /// Begins a node of the graph.
    pub fn begin_stage(&self, node: &str, kind: StageKind, title: impl Into<String>, inputs: &[&str]) {
        let inputs = inputs.iter().map(|&n| NodeId::from(n)).collect();
        self.emit(EventBody::StageStarted { node: node.to_owned(), kind, title: title.into(), inputs });
    }

    /// Ends a node of the graph.
    pub fn finish_stage(&self, node: &str, summary: impl Into<String>) {
        self.emit(EventBody::StageFinished { node: node.to_owned(), summary: summary.into() });
    }

    /// The model that an agent uses.
    pub fn model(&self, agent: Agent) -> &Arc<dyn ChatModel> {
        self.ask.models.for_agent(agent)
    }

    /// The profile as prompts show it: empty where the run goes without (ProSPy, table 4).
    pub fn shown_profile(&self) -> &Profile {
        static NONE: Profile = Profile { fingerprint: String::new(), tables: Vec::new(), complete: false };
        if self.ask.settings.is_enabled(Switch::Profiling) { &self.ask.profile } else { &NONE }
    }

    /// Rows as prompts may show them.
    pub fn mask_page<'a>(&self, page: &'a Page) -> ShownPage<'a> {
        self.egress.mask_page(page)
    }

    /// Milliseconds since the run began.
    pub fn elapsed_ms(&self) -> u32 {
        self.sink.elapsed_ms()
    }

    /// Totals by agent so far; each agent's `wall_ms` is the time its calls and queries took.
    pub fn usage_by_agent(&self) -> BTreeMap<Agent, Usage> {
        self.spending.by_agent()
    }

    /// Totals so far; `wall_ms` is the time since the run began, without what the user took.
    pub fn usage(&self) -> Usage {
        self.spending.total()
    }

    /// The user is asked: time stands still until [`RunContext::waited`].
    pub fn begin_wait(&self) {
        self.spending.begin_wait();
    }

    /// Records time that the user took; it does not count for the run.
    pub fn add_wait(&self, ms: u32) {
        self.spending.add_wait(ms);
    }

    /// Returns when the budget is spent. From then on no model call returns: a caller that waits for a method also
    /// waits for this, and drops the method.
    pub async fn budget_spent(&self) {
        self.spending.given_up().await;
    }

    /// The limit that ended the run, as the end of a sentence that begins with "when".
    pub fn limit_reached(&self) -> String {
        self.spending.reached_limit()
    }

    /// The reason why a query was not run, where it would have passed a limit of what queries may be billed for.
    pub fn refused_for_cost(&self) -> Option<AppError> {
        self.spending.cost_refusal()
    }

    /// Returns with the reason once a query was not run because a limit of what queries may be billed for would have been passed.
    pub async fn over_budget(&self) -> AppError {
        self.spending.wait_for_refusal().await
    }

    /// Returns when the run has worked for so many seconds, and does not wait for the user just then.
    pub async fn worked_for(&self, seconds: u32) {
        self.spending.worked_for(seconds).await;
    }

    /// Lets no call of a model begin until [`RunContext::resume`]; calls under way go on. Time stands still.
    pub fn pause(&self) {
        self.spending.begin_wait();
        self.spending.pause();
    }

    /// Lets calls begin again.
    pub fn resume(&self) {
        self.spending.resume();
    }

    /// Records material for the explanation of the answer.
    pub fn record_material(&self, note: impl FnOnce(&mut ExplanationMaterial)) {
        note(&mut self.told.lock());
    }

    /// The material recorded so far.
    pub fn explanation_material(&self) -> ExplanationMaterial {
        self.told.lock().clone()
    }

    /// Remembers a query that ran, in case the run ends before the method has chosen.
    pub fn remember_candidate(&self, node: &str, candidate: &Candidate) {
        let page = sample_page(&candidate.page);
        let candidate = Candidate { page, variants: Vec::new(), ..candidate.clone() };
        self.ran.lock().push((node.to_owned(), candidate));
        self.ran_more.notify_one();
    }

    /// Whether any query of a candidate ran.
    pub fn any_ran(&self) -> bool {
        !self.ran.lock().is_empty()
    }

    /// Returns when a query has run since this was called last.
    pub async fn something_ran(&self) {
        self.ran_more.notified().await;
    }

    /// The remembered candidates in the order in which they ran; their pages have a few rows only.
    pub fn remembered_candidates(&self) -> Vec<(NodeId, Candidate)> {
        self.ran.lock().clone()
    }
}
