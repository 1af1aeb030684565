//! Cost of a question: prices of each call, budgets, and the time after which the user decides.

use crate::bench::{Ran, Shop};
use async_trait::async_trait;
use futures::stream::BoxStream;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_agents::certainty::Evidence;
use vitrine_agents::{Ask, AskOptions, MonthlyMeter, Onlooker, RunSink, SpentCall, UserRoles};
use vitrine_domain::{
    Agent, AskSettings, Budget, Cap, EventBody, ModelProfile, Price, RunEvent, RunReport, RunStatus, Usage,
};
use vitrine_llm::{ChatModel, Line, LlmError, ModelEvent, Request, ScriptedModel};

const SUM: &str = "SELECT SUM(amount) FROM purchase";
const COUNT: &str = "SELECT COUNT(*) FROM purchase";

fn auto(budget: Budget) -> AskSettings {
    AskSettings { strategy: "auto".into(), candidates: 2, budget, ..AskSettings::default() }
}

/// Profile of a remote model that costs one dollar per thousand tokens.
fn priced() -> ModelProfile {
    let price = Price { input: 1_000.0, cached: 100.0, output: 1_000.0, cache_write: None };
    ModelProfile {
        context_tokens: 8_192,
        chunk_budget: 2_048,
        deliberates: false,
        price: Some(price),
        ..ModelProfile::default()
    }
}

fn scripted(profile: ModelProfile, lines: &[&str]) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(lines.to_vec()).with_profile(profile))
}

async fn question(settings: AskSettings, model: Arc<dyn ChatModel>) -> (Shop, Ask) {
    let shop = Shop::new();
    let ask = shop.ask("How much did customers buy?", settings, model).await;
    (shop, ask)
}

fn only_cell(ran: &Ran) -> Option<String> {
    ran.report.page.as_ref()?.rows.first()?.first()?.clone()
}

async fn asked(settings: AskSettings, model: Arc<dyn ChatModel>) -> Ran {
    let (_shop, ask) = question(settings, model).await;
    crate::bench::run(ask, CancellationToken::new()).await
}

fn tokens_of_first_call(ran: &Ran) -> u64 {
    let calls = ran.pick(|body| match body {
        EventBody::ModelCallFinished { usage, .. } => Some(usage.total_tokens()),
        _ => None,
    });
    calls[0]
}

#[tokio::test]
async fn each_call_has_its_price_and_the_totals_are_their_sum() {
    let ran = asked(auto(Budget::default()), scripted(priced(), &[SUM, SUM])).await;
    let calls = ran.pick(|body| match body {
        EventBody::ModelCallFinished { usage, .. } => Some(*usage),
        _ => None,
    });
    assert_eq!(calls.len(), 2);
    for usage in &calls {
        assert_eq!(usage.micro_usd, 1_000 * (usage.prompt_tokens + usage.completion_tokens));
        assert_eq!(usage.priced_calls, 1);
    }
    let total = ran.report.usage;
    assert_eq!(total.cost_micro_usd(), Some(calls.iter().map(|usage| usage.micro_usd).sum()));
    assert_eq!(ran.report.usage_by_agent[&Agent::Generator].cost_micro_usd(), total.cost_micro_usd());
    assert_eq!(ran.report.to_json()["usage"]["usd"].as_f64(), Some(total.micro_usd as f64 / 1e6));
}

