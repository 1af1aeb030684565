//! Reruns: which stages are reused, which run again, and that the user's changes are kept.

use crate::bench::{Ran, Shop, run, small};
use serde_json::json;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskHistory, Earlier, list_steer_places};
use vitrine_domain::{AskSettings, EventBody, RewrittenQuestion, RunChange, RunStatus};
use vitrine_llm::ScriptedModel;

const QUESTION: &str = "How much did customers in US buy?";
const REWRITTEN: &str =
    r#"{"task":"Add up the purchases","outputs":["total amount"],"filters":["country is US"],"ordering":""}"#;
const PLAN: &str = r#"{"read":["purchases_of"],"conditions":[],"group_by":[],"output":["SUM(amount)"]}"#;
const SUM: &str = "SELECT SUM(amount) FROM purchases_of";
const UNCHANGED: &str = r#"{"verdict":"unchanged","sql":""}"#;
const ALONE: &str =
    "SELECT SUM(p.amount) FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";

fn views() -> String {
    json!({
        "tables": [
            {"name": "customer", "columns": ["id", "country"]},
            {"name": "purchase", "columns": ["customer_id", "amount"]},
        ],
        "views": [{"name": "purchases_of", "rationale": "what they bought", "sql":
            "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'"}],
    })
    .to_string()
}

fn settings(strategy: &str) -> AskSettings {
    AskSettings { strategy: strategy.into(), candidates: 1, ..AskSettings::default() }
}

