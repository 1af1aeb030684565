//! The budget of a run, and what it has spent so far.

use crate::run::events::RunSink;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, Budget, Usage};

/// The budget of one run and its running totals.
pub struct Spending {
    limit: Budget,
    /// The clock.
    sink: Arc<dyn RunSink>,
    totals: Mutex<Totals>,
    /// Cancelled when the budget is spent.
    spent: CancellationToken,
}

#[derive(Default)]
struct Totals {
    calls: u32,
    /// Milliseconds that the user took to choose.
    waited_ms: u32,
    by_agent: BTreeMap<Agent, Usage>,
}

impl Spending {
    /// Nothing is spent yet.
    pub fn new(limit: Budget, sink: Arc<dyn RunSink>) -> Self {
        Self { limit, sink, totals: Mutex::default(), spent: CancellationToken::new() }
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

    /// Adds time that the user took; it does not count for the run.
    pub fn add_wait(&self, ms: u32) {
        self.totals.lock().waited_ms += ms;
    }

    /// Totals by agent so far; each agent's `wall_ms` is the time its calls and queries took.
    pub fn by_agent(&self) -> BTreeMap<Agent, Usage> {
        self.totals.lock().by_agent.clone()
    }

    /// Totals so far; `wall_ms` is the time since the run began, without what the user took.
    pub fn total(&self) -> Usage {
        let mut total = Usage::default();
        for usage in self.by_agent().into_values() {
            total += usage;
        }
        let waited = self.totals.lock().waited_ms;
        total.wall_ms = u64::from(self.sink.elapsed_ms().saturating_sub(waited));
        total
    }

    /// Whether no further call may begin.
    pub fn is_over(&self) -> bool {
        if self.spent.is_cancelled() {
            return true;
        }
        let usage = self.total();
        self.limit.tokens.is_some_and(|most| usage.prompt_tokens + usage.completion_tokens >= most)
            || self.limit.seconds.is_some_and(|most| usage.wall_ms >= u64::from(most) * 1000)
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