#[tokio::test]
async fn a_model_without_a_known_price_is_not_free() {
    let unknown = ModelProfile { price: None, ..priced() };
    let ran = asked(auto(Budget { money: Some(1), ..Budget::default() }), scripted(unknown.clone(), &[SUM, SUM])).await;
    assert_eq!((ran.report.usage.cost_micro_usd(), ran.report.status()), (None, RunStatus::Answered));
    assert!(ran.report.to_json()["usage"]["usd"].is_null());
    let said = ran.report.warnings.join(" ");
    assert!(said.contains("does not apply to scripted: the price is unknown"), "{said}");
    // A limit that cannot be measured does not affect the answer.
    let unlimited = asked(auto(Budget::default()), scripted(unknown.clone(), &[SUM, SUM])).await;
    let evidence = |ran: &Ran| format!("{:?}", Evidence::from_events(ran.events.iter().map(|event| &event.body)));
    assert_eq!(evidence(&ran), evidence(&unlimited));

    let money = Cap { money: Some(1), tokens: None };
    let of_agent =
        AskSettings { agent_budgets: BTreeMap::from([(Agent::Generator, money)]), ..auto(Budget::default()) };
    let ran = asked(of_agent.clone(), scripted(ModelProfile { price: None, ..priced() }, &[SUM, SUM])).await;
    let said = ran.report.warnings.join(" ");
    assert!(said.contains("for the generator does not apply to scripted: the price is unknown"), "{said}");
    let ran = asked(of_agent, scripted(priced(), &[SUM, SUM])).await;
    assert!(!ran.report.warnings.join(" ").contains("the price is unknown"), "{:?}", ran.report.warnings);

    let here = asked(auto(Budget::default()), Arc::new(ScriptedModel::new(vec![SUM, SUM]))).await;
    assert_eq!(here.report.usage.cost_micro_usd(), Some(0), "a model of this computer is");
}

#[tokio::test]
async fn a_question_that_has_spent_its_money_is_answered_with_the_best_so_far() {
    let limit = |money| auto(Budget { money: Some(money), ..Budget::default() });
    let free = asked(auto(Budget::default()), scripted(priced(), &[SUM, SUM])).await;
    // Enough for one call and its reply, but not for a second call.
    let one = 1_000 * (tokens_of_first_call(&free) + 300);
    let model = scripted(priced(), &[SUM, COUNT]);
    let ran = asked(limit(one), model.clone()).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
    assert_eq!(model.requests().len(), 1, "a call that may pass the limit is not made");
    assert!(ran.report.usage.micro_usd <= one);
    let said = ran.report.warnings.join(" ");
    assert!(
        said.contains("when the rest of the limit of $") && said.contains("was too small for another call"),
        "{said}"
    );
    assert!(model.requests()[0].max_tokens < 400, "its reply has the room that is left");

    let none = scripted(priced(), &[SUM]);
    let ran = asked(limit(1_000), none.clone()).await;
    assert_eq!((none.requests().len(), ran.report.usage.micro_usd), (0, 0), "no call fits into it");
    let error = ran.outcome.unwrap_err();
    assert!(error.message.contains("$0.0010") && error.hint.is_some(), "{error}");

    // A limit that is not reached has no effect.
    let held = asked(limit(1_000_000_000), scripted(priced(), &[SUM, SUM])).await;
    let bodies = |ran: &Ran| -> Vec<EventBody> {
        ran.events.iter().skip(1).map(|event| event.body.clone()).map(without_times).collect()
    };
    assert_eq!(bodies(&held), bodies(&free));
}

#[tokio::test]
async fn an_agent_that_has_spent_its_own_limit_ends_the_asking_and_no_other_agent_s_does() {
    let free = asked(auto(Budget::default()), scripted(priced(), &[SUM, SUM])).await;
    let one = tokens_of_first_call(&free) + 300;
    let limit = |agent| AskSettings {
        agent_budgets: BTreeMap::from([(agent, Cap { tokens: Some(one), money: None })]),
        ..auto(Budget::default())
    };
    let model = scripted(priced(), &[SUM, COUNT]);
    let ran = asked(limit(Agent::Generator), model.clone()).await;
    assert_eq!((only_cell(&ran).as_deref(), model.requests().len()), (Some("35.5"), 1), "{:?}", ran.outcome);
    let said = ran.report.warnings.join(" ");
    assert!(said.contains(&format!("the rest of the limit of {one} tokens was too small")), "{said}");

    let model = scripted(priced(), &[SUM, SUM]);
    asked(limit(Agent::Judge), model.clone()).await;
    assert_eq!(model.requests().len(), 2, "the judge was not asked");
}

/// Removes times, which differ between runs.
fn without_times(mut body: EventBody) -> EventBody {
    match &mut body {
        EventBody::QueryExecuted { ms, .. } => *ms = 0,
        EventBody::ModelCallFinished { usage, .. } => usage.wall_ms = 0,
        EventBody::RunFinished { usage, usage_by_agent, .. } => {
            usage.wall_ms = 0;
            usage_by_agent.values_mut().for_each(|usage| usage.wall_ms = 0);
        }
        _ => {}
    }
    body
}

