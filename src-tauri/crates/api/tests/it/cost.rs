//! Cost of questions: counted by month, estimated from earlier runs, and limited by the month's limits.

use crate::support::Desk;
use std::sync::Arc;
use vitrine_api::{EstimateBasis, Settings};
use vitrine_domain::{
    Agent, Cap, ErrorCode, EventBody, ModelPreset, ModelProfile, MonthlyCaps, Price, RunChange, RunReport,
};
use vitrine_llm::{Line, ScriptedModel};

const SQL: &str = "SELECT count(*) AS n FROM customers";

/// Creates a remote model that costs a dollar per thousand tokens.
fn priced(lines: Vec<&str>) -> Arc<ScriptedModel> {
    let price = Price { input: 1_000.0, cached: 100.0, output: 1_000.0, cache_write: None };
    let profile = ModelProfile { deliberates: false, price: Some(price), ..ModelProfile::default() };
    Arc::new(ScriptedModel::new(lines).with_profile(profile))
}

async fn limit(desk: &Desk, monthly: MonthlyCaps) {
    let settings = Settings { monthly, ..desk.app.settings().await.unwrap() };
    desk.app.set_settings(settings).await.unwrap();
}

fn all(cap: Cap) -> MonthlyCaps {
    MonthlyCaps { all: cap, ..MonthlyCaps::default() }
}

async fn answered(desk: &Desk) -> RunReport {
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    RunReport::from_events(&desk.all(&run_id).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_question_cost_is_in_the_month_and_stays_there_without_its_run() {
    let desk = Desk::with(priced(vec![SQL])).await;
    let report = answered(&desk).await;
    let paid = report.usage.cost_micro_usd().unwrap();
    assert!(paid > 0);
    desk.app.delete_run(report.run_id).await.unwrap();

    let spending = desk.app.spending(None).await.unwrap();
    assert_eq!(spending.months, [spending.month.as_str()]);
    let [row] = spending.rows.as_slice() else { panic!("{spending:?}") };
    assert_eq!((row.model.as_str(), row.agent, row.remote), ("scripted", Agent::Generator, true));
    assert_eq!((row.usage.micro_usd, spending.remote.micro_usd), (paid, paid));
    assert_eq!(spending.remote_by_agent[&Agent::Generator].llm_calls, 1);
    assert_eq!(desk.app.spending(Some("2001-01".to_owned())).await.unwrap().rows, []);
    assert_eq!(desk.app.spending(Some("soon".to_owned())).await.unwrap_err().code, ErrorCode::Usage);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_beyond_the_months_limit_is_refused_and_says_where_to_change_it() {
    let desk = Desk::with(priced(vec![SQL, SQL])).await;
    let paid = answered(&desk).await.usage.micro_usd;
    limit(&desk, all(Cap { money: Some(paid), tokens: None })).await;
    let error = desk.ask("Once more?").await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Usage);
    assert!(error.message.contains("month's limit") && error.message.contains("spent in"), "{error}");
    assert!(error.hint.as_ref().unwrap().contains("vitrine models limit"), "{error:?}");
    let refused = desk.app.estimate(desk.question("Once more?")).await.unwrap().refused;
    assert!(refused.unwrap().contains("month's limit"));

    // A question costs as much as the first one, which exceeds the remaining limit.
    limit(&desk, all(Cap { money: Some(paid + paid / 2), tokens: None })).await;
    let error = desk.ask("Once more?").await.unwrap_err();
    assert!(error.message.contains("would be exceeded"), "{error}");

    limit(&desk, all(Cap { money: Some(paid * 3), tokens: None })).await;
    answered(&desk).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn models_of_this_machine_are_counted_and_never_refused() {
    let desk = Desk::new(vec![SQL, SQL]).await;
    limit(&desk, all(Cap { money: Some(0), tokens: Some(0) })).await;
    assert_eq!(answered(&desk).await.usage.cost_micro_usd(), Some(0));
    answered(&desk).await;
    let spending = desk.app.spending(None).await.unwrap();
    assert_eq!((spending.remote.llm_calls, spending.local.llm_calls), (0, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_comes_from_the_schema_first_and_then_from_what_questions_took() {
    let desk = Desk::with(priced(vec![SQL])).await;
    let request = || desk.question("How many customers are there?");
    let guess = desk.app.estimate(request()).await.unwrap();
    assert_eq!((guess.basis, guess.runs, guess.seconds), (EstimateBasis::Formula, 0, None));
    assert!(guess.tokens.low > 0 && guess.money.unwrap().high > 0);

    let usage = answered(&desk).await.usage;
    let known = desk.app.estimate(request()).await.unwrap();
    assert_eq!((known.basis, known.runs), (EstimateBasis::Warehouse, 1));
    assert_eq!((known.tokens.low, known.tokens.high), (usage.total_tokens(), usage.total_tokens()));
    assert_eq!(known.money.unwrap().high, usage.micro_usd);
    // A query that the user has written calls no model, so that its run is not used for estimates of a question.
    let run_id = desk.app.runs(String::new(), 1, 0).await.unwrap()[0].run_id.clone();
    let own = vec![RunChange::Sql { sql: SQL.to_owned() }];
    let next = desk.app.rerun(run_id, own).await.unwrap();
    desk.all(&next).await;
    assert_eq!(desk.app.estimate(request()).await.unwrap(), known);

    let mut other = request();
    other.settings.strategy = "vote".into();
    assert_eq!(desk.app.estimate(other).await.unwrap().basis, EstimateBasis::Formula, "another method says nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_best_so_far_can_be_taken_from_a_run_at_work() {
    let desk = Desk::new(vec![Line::from(SQL), Line::Hang]).await;
    let mut request = desk.question("How many customers are there?");
    (request.settings.strategy, request.settings.candidates) = ("auto".into(), 2);
    let run_id = desk.app.ask(request).await.unwrap();
    desk.app.keep_looking(run_id.clone(), false).await.unwrap();
    let events = desk.all(&run_id).await;
    assert!(matches!(events.last().unwrap().body, EventBody::RunFinished { error: None, .. }));
    assert_eq!(RunReport::from_events(&events).page.unwrap().rows, [[Some("3".to_owned())]]);
    assert_eq!(desk.app.keep_looking(run_id, true).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn presets_say_what_is_missing() {
    let desk = Desk::new(Vec::<Line>::new()).await;
    let presets = desk.app.model_presets().await.unwrap();
    assert_eq!(presets.iter().map(|info| info.name).collect::<Vec<_>>(), ModelPreset::ALL);
    assert!(presets.iter().all(|info| !info.usable && info.model.is_none() && !info.note.is_empty()), "{presets:?}");
}
