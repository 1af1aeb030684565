//! Whole questions with recorded replies of the embedded model, replayed here without it.
//!
//! A changed prompt is a miss rather than a stale reply. To record again with the models installed:
//! `VITRINE_RECORD=1 npm run cargo -- nextest run -p vitrine-tests recorded`

use crate::bench::{Ran, Shop, cache, run, vitrine};
use crate::described::kept_its_promise;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskHistory, Earlier, Rewriting};
use vitrine_domain::{AskSettings, RunChange, RunStatus};
use vitrine_llm::ChatModel;
use vitrine_llm::cassette::Cassette;
use vitrine_llm_local::{LocalConfig, LocalModel};
use vitrine_models::{DEFAULT_CHAT_MODEL, ModelStore};

fn cassette(name: &str) -> Arc<dyn ChatModel> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cassettes").join(format!("{name}.jsonl"));
    let model = if std::env::var_os("VITRINE_RECORD").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of cassettes");
        Cassette::record(real_model(), &path)
    } else {
        Cassette::replay(&path)
    };
    Arc::new(model.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Returns the embedded model, with the built program as its worker.
fn real_model() -> Arc<dyn ChatModel> {
    let gguf = ModelStore::new(cache().join("models")).model_path(DEFAULT_CHAT_MODEL).expect("a catalogued model");
    let worker_exe = vitrine();
    LocalModel::new(LocalConfig {
        id: DEFAULT_CHAT_MODEL.into(),
        gguf,
        worker_exe,
        threads: 2,
        context_tokens: 0,
        prefixes: None,
        facts: vitrine_domain::ProfileFacts::default(),
        release_after: None,
    })
}

async fn ask(name: &str, question: &str) -> Ran {
    ask_by("av-sql", name, question).await
}

async fn ask_by(method: &str, name: &str, question: &str) -> Ran {
    let shop = Shop::new();
    let settings = AskSettings { strategy: method.into(), ..AskSettings::default() };
    let ask = shop.ask(question, settings, cassette(name)).await;
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    kept_its_promise(&ran, false);
    ran
}

fn rows(ran: &Ran) -> Vec<Vec<String>> {
    let page = ran.report.page.as_ref().expect("an answer");
    page.rows.iter().map(|row| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect()).collect()
}

#[tokio::test]
async fn recorded_counting() {
    let ran = ask("counting", "How many customers are there?").await;
    assert_eq!(rows(&ran), [["4"]]);
    assert!(ran.report.usage.cached_prompt_tokens * 2 > ran.report.usage.prompt_tokens, "prefixes are shared");
}

#[tokio::test]
async fn recorded_value_written_otherwise() {
    let ran = ask("value-written-otherwise", "How many customers live in the USA?").await;
    assert_eq!(rows(&ran), [["2"]], "the column says US");
}

#[tokio::test]
async fn recorded_join_with_groups() {
    let ran = ask("join-with-groups", "What is the total amount of purchases for each customer name?").await;
    let mut rows = rows(&ran);
    rows.sort();
    assert_eq!(rows, [["Ada", "30.5"], ["Cleo", "5.0"]]);
}

#[tokio::test]
async fn recorded_auto_knows_how_a_value_is_written() {
    let question = "How much did customers in the USA buy altogether?";
    let ran = ask_by("auto", "auto-value", question).await;
    assert_eq!(rows(&ran), [["30.5"]]);
}

const BY_NAME: &str = "What is the total amount of purchases for each customer name?";

async fn totals(method: &str, name: &str) -> Vec<Vec<String>> {
    let mut rows = rows(&ask_by(method, name, BY_NAME).await);
    rows.sort();
    rows
}

#[tokio::test]
async fn recorded_dsr_sql() {
    assert_eq!(totals("dsr-sql", "dsr-sql").await, [["Ada", "30.5"], ["Cleo", "5.0"]]);
}

#[tokio::test]
async fn recorded_chase_sql() {
    assert_eq!(totals("chase-sql", "chase-sql").await, [["Ada", "30.5"], ["Cleo", "5.0"]]);
}

#[tokio::test]
async fn recorded_reforce() {
    assert_eq!(totals("reforce", "reforce").await, [["Ada", "30.5"], ["Cleo", "5.0"]]);
}

#[tokio::test]
async fn recorded_prospy() {
    assert_eq!(totals("prospy", "prospy").await, [["Ada", "30.5"], ["Cleo", "5.0"]]);
}

/// Rewrites a follow-up with the embedded model, given the previous question.
async fn followed(before: &str, text: &str) -> String {
    // Each follow-up has its own cassette, because recording overwrites the file.
    let name = format!("follow-up-{}", text.split_whitespace().last().expect("words").trim_end_matches('?'));
    let model = cassette(&name);
    let asked = vitrine_agents::follow_up(model.as_ref(), before, text, &[], CancellationToken::new(), |_| {});
    match asked.await.expect("a reply") {
        Rewriting::Question(question) => question,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn recorded_follow_ups_become_whole_questions() {
    let before = "How many customers bought something in 2024?";
    assert_eq!(followed(before, "and in 2023?").await, "How many customers bought something in 2023?");
    let only = followed(before, "only those from the USA").await;
    assert!(["customers", "USA", "2024"].iter().all(|word| only.contains(word)), "{only}");
}

#[tokio::test]
async fn recorded_follow_ups_keep_their_language() {
    let asked = followed("Wie viel Umsatz hatten wir 2024 je Filiale?", "und 2022?").await;
    assert!(asked.starts_with("Wie viel Umsatz") && asked.contains("2022") && !asked.contains("2024"), "{asked}");
}

#[tokio::test]
async fn recorded_questions_of_their_own_stay_as_they_are() {
    let own = "How many stores are there?";
    assert_eq!(followed("What was sold most in 2024?", own).await, own);
}

#[tokio::test]
async fn recorded_run_goes_on_from_its_own_plan() {
    let first = ask("join-with-groups", "What is the total amount of purchases for each customer name?").await;
    let plan = first.report.plan.clone().expect("AV-SQL plans");
    let changes = vec![RunChange::Plan { text: plan }];
    let earlier = Earlier::new("before", &first.events, changes).expect("there is a plan");
    let shop = Shop::new();
    let settings = AskSettings { strategy: "av-sql".into(), ..AskSettings::default() };
    let ask = shop.ask(&first.report.question, settings, cassette("join-with-groups")).await;
    let ran = run(
        Ask { history: AskHistory { earlier: Some(Arc::new(earlier)), ..ask.history }, ..ask },
        CancellationToken::new(),
    )
    .await;
    // A rerun sends exactly the recorded requests: any difference would be a miss.
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(rows(&ran), rows(&first));
    assert!(ran.report.usage.llm_calls < first.report.usage.llm_calls);
}