/// A meter with this monthly token limit.
#[derive(Default)]
struct Month(u64, Mutex<u64>);

impl MonthlyMeter for Month {
    fn record_call(&self, call: SpentCall<'_>) {
        assert_eq!((call.model, call.agent), ("scripted", Agent::Generator));
        *self.1.lock().unwrap() += call.usage.total_tokens();
    }

    fn reached_limit(&self, _: Agent) -> Option<String> {
        (*self.1.lock().unwrap() >= self.0).then(|| "the month's limit was reached".to_owned())
    }
}

#[tokio::test]
async fn the_limit_of_a_month_counts_during_a_run_for_models_behind_an_address_alone() {
    let with = async |profile: ModelProfile, limit| {
        let model = scripted(profile, &[SUM, SUM]);
        let (_shop, ask) = question(auto(Budget::default()), model.clone()).await;
        let meter = Arc::new(Month(limit, Mutex::new(0)));
        let ran = crate::bench::run(
            Ask { options: AskOptions { meter: Some(meter), ..ask.options }, ..ask },
            CancellationToken::new(),
        )
        .await;
        (ran, model.requests().len())
    };
    let (ran, calls) = with(priced(), 1).await;
    assert_eq!((only_cell(&ran).as_deref(), calls), (Some("35.5"), 1), "{:?}", ran.outcome);
    assert!(ran.report.warnings.join(" ").contains("best result when the month's limit was reached"));

    let (ran, calls) = with(priced(), 1_000_000).await;
    assert_eq!((calls, ran.report.warnings.len()), (2, 0));

    let here = ScriptedModel::new(Vec::<Line>::new()).profile();
    let (ran, calls) = with(here, 1).await;
    assert_eq!((calls, ran.report.warnings.len()), (2, 0), "a model of this computer is not held");
}

/// Seconds after which the user sees the best answer so far.
const WITHIN: u32 = 2;

/// A model with delayed replies.
struct Slow {
    script: ScriptedModel,
    waits_ms: Mutex<VecDeque<u64>>,
}

impl Slow {
    /// Creates a model from pairs of delay in milliseconds and reply.
    fn new(replies: &[(u64, &str)]) -> Arc<Self> {
        let lines: Vec<&str> = replies.iter().map(|(_, line)| *line).collect();
        let waits_ms = replies.iter().map(|(ms, _)| *ms).collect();
        Arc::new(Self { script: ScriptedModel::new(lines), waits_ms: Mutex::new(waits_ms) })
    }
}

#[async_trait]
impl ChatModel for Slow {
    fn id(&self) -> &str {
        "slow"
    }

    fn profile(&self) -> ModelProfile {
        self.script.profile()
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        self.script.count_tokens(texts).await
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let ms = self.waits_ms.lock().unwrap().pop_front().unwrap_or(0);
        tokio::select! {
            () = cancel.cancelled() => Err(LlmError::Cancelled),
            () = tokio::time::sleep(Duration::from_millis(ms)) => self.script.stream(request, cancel).await,
        }
    }
}

/// A user who may decide on the best answer so far.
#[derive(Clone, Copy)]
enum User {
    Silent,
    /// Decides this number of milliseconds after the prompt.
    Says(u64, bool),
}

#[async_trait]
impl Onlooker for User {
    async fn keep_looking(&self) -> bool {
        match *self {
            Self::Silent => std::future::pending().await,
            Self::Says(ms, goes_on) => {
                tokio::time::sleep(Duration::from_millis(ms)).await;
                goes_on
            }
        }
    }
}

/// A sink that records events with real times.
struct Clocked(Instant, Mutex<Vec<RunEvent>>);

impl RunSink for Clocked {
    fn emit(&self, body: EventBody) {
        let mut events = self.1.lock().unwrap();
        let seq = events.len() as u32 + 1;
        events.push(RunEvent { run_id: "run".to_owned(), seq, at_ms: self.elapsed_ms(), body });
    }

    fn elapsed_ms(&self) -> u32 {
        self.0.elapsed().as_millis() as u32
    }
}

