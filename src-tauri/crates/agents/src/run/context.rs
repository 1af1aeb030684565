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
    Agent, AppError, Catalog, EventBody, NodeId, Page, Profile, RuleCode, StageKind, Switch, Usage, ValueMatch,
};
use vitrine_llm::{ChatModel, Request};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{QuestionFacts, Standing};
use vitrine_values::ValueIndex;

/// Maximum number of characters that the log keeps of a reason.
const REASON: usize = 2_000;

/// State shared by the stages of one run.
pub struct RunContext {
    /// Question with all settings of the run. Its comments, profile and stored values are redacted for the run's models.
    pub ask: Ask,
    /// Limits on the data that requests to models may contain.
    pub egress: Egress,
    /// Catalog including the tables and columns that the user omitted, so that the sources of values can be traced.
    pub whole_catalog: Arc<Catalog>,
    /// Stored values of the database, for checks whose results no model sees.
    pub stored: Stored,
    /// User definitions that hold for every question and concern this one.
    pub standing: Standing,
    /// Facts about the question as the user wrote it.
    pub facts: QuestionFacts,
    /// Token that cancels all work of the run.
    pub cancel: CancellationToken,
    sink: Arc<dyn RunSink>,
    pub(super) spending: Spending,
    /// Candidates that ran, with their nodes and a sample of their rows, in case the run ends early.
    ran: Mutex<Vec<(NodeId, Candidate)>>,
    /// Notified after each candidate that ran.
    ran_more: Notify,
    /// Held while the user is asked about a query, so that questions do not overlap.
    pub(super) approving: tokio::sync::Mutex<()>,
    /// Material for the explanation of the answer.
    told: Mutex<ExplanationMaterial>,
    /// Evidence for and against the answer from the events so far.
    evidence: Mutex<Evidence>,
}

/// Values and statistics of a database, as far as they were read in advance.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Value index of the database, if it was built.
    pub values: Option<Arc<ValueIndex>>,
    /// Column statistics of the database.
    pub profile: Arc<Profile>,
}

impl Stored {
    fn from_ask(ask: &Ask) -> Self {
        Self { values: ask.data.values.clone(), profile: Arc::clone(&ask.data.profile) }
    }
}

/// Material that a run collects for the explanation of its answer.
#[derive(Debug, Clone, Default)]
pub struct ExplanationMaterial {
    /// Stored values similar to parts of the question.
    pub values: Vec<ValueMatch>,
    /// Names of the views that later stages received.
    pub views: Vec<String>,
    /// Data that a reply reported as missing, and the nearest tables or columns.
    pub declined: Option<(String, Vec<String>)>,
    /// Query of the answer with its rows.
    pub answer: Option<(ReadOnlySql, Page)>,
    /// Codes of the rules whose changes the answer's query includes.
    pub adopted: Vec<RuleCode>,
    /// Beginning of the first request for SQL: system text and schema.
    pub opening: Option<Request>,
    /// True if every word of the question has a role in the answer's metric query.
    pub is_covered: bool,
    /// Queries with the server's notes about their values.
    pub notes: Vec<(String, String)>,
}

impl RunContext {
    /// Shares `ask` among the stages of one run.
    pub fn new(mut ask: Ask, sink: Arc<dyn RunSink>, cancel: CancellationToken) -> Self {
        let whole = Stored::from_ask(&ask);
        let egress = Egress::apply_policy(&mut ask);
        // If the answer leaves the program, checks must not reveal data that the models may not read.
        let stored = if ask.permissions.answer_leaves { Stored::from_ask(&ask) } else { whole };
        let whole_catalog = Arc::clone(&ask.data.catalog);
        if let Some(names) = ask.history.earlier.as_ref().map(|e| &e.steered.without).filter(|names| !names.is_empty())
        {
            ask.data.catalog = Arc::new(left_out::catalog_without(&whole_catalog, names));
        }
        if let Some(given) = &ask.options.given_schema {
            ask.data.catalog = Arc::new(left_out::catalog_within(&ask.data.catalog, given));
        }
        let standing = Standing::from_definitions(&ask.data.definitions, &whole_catalog, &ask.question);
        let facts = QuestionFacts::from_question(&ask.question, &ask.data.catalog);
        let spending = Spending::new(&ask.options.settings, sink.clone(), ask.options.meter.clone());
        let (ran, ran_more) = (Mutex::default(), Notify::new());
        let (told, evidence) = (Mutex::default(), Mutex::default());
        let approving = tokio::sync::Mutex::default();
        Self {
            ask,
            egress,
            whole_catalog,
            stored,
            standing,
            facts,
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

    /// Emits an event and updates the evidence.
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

    /// Returns the evidence for and against the answer so far.
    pub fn evidence(&self) -> Evidence {
        self.evidence.lock().clone()
    }

    /// Warns the user of a problem that lowers the certainty of the answer, without ending the run.
    pub fn warn(&self, node: Option<&NodeId>, message: impl Into<String>) {
        let (node, message) = (node.cloned(), message.into());
        self.emit(EventBody::Warning { node, message, aside: false, passing: false });
    }

    /// Warns the user of a problem that does not affect the certainty of the answer.
    pub fn warn_aside(&self, node: Option<&NodeId>, message: impl Into<String>) {
        let (node, message) = (node.cloned(), message.into());
        self.emit(EventBody::Warning { node, message, aside: true, passing: false });
    }

    /// Reports the progress of the search to the user; the message is hidden after a result was found.
    pub fn warn_in_passing(&self, message: impl Into<String>) {
        self.emit(EventBody::Warning { node: None, message: message.into(), aside: true, passing: true });
    }

    /// Begins a node of the graph.
    pub fn begin_stage(&self, node: &NodeId, kind: StageKind, title: impl Into<String>, inputs: &[&NodeId]) {
        let inputs = inputs.iter().map(|&input| input.clone()).collect();
        self.emit(EventBody::StageStarted { node: node.to_owned(), kind, title: title.into(), inputs });
    }

    /// Ends a node of the graph.
    pub fn finish_stage(&self, node: &NodeId, summary: impl Into<String>) {
        self.emit(EventBody::StageFinished { node: node.to_owned(), summary: summary.into() });
    }

    /// Returns the model that an agent uses.
    pub fn model(&self, agent: Agent) -> &Arc<dyn ChatModel> {
        self.ask.models.for_agent(agent)
    }

    /// Returns the profile for prompts, which is empty if the run omits profiles (ProSPy, table 4).
    pub fn shown_profile(&self) -> &Profile {
        static NONE: Profile = Profile { fingerprint: String::new(), tables: Vec::new(), complete: false };
        if self.ask.options.settings.is_enabled(Switch::Profiling) { &self.ask.data.profile } else { &NONE }
    }

    /// Records the reason that an agent gave: for a plan, or for preferring one of the compared candidates.
    pub fn record_reason(
        &self,
        node: &NodeId,
        agent: Agent,
        (candidates, preferred): (&[u32], Option<u32>),
        reason: &str,
    ) {
        let reason: String = reason.trim().chars().take(REASON).collect();
        if !reason.is_empty() {
            let (node, candidates) = (node.to_owned(), candidates.to_vec());
            self.emit(EventBody::ReasonGiven { node, agent, candidates, preferred, reason });
        }
    }

    /// Masks the rows for prompts.
    pub fn mask_page<'a>(&self, page: &'a Page) -> ShownPage<'a> {
        self.egress.mask_page(page)
    }

