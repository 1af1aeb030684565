//! A single table for the catalog page: its first rows, and its text as a model receives it.

use crate::support::Desk;
use std::sync::Arc;
use std::time::Duration;
use vitrine_domain::{EgressLevel, EgressPolicy, ErrorCode, EventBody, ModelProfile, RunEvent, TableName};
use vitrine_llm::ScriptedModel;

const SQL: &str = "SELECT name FROM customers ORDER BY id";

async fn desk(profile: ModelProfile) -> Desk {
    Desk::with(Arc::new(ScriptedModel::new(vec![SQL; 20]).with_profile(profile))).await
}

async fn read(desk: &Desk) {
    desk.app.start_preparation(desk.shop.clone()).await.unwrap();
    while !desk.app.profile(desk.shop.clone()).await.unwrap().complete {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn told(events: &[RunEvent]) -> String {
    let messages = events.iter().filter_map(|event| match &event.body {
        EventBody::ModelCallStarted { messages, .. } => Some(messages),
        _ => None,
    });
    messages.flatten().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n")
}

/// Returns the text of `customers` in the prompt of a question to the same model.
async fn text_in_a_prompt(desk: &Desk) -> vitrine_api::TableText {
    let table = TableName::from_unqualified("customers");
    let shown = desk.app.table_text(desk.shop.clone(), table, "scripted".to_owned()).await.unwrap();
    let run = desk.ask("What are the customers called?").await.unwrap();
    let told = told(&desk.all(&run).await);
    assert!(told.contains(shown.text.trim()), "{}\nis not in\n{told}", shown.text);
    shown
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_of_a_table_is_what_the_prompts_of_its_model_hold() {
    let desk = Desk::new(vec![SQL; 20]).await;
    read(&desk).await;
    let shown = text_in_a_prompt(&desk).await;
    assert!(shown.text.contains("'Grace'") && shown.profiled, "{}", shown.text);
    assert_eq!((shown.level, shown.masked, shown.members), (None, Vec::new(), vec!["customers".to_owned()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_for_a_model_behind_an_address_says_no_more_than_may_leave() {
    let desk = desk(ModelProfile { deliberates: true, ..ModelProfile::default() }).await;
    read(&desk).await;
    let shown = text_in_a_prompt(&desk).await;
    assert_eq!((shown.level, shown.masked), (Some(EgressLevel::Results), vec!["name".to_owned()]));
    assert!(shown.text.contains("'US'") && !shown.text.contains("Grace"), "{}", shown.text);
    assert!(shown.listed.is_some_and(|text| text.contains("# Table") && !text.contains("Grace")));

    let policy = EgressPolicy { level: EgressLevel::Names, ..EgressPolicy::default() };
    desk.app.set_egress(desk.shop.clone(), policy).await.unwrap();
    let names = text_in_a_prompt(&desk).await;
    assert!(names.text.contains("country TEXT") && !names.text.contains("'US'"), "{}", names.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_rows_of_any_table_are_read_by_a_query_that_is_recorded() {
    let desk = desk(ModelProfile::default()).await;
    let name = "the \"odd\" one; DROP TABLE orders";
    let db = rusqlite::Connection::open(desk.path("shop.db")).unwrap();
    let quoted = name.replace('"', "\"\"");
    db.execute_batch(&format!("CREATE TABLE \"{quoted}\" (n, long)")).unwrap();
    let mut insert = db.prepare(&format!("INSERT INTO \"{quoted}\" VALUES (?1, ?2)")).unwrap();
    for n in 0..80 {
        insert.execute((n, "ä".repeat(3_000))).unwrap();
    }
    let rows = desk.app.sample_rows(desk.shop.clone(), TableName::from_unqualified(name)).await.unwrap();
    assert_eq!((rows.page.rows.len(), rows.page.truncated), (50, true));
    assert_eq!(rows.page.rows[49][0].as_deref(), Some("49"));
    assert_eq!(rows.page.rows[0][1].as_ref().unwrap().chars().count(), 1_001, "cut, and marked as cut");
    let audited = desk.app.audit("odd".to_owned(), None, 10, 0).await.unwrap();
    assert_eq!(Some(&audited[0].entry.sql), rows.sql.as_ref());

    let few = desk.app.sample_rows(desk.shop.clone(), TableName::from_unqualified("customers")).await.unwrap();
    assert_eq!((few.page.rows.len(), few.page.truncated), (3, false));
    let none = desk.app.sample_rows(desk.shop.clone(), TableName::from_unqualified("gone")).await.unwrap_err();
    assert_eq!(none.code, ErrorCode::NotFound);
}
