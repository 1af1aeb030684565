//! Answers by metrics: without a model where they cover the question, and by the usual way where something contradicts
//! them.

use crate::bench::{Ran, Shop, cache, run, small};
use futures::StreamExt;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskData};
use vitrine_api::metric_definitions::parse_file;
use vitrine_api::{App, AppOptions, AskRequest, Folders, Patience, SAMPLE};
use vitrine_domain::{
    AskSettings, CertaintyLevel, Definition, DefinitionSource, Definitions, EventBody, RunReport, RunStatus, Switch,
};
use vitrine_llm::{ChatModel, ScriptedModel};
use vitrine_store::secrets::InMemory;

const QUESTION: &str = "What was our revenue in 2023?";
/// The reply of the model to every request.
const BY_MODEL: &str = "SELECT 42 AS revenue";

/// A program with its own workspace, in which the sample can be asked.
struct Desk {
    _folder: tempfile::TempDir,
    app: App,
    model: Arc<ScriptedModel>,
}

impl Desk {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let model = small(vec![BY_MODEL; 50]);
        let chat: Arc<dyn ChatModel> = model.clone();
        let options = AppOptions {
            folders: Folders { cache: cache(), data: folder.path().join("data") },
            worker_exe: "/nonexistent/worker".into(),
            patience: Patience::TERMINAL,
            secrets: Arc::new(InMemory::default()),
            models: vec![chat],
        };
        Self { _folder: folder, app: App::open(options).await.expect("it opens"), model }
    }

    /// Adds a definition to those of the sample.
    async fn define(&self, entry: Definition) {
        let known = self.app.definitions(SAMPLE.to_owned()).await.expect("definitions");
        let entries = known.entries.iter().cloned().chain([entry]).collect();
        self.app.set_definitions(SAMPLE.to_owned(), Definitions { entries, ..known }).await.expect("stored");
    }

    /// Asks the question and returns the report.
    async fn ask(&self, without: Vec<Switch>) -> RunReport {
        let settings = AskSettings {
            strategy: "auto".into(),
            model: Some("scripted".to_owned()),
            without,
            ..self.app.settings().await.expect("settings").for_asking()
        };
        let (warehouse, question) = (SAMPLE.to_owned(), QUESTION.to_owned());
        let request = AskRequest { warehouse, question, knowledge: None, settings, follows: None };
        let run_id = self.app.ask(request).await.expect("it begins");
        self.app.stream_run_events(run_id.clone()).for_each(|_| async {}).await;
        self.app.run_report(run_id).await.expect("a report")
    }

    /// Asserts that the model answered and metrics did not.
    async fn assert_by_model(&self, without: Vec<Switch>) -> RunReport {
        let report = self.ask(without).await;
        assert!(report.metrics.is_none(), "{:?}", report.metrics);
        assert!(!self.model.requests().is_empty(), "the model was asked");
        report
    }
}

