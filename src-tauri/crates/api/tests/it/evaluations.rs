//! Evaluations in the window: the user's own verified questions, viewed and compared.

use crate::support::Desk;
use vitrine_api::{EvaluationRequest, JobState, SavedDraft, SavedStatus, Settings};
use vitrine_domain::{ErrorCode, EventBody, MethodName};

pub(crate) async fn save(desk: &Desk, question: &str, sql: &str, status: SavedStatus) {
    let draft = SavedDraft {
        id: None,
        title: question.to_owned(),
        question: question.to_owned(),
        sql: sql.to_owned(),
        code: None,
        warehouse: desk.shop.clone(),
        status,
        run_id: None,
        notes: String::new(),
    };
    desk.app.save_question(draft).await.unwrap();
}

/// Starts an evaluation of the saved questions and waits for its end.
pub(crate) async fn measure(desk: &Desk) -> Result<(String, JobState), vitrine_domain::AppError> {
    let mut events = desk.app.subscribe_to_events();
    let request = EvaluationRequest {
        pack: None,
        warehouse: Some(desk.shop.clone()),
        strategy: MethodName::from("direct"),
        model: Some("scripted".to_owned()),
        every: 1,
        limit: None,
    };
    let job_id = desk.app.start_evaluation(request).await?;
    loop {
        if let vitrine_api::AppEvent::Job(job) = events.recv().await.unwrap()
            && job.job_id == job_id
            && job.state != JobState::Running
        {
            return Ok((job.title, job.state));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn verified_questions_are_a_benchmark_of_ones_own() {
    // The question that was saved last is first.
    let desk = Desk::new(vec!["SELECT count(*) FROM orders", "SELECT count(*) FROM customers"]).await;
    let nothing = measure(&desk).await.unwrap_err();
    assert!(nothing.message.contains("verified"), "{nothing}");

    save(&desk, "How many customers?", "SELECT count(*) FROM customers", SavedStatus::Verified).await;
    save(&desk, "How much was sold?", "SELECT sum(total) FROM orders", SavedStatus::Verified).await;
    save(&desk, "Not looked at yet", "SELECT 1", SavedStatus::Draft).await;
    let (id, state) = measure(&desk).await.unwrap();
    assert_eq!(state, JobState::Done);

    let listed = desk.app.evaluations().await.unwrap();
    assert_eq!((listed.len(), listed[0].id.as_str(), listed[0].right, listed[0].questions), (1, id.as_str(), 1, 2));
    let questions = desk.app.evaluation(id.clone()).await.unwrap();
    let right: Vec<(&str, bool)> = questions.iter().map(|q| (q.question.as_str(), q.right)).collect();
    assert_eq!(right, [("How much was sold?", false), ("How many customers?", true)]);
    let events = desk.app.evaluation_events(id.clone(), questions[0].id.clone()).await.unwrap();
    assert!(matches!(events.first().unwrap().body, EventBody::RunStarted { .. }));
    let same = desk.app.compare_evaluations(id.clone(), id.clone()).await.unwrap();
    assert_eq!((same.questions, same.wins, same.losses), (2, 0, 0));

    let (again, state) = measure(&desk).await.unwrap();
    assert_eq!((again.as_str(), state), (id.as_str(), JobState::Done), "all is done already: no model is asked");
    desk.app.delete_evaluation(id).await.unwrap();
    assert!(desk.app.evaluations().await.unwrap().is_empty());
    for outside in ["..", "../data", "/", ""] {
        assert_eq!(desk.app.delete_evaluation(outside.to_owned()).await.unwrap_err().code, ErrorCode::NotFound);
    }
    assert_eq!(desk.app.settings().await.unwrap(), Settings::default(), "the workspace is untouched");
}