/// Asks a slow model, shows the best answer so far after [`WITHIN`] seconds, and optionally cancels the run after some
/// milliseconds.
async fn patiently(model: Arc<Slow>, user: User, stop_after_ms: Option<u64>) -> Ran {
    let settings = AskSettings { answer_within_s: WITHIN, ..auto(Budget::default()) };
    let (_shop, ask) = question(settings, model).await;
    let sink = Arc::new(Clocked(Instant::now(), Mutex::default()));
    let cancel = CancellationToken::new();
    if let Some(ms) = stop_after_ms {
        let stop = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            stop.cancel();
        });
    }
    let outcome = vitrine_agents::run(
        Ask { user: UserRoles { onlooker: Some(Arc::new(user)), ..ask.user }, ..ask },
        sink.clone(),
        cancel,
    )
    .await;
    let events = sink.1.lock().unwrap().clone();
    let report = RunReport::from_events(&events);
    Ran { events, report, outcome }
}

/// Returns the times in seconds when the best answer so far was shown, with the waiting time of the run.
fn shown(ran: &Ran) -> Vec<(u32, u32)> {
    let at = |event: &RunEvent| match &event.body {
        EventBody::BestSoFar { waits_s, .. } => Some((event.at_ms / 1000, *waits_s)),
        _ => None,
    };
    ran.events.iter().filter_map(at).collect()
}

/// Returns the user's decisions with their waiting times in seconds.
fn decided(ran: &Ran) -> Vec<(bool, u32)> {
    ran.pick(|body| match body {
        EventBody::LookingDecided { goes_on, waited_ms, .. } => Some((*goes_on, waited_ms / 1000)),
        _ => None,
    })
}

/// A model with one immediate candidate and a long delay after it.
fn one_and_nothing_more() -> Arc<Slow> {
    Slow::new(&[(10, SUM), (60_000, COUNT)])
}

#[tokio::test]
async fn when_the_time_is_over_the_best_so_far_is_shown_and_becomes_the_answer() {
    let ran = patiently(one_and_nothing_more(), User::Silent, None).await;
    assert_eq!((shown(&ran), decided(&ran)), (vec![(2, 2)], vec![(false, 2)]));
    assert_eq!((only_cell(&ran).as_deref(), ran.report.status()), (Some("35.5"), RunStatus::Answered));
    assert!(!ran.report.best_so_far, "it is the answer now");
    let said = ran.report.warnings.join(" ");
    assert!(said.contains("The best result after 2 s: the method had not finished"), "{said}");
    assert_eq!(ran.report.usage.wall_ms / 1000, 2, "what the user took does not count");

    let taken = patiently(one_and_nothing_more(), User::Says(2_300, false), None).await;
    assert_eq!((decided(&taken), only_cell(&taken).as_deref()), (vec![(false, 0)], Some("35.5")));

    let alone = without_a_user().await;
    assert_eq!((shown(&alone), decided(&alone)), (vec![], vec![]), "nobody is asked");
    assert!(alone.report.warnings.join(" ").contains("The best result after 2 s"));
}

async fn without_a_user() -> Ran {
    let settings = AskSettings { answer_within_s: WITHIN, ..auto(Budget::default()) };
    let (_shop, ask) = question(settings, one_and_nothing_more()).await;
    let sink = Arc::new(Clocked(Instant::now(), Mutex::default()));
    let outcome = vitrine_agents::run(ask, sink.clone(), CancellationToken::new()).await;
    let events = sink.1.lock().unwrap().clone();
    Ran { report: RunReport::from_events(&events), events, outcome }
}

#[tokio::test]
async fn whoever_keeps_looking_gets_what_the_method_finds() {
    let ran = patiently(Slow::new(&[(10, SUM), (3_500, SUM)]), User::Says(2_500, true), None).await;
    assert_eq!((shown(&ran), decided(&ran)), (vec![(2, 2)], vec![(true, 0)]));
    assert_eq!((only_cell(&ran).as_deref(), ran.report.warnings.len()), (Some("35.5"), 0));
    let votes = ran.pick(|body| match body {
        EventBody::CandidateChosen { votes, of, .. } => Some((*votes, *of)),
        _ => None,
    });
    assert_eq!(votes, [(2, 2)], "both have voted");

    // A user who already decided is not asked again.
    let ran = patiently(Slow::new(&[(10, SUM), (3_000, SUM)]), User::Says(500, true), None).await;
    assert_eq!((shown(&ran), decided(&ran), ran.report.status()), (vec![], vec![], RunStatus::Answered));
}