fn definition(term: &str, condition: Option<&str>, source: DefinitionSource) -> Definition {
    Definition {
        term: term.to_owned(),
        synonyms: Vec::new(),
        meaning: "counts only in stores".to_owned(),
        condition: condition.map(str::to_owned),
        always: condition.is_some(),
        subject: condition.map(|_| "orders".to_owned()),
        source,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_covered_question_on_the_sample_is_answered_without_a_model() {
    let desk = Desk::new().await;
    let report = desk.ask(Vec::new()).await;
    assert_eq!(report.status(), RunStatus::Answered, "{:?}", report.finished);
    let answer = report.metrics.expect("metrics answered");
    assert_eq!(
        (answer.metrics[0].name.as_str(), answer.period.as_deref()),
        ("revenue", Some("2023-01-01 to 2023-12-31"))
    );
    assert_eq!(report.usage.llm_calls, 0);
    assert!(desk.model.requests().is_empty());
    assert_eq!(report.certainty.map(|certainty| certainty.level), Some(CertaintyLevel::Sure));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_without_metrics_is_answered_by_the_model() {
    Desk::new().await.assert_by_model(vec![Switch::Metrics]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_condition_for_every_answer_that_changes_the_metric_leaves_the_question_to_the_model() {
    let desk = Desk::new().await;
    desk.define(definition("online orders", Some("channel <> 'web'"), DefinitionSource::User)).await;
    let report = desk.assert_by_model(Vec::new()).await;
    let told = report.warnings.iter().any(|warning| warning.contains("a condition defined for every answer"));
    assert!(told, "{:?}", report.warnings);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_definition_of_the_user_is_preferred_to_the_metric() {
    let desk = Desk::new().await;
    desk.define(definition("revenue", None, DefinitionSource::User)).await;
    desk.assert_by_model(Vec::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn definitions_of_other_words_and_imported_descriptions_leave_the_metric() {
    let desk = Desk::new().await;
    desk.define(definition("headcount", None, DefinitionSource::User)).await;
    desk.define(definition("revenue", None, DefinitionSource::Comment)).await;
    assert!(desk.ask(Vec::new()).await.metrics.is_some());
}

const METRICS: &str = "
tables:
  - name: purchase
    entities:
      - {name: purchase, kind: primary, column: id}
      - {name: customer, kind: foreign, column: customer_id}
  - name: customer
    entities:
      - {name: customer, kind: primary, column: id}
    dimensions:
      - {name: name, label: Customer}
      - {name: country, label: Country}
metrics:
  - {name: sales, label: Sales, owner: Finance, aggregate: sum, of: amount, table: purchase}
";

/// Asks a shop with metrics. Returns the run, and true if the model was asked.
async fn ask_shop(shop: &Shop, question: &str) -> (Ran, bool) {
    let model = small(vec![BY_MODEL.to_owned(); 20]);
    let settings = AskSettings { strategy: "auto".into(), ..AskSettings::default() };
    let ask = shop.ask(question, settings, model.clone()).await;
    let metrics = Some(Arc::new(parse_file(METRICS).expect("metrics")));
    let ran = run(Ask { data: AskData { metrics, ..ask.data }, ..ask }, CancellationToken::new()).await;
    (ran, !model.requests().is_empty())
}

fn rows(ran: &Ran) -> Vec<Vec<Option<String>>> {
    ran.report.page.as_ref().expect("rows").rows.clone()
}

/// Returns the warnings that lower the certainty of the answer.
fn doubts(ran: &Ran) -> Vec<String> {
    ran.pick(|body| match body {
        EventBody::Warning { message, aside: false, .. } => Some(message.clone()),
        _ => None,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_shares_the_last_place_is_told() {
    let question = "Which country had the highest sales?";
    let (ran, is_asked) = ask_shop(&Shop::new(), question).await;
    assert!(!is_asked && ran.report.metrics.is_some(), "{:?}", ran.report.warnings);
    assert_eq!((rows(&ran).len(), doubts(&ran)), (1, Vec::new()));

    let tied = Shop::with("INSERT INTO purchase VALUES (4, 4, 30.5, '2023-02-05');");
    let (ran, is_asked) = ask_shop(&tied, question).await;
    assert!(!is_asked && ran.report.metrics.is_some(), "{:?}", ran.report.warnings);
    assert_eq!(rows(&ran).len(), 1, "only as many rows as asked for");
    assert_eq!(doubts(&ran), ["Other groups have the same Sales as the last one shown"]);
    assert_eq!(ran.report.certainty.as_ref().map(|certainty| certainty.level), Some(CertaintyLevel::Check));
}

#[tokio::test(flavor = "multi_thread")]
async fn things_with_the_same_name_are_not_added() {
    let question = "Sales by customer";
    let (ran, is_asked) = ask_shop(&Shop::new(), question).await;
    assert!(!is_asked && ran.report.metrics.is_some(), "{:?}", ran.report.warnings);

    let twice = Shop::with("INSERT INTO customer VALUES (5, 'Ada', 'FR');");
    let (ran, is_asked) = ask_shop(&twice, question).await;
    assert!(is_asked && ran.report.metrics.is_none());
    let told = "table customer has several rows with the same name";
    assert!(ran.report.warnings.iter().any(|warning| warning.contains(told)), "{:?}", ran.report.warnings);
    let (by_country, is_asked) = ask_shop(&twice, "Sales by country").await;
    assert!(!is_asked && by_country.report.metrics.is_some(), "a country may have several customers");
}