/// Returns an answered run of a method with these replies, and its shop.
async fn before(strategy: &str, replies: &[&str]) -> (Shop, Ran) {
    let shop = Shop::new();
    let model = small(replies.iter().map(|reply| (*reply).to_owned()).collect());
    let ran = run(shop.ask(QUESTION, settings(strategy), model).await, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    (shop, ran)
}

async fn auto() -> (Shop, Ran) {
    before("auto", &[ALONE]).await
}

async fn av_sql() -> (Shop, Ran) {
    let views = views();
    before("av-sql", &[REWRITTEN, &views, PLAN, SUM, UNCHANGED]).await
}

/// Reruns with these changes and a model with these replies.
async fn again(shop: &Shop, from: &Ran, changes: Vec<RunChange>, replies: &[&str]) -> (Ran, Arc<ScriptedModel>) {
    let model = small(replies.iter().map(|reply| (*reply).to_owned()).collect());
    let question = changes.iter().find_map(|change| match change {
        RunChange::Question { text } => Some(text.clone()),
        _ => None,
    });
    let earlier = Earlier::new("before", &from.events, changes).expect("it has a place");
    let settings = settings(from.report.strategy.as_ref().expect("it began").as_str());
    let ask = shop.ask(&question.unwrap_or_else(|| QUESTION.to_owned()), settings, model.clone()).await;
    (
        run(
            Ask { history: AskHistory { earlier: Some(Arc::new(earlier)), ..ask.history }, ..ask },
            CancellationToken::new(),
        )
        .await,
        model,
    )
}

fn kept(ran: &Ran) -> Vec<String> {
    ran.pick(|body| match body {
        EventBody::StageKept { node, from } => {
            assert_eq!(from, "before");
            Some(node.to_string())
        }
        _ => None,
    })
}

fn edited(ran: &Ran) -> Vec<String> {
    ran.pick(|body| match body {
        EventBody::StageEdited { node, .. } => Some(node.to_string()),
        _ => None,
    })
}

/// Returns the nodes that called a model.
fn asked(ran: &Ran) -> Vec<String> {
    ran.pick(|body| match body {
        EventBody::ModelCallStarted { node, .. } => Some(node.to_string()),
        _ => None,
    })
}

fn cell(ran: &Ran) -> Option<String> {
    ran.report.page.as_ref()?.rows.first()?.first()?.clone()
}

fn sql(text: &str) -> Vec<RunChange> {
    vec![RunChange::Sql { sql: text.to_owned() }]
}

#[tokio::test]
async fn sql_of_the_user_is_the_answer_and_no_model_is_asked() {
    for (shop, ran) in [auto().await, av_sql().await] {
        let (next, model) = again(&shop, &ran, sql("SELECT COUNT(*) FROM customer"), &[]).await;
        assert_eq!(next.report.status(), RunStatus::Answered, "{:?}", next.outcome);
        assert_eq!(cell(&next).as_deref(), Some("4"));
        assert!(model.requests().is_empty() && asked(&next).is_empty());
        let before: Vec<String> = ran.pick(|body| match body {
            EventBody::StageStarted { node, .. } => Some(node.to_string()),
            _ => None,
        });
        let last = before.iter().position(|node| node == "generator").expect("it writes SQL");
        assert_eq!(kept(&next), before[..last], "what stands before the SQL is kept");
        assert_eq!(edited(&next), ["generator"]);
        assert!(next.report.certainty.is_none(), "how often a model is right says nothing of it");
        assert_eq!(next.report.usage.llm_calls, 0);
    }
}

/// Returns the run as if it was cancelled after a node had finished.
fn stopped_after(ran: Ran, node: &str) -> Ran {
    let finished = |body: &EventBody| matches!(body, EventBody::StageFinished { node: of, .. } if of == node);
    let at = ran.events.iter().position(|event| finished(&event.body)).expect("it finished");
    Ran { events: ran.events[..=at].to_vec(), ..ran }
}

#[tokio::test]
async fn a_run_that_was_stopped_goes_on_with_what_it_had_finished() {
    let views = views();
    for (node, keeps, replies) in [
        ("rewriter", vec!["rewriter"], vec![views.as_str(), PLAN, SUM, UNCHANGED]),
        // The number of remaining chunks is unknown, so all are requested again.
        ("chunk-1", vec!["rewriter"], vec![views.as_str(), PLAN, SUM, UNCHANGED]),
        ("selection", vec!["rewriter", "chunk-1", "selection"], vec![PLAN, SUM, UNCHANGED]),
        ("planner", vec!["rewriter", "chunk-1", "selection", "planner"], vec![SUM, UNCHANGED]),
    ] {
        let (shop, ran) = av_sql().await;
        let answer = cell(&ran);
        let stopped = stopped_after(ran, node);
        let (next, model) = again(&shop, &stopped, Vec::new(), &replies).await;
        assert_eq!(next.report.status(), RunStatus::Answered, "{node}: {:?}", next.outcome);
        assert_eq!(cell(&next), answer, "{node}");
        assert_eq!(kept(&next), keeps, "{node}");
        assert_eq!(model.requests().len(), replies.len(), "{node}");
    }
}

#[tokio::test]
async fn autos_run_that_was_stopped_before_it_had_views_writes_its_queries_again() {
    let (shop, ran) = auto().await;
    let answer = cell(&ran);
    let stopped = stopped_after(ran, "grounding");
    let (next, _) = again(&shop, &stopped, Vec::new(), &[ALONE]).await;
    assert_eq!((next.report.status(), cell(&next)), (RunStatus::Answered, answer), "{:?}", next.outcome);
    assert_eq!(kept(&next), ["grounding"]);
}

#[tokio::test]
async fn a_run_with_an_answer_does_not_go_on_without_a_change() {
    let (_, ran) = auto().await;
    let refused = Earlier::new("before", &ran.events, Vec::new()).unwrap_err();
    assert!(refused.message.contains("Nothing was changed"), "{}", refused.message);
}

#[tokio::test]
async fn sql_of_the_user_that_does_not_run_is_told_with_its_error_and_not_replaced() {
    let (shop, ran) = auto().await;
    for (text, why) in [
        ("SELECT nme FROM customer", "nme"),
        ("DELETE FROM customer", "DELETE"),
        ("SELECT name FROM customer; SELECT 1", ""),
    ] {
        let (next, model) = again(&shop, &ran, sql(text), &[ALONE]).await;
        assert_eq!(next.report.status(), RunStatus::Failed, "{text}");
        let errors: Vec<(String, String)> = next.pick(|body| match body {
            EventBody::SqlAttempted { sql, error: Some(error), .. } => Some((sql.clone(), error.clone())),
            _ => None,
        });
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert_eq!(errors[0].0, text);
        assert!(errors[0].1.to_lowercase().contains(&why.to_lowercase()), "{errors:?}");
        assert!(model.requests().is_empty(), "nothing is asked in its place");
    }
}

#[tokio::test]
async fn another_question_runs_all_of_it_again() {
    let (shop, ran) = auto().await;
    let question = "How many customers are there?";
    let change = vec![RunChange::Question { text: question.to_owned() }];
    let (next, model) = again(&shop, &ran, change, &["SELECT COUNT(*) FROM customer"]).await;
    assert_eq!(cell(&next).as_deref(), Some("4"), "{:?}", next.outcome);
    assert_eq!((next.report.question.as_str(), kept(&next).len()), (question, 0));
    assert!(model.requests()[0].tail.contains(question));
    assert!(matches!(&next.events[0].body, EventBody::RunStarted { steered: Some(s), .. } if s.from == "before"));
}

#[tokio::test]
async fn a_run_goes_without_what_was_left_out_and_so_does_what_goes_on_from_it() {
    let (shop, ran) = auto().await;
    let drop = |name: &str| vec![RunChange::Tables { added: Vec::new(), dropped: vec![name.to_owned()] }];
    // The first reply uses the excluded table and is not executed.
    let (next, model) = again(&shop, &ran, drop("purchase"), &[ALONE, "SELECT COUNT(*) FROM customer"]).await;
    assert_eq!(cell(&next).as_deref(), Some("4"), "{:?}", next.outcome);
    assert!(!model.requests()[0].prefix.contains("purchase"), "{}", model.requests()[0].prefix);
    let ran_sql = next.pick(|body| match body {
        EventBody::QueryExecuted { sql, .. } => Some(sql.clone()),
        _ => None,
    });
    assert!(ran_sql.iter().all(|sql| !sql.contains("purchase")), "{ran_sql:?}");
    let (third, model) = again(&shop, &next, drop("customer.country"), &["SELECT COUNT(name) FROM customer"]).await;
    assert_eq!(cell(&third).as_deref(), Some("4"), "{:?}", third.outcome);
    let prefix = &model.requests()[0].prefix;
    assert!(prefix.contains("customer") && !prefix.contains("country") && !prefix.contains("purchase"), "{prefix}");
    let (fourth, _) = again(&shop, &third, drop("nowhere"), &[]).await;
    assert!(fourth.outcome.unwrap_err().message.contains("nowhere"));
}

#[tokio::test]
async fn a_plan_of_the_user_is_followed_and_what_stands_before_it_is_not_asked_again() {
    let (shop, ran) = av_sql().await;
    let plan = "Read purchases_of\nOutput COUNT(*)";
    let change = vec![RunChange::Plan { text: plan.to_owned() }];
    let (next, model) = again(&shop, &ran, change, &["SELECT COUNT(*) FROM purchases_of", UNCHANGED]).await;
    assert_eq!(cell(&next).as_deref(), Some("2"), "{:?}", next.outcome);
    assert_eq!(kept(&next), ["rewriter", "chunk-1", "selection"]);
    assert_eq!(edited(&next), ["planner"]);
    assert_eq!(asked(&next), ["generator", "revisor"]);
    assert!(model.requests()[0].tail.contains("Output COUNT(*)"), "{}", model.requests()[0].tail);
    assert_eq!(next.report.plan.as_deref(), Some(plan));
    next.assert_whole();
    // The graph of the reused stages equals that of the earlier run.
    let shown = |ran: &Ran| ran.pick(|body| matches!(body, EventBody::Aggregated { .. }).then(|| body.clone()));
    assert_eq!(shown(&next), shown(&ran));
    // A rerun of this run keeps the user's plan.
    let (third, _) = again(&shop, &next, sql("SELECT 7"), &[]).await;
    assert_eq!((cell(&third).as_deref(), third.report.plan.as_deref()), (Some("7"), Some(plan)));
}

#[tokio::test]
async fn a_view_of_the_user_runs_and_everything_that_reads_it_is_written_again() {
    let (shop, ran) = av_sql().await;
    let view = |sql: &str| vec![RunChange::View { name: "purchases_of".to_owned(), sql: sql.to_owned() }];
    let all = "SELECT p.amount AS amount FROM purchase p";
    let (next, model) = again(&shop, &ran, view(all), &[PLAN, SUM, UNCHANGED]).await;
    assert_eq!(cell(&next).as_deref(), Some("35.5"), "{:?}", next.outcome);
    assert_eq!(kept(&next), ["rewriter"]);
    assert_eq!(edited(&next), ["chunk-1"]);
    assert_eq!(asked(&next), ["planner", "generator", "revisor"]);
    assert!(model.requests()[0].tail.contains("purchases_of"));
    next.assert_whole();
    let (failed, model) = again(&shop, &ran, view("SELECT amout FROM purchase"), &[PLAN, SUM, UNCHANGED]).await;
    let error = failed.outcome.clone().unwrap_err();
    assert!(error.message.contains("purchases_of") && error.detail.unwrap_or_default().contains("amout"));
    assert!(model.requests().is_empty());
    let told = failed.pick(|body| match body {
        EventBody::ViewsAttempted { views, .. } => views[0].error.clone(),
        _ => None,
    });
    assert!(told[0].contains("amout"), "the error stands at the view");
}

#[tokio::test]
async fn a_selection_of_the_user_goes_on_without_views_that_read_what_is_left_out() {
    let (shop, ran) = av_sql().await;
    let change = vec![RunChange::Tables { added: vec!["customer.name".into()], dropped: vec!["purchase".into()] }];
    let plan = r#"{"read":["customer"],"conditions":[],"group_by":[],"output":["COUNT(name)"]}"#;
    let (next, model) = again(&shop, &ran, change, &[plan, "SELECT COUNT(name) FROM customer", UNCHANGED]).await;
    assert_eq!(cell(&next).as_deref(), Some("4"), "{:?}", next.outcome);
    assert_eq!(kept(&next), ["rewriter", "chunk-1"]);
    assert_eq!(edited(&next), ["selection"]);
    let tables: Vec<String> = next.report.selection.tables.iter().map(ToString::to_string).collect();
    assert_eq!(tables, ["customer(id, country, name)"]);
    assert!(next.report.warnings.iter().any(|warning| warning.contains("purchases_of")), "{:?}", next.report.warnings);
    assert!(!model.requests()[0].prefix.contains("purchase"));
}

#[tokio::test]
async fn a_rewritten_question_of_the_user_is_what_later_stages_are_told() {
    let (shop, ran) = av_sql().await;
    let rewritten = RewrittenQuestion { task: "Add up what Ada bought".to_owned(), ..RewrittenQuestion::default() };
    let (next, model) = again(
        &shop,
        &ran,
        vec![RunChange::Rewritten { rewritten: rewritten.clone() }],
        &[&views(), PLAN, SUM, UNCHANGED],
    )
    .await;
    assert_eq!(next.report.rewritten, Some(rewritten), "{:?}", next.outcome);
    assert_eq!(asked(&next), ["chunk-1", "planner", "generator", "revisor"]);
    assert!(model.requests()[0].tail.contains("Add up what Ada bought"));
}

#[tokio::test]
async fn what_a_run_has_not_cannot_be_set_and_the_reason_is_said() {
    let (_, ran) = auto().await;
    let refused = |changes| Earlier::new("before", &ran.events, changes).unwrap_err().message;
    let plan = RunChange::Plan { text: "Read it".to_owned() };
    assert!(refused(vec![plan.clone()]).contains("The plan cannot be edited"));
    let view = RunChange::View { name: "v".into(), sql: "SELECT 1".into() };
    assert!(refused(vec![view]).contains("no view with this name"));
    let added = RunChange::Tables { added: vec!["customer".into()], dropped: Vec::new() };
    assert!(refused(vec![added]).contains("every table"));
    assert!(refused(Vec::new()).contains("Nothing was changed"));
    let both = [sql("SELECT 1"), vec![RunChange::Question { text: "And now?".into() }]].concat();
    assert!(refused(both).contains("When SQL is set"));
}

#[tokio::test]
async fn every_node_says_what_can_be_set_there_and_what_runs_again_then() {
    let (_, ran) = av_sql().await;
    let places = list_steer_places("run", &ran.events);
    let kinds = |node: &str| {
        let place = places.iter().find(|place| place.node == node).expect("it began");
        let name = |change: &RunChange| serde_json::to_value(change).unwrap()["kind"].as_str().unwrap().to_owned();
        (place.edits.iter().map(|edit| name(&edit.change)).collect::<Vec<_>>(), place.why_not.is_some())
    };
    let is = |names: &[&str]| (names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), false);
    assert_eq!(kinds("rewriter"), is(&["rewritten", "question"]));
    assert_eq!(kinds("chunk-1"), is(&["view"]));
    assert_eq!(kinds("selection"), is(&["tables"]));
    assert_eq!(kinds("planner"), is(&["plan"]));
    assert_eq!(kinds("generator"), is(&["sql"]));
    assert_eq!(kinds("result"), is(&["sql"]));
    assert_eq!(kinds("revisor"), (Vec::new(), true));
    assert_eq!(kinds("schema"), (Vec::new(), true));
    let plan = &places.iter().find(|place| place.node == "planner").unwrap().edits[0];
    assert_eq!(plan.took.llm_calls, 2, "generator and revisor");
    assert!(plan.kept.contains(&"Write views".to_owned()) && plan.again.contains(&"Write the SQL".to_owned()));
    let (_, ran) = auto().await;
    let places = vitrine_agents::list_steer_places("run", &ran.events);
    let schema = places.iter().find(|place| place.node == "schema").unwrap();
    assert!(matches!(schema.edits[0].change, RunChange::Tables { .. }));
}
