//! Reruns: the new run refers to its origin, and both runs can be compared.

use crate::support::Desk;
use vitrine_domain::{ErrorCode, EventBody, RunChange};

const SQL: &str = "SELECT country, count(*) AS n FROM customers GROUP BY country";

async fn asked(desk: &Desk) -> String {
    let run_id = desk.ask("How many customers are in each country?").await.unwrap();
    desk.all(&run_id).await;
    run_id
}

#[tokio::test(flavor = "multi_thread")]
async fn sql_of_the_user_begins_a_run_that_stands_in_the_history_below_the_one_that_it_comes_from() {
    let desk = Desk::new(vec![SQL; 8]).await;
    let run_id = asked(&desk).await;
    let sql = "SELECT country, count(*) AS n FROM customers WHERE id > 1 GROUP BY country".to_owned();
    let next = desk.app.rerun(run_id.clone(), vec![RunChange::Sql { sql: sql.clone() }]).await.unwrap();
    let events = desk.all(&next).await;
    let EventBody::RunStarted { steered: Some(steered), .. } = &events[0].body else { panic!("{:?}", events[0]) };
    assert_eq!(
        (steered.from.as_str(), steered.changes.as_slice()),
        (run_id.as_str(), [RunChange::Sql { sql }].as_slice())
    );
    let runs = desk.app.runs(String::new(), 10, 0).await.unwrap();
    assert_eq!(runs[0].steered_from.as_deref(), Some(run_id.as_str()));
    assert_eq!(runs[0].changes, [RunChange::Sql { sql: String::new() }]);
    assert_eq!((&runs[1].steered_from, runs[1].changes.as_slice()), (&None, [].as_slice()));

    let found = desk.app.compare_runs(run_id.clone(), next.clone()).await.unwrap();
    let rows = found.rows.unwrap();
    assert_eq!((rows.key.as_slice(), rows.same, rows.only_left_count), (["country".to_owned()].as_slice(), 1, 1));
    assert_eq!(found.right.steered.unwrap().from, run_id);
    assert_eq!(found.right.usage.llm_calls, 0);

    // The original run may be deleted.
    desk.app.delete_run(run_id.clone()).await.unwrap();
    assert!(desk.app.compare_runs(run_id, next).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_set_is_refused_before_anything_begins() {
    let desk = Desk::new(vec![SQL; 8]).await;
    let run_id = asked(&desk).await;
    let before = desk.app.runs(String::new(), 10, 0).await.unwrap().len();
    let plan = RunChange::Plan { text: "Read it".to_owned() };
    let refused = desk.app.rerun(run_id.clone(), vec![plan]).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Usage);
    assert!(refused.message.contains("cannot be edited"), "{}", refused.message);
    assert_eq!(desk.app.runs(String::new(), 10, 0).await.unwrap().len(), before);
    let places = desk.app.steer_places(run_id).await.unwrap();
    assert!(places.iter().any(|place| place.node == "generator" && !place.edits.is_empty()));
}