    /// Returns the milliseconds since the run began.
    pub fn elapsed_ms(&self) -> u32 {
        self.sink.elapsed_ms()
    }

    /// Returns the totals by agent; each agent's `wall_ms` is the duration of its calls and queries.
    pub fn usage_by_agent(&self) -> BTreeMap<Agent, Usage> {
        self.spending.by_agent()
    }

    /// Returns the totals; `wall_ms` is the time since the run began, without the user's response times.
    pub fn usage(&self) -> Usage {
        self.spending.total()
    }

    /// Stops the run's clock until [`RunContext::add_wait`], while the user is asked.
    pub fn begin_wait(&self) {
        self.spending.begin_wait();
    }

    /// Records the user's response time, which does not count for the run.
    pub fn add_wait(&self, ms: u32) {
        self.spending.add_wait(ms);
    }

    /// Returns when the budget is spent. No model call returns after that: a caller that waits for a method also waits for this, and drops
    /// the method.
    pub async fn budget_spent(&self) {
        self.spending.given_up().await;
    }

    /// Returns the limit that ended the run, as the end of a sentence that begins with "when".
    pub fn limit_reached(&self) -> String {
        self.spending.reached_limit()
    }

    /// Returns the error of a query that was refused because it would have exceeded a cost limit.
    pub fn refused_for_cost(&self) -> Option<AppError> {
        self.spending.cost_refusal()
    }

    /// Waits until a query is refused because it would exceed a cost limit, and returns the error.
    pub async fn over_budget(&self) -> AppError {
        self.spending.wait_for_refusal().await
    }

    /// Returns when the run has worked for `seconds` seconds and is not waiting for the user.
    pub async fn worked_for(&self, seconds: u32) {
        self.spending.worked_for(seconds).await;
    }

    /// Blocks new model calls until [`RunContext::resume`] and stops the run's clock; calls in progress continue.
    pub fn pause(&self) {
        self.spending.begin_wait();
        self.spending.pause();
    }

    /// Allows new model calls after [`RunContext::pause`].
    pub fn resume(&self) {
        self.spending.resume();
    }

    /// Records material for the explanation of the answer.
    pub fn record_material(&self, note: impl FnOnce(&mut ExplanationMaterial)) {
        note(&mut self.told.lock());
    }

    /// Returns the material recorded so far.
    pub fn explanation_material(&self) -> ExplanationMaterial {
        self.told.lock().clone()
    }

    /// Records a query that ran, in case the run ends before the method has chosen.
    pub fn remember_candidate(&self, node: &NodeId, candidate: &Candidate) {
        let page = sample_page(&candidate.page);
        let candidate = Candidate { page, variants: Vec::new(), ..candidate.clone() };
        self.ran.lock().push((node.to_owned(), candidate));
        self.ran_more.notify_one();
    }

    /// Returns true if any query of a candidate ran.
    pub fn any_ran(&self) -> bool {
        !self.ran.lock().is_empty()
    }

    /// Returns when a query has run since the last call of this function.
    pub async fn something_ran(&self) {
        self.ran_more.notified().await;
    }

    /// Returns the recorded candidates in the order in which they ran; their pages hold only a few rows.
    pub fn remembered_candidates(&self) -> Vec<(NodeId, Candidate)> {
        self.ran.lock().clone()
    }
}
