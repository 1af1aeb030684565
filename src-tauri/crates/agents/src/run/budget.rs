//! The budget of a run and its spending so far.

use crate::run::events::RunSink;
use crate::run::meter::{MonthlyMeter, SpentCall};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, AskSettings, Budget, Cap, ModelProfile, Usage};
use vitrine_words::tr;

/// Minimum reply length in tokens; a shorter reply cannot contain a query.
const SHORTEST_REPLY: u32 = 256;

/// Polling interval while the run waits for the user.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The budget of one run and its running totals.
pub struct Spending {
    limit: Budget,
    /// Limits of agents that have their own.
    agents: BTreeMap<Agent, Cap>,
    /// Source of the elapsed time.
    sink: Arc<dyn RunSink>,
    /// Spending of all runs in a month.
    meter: Option<Arc<dyn MonthlyMeter>>,
    totals: Mutex<Totals>,
    /// Wakes the callers that wait for unused reservations of calls in progress.
    returned: Notify,
    /// Cancelled when the budget is spent.
    spent: CancellationToken,
    /// Error of a query that was refused because it would have exceeded a cost limit.
    over: watch::Sender<Option<AppError>>,
    /// True if no call may begin until the user decides.
    paused: watch::Sender<bool>,
}

#[derive(Default)]
struct Totals {
    calls: u32,
    /// Milliseconds that the user took to choose.
    waited_ms: u32,
    /// Time at which the user was asked, while the run waits for a choice.
    waits_since: Option<u32>,
    by_agent: BTreeMap<Agent, Usage>,
    /// Reservations of calls in progress, by agent.
    aside: BTreeMap<Agent, Most>,
    /// Limit that ended the run, if it is an agent's or the month's and not the question's.
    other: Option<String>,
}

/// Upper bound of the usage of calls.
#[derive(Debug, Clone, Copy, Default)]
struct Most {
    tokens: u64,
    /// Millionths of a US dollar.
    money: u64,
}

/// A call that is about to be made.
pub struct Planned<'a> {
    /// Agent that makes the call.
    pub agent: Agent,
    /// Profile of the model that is called.
    pub profile: &'a ModelProfile,
    /// Maximum number of tokens of the prompt.
    pub prompt: u32,
    /// Number of replies that are requested.
    pub samples: u32,
    /// Maximum number of tokens of a reply.
    pub room: u32,
}

impl Planned<'_> {
    /// Returns the maximum usage of the call with replies of at most `room` tokens.
    fn max_usage(&self, room: u32) -> Most {
        let samples = u64::from(self.samples.max(1));
        // A model that gives one reply at a time reads the prompt for each of them.
        let prompts = if self.profile.samples { 1 } else { samples };
        let usage = Usage {
            prompt_tokens: u64::from(self.prompt) * prompts,
            // Writing to a provider's cache may cost more than reading the prompt once.
            cache_write_tokens: match self.profile.price.and_then(|price| Some(price.cache_write? > price.input)) {
                Some(true) => u64::from(self.prompt) * prompts,
                _ => 0,
            },
            completion_tokens: u64::from(room) * samples,
            ..Usage::default()
        };
        // Without a known price, money limits nothing; the run warns of that.
        Most { tokens: usage.total_tokens(), money: self.profile.micro_usd(&usage).unwrap_or(0) }
    }

    /// Returns the largest reply length, in tokens, that fits the remaining limits; `None` if it is too short for a reply.
    fn room_within(&self, left: &[RemainingLimit]) -> Option<u32> {
        let fits = |room: u32| {
            let most = self.max_usage(room);
            left.iter().all(|left| match left {
                RemainingLimit::Tokens(left) => most.tokens <= *left,
                RemainingLimit::Money(left) => most.money <= *left,
            })
        };
        if fits(self.room) {
            return Some(self.room);
        }
        let least = self.room.min(SHORTEST_REPLY);
        // Halves the length until it fits: this still leaves much more room than most replies need.
        let shorter =
            std::iter::successors(Some(self.room / 2), |room| Some(room / 2)).take_while(|room| *room >= least);
        shorter.chain([least]).find(|room| fits(*room))
    }
}

/// Remainder of one limit, in tokens or money.
enum RemainingLimit {
    Tokens(u64),
    Money(u64),
}

/// Reservation for a call; released when it is dropped, after the actual usage was added.
pub struct Aside<'a> {
    spending: &'a Spending,
    agent: Agent,
    most: Most,
    /// Maximum number of tokens of a reply.
    pub room: u32,
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        if let Some(aside) = self.spending.totals.lock().aside.get_mut(&self.agent) {
            aside.tokens -= self.most.tokens;
            aside.money -= self.most.money;
        }
        self.spending.returned.notify_waiters();
    }
}

impl Spending {
    /// Creates the account of a run that has spent nothing.
    pub fn new(settings: &AskSettings, sink: Arc<dyn RunSink>, meter: Option<Arc<dyn MonthlyMeter>>) -> Self {
        let (limit, agents) = (settings.budget, settings.agent_budgets.clone());
        let (spent, paused) = (CancellationToken::new(), watch::Sender::new(false));
        let over = watch::Sender::new(None);
        Self { limit, agents, sink, meter, totals: Mutex::default(), returned: Notify::new(), spent, over, paused }
    }

