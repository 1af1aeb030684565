//! What every stage of one run shares: the models, the warehouse, the event sink, and the running totals.

use crate::candidates::Candidate;
use crate::run::ask::Ask;
use crate::run::events::{RunSink, StageError, sample};
use futures::StreamExt;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::run::PromptMessage;
use vitrine_domain::{Agent, EventBody, NodeId, Page, Profile, StageKind, Switch, Usage, ValueMatch};
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, Request};
use vitrine_sql::ReadOnlySql;
use vitrine_values::{Embedder, SearchOptions, SearchTerm};
use vitrine_warehouse::{Limits, WarehouseError};

/// Calls to a model that one stage has in flight at once. A provider answers them side by side, and so does the embedded
/// model, for which a token of several texts costs little more than a token of one.
pub const CALLS_AT_ONCE: usize = 4;

/// Text of a reply is shown in pieces of at least this many milliseconds.
const PROGRESS_EVERY_MS: u32 = 100;

/// One run's shared state.
pub struct RunContext {
    /// The question and everything it is asked with.
    pub ask: Ask,
    /// Stops everything.
    pub cancel: CancellationToken,
    sink: Arc<dyn RunSink>,
    totals: Mutex<Totals>,
    /// Cancelled when the budget is spent.
    spent: CancellationToken,
    /// What ran, with its node and without its rows, where the run has a budget that may end it early.
    ran: Mutex<Vec<(NodeId, Candidate)>>,
    /// What the explanation of the answer goes by.
    told: Mutex<Told>,
}

/// What a run found out that belongs to the explanation of its answer.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// Stored values that resemble parts of the question.
    pub values: Vec<ValueMatch>,
    /// Views that were passed on, by name.
    pub views: Vec<String>,
    /// The query of the answer, with its rows.
    pub answer: Option<(ReadOnlySql, Page)>,
}

#[derive(Default)]
struct Totals {
    calls: u32,
    /// Milliseconds that the person took to choose.
    waited_ms: u32,
    by_agent: BTreeMap<Agent, Usage>,
}

/// All replies to one request.
pub struct Replies {
    /// One text per sample.
    pub texts: Vec<String>,
}

impl Replies {
    /// The first (greedy) reply.
    pub fn first(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }
}

