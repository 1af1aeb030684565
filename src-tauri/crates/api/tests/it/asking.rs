//! Asking questions, following their events and stopping them.

use crate::support::Desk;
use async_trait::async_trait;
use futures::stream::BoxStream;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{ErrorCode, EventBody, ModelProfile, RunReport, RunStatus, SchemaSupport};
use vitrine_llm::{ChatModel, Line, LlmError, ModelEvent, Request};

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_and_its_log_tells_how() {
    let desk = Desk::new(vec!["SELECT count(*) AS n FROM customers"]).await;
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    let events = desk.all(&run_id).await;

    assert!(matches!(events.first().unwrap().body, EventBody::RunStarted { .. }));
    assert!(matches!(events.last().unwrap().body, EventBody::RunFinished { error: None, .. }));
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq), "numbered without gaps");
    let report = RunReport::from_events(&events);
    assert_eq!(report.page.unwrap().rows, [[Some("3".to_owned())]]);

    assert_eq!(desk.app.run_events(run_id.clone(), 0).await.unwrap(), events, "what was shown is what is kept");
    assert_eq!(desk.all(&run_id).await, events, "and can be followed again");
    let listed = &desk.app.runs("customers".to_owned(), 10, 0).await.unwrap()[0];
    assert_eq!((listed.status, listed.row_count), (RunStatus::Answered, Some(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_very_long_cell_the_log_keeps_the_beginning_and_says_how_much_is_missing() {
    let desk = Desk::new(vec!["SELECT printf('%.*c', 3000000, 'x') AS long, 7 AS n"; 8]).await;
    let run_id = desk.ask("What is long?").await.unwrap();
    let events = desk.all(&run_id).await;
    let page = RunReport::from_events(&events).page.unwrap();
    let long = page.rows[0][0].as_deref().unwrap();
    assert!(long.len() < 66_000 && long.ends_with("… (+2934464)"), "{} letters", long.len());
    assert_eq!(page.rows[0][1].as_deref(), Some("7"));
    assert_eq!(desk.app.run_events(run_id, 0).await.unwrap(), events, "what was shown is what is kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_sees_values_of_the_data_also_at_the_first_question() {
    let model = Arc::new(vitrine_llm::ScriptedModel::new(vec!["SELECT 1"]));
    let desk = Desk::with(model.clone()).await;
    let run_id = desk.ask("Anything?").await.unwrap();
    desk.all(&run_id).await;
    assert!(model.requests()[0].prefix.contains("'US'"), "{}", model.requests()[0].prefix);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schema_is_read_while_the_question_is_typed() {
    let model = Arc::new(vitrine_llm::ScriptedModel::new(vec!["", "SELECT 1"]));
    let desk = Desk::with(model.clone()).await;
    let settings = vitrine_api::Settings { default_model: "scripted".to_owned(), ..desk.app.settings().await.unwrap() };
    desk.app.set_settings(settings).await.unwrap();
    desk.app.warm(desk.shop.clone()).await.unwrap();
    desk.app.warm(desk.shop.clone()).await.unwrap();
    while model.requests().is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let run_id = desk.ask("Anything?").await.unwrap();
    desk.all(&run_id).await;
    let requests = model.requests();
    assert_eq!(requests.len(), 2, "the schema is read once");
    assert_eq!((requests[0].tail.as_str(), requests[0].max_tokens), ("", 1));
    assert_eq!((&requests[0].system, &requests[0].prefix), (&requests[1].system, &requests[1].prefix));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_question_ends_with_a_whole_log() {
    let desk = Desk::new(vec![Line::Hang]).await;
    let run_id = desk.ask("Never answered").await.unwrap();
    desk.app.cancel_run(run_id.clone()).await.unwrap();
    let events = desk.all(&run_id).await;
    assert_eq!(RunReport::from_events(&events).status(), RunStatus::Cancelled);
    assert!(matches!(events.first().unwrap().body, EventBody::RunStarted { .. }));
    desk.app.cancel_run(run_id.clone()).await.unwrap();
    desk.app.delete_run(run_id.clone()).await.unwrap();
    assert_eq!(desk.app.run_events(run_id, 0).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_for_a_question_that_does_not_wait_is_said() {
    let desk = Desk::new(vec!["SELECT 1"]).await;
    let run_id = desk.ask("Anything?").await.unwrap();
    desk.all(&run_id).await;
    let error = desk.app.choose_reading(run_id, Some(1)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.hint.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_program_ends_its_runs_in_their_logs() {
    let desk = Desk::new(vec![Line::Hang]).await;
    let run_id = desk.ask("Still at work").await.unwrap();
    desk.app.shutdown().await;
    assert_eq!(desk.app.run_report(run_id).await.unwrap().status(), RunStatus::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_breaks_the_program_is_an_error_of_that_run_only() {
    let desk = Desk::with(Arc::new(Exploding)).await;
    let mut request = desk.question("Boom?");
    request.settings.model = Some("exploding".to_owned());
    let run_id = desk.app.ask(request).await.unwrap();
    let report = RunReport::from_events(&desk.all(&run_id).await);
    let error = report.finished.unwrap().unwrap();
    assert_eq!(error.code, ErrorCode::Internal);
    assert!(error.hint.is_some());
    assert_eq!(desk.app.runs(String::new(), 10, 0).await.unwrap()[0].status, RunStatus::Failed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_is_named_as_the_cause() {
    let crash = LlmError::WorkerCrashed { message: "it was killed".to_owned() };
    let desk = Desk::new(vec![Line::Fail("SELECT".to_owned(), crash)]).await;
    let run_id = desk.ask("Anything?").await.unwrap();
    let report = RunReport::from_events(&desk.all(&run_id).await);
    assert_eq!(report.finished.unwrap().unwrap().code, ErrorCode::Model);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_be_taken_to_another_workspace() {
    let desk = Desk::new(vec!["SELECT count(*) FROM orders"]).await;
    let run_id = desk.ask("How many orders?").await.unwrap();
    let events = desk.all(&run_id).await;
    let file = desk.path("run.json").display().to_string();
    desk.app.write_run(run_id.clone(), file.clone().into()).await.unwrap();

    let other = Desk::new(Vec::<Line>::new()).await;
    assert_eq!(other.app.import_run(file).await.unwrap(), run_id);
    assert_eq!(other.all(&run_id).await, events);
}

/// A model that panics when it is called.
struct Exploding;

#[async_trait]
impl ChatModel for Exploding {
    fn id(&self) -> &str {
        "exploding"
    }

    fn profile(&self) -> ModelProfile {
        ModelProfile {
            context_tokens: 8192,
            chunk_budget: 2048,
            deliberates: false,
            schema: SchemaSupport::None,
            samples: false,
            ..ModelProfile::default()
        }
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        Ok(vec![1; texts.len()])
    }

    async fn stream(
        &self,
        _: Request,
        _: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        panic!("a bug in the model")
    }
}