    /// Returns the number of the next model call, from 1.
    pub fn next_call(&self) -> u32 {
        let mut totals = self.totals.lock();
        totals.calls += 1;
        totals.calls
    }

    /// Adds the usage of an agent.
    pub fn add(&self, agent: Agent, usage: Usage) {
        *self.totals.lock().by_agent.entry(agent).or_default() += usage;
    }

    /// Adds a finished model call, also to the month's meter.
    pub fn add_call(&self, call: SpentCall<'_>) {
        self.add(call.agent, call.usage);
        if let Some(meter) = &self.meter {
            meter.record_call(call);
        }
    }

    /// Stops the run's clock until [`Spending::add_wait`], while the user is asked.
    pub fn begin_wait(&self) {
        self.totals.lock().waits_since = Some(self.sink.elapsed_ms());
    }

    /// Adds the user's response time, which does not count for the run.
    pub fn add_wait(&self, ms: u32) {
        let mut totals = self.totals.lock();
        totals.waits_since = None;
        totals.waited_ms += ms;
    }

    /// Returns the totals by agent; each agent's `wall_ms` is the duration of its calls and queries.
    pub fn by_agent(&self) -> BTreeMap<Agent, Usage> {
        self.totals.lock().by_agent.clone()
    }

    /// Returns the totals; `wall_ms` is the time since the run began, without the user's response times.
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

    /// Returns true if no further call may begin, because a limit of the question or the agent, or of the month for a remote model, is
    /// reached.
    pub fn is_over(&self, agent: Agent, remote: bool) -> bool {
        if self.spent.is_cancelled() {
            return true;
        }
        let usage = self.total();
        let reached = |spent: u64, most: Option<u64>| most.is_some_and(|most| spent >= most);
        if reached(usage.total_tokens(), self.limit.tokens)
            || reached(usage.micro_usd, self.limit.money)
            || reached(usage.wall_ms, self.limit.seconds.map(|seconds| u64::from(seconds) * 1000))
        {
            return true;
        }
        let other = self.reached_by(agent).or_else(|| {
            let month = self.meter.as_ref().filter(|_| remote);
            month.and_then(|meter| meter.reached_limit(agent))
        });
        let over = other.is_some();
        if over {
            self.totals.lock().other = other;
        }
        over
    }

