//! Egress: data of a warehouse that remote models receive, as the user decides.

use crate::support::Desk;
use std::sync::Arc;
use std::time::Duration;
use vitrine_domain::{EgressLevel, EgressPolicy, ErrorCode, EventBody, ModelProfile, PersonalKind, RunEvent};
use vitrine_llm::ScriptedModel;

const SQL: &str = "SELECT name FROM customers ORDER BY id";

/// Opens a desk whose model behaves as a remote one and caches no prompt.
async fn remote() -> Desk {
    Desk::with(Arc::new(ScriptedModel::new(vec![SQL; 20]).with_profile(ModelProfile::default()))).await
}

/// Waits until the data is profiled.
async fn read(desk: &Desk) {
    desk.app.start_preparation(desk.shop.clone()).await.unwrap();
    while !desk.app.profile(desk.shop.clone()).await.unwrap().complete {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn level_of(events: &[RunEvent]) -> Option<EgressLevel> {
    events.iter().find_map(|event| match &event.body {
        EventBody::RunStarted { egress, .. } => egress.as_ref().map(|egress| egress.level),
        _ => None,
    })
}

/// Returns all texts that the model received.
fn told(events: &[RunEvent]) -> String {
    let messages = events.iter().filter_map(|event| match &event.body {
        EventBody::ModelCallStarted { messages, .. } => Some(messages),
        _ => None,
    });
    messages.flatten().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_level_is_kept_and_holds_for_the_next_question() {
    let desk = remote().await;
    let before = desk.app.egress(desk.shop.clone()).await.unwrap();
    assert_eq!(before.policy, EgressPolicy::default());
    let column = before.personal.iter().find(|column| column.column == "name").expect("customers have names");
    assert_eq!((column.table.as_str(), column.kind, column.masked), ("customers", PersonalKind::PersonName, true));

    // Before the data is profiled, no values are known.
    read(&desk).await;
    let first = desk.ask("What are the customers called?").await.unwrap();
    let events = desk.all(&first).await;
    assert_eq!(level_of(&events), Some(EgressLevel::Results));
    assert!(told(&events).contains("'US'") && !told(&events).contains("Grace"), "{}", told(&events));

    let policy = EgressPolicy { level: EgressLevel::Names, ..EgressPolicy::default() };
    desk.app.set_egress(desk.shop.clone(), policy.clone()).await.unwrap();
    assert_eq!(desk.app.egress(desk.shop.clone()).await.unwrap().policy, policy);
    let second = desk.ask("What are the customers called?").await.unwrap();
    let events = desk.all(&second).await;
    assert_eq!(level_of(&events), Some(EgressLevel::Names));
    let told = told(&events);
    assert!(told.contains("country TEXT") && !told.contains("'US'") && !told.contains("3 rows"), "{told}");
    // The answer is complete regardless of the policy.
    let report = desk.app.run_report(second).await.unwrap();
    assert_eq!(report.page.expect("rows").rows[1], [Some("Grace".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_inside_of_the_program_is_told_everything() {
    let desk = Desk::new(vec![SQL; 20]).await;
    let policy = EgressPolicy { level: EgressLevel::Names, ..EgressPolicy::default() };
    desk.app.set_egress(desk.shop.clone(), policy).await.unwrap();
    read(&desk).await;
    let run = desk.ask("What are the customers called?").await.unwrap();
    let events = desk.all(&run).await;
    assert_eq!(level_of(&events), None);
    assert!(told(&events).contains("'US'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_column_that_does_not_exist_is_refused_and_nothing_changes() {
    let desk = remote().await;
    let slip = EgressPolicy { masked: vec!["customers.contry".to_owned()], ..EgressPolicy::default() };
    let error = desk.app.set_egress(desk.shop.clone(), slip).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.message.contains("contry"), "{error}");
    let chosen = EgressPolicy { masked: vec!["customers.country".to_owned()], ..EgressPolicy::default() };
    let info = desk.app.set_egress(desk.shop.clone(), chosen).await.unwrap();
    let country = info.personal.iter().find(|column| column.column == "country").expect("it was chosen");
    assert!(country.masked && country.kind == PersonalKind::Chosen);
}
