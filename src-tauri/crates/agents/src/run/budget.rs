//! The budget of a run, and what it has spent so far.

use crate::run::events::RunSink;
use crate::run::meter::{MonthlyMeter, SpentCall};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, AskSettings, Budget, Cap, Usage};
use vitrine_words::tr;

/// How often a run that waits for the user looks whether it still does.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The budget of one run and its running totals.
pub struct Spending {
    limit: Budget,
    /// What single agents may spend.
    agents: BTreeMap<Agent, Cap>,
    /// The clock.
    sink: Arc<dyn RunSink>,
    /// What all runs spend in a month.
    meter: Option<Arc<dyn MonthlyMeter>>,
    totals: Mutex<Totals>,
    /// Cancelled when the budget is spent.
    spent: CancellationToken,
    /// The limit of what queries may be billed for that a query would have passed.
    over: watch::Sender<Option<AppError>>,
    /// Whether no call may begin before the user has spoken.
    paused: watch::Sender<bool>,
}

#[derive(Default)]
struct Totals {
    calls: u32,
    /// Milliseconds that the user took to choose.
    waited_ms: u32,
    /// When the user was asked, while the run waits for it.
    waits_since: Option<u32>,
    by_agent: BTreeMap<Agent, Usage>,
    /// The limit that ended the run, where it is not the question's as a whole: an agent's or the month's.
    other: Option<String>,
}

impl Spending {
    /// Nothing is spent yet.
    pub fn new(settings: &AskSettings, sink: Arc<dyn RunSink>, meter: Option<Arc<dyn MonthlyMeter>>) -> Self {
        let (limit, agents) = (settings.budget, settings.agent_budgets.clone());
        let (spent, paused) = (CancellationToken::new(), watch::Sender::new(false));
        let over = watch::Sender::new(None);
        Self { limit, agents, sink, meter, totals: Mutex::default(), spent, over, paused }
    }

    /// The number of the next call of a model, from 1.
    pub fn next_call(&self) -> u32 {
        let mut totals = self.totals.lock();
        totals.calls += 1;
        totals.calls
    }

    /// Adds what an agent spent.
    pub fn add(&self, agent: Agent, usage: Usage) {
        *self.totals.lock().by_agent.entry(agent).or_default() += usage;
    }

    /// Adds a call of a model.
    pub fn add_call(&self, call: SpentCall<'_>) {
        self.add(call.agent, call.usage);
        if let Some(meter) = &self.meter {
            meter.spent(call);
        }
    }

    /// The user is asked: time stands still until [`Spending::add_wait`].
    pub fn begin_wait(&self) {
        self.totals.lock().waits_since = Some(self.sink.elapsed_ms());
    }

    /// Adds time that the user took; it does not count for the run.
    pub fn add_wait(&self, ms: u32) {
        let mut totals = self.totals.lock();
        totals.waits_since = None;
        totals.waited_ms += ms;
    }

    /// Totals by agent so far; each agent's `wall_ms` is the time its calls and queries took.
    pub fn by_agent(&self) -> BTreeMap<Agent, Usage> {
        self.totals.lock().by_agent.clone()
    }

    /// Totals so far; `wall_ms` is the time since the run began, without what the user took.
    pub fn total(&self) -> Usage {
        let mut total = Usage::default();
        let totals = self.totals.lock();
        for usage in totals.by_agent.values() {
            total += *usage;
        }
        let now = totals.waits_since.unwrap_or_else(|| self.sink.elapsed_ms());
        total.wall_ms = u64::from(now.saturating_sub(totals.waited_ms));
        total
    }

    /// Whether no further call may begin: neither the question's own limits, nor the agent's, nor, for a model behind an
    /// address, the month's may be reached.
    pub fn is_over(&self, agent: Agent, remote: bool) -> bool {
        if self.spent.is_cancelled() {
            return true;
        }
        let usage = self.total();
        let reached = |spent: u64, most: Option<u64>| most.is_some_and(|most| spent >= most);
        if reached(usage.tokens(), self.limit.tokens)
            || reached(usage.micro_usd, self.limit.money)
            || reached(usage.wall_ms, self.limit.seconds.map(|seconds| u64::from(seconds) * 1000))
        {
            return true;
        }
        let other = self.reached_by(agent).or_else(|| {
            let month = self.meter.as_ref().filter(|_| remote);
            month.and_then(|meter| meter.reached(agent))
        });
        let over = other.is_some();
        if over {
            self.totals.lock().other = other;
        }
        over
    }

    fn reached_by(&self, agent: Agent) -> Option<String> {
        let spent = self.totals.lock().by_agent.get(&agent).copied()?;
        let most = self.agents.get(&agent)?.reached(&spent)?;
        Some(tr!("the limit of {most} for the {agent} was reached", most, agent = agent.as_str()))
    }

    /// The limit that is spent, as the end of a sentence that begins with "when".
    pub fn reached(&self) -> String {
        let other = self.totals.lock().other.clone();
        other.unwrap_or_else(|| tr!("the limit of {most} was reached", most = self.limit))
    }

    /// A query was not run because a limit would have been passed.
    pub fn over_budget(&self, error: AppError) {
        self.over.send_replace(Some(error));
    }

    /// The reason why a query was not run for its cost.
    pub fn refused(&self) -> Option<AppError> {
        self.over.borrow().clone()
    }

    /// Returns with the reason once a query was not run for its cost.
    pub async fn passed(&self) -> AppError {
        match self.over.subscribe().wait_for(Option::is_some).await.map(|error| error.clone()) {
            Ok(Some(error)) => error,
            // The sender lives as long as the run.
            _ => std::future::pending().await,
        }
    }

    /// Returns when the budget's seconds are over.
    pub async fn time_is_up(&self) {
        match self.limit.seconds {
            None => std::future::pending().await,
            Some(seconds) => {
                let left = (u64::from(seconds) * 1000).saturating_sub(self.total().wall_ms);
                tokio::time::sleep(Duration::from_millis(left)).await;
            }
        }
    }

    /// Returns when the run has worked for so many seconds, and does not wait for the user just then.
    pub async fn worked_for(&self, seconds: u32) {
        loop {
            let left = (u64::from(seconds) * 1000).saturating_sub(self.total().wall_ms);
            let waits = self.totals.lock().waits_since.is_some();
            match (left, waits) {
                (0, false) => return,
                (_, true) => tokio::time::sleep(LOOK_AGAIN).await,
                (left, false) => tokio::time::sleep(Duration::from_millis(left)).await,
            }
        }
    }

    /// Lets no call begin until [`Spending::resume`]; calls under way go on.
    pub fn pause(&self) {
        self.paused.send_replace(true);
    }

    /// Lets calls begin again.
    pub fn resume(&self) {
        self.paused.send_replace(false);
    }

    /// Returns when calls may begin.
    pub async fn unpaused(&self) {
        // The sender lives as long as the run.
        let _ = self.paused.subscribe().wait_for(|paused| !paused).await;
    }

    /// Marks the budget as spent: pending model calls do not go on.
    pub async fn give_up(&self) -> ! {
        self.spent.cancel();
        std::future::pending().await
    }

    /// Returns when the budget is spent.
    pub async fn given_up(&self) {
        self.spent.cancelled().await;
    }
}