#[tokio::test]
async fn no_model_is_asked_while_the_run_waits_for_the_user() {
    // The second reply arrives while the run waits: it is recorded, and the next call is made only afterwards.
    let model = Slow::new(&[(10, SUM), (2_500, COUNT), (10, SUM), (10, SUM), (10, SUM), (10, SUM)]);
    let ran = patiently(model, User::Says(3_500, true), None).await;
    assert_eq!((shown(&ran), decided(&ran)), (vec![(2, 2)], vec![(true, 1)]));
    let calls = |is: fn(&EventBody) -> bool| -> Vec<u32> {
        ran.events.iter().filter(|event| is(&event.body)).map(|event| event.at_ms).collect()
    };
    let ended = calls(|body| matches!(body, EventBody::ModelCallFinished { .. }));
    assert!((2_000..3_500).contains(&ended[1]), "{ended:?}");
    let begun = calls(|body| matches!(body, EventBody::ModelCallStarted { .. }));
    assert!(begun.len() > 2 && begun[2..].iter().all(|at| *at >= 3_500), "{begun:?}");
}

#[tokio::test]
async fn an_answer_in_time_is_not_interrupted() {
    let ran = patiently(Slow::new(&[(10, SUM), (100, SUM)]), User::Silent, None).await;
    assert_eq!((shown(&ran), ran.report.status(), ran.report.warnings.len()), (vec![], RunStatus::Answered, 0));
}

#[tokio::test]
async fn where_nothing_has_run_in_time_the_search_goes_on_until_something_does() {
    let ran = patiently(Slow::new(&[(3_100, SUM), (60_000, COUNT)]), User::Silent, None).await;
    assert_eq!((shown(&ran), only_cell(&ran).as_deref()), (vec![(3, 2)], Some("35.5")));
    let passing = ran.pick(|body| match body {
        EventBody::Warning { message, passing: true, .. } => Some(message.clone()),
        _ => None,
    });
    assert!(passing[0].contains("No query has run after 2 s"), "{passing:?}");
    assert!(ran.report.warnings.iter().all(|warning| !passing.contains(warning)), "{:?}", ran.report.warnings);
}

#[tokio::test]
async fn stopping_never_loses_the_best_so_far() {
    let ran = patiently(one_and_nothing_more(), User::Silent, Some(2_700)).await;
    assert_eq!((only_cell(&ran).as_deref(), ran.report.status()), (Some("35.5"), RunStatus::Answered), "it was shown");

    let ran = patiently(one_and_nothing_more(), User::Silent, Some(1_200)).await;
    assert_eq!((shown(&ran), ran.report.status()), (vec![(1, 0)], RunStatus::Cancelled));
    assert_eq!((only_cell(&ran).as_deref(), ran.report.best_so_far), (Some("35.5"), true));

    let ran = patiently(Slow::new(&[(60_000, SUM), (60_000, COUNT)]), User::Silent, Some(500)).await;
    assert_eq!((shown(&ran), ran.report.status()), (vec![], RunStatus::Cancelled), "there was nothing yet");
}

#[test]
fn usage_adds_up_whatever_is_known_of_its_price() {
    let mut total = Usage { llm_calls: 1, micro_usd: 5, priced_calls: 1, ..Usage::default() };
    total += Usage { db_calls: 1, ..Usage::default() };
    assert_eq!((total.cost_micro_usd(), total.money_text()), (Some(5), "less than $0.0001".to_owned()));
    total += Usage { llm_calls: 1, ..Usage::default() };
    assert_eq!(
        (total.cost_micro_usd(), total.money_text()),
        (None, "less than $0.0001 and calls of unknown price".to_owned())
    );
    let earlier: Usage = serde_json::from_str(
        r#"{"llm_calls":2,"prompt_tokens":1,"cached_prompt_tokens":0,"completion_tokens":1,"db_calls":0,"wall_ms":1}"#,
    )
    .unwrap();
    assert_eq!(
        (earlier.cost_micro_usd(), earlier.money_text()),
        (None, "price unknown".to_owned()),
        "a log of earlier days"
    );
}