impl RunContext {
    /// Shares `ask` among the stages of one run.
    pub fn new(ask: Ask, sink: Arc<dyn RunSink>, cancel: CancellationToken) -> Self {
        Self {
            ask,
            cancel,
            sink,
            totals: Mutex::default(),
            spent: CancellationToken::new(),
            ran: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// Tells the sink.
    pub fn emit(&self, body: EventBody) {
        match &body {
            EventBody::ValuesRetrieved { matches, .. } => self.note(|told| told.values.extend(matches.iter().cloned())),
            EventBody::Aggregated { views, .. } => self.note(|told| told.views.clone_from(views)),
            EventBody::ViewFetched { name, error: None, .. } => self.note(|told| told.views.push(name.clone())),
            _ => {}
        }
        self.sink.emit(body);
    }

    /// Tells the person something that does not end the run.
    pub fn warn(&self, node: Option<&str>, message: impl Into<String>) {
        self.emit(EventBody::Warning { node: node.map(str::to_owned), message: message.into() });
    }

    /// A node of the graph begins.
    pub fn begin(&self, node: &str, kind: StageKind, title: impl Into<String>, inputs: &[&str]) {
        let inputs = inputs.iter().map(|&n| NodeId::from(n)).collect();
        self.emit(EventBody::StageStarted { node: node.to_owned(), kind, title: title.into(), inputs });
    }

    /// A node of the graph is done.
    pub fn finish(&self, node: &str, summary: impl Into<String>) {
        self.emit(EventBody::StageFinished { node: node.to_owned(), summary: summary.into() });
    }

    /// The model that an agent uses.
    pub fn model(&self, agent: Agent) -> &Arc<dyn ChatModel> {
        self.ask.models.of(agent)
    }

    /// The profile as prompts show it: empty where the run goes without (ProSPy, table 4).
    pub fn shown_profile(&self) -> &Profile {
        static NONE: Profile = Profile { fingerprint: String::new(), tables: Vec::new(), complete: false };
        if self.ask.settings.with(Switch::Profiling) { &self.ask.profile } else { &NONE }
    }

    /// Totals by agent so far; each agent's `wall_ms` is the time its calls and queries took.
    pub fn usage_by_agent(&self) -> BTreeMap<Agent, Usage> {
        self.totals.lock().expect("totals").by_agent.clone()
    }

    /// Milliseconds since the run began.
    pub fn elapsed_ms(&self) -> u32 {
        self.sink.elapsed_ms()
    }

    /// Notes time that the person took; it is not the run's.
    pub fn waited(&self, ms: u32) {
        self.totals.lock().expect("totals").waited_ms += ms;
    }

    /// Totals so far; `wall_ms` is the time since the run began, without what the person took.
    pub fn usage(&self) -> Usage {
        let mut total = Usage::default();
        for usage in self.usage_by_agent().into_values() {
            total += usage;
        }
        let waited = self.totals.lock().expect("totals").waited_ms;
        total.wall_ms = u64::from(self.sink.elapsed_ms().saturating_sub(waited));
        total
    }

    fn spend(&self, agent: Agent, usage: Usage) {
        *self.totals.lock().expect("totals").by_agent.entry(agent).or_default() += usage;
    }

    /// Notes what the explanation of the answer goes by.
    pub fn note(&self, note: impl FnOnce(&mut Told)) {
        note(&mut self.told.lock().expect("told"));
    }

    /// What has been noted so far.
    pub fn told(&self) -> Told {
        self.told.lock().expect("told").clone()
    }

    /// Keeps a query that ran, for the case that the budget is spent before the method has chosen.
    pub fn keep(&self, node: &str, candidate: &Candidate) {
        if !self.ask.settings.budget.is_unlimited() {
            let page = sample(&candidate.page);
            let candidate = Candidate { page, variants: Vec::new(), ..candidate.clone() };
            self.ran.lock().expect("ran").push((node.to_owned(), candidate));
        }
    }

    /// What has been kept, in the order in which it ran; pages have a few rows only.
    pub fn kept(&self) -> Vec<(NodeId, Candidate)> {
        self.ran.lock().expect("ran").clone()
    }

    /// Returns when the budget is spent. From then on no call of a model returns: who waits for a method waits for this,
    /// too, and drops the method.
    pub async fn budget_spent(&self) {
        self.spent.cancelled().await;
    }

    fn is_over_budget(&self) -> bool {
        let (budget, usage) = (self.ask.settings.budget, self.usage());
        budget.tokens.is_some_and(|most| usage.prompt_tokens + usage.completion_tokens >= most)
            || budget.seconds.is_some_and(|most| usage.wall_ms >= u64::from(most) * 1000)
    }

    /// Returns when the budget's seconds are over.
    async fn time_is_up(&self) {
        match self.ask.settings.budget.seconds {
            None => std::future::pending().await,
            Some(seconds) => {
                let left = (u64::from(seconds) * 1000).saturating_sub(self.usage().wall_ms);
                tokio::time::sleep(Duration::from_millis(left)).await;
            }
        }
    }

    /// The budget is spent: what asked for a model is not to go on.
    async fn give_up(&self) -> ! {
        self.spent.cancel();
        std::future::pending().await
    }

    /// Asks an agent's model; the whole exchange is in the log, also when it fails.
    pub async fn call(&self, agent: Agent, node: &str, request: Request) -> Result<Replies, StageError> {
        self.call_until(agent, node, request, async |_: &str| Ok(false)).await
    }

    /// Asks an agent's model and hands every reply over as soon as it is whole. When `enough` says so, the model stops
    /// and the replies that are not whole by then are given up.
    pub async fn call_until(
        &self,
        agent: Agent,
        node: &str,
        request: Request,
        enough: impl AsyncFnMut(&str) -> Result<bool, StageError>,
    ) -> Result<Replies, StageError> {
        if self.cancel.is_cancelled() {
            return Err(LlmError::Cancelled.into());
        }
        if self.spent.is_cancelled() || self.is_over_budget() {
            self.give_up().await;
        }
        let call = {
            let mut totals = self.totals.lock().expect("totals");
            totals.calls += 1;
            totals.calls
        };
        let model = self.model(agent).clone();
        self.emit(EventBody::ModelCallStarted {
            node: node.to_owned(),
            call,
            agent,
            model: model.id().to_owned(),
            messages: messages(&request),
            samples: request.samples,
            temperature: request.temperature,
            seed: request.seed,
        });
        let began = self.sink.elapsed_ms();
        let opening = request.assistant_prefix.clone();
        let mut texts = vec![String::new(); request.samples.max(1) as usize];
        let read = tokio::select! {
            read = self.read(model.as_ref(), request, node, call, &mut texts, enough) => Some(read),
            () = self.time_is_up() => None,
        };
        let in_time = read.is_some();
        let (spent, outcome) = read.unwrap_or((CallUsage::default(), Ok(())));
        let usage = Usage {
            llm_calls: 1,
            prompt_tokens: spent.prompt_tokens,
            cached_prompt_tokens: spent.cached_prompt_tokens,
            completion_tokens: spent.completion_tokens,
            db_calls: 0,
            wall_ms: u64::from(self.sink.elapsed_ms() - began),
        };
        self.spend(agent, usage);
        self.emit(EventBody::ModelCallFinished {
            node: node.to_owned(),
            call,
            agent,
            replies: texts.iter().map(|t| format!("{opening}{t}")).collect(),
            usage,
            error: match &outcome {
                Ok(()) if in_time => None,
                Ok(()) => Some("The time for the question was over".to_owned()),
                Err(error) => Some(error.to_string()),
            },
        });
        if !in_time {
            self.give_up().await;
        }
        outcome?;
        Ok(Replies { texts })
    }

    async fn read(
        &self,
        model: &dyn ChatModel,
        request: Request,
        node: &str,
        call: u32,
        texts: &mut [String],
        mut enough: impl AsyncFnMut(&str) -> Result<bool, StageError>,
    ) -> (CallUsage, Result<(), StageError>) {
        let mut spent = CallUsage::default();
        let stop = self.cancel.child_token();
        // Whoever stops listening stops the model.
        let _stopping = stop.clone().drop_guard();
        let mut events = match model.stream(request, stop.clone()).await {
            Ok(events) => events,
            Err(error) => return (spent, Err(error.into())),
        };
        let mut unseen = String::new();
        let mut shown_at = self.sink.elapsed_ms();
        while let Some(event) = events.next().await {
            match event {
                Ok(ModelEvent::Token { sample, text }) => {
                    if sample == 0 {
                        unseen.push_str(&text);
                        let now = self.sink.elapsed_ms();
                        if now - shown_at >= PROGRESS_EVERY_MS {
                            shown_at = now;
                            let text = std::mem::take(&mut unseen);
                            self.emit(EventBody::ModelCallProgress { node: node.to_owned(), call, text });
                        }
                    }
                    if let Some(whole) = texts.get_mut(sample as usize) {
                        whole.push_str(&text);
                    }
                }
                Ok(ModelEvent::Usage(usage)) => spent = usage,
                Ok(ModelEvent::Finished { sample, reason }) => {
                    let Some(text) = texts.get(sample as usize) else { continue };
                    if stop.is_cancelled() || reason == FinishReason::Cancelled {
                        continue;
                    }
                    match enough(text).await {
                        Ok(true) => stop.cancel(),
                        Ok(false) => {}
                        Err(error) => return (spent, Err(error)),
                    }
                }
                Err(LlmError::Cancelled) if stop.is_cancelled() && !self.cancel.is_cancelled() => break,
                Err(error) => return (spent, Err(error.into())),
            }
        }
        if self.cancel.is_cancelled() { (spent, Err(LlmError::Cancelled.into())) } else { (spent, Ok(())) }
    }

    /// Sends a query to the warehouse and reads at most `rows` rows.
    pub async fn query(&self, agent: Agent, node: &str, sql: &ReadOnlySql, rows: u64) -> Result<Page, WarehouseError> {
        let began = self.sink.elapsed_ms();
        let limits = Limits {
            rows: Some(rows),
            timeout: Duration::from_secs(u64::from(self.ask.settings.timeout_s)),
            ..Limits::default()
        };
        let outcome = match self.ask.warehouse.query(sql, limits, self.cancel.clone()).await {
            Ok(batches) => vitrine_warehouse::read_page(batches, rows).await,
            Err(error) => Err(error),
        };
        let ms = self.sink.elapsed_ms() - began;
        self.spend(agent, Usage { db_calls: 1, wall_ms: u64::from(ms), ..Usage::default() });
        self.emit(EventBody::QueryExecuted {
            node: node.to_owned(),
            agent,
            sql: sql.as_str().to_owned(),
            ms,
            row_count: outcome.as_ref().ok().map(|p| p.row_count),
            error: outcome.as_ref().err().map(ToString::to_string),
        });
        outcome
    }

    /// The same where an error of the database is something to go on with: it is the inner error, as text.
    ///
    /// # Errors
    /// Fails when the run is stopped.
    pub async fn try_query(
        &self,
        agent: Agent,
        node: &str,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Result<Page, String>, StageError> {
        match self.query(agent, node, sql, rows).await {
            Ok(page) => Ok(Ok(page)),
            Err(error @ WarehouseError::Cancelled) => Err(error.into()),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    /// Looks literals up in the value index (AV-SQL, 4.1.3) and notes what was found. Without an index nothing is found.
    pub async fn retrieve_values(&self, node: &str, terms: Vec<SearchTerm>) -> Vec<ValueMatch> {
        if terms.is_empty() || self.ask.values.is_none() {
            return Vec::new();
        }
        let literals = terms.iter().map(|t| t.text.clone()).collect();
        let matches = self.search_values(node, terms, self.ask.embedder.clone()).await;
        self.emit(EventBody::ValuesRetrieved { node: node.to_owned(), literals, matches: matches.clone() });
        matches
    }

    /// Searches the value index, by meaning too where there is an embedder; what came of it is the caller's to note.
    pub async fn search_values(
        &self,
        node: &str,
        terms: Vec<SearchTerm>,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Vec<ValueMatch> {
        let Some(index) = self.ask.values.clone() else { return Vec::new() };
        let options = SearchOptions {
            edit_threshold: self.ask.settings.edit_threshold,
            semantic_threshold: self.ask.settings.semantic_threshold,
            limit: 8,
        };
        match tokio::task::spawn_blocking(move || index.search(&terms, options, embedder.as_deref())).await {
            Ok(Ok(matches)) => matches,
            Ok(Err(error)) => {
                self.warn(Some(node), format!("The value index could not be searched: {error}"));
                Vec::new()
            }
            Err(error) => {
                self.warn(Some(node), format!("The value search stopped: {error}"));
                Vec::new()
            }
        }
    }
}

fn messages(request: &Request) -> Vec<PromptMessage> {
    let message = |role: &str, content: String| PromptMessage { role: role.to_owned(), content };
    let mut messages =
        vec![message("system", request.system.clone()), message("user", format!("{}{}", request.prefix, request.tail))];
    for (assistant, user) in &request.turns {
        messages.push(message("assistant", assistant.clone()));
        messages.push(message("user", user.clone()));
    }
    messages
}
