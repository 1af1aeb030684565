//! Actions after an answer: the next question, a chart as a file, and the folder of a file.

use crate::support::Desk;
use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::BoxStream;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_api::{FollowUpRequest, Picture};
use vitrine_domain::{AskSettings, ErrorCode, EventBody, FollowUp, ModelProfile, RunChange, RunEvent};
use vitrine_llm::{ChatModel, LlmError, ModelEvent, Request, ScriptedModel};

const BEFORE: &str = "How many customers bought something in 2024?";

async fn answered(desk: &Desk) -> String {
    let run_id = desk.ask(BEFORE).await.unwrap();
    desk.all(&run_id).await;
    run_id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_becomes_a_question_that_remembers_the_one_before() {
    let desk = Desk::new(vec!["SELECT count(*) AS n FROM customers"; 8]).await;
    let run_id = answered(&desk).await;
    let settings = AskSettings { model: Some("no-such-model".to_owned()), ..AskSettings::default() };
    let request = FollowUpRequest { run_id: run_id.clone(), text: " and in 2023?\n".to_owned(), settings };
    let question = desk.app.follow_up(request.clone()).await.unwrap();
    assert_eq!(question, "How many customers bought something in 2023?", "no model is needed");
    assert_eq!(desk.app.complete_follow_up(request).await.unwrap(), Some(question.clone()));

    let follows = FollowUp { run_id: run_id.clone(), question: BEFORE.to_owned(), text: "and in 2023?".to_owned() };
    let next = vitrine_api::AskRequest { follows: Some(follows.clone()), ..desk.question(&question) };
    let next = desk.app.ask(next).await.unwrap();
    let events = desk.all(&next).await;
    assert!(matches!(&events[0].body, EventBody::RunStarted { follows: Some(kept), .. } if *kept == follows));

    // The previous run lists it, together with reruns of the previous run.
    let sql = "SELECT 1 AS n".to_owned();
    let changed = desk.app.rerun(run_id.clone(), vec![RunChange::Sql { sql }]).await.unwrap();
    desk.all(&changed).await;
    let branches = desk.app.branches(run_id.clone()).await.unwrap();
    let from: Vec<_> =
        branches.iter().map(|run| (&run.run_id, run.follows.as_ref(), run.steered_from.as_ref())).collect();
    assert_eq!(from, [(&changed, None, Some(&run_id)), (&next, Some(&run_id), None)]);
    assert!(desk.app.branches(next).await.unwrap().is_empty());
}

/// A model that behaves as a remote one and reports its requests.
struct Telling(ScriptedModel);

#[async_trait]
impl ChatModel for Telling {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        self.0.count_tokens(texts).await
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        let body = format!("{} {} {:?}", request.system, request.tail, request.turns);
        let sent = ModelEvent::Sent { to: "https://models.example".to_owned(), body };
        let rest = self.0.stream(request, cancel).await?;
        Ok(futures::stream::iter([Ok(sent)]).chain(rest).boxed())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_on_a_changed_query_is_not_completed_from_the_question() {
    let desk = Desk::new(vec!["SELECT count(*) AS n FROM customers"; 8]).await;
    let run_id = answered(&desk).await;
    let request = |run_id: &str| FollowUpRequest {
        run_id: run_id.to_owned(),
        text: "and in 2023?".to_owned(),
        settings: AskSettings { model: Some("scripted".to_owned()), ..AskSettings::default() },
    };
    let sql = "SELECT count(*) AS n FROM customers WHERE name <> ''".to_owned();
    let edited = desk.app.rerun(run_id.clone(), vec![RunChange::Sql { sql }]).await.unwrap();
    desk.all(&edited).await;
    let again = desk.app.rerun(edited.clone(), vec![RunChange::Sql { sql: "SELECT 1 AS n".to_owned() }]).await.unwrap();
    desk.all(&again).await;
    assert_eq!(desk.app.complete_follow_up(request(&edited)).await.unwrap(), None);
    assert_eq!(desk.app.complete_follow_up(request(&again)).await.unwrap(), None);
    assert!(desk.app.complete_follow_up(request(&run_id)).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_that_changes_nothing_is_said_to_and_so_is_a_model_that_repeats_the_question() {
    let desk = Desk::new(vec![BEFORE; 30]).await;
    let run_id = answered(&desk).await;
    let request = |text: &str| FollowUpRequest {
        run_id: run_id.clone(),
        text: text.to_owned(),
        settings: AskSettings { model: Some("scripted".to_owned()), ..AskSettings::default() },
    };
    let same = desk.app.follow_up(request("and in 2024?")).await.unwrap_err();
    assert!(same.message.contains("the same as the previous question"), "{same:?}");
    assert_eq!(desk.app.complete_follow_up(request("and in 2024?")).await.unwrap(), None);
    let unclear = "and those who came back?";
    assert_eq!(desk.app.complete_follow_up(request(unclear)).await.unwrap(), None);
    let spent = |spending: vitrine_api::Spending| spending.local.llm_calls;
    let before = spent(desk.app.spending(None).await.unwrap());
    let repeated = desk.app.follow_up(request(unclear)).await.unwrap_err();
    assert!(repeated.message.contains("only repeated the previous question"), "{repeated:?}");
    assert_eq!(spent(desk.app.spending(None).await.unwrap()), before + 2, "both calls count");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_with_the_query_of_the_question_before_says_so() {
    let desk = Desk::new(vec!["SELECT count(*) AS n FROM customers"; 30]).await;
    let run_id = answered(&desk).await;
    let follows = FollowUp { run_id, question: BEFORE.to_owned(), text: "and in 2023?".to_owned() };
    let question = "How many customers bought something in 2023?";
    let next = vitrine_api::AskRequest { follows: Some(follows), ..desk.question(question) };
    let next = desk.app.ask(next).await.unwrap();
    let same = |event: &RunEvent| matches!(&event.body, EventBody::Warning { message, .. } if message.contains("The query is the same as before"));
    assert!(desk.all(&next).await.iter().any(same), "the year is in the question and not in the query");
    let alone = desk.ask(question).await.unwrap();
    assert!(!desk.all(&alone).await.iter().any(same), "nothing comes before it");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_sent_to_rewrite_a_follow_up_stands_in_the_run_that_it_became() {
    let model = ScriptedModel::new(vec!["SELECT count(*) AS n FROM customers"; 30]);
    let desk = Desk::with(Arc::new(Telling(model.with_profile(ModelProfile::default())))).await;
    let run_id = answered(&desk).await;
    let request = |text: &str| FollowUpRequest {
        run_id: run_id.clone(),
        text: text.to_owned(),
        settings: AskSettings { model: Some("scripted".to_owned()), ..AskSettings::default() },
    };
    // Twice, because the user did not accept the first rewriting.
    desk.app.follow_up(request("and the ones with a card?")).await.unwrap();
    let question = desk.app.follow_up(request("and those who came back?")).await.unwrap();
    let follows = FollowUp { run_id: run_id.clone(), question: BEFORE.to_owned(), text: "and in 2023?".to_owned() };
    let ask = || vitrine_api::AskRequest { follows: Some(follows.clone()), ..desk.question(&question) };
    let rewritings = |events: &[RunEvent]| -> Vec<String> {
        let sent = events.iter().filter_map(|event| match &event.body {
            EventBody::RequestSent { node, to, body, .. } if node == "follow-up" => Some(format!("{to} {body}")),
            _ => None,
        });
        sent.collect()
    };
    let next = desk.app.ask(ask()).await.unwrap();
    let events = desk.all(&next).await;
    assert!(matches!(&events[0].body, EventBody::RunStarted { .. }));
    let sent = rewritings(&events);
    assert_eq!(sent.len(), 2, "{sent:?}");
    assert!(sent.iter().all(|sent| sent.starts_with("https://models.example") && sent.contains(BEFORE)), "{sent:?}");
    assert!(sent[0].contains("with a card?") && sent[1].contains("who came back?"), "{sent:?}");
    let kept = desk.app.run_events(next, 0).await.unwrap();
    assert_eq!(rewritings(&kept), sent, "the log has it");
    // The requests are recorded in only one run.
    let again = desk.app.ask(ask()).await.unwrap();
    assert!(rewritings(&desk.all(&again).await).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_on_nothing_is_an_error() {
    let desk = Desk::new(vec!["SELECT 1 AS n"; 8]).await;
    let ask = |run_id: &str, text: &str| {
        let settings = AskSettings { model: Some("scripted".to_owned()), ..AskSettings::default() };
        desk.app.follow_up(FollowUpRequest { run_id: run_id.to_owned(), text: text.to_owned(), settings })
    };
    assert_eq!(ask("00000000-0000-4000-8000-000000000000", "and 2023?").await.unwrap_err().code, ErrorCode::NotFound);
    let run_id = answered(&desk).await;
    assert_eq!(ask(&run_id, "  \n").await.unwrap_err().code, ErrorCode::Usage);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chart_is_written_where_the_user_said_and_its_folder_can_be_shown() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>";
    let named = desk.path("named.svg").display().to_string();
    desk.app.write_picture(named.clone(), Picture::Svg(svg.to_owned())).await.unwrap_err();
    assert!(!Path::new(&named).exists(), "a page names no file");

    let token = desk.chosen("chart.svg").await;
    desk.app.show_in_folder(token.clone()).await.unwrap_err();
    desk.app.write_picture(token.clone(), Picture::Svg("text".to_owned())).await.unwrap_err();
    desk.app.write_picture(token.clone(), Picture::Svg(svg.to_owned())).await.unwrap();
    let written = desk.path("chosen/chart.svg");
    assert_eq!(std::fs::read_to_string(&written).unwrap(), svg);
    desk.app.write_picture(token.clone(), Picture::Svg(svg.to_owned())).await.unwrap_err();

    desk.app.show_in_folder(token).await.unwrap();
    assert_eq!(std::fs::read_to_string(desk.path("chosen/shown")).unwrap(), written.display().to_string());
    desk.app.show_in_folder(named).await.unwrap_err();
}
