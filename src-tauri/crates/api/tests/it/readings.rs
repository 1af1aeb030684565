//! A chosen interpretation: its query answers, it is remembered for the same question about the same data, and it can be forgotten.

use crate::support::Desk;
use serde_json::{Value, json};
use vitrine_api::{AskRequest, KeptReading};
use vitrine_domain::{ErrorCode, EventBody, FollowUp, RunChange, RunEvent};

const QUESTION: &str = "How many customers are there?";
const ALL: &str = "SELECT count(*) AS n FROM customers";
const BUYERS: &str = "SELECT count(DISTINCT customer_id) AS n FROM orders";

/// Imports a run in which two interpretations were offered and the first was chosen, as if it had been made here.
async fn offered(desk: &Desk, question: &str) -> String {
    let run_id = desk.ask(question).await.unwrap();
    desk.all(&run_id).await;
    let mut file: Value = serde_json::from_str(&desk.app.exported_run(run_id.clone()).await.unwrap()).unwrap();
    desk.app.delete_run(run_id.clone()).await.unwrap();
    let events = file["events"].as_array_mut().unwrap();
    let at = events.iter().position(|event| event["body"]["type"] == "candidateChosen").unwrap();
    let reading = |candidate: u32, sql: &str, meaning: &str, cell: &str| json!({ "candidate": candidate, "votes": 1, "sql": sql, "meaning": meaning, "rowCount": 1, "firstRow": [cell] });
    let bodies = [
        json!({ "type": "readingsOffered", "node": "generator", "readings": [
            reading(1, ALL, "Number of rows of customers", "3"),
            reading(2, BUYERS, "Number of different customers, from orders", "2"),
        ] }),
        json!({ "type": "readingChosen", "node": "generator", "candidate": 1, "waitedMs": 5 }),
    ];
    for (body, place) in bodies.into_iter().zip(at..) {
        events.insert(place, json!({ "runId": run_id, "seq": 0, "atMs": 0, "body": body }));
    }
    for (event, seq) in events.iter_mut().zip(1..) {
        event["seq"] = json!(seq);
    }
    let path = desk.path("run.json");
    std::fs::write(&path, file.to_string()).unwrap();
    desk.app.import_run(path.display().to_string()).await.unwrap()
}

/// Returns the answer of a run, the number of its model calls, and the time since which its interpretation is remembered.
fn told(events: &[RunEvent]) -> (String, usize, Option<String>) {
    let (mut cell, mut calls, mut id) = (String::new(), 0, None);
    for event in events {
        match &event.body {
            EventBody::ResultReady { page, .. } => cell = page.rows[0][0].clone().unwrap(),
            EventBody::ModelCallStarted { .. } => calls += 1,
            EventBody::ReadingChosen { remembered, .. } => id = remembered.as_ref().map(|choice| choice.id.clone()),
            _ => {}
        }
    }
    (cell, calls, id)
}

async fn events(desk: &Desk, request: AskRequest) -> Vec<RunEvent> {
    let run_id = desk.app.ask(request).await.unwrap();
    desk.all(&run_id).await
}

async fn kept(desk: &Desk) -> Vec<KeptReading> {
    desk.app.remembered_readings(desk.shop.clone()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn another_reading_gives_its_own_result_and_no_model_is_asked() {
    let desk = Desk::new(vec![ALL; 8]).await;
    let run_id = offered(&desk, QUESTION).await;
    let next = desk.app.rerun(run_id.clone(), vec![RunChange::Reading { candidate: 2 }]).await.unwrap();
    let ran = desk.all(&next).await;
    assert_eq!(told(&ran), ("2".to_owned(), 0, None));
    let chosen = ran.iter().find_map(|event| match &event.body {
        EventBody::ReadingChosen { candidate, .. } => *candidate,
        _ => None,
    });
    assert_eq!(chosen, Some(2), "the new run can be changed, too");
    let refused = desk.app.rerun(run_id, vec![RunChange::Reading { candidate: 7 }]).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Usage);
    assert!(refused.message.contains("no such interpretation"), "{}", refused.message);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_question_is_read_as_it_was_chosen_and_no_other_one_is() {
    let desk = Desk::new(vec![ALL; 40]).await;
    let run_id = offered(&desk, QUESTION).await;
    assert!(kept(&desk).await.is_empty(), "an imported choice is nobody's here");
    let next = desk.app.rerun(run_id, vec![RunChange::Reading { candidate: 2 }]).await.unwrap();
    desk.all(&next).await;
    let [reading] = kept(&desk).await.try_into().unwrap();
    assert_eq!((reading.sql.as_str(), reading.question.as_str()), (BUYERS, QUESTION));

    let again = events(&desk, desk.question("how many  customers are there")).await;
    assert_eq!(told(&again), ("2".to_owned(), 0, Some(reading.id.clone())));
    for other in [
        desk.question("How many customers were there?"),
        AskRequest { knowledge: Some("Customers are those in the US".into()), ..desk.question(QUESTION) },
        AskRequest {
            follows: Some(FollowUp { run_id: next.clone(), question: "Show orders".into(), text: QUESTION.into() }),
            ..desk.question(QUESTION)
        },
    ] {
        let (cell, calls, id) = told(&events(&desk, other).await);
        assert_eq!((cell.as_str(), id), ("3", None));
        assert!(calls > 0);
    }

    desk.app.forget_reading(reading.id.clone()).await.unwrap();
    assert_eq!(told(&events(&desk, desk.question(QUESTION)).await).0, "3");
    desk.app.restore_reading(reading.id.clone()).await.unwrap();
    // The run in which it was chosen may be deleted.
    desk.app.delete_run(next).await.unwrap();
    assert_eq!(told(&events(&desk, desk.question(QUESTION)).await), ("2".to_owned(), 0, Some(reading.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reading_that_does_not_run_any_more_is_said_and_the_question_asked_anew() {
    let desk = Desk::new(vec![ALL; 40]).await;
    let run_id = offered(&desk, QUESTION).await;
    let next = desk.app.rerun(run_id, vec![RunChange::Reading { candidate: 2 }]).await.unwrap();
    desk.all(&next).await;
    let shop = rusqlite::Connection::open(desk.path("shop.db")).unwrap();
    shop.execute_batch("ALTER TABLE orders RENAME COLUMN customer_id TO buyer").unwrap();
    drop(shop);
    let ran = events(&desk, desk.question(QUESTION)).await;
    let (cell, calls, id) = told(&ran);
    assert_eq!((cell.as_str(), id), ("3", None));
    assert!(calls > 0);
    let warned = ran
        .iter()
        .any(|event| matches!(&event.body, EventBody::Warning { message, .. } if message.contains("no longer runs")));
    assert!(warned);
}
