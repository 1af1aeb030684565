//! Verified questions as examples for new ones.

use crate::support::Desk;
use std::sync::Arc;
use vitrine_api::{AskRequest, SavedDraft, SavedQuestion, SavedStatus};
use vitrine_domain::{
    AskSettings, Definitions, EgressLevel, EgressPolicy, EventBody, MethodName, ModelProfile, RunEvent, Switch,
};
use vitrine_llm::ScriptedModel;

const SQL: &str = "SELECT count(*) AS n FROM customers";
/// The definition of a good customer, which a model cannot know without an example.
const GOOD: &str = "SELECT count(*) AS n FROM customers WHERE country = 'US'";
const QUESTION: &str = "How many good customers are there?";

async fn desk() -> Desk {
    let desk = Desk::new(vec![SQL; 80]).await;
    read(&desk).await;
    desk
}

/// Opens the shop and waits until its data is profiled, so that every question has the same prompt schema.
async fn read(desk: &Desk) {
    desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    desk.app.start_preparation(desk.shop.clone()).await.unwrap();
    while !desk.app.profile(desk.shop.clone()).await.unwrap().complete {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

async fn verified(desk: &Desk, question: &str, sql: &str) -> SavedQuestion {
    let draft = SavedDraft {
        id: None,
        title: "Good customers".to_owned(),
        question: question.to_owned(),
        sql: sql.to_owned(),
        code: None,
        warehouse: desk.shop.clone(),
        status: SavedStatus::Draft,
        run_id: None,
        notes: String::new(),
    };
    let saved = desk.app.save_question(draft).await.unwrap();
    desk.app.mark_saved(saved.id, SavedStatus::Verified, None).await.unwrap().question
}

fn asked(desk: &Desk, question: &str, without: Vec<Switch>) -> AskRequest {
    let plain = desk.question(question);
    let settings = AskSettings { strategy: MethodName::from("auto"), without, ..plain.settings };
    AskRequest { settings, ..plain }
}

/// Asks a question and returns its events.
async fn events(desk: &Desk, request: AskRequest) -> Vec<RunEvent> {
    let run_id = desk.app.ask(request).await.unwrap();
    desk.all(&run_id).await
}

/// Returns all texts that models received.
fn told(events: &[RunEvent]) -> String {
    let messages = events.iter().filter_map(|event| match &event.body {
        EventBody::ModelCallStarted { messages, .. } => Some(messages),
        _ => None,
    });
    messages.flatten().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n")
}

fn guides(events: &[RunEvent]) -> Vec<String> {
    match &events[0].body {
        EventBody::RunStarted { guided_by, .. } => guided_by.iter().map(|guide| guide.saved_id.clone()).collect(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_like_a_verified_one_is_shown_its_query_and_another_is_not() {
    let desk = desk().await;
    let unguided = told(&events(&desk, asked(&desk, "Show all good customers", vec![])).await);
    let other = told(&events(&desk, asked(&desk, "What is the average order total?", vec![])).await);
    assert!(!unguided.contains("its user has checked"));

    let saved = verified(&desk, QUESTION, GOOD).await;
    let like = events(&desk, asked(&desk, "Show all good customers", vec![])).await;
    assert_eq!(guides(&like), std::slice::from_ref(&saved.id));
    assert!(told(&like).contains(GOOD) && told(&like).contains(QUESTION), "{}", told(&like));
    // The texts are identical to those without a library.
    let unlike = events(&desk, asked(&desk, "What is the average order total?", vec![])).await;
    assert_eq!((guides(&unlike), told(&unlike)), (Vec::new(), other));
    let without = events(&desk, asked(&desk, "Show all good customers", vec![Switch::Verified])).await;
    assert_eq!((guides(&without), told(&without)), (Vec::new(), unguided));
    // A baseline receives no examples.
    let baseline = events(&desk, desk.question("Show all good customers")).await;
    assert!(guides(&baseline).is_empty() && !told(&baseline).contains(GOOD));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_verified_and_still_fits_the_schema_guides() {
    let desk = desk().await;
    let saved = verified(&desk, QUESTION, GOOD).await;
    let answer = |question: &'static str| desk.app.verified_answer(desk.shop.clone(), question.to_owned());
    assert_eq!(
        answer("how many GOOD customers are there").await.unwrap().map(|found| found.id),
        Some(saved.id.clone())
    );
    assert_eq!(answer("How many customers are there?").await.unwrap(), None);
    assert_eq!(answer(" ? ").await.unwrap(), None);

    desk.app.mark_saved(saved.id.clone(), SavedStatus::Reviewed, None).await.unwrap();
    assert_eq!(answer(QUESTION).await.unwrap(), None, "nobody vouches for its numbers");
    desk.app.mark_saved(saved.id.clone(), SavedStatus::Verified, None).await.unwrap();
    assert!(answer(QUESTION).await.unwrap().is_some());

    rusqlite::Connection::open(desk.path("shop.db"))
        .unwrap()
        .execute_batch("ALTER TABLE customers RENAME COLUMN country TO land")
        .unwrap();
    desk.app.forget_warehouse(desk.shop.clone()).await.unwrap();
    desk.app.confirm_warehouse(&desk.shop).await;
    desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert_eq!(answer(QUESTION).await.unwrap(), None, "a column of it is gone");
    assert!(guides(&events(&desk, asked(&desk, QUESTION, vec![])).await).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_behind_an_address_gets_no_values_by_way_of_an_example() {
    let model = ScriptedModel::new(vec![SQL; 40]).with_profile(ModelProfile::default());
    let desk = Desk::with(Arc::new(model)).await;
    read(&desk).await;
    let saved = verified(&desk, QUESTION, GOOD).await;
    let named =
        verified(&desk, "Show all good customers called Grace", "SELECT id FROM customers WHERE name = 'Grace'").await;
    let ask = async || events(&desk, asked(&desk, "Show all good customers", vec![])).await;
    // Names are masked, so that a query which compares one is not sent.
    let open = ask().await;
    assert_eq!(guides(&open), std::slice::from_ref(&saved.id), "not {}", named.title);
    assert!(told(&open).contains("'US'") && !told(&open).contains("Grace"));
    let policy = EgressPolicy { level: EgressLevel::Profile, ..EgressPolicy::default() };
    desk.app.set_egress(desk.shop.clone(), policy).await.unwrap();
    let held = ask().await;
    assert!(guides(&held).is_empty() && !told(&held).contains("'US'"), "{}", told(&held));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_with_the_structure_of_a_verified_one_gets_its_query_with_the_new_value() {
    let desk = desk().await;
    let saved = verified(&desk, "How many customers are in US?", GOOD).await;
    let events = events(&desk, asked(&desk, "number of customers in uk", vec![])).await;
    assert_eq!(guides(&events), std::slice::from_ref(&saved.id));
    assert_eq!(told(&events), "", "no model is asked");
    let report = vitrine_domain::RunReport::from_events(&events);
    let sql = report.sql.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(sql, "SELECT count(*) AS n FROM customers WHERE country = 'UK'");
    let reason = events.iter().find_map(|event| match &event.body {
        EventBody::CandidateChosen { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    assert_eq!(reason, Some("As in the verified question “Good customers”, with UK instead of US"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_not_stored_another_method_and_an_ablation_use_no_template() {
    let desk = desk().await;
    verified(&desk, "How many customers are in US?", GOOD).await;
    for request in [
        asked(&desk, "How many customers are in FR?", vec![]),
        asked(&desk, "How many customers are not in UK?", vec![]),
        asked(&desk, "How many customers are in UK?", vec![Switch::Verified]),
        desk.question("How many customers are in UK?"),
    ] {
        let events = events(&desk, request).await;
        assert_ne!(told(&events), "", "the model is asked");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn knowledge_of_the_connection_leaves_the_question_to_the_model() {
    let desk = desk().await;
    verified(&desk, "How many customers are in US?", GOOD).await;
    let known = Definitions { text: "Customers without a name do not count.".to_owned(), ..Definitions::default() };
    desk.app.set_definitions(desk.shop.clone(), known).await.unwrap();
    let known = events(&desk, asked(&desk, "number of customers in UK", vec![])).await;
    assert_ne!(told(&known), "", "the model is asked");
    desk.app.set_definitions(desk.shop.clone(), Definitions::default()).await.unwrap();
    let unknown = events(&desk, asked(&desk, "number of customers in UK", vec![])).await;
    assert_eq!(told(&unknown), "", "no model is asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verified_question_in_the_same_words_is_not_overruled_by_another() {
    let desk = desk().await;
    verified(&desk, "How many customers are in US?", GOOD).await;
    // The number may be a year, so this query is not used as a template.
    let own = "SELECT count(*) AS n FROM customers WHERE country = 'UK' AND id <> 2024";
    verified(&desk, "How many customers are in UK?", own).await;
    let events = events(&desk, asked(&desk, "number of customers in UK", vec![])).await;
    assert_ne!(told(&events), "", "the model is asked");
}