    /// Reserves the maximum usage of a call, with a shorter reply if less remains. Waits for calls in progress that hold the remainder.
    /// `None` if too little remains for a reply.
    pub async fn set_aside(&self, call: &Planned<'_>) -> Option<Aside<'_>> {
        loop {
            let returned = self.returned.notified();
            tokio::pin!(returned);
            returned.as_mut().enable();
            {
                let mut totals = self.totals.lock();
                let (left, others_hold) = self.remaining_limits(&totals, call.agent);
                if let Some(room) = call.room_within(&left) {
                    let most = call.max_usage(room);
                    let aside = totals.aside.entry(call.agent).or_default();
                    aside.tokens += most.tokens;
                    aside.money += most.money;
                    return Some(Aside { spending: self, agent: call.agent, most, room });
                }
                if !others_hold {
                    let of_agent = self.agents.get(&call.agent).filter(|cap| cap.is_set());
                    let most = of_agent.map_or_else(|| self.limit.to_string(), Cap::to_string);
                    totals.other = Some(tr!("the rest of the limit of {most} was too small for another call", most));
                    return None;
                }
            }
            returned.await;
        }
    }

    /// Returns the remainders of the question's and the agent's limits after all reservations, and true if there are reservations.
    fn remaining_limits(&self, totals: &Totals, agent: Agent) -> (Vec<RemainingLimit>, bool) {
        let spent_by = |agent: &Agent| {
            let spent = totals
                .by_agent
                .get(agent)
                .map_or(Most::default(), |usage| Most { tokens: usage.total_tokens(), money: usage.micro_usd });
            let aside = totals.aside.get(agent).copied().unwrap_or_default();
            Most { tokens: spent.tokens + aside.tokens, money: spent.money + aside.money }
        };
        let mut all = Most::default();
        for agent in totals.by_agent.keys().chain(totals.aside.keys().filter(|a| !totals.by_agent.contains_key(a))) {
            let spent = spent_by(agent);
            all = Most { tokens: all.tokens + spent.tokens, money: all.money + spent.money };
        }
        let cap = self.agents.get(&agent).copied().unwrap_or_default();
        let question = Cap { tokens: self.limit.tokens, money: self.limit.money };
        let mut left = Vec::new();
        for (cap, spent) in [(question, all), (cap, spent_by(&agent))] {
            left.extend(cap.tokens.map(|most| RemainingLimit::Tokens(most.saturating_sub(spent.tokens))));
            left.extend(cap.money.map(|most| RemainingLimit::Money(most.saturating_sub(spent.money))));
        }
        (left, totals.aside.values().any(|aside| aside.tokens > 0))
    }

    fn reached_by(&self, agent: Agent) -> Option<String> {
        let spent = self.totals.lock().by_agent.get(&agent).copied()?;
        let most = self.agents.get(&agent)?.describe_reached_limit(&spent)?;
        Some(tr!("the limit of {most} for the {agent} was reached", most, agent = agent.as_str()))
    }

    /// Returns the limit that is spent, as the end of a sentence that begins with "when".
    pub fn reached_limit(&self) -> String {
        let other = self.totals.lock().other.clone();
        other.unwrap_or_else(|| tr!("the limit of {most} was reached", most = self.limit))
    }

    /// Records that a query was refused because it would have exceeded a limit.
    pub fn over_budget(&self, error: AppError) {
        self.over.send_replace(Some(error));
    }

    /// Returns the error of a query that was refused for its cost.
    pub fn cost_refusal(&self) -> Option<AppError> {
        self.over.borrow().clone()
    }

    /// Waits until a query is refused for its cost and returns the error.
    pub async fn wait_for_refusal(&self) -> AppError {
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

    /// Returns when the run has worked for `seconds` seconds and is not waiting for the user.
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

    /// Blocks new calls until [`Spending::resume`]; calls in progress continue.
    pub fn pause(&self) {
        self.paused.send_replace(true);
    }

    /// Allows new calls after [`Spending::pause`].
    pub fn resume(&self) {
        self.paused.send_replace(false);
    }

    /// Returns when calls may begin.
    pub async fn wait_until_resumed(&self) {
        // The sender lives as long as the run.
        let _ = self.paused.subscribe().wait_for(|paused| !paused).await;
    }

    /// Marks the budget as spent and never returns, so that pending model calls do not continue.
    pub async fn give_up(&self) -> ! {
        self.spent.cancel();
        std::future::pending().await
    }

    /// Returns when the budget is spent.
    pub async fn given_up(&self) {
        self.spent.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{EventBody, Price};

    struct Clock;
    impl RunSink for Clock {
        fn emit(&self, _: EventBody) {}
        fn elapsed_ms(&self) -> u32 {
            0
        }
    }

    /// Returns a profile that costs one dollar for a million tokens.
    fn priced_profile() -> ModelProfile {
        let price = Price { input: 1.0, cached: 0.1, output: 1.0, cache_write: Some(1.25) };
        ModelProfile { price: Some(price), ..ModelProfile::default() }
    }

    fn limited_spending(money: u64) -> Spending {
        let budget = Budget { money: Some(money), ..Budget::default() };
        Spending::new(&AskSettings { budget, ..AskSettings::default() }, Arc::new(Clock), None)
    }

    fn planned_call(profile: &ModelProfile, samples: u32) -> Planned<'_> {
        Planned { agent: Agent::Generator, profile, prompt: 1_000, samples, room: 4_000 }
    }

    #[tokio::test]
    async fn a_call_has_the_room_that_its_limit_leaves_and_none_is_made_for_less() {
        let profile = priced_profile();
        let room = async |money, samples| {
            limited_spending(money).set_aside(&planned_call(&profile, samples)).await.map(|aside| aside.room)
        };
        assert_eq!(room(1_000_000, 1).await, Some(4_000));
        // Writing the prompt to the cache costs as much as 1,250 tokens.
        assert_eq!(room(5_249, 1).await, Some(2_000));
        assert_eq!(room(5_249, 4).await, Some(500), "each reply takes its own room");
        assert_eq!(room(1_250 + 256, 1).await, Some(256));
        assert_eq!(room(1_250 + 255, 1).await, None);
        let unpriced = ModelProfile { price: None, ..profile.clone() };
        let aside = limited_spending(1).set_aside(&planned_call(&unpriced, 1)).await.map(|aside| aside.room);
        assert_eq!(aside, Some(4_000), "what has no price is limited by no money");
    }

    #[tokio::test]
    async fn calls_under_way_hold_what_they_may_take_and_give_back_the_rest() {
        let profile = priced_profile();
        let spending = limited_spending(6_000);
        let first = spending.set_aside(&planned_call(&profile, 1)).await.unwrap();
        assert_eq!(first.room, 4_000);
        let planned = planned_call(&profile, 1);
        let second = spending.set_aside(&planned);
        tokio::pin!(second);
        assert!(futures::poll!(second.as_mut()).is_pending(), "the first may take what is left");
        spending.add(Agent::Generator, Usage { micro_usd: 1_500, ..Usage::default() });
        drop(first);
        assert_eq!(second.await.unwrap().room, 2_000);
        spending.add(Agent::Generator, Usage { micro_usd: 3_500, ..Usage::default() });
        assert!(spending.set_aside(&planned).await.is_none());
        assert!(
            spending.reached_limit().contains("the rest of the limit of $0.0060 was too small"),
            "{}",
            spending.reached_limit()
        );
    }
}
