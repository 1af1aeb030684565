//! Two processes that use one workspace, such as a window and a terminal, or two windows.

use crate::support::{Desk, options};
use std::sync::Arc;
use vitrine_api::{App, SavedDraft, SavedStatus};
use vitrine_domain::{RunReport, RunStatus};
use vitrine_llm::{ChatModel, ScriptedModel};

const SQL: &str = "SELECT count(*) AS n FROM customers";

fn model() -> Arc<dyn ChatModel> {
    Arc::new(ScriptedModel::new(vec![SQL; 60]))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_programs_read_the_same_data_at_once_and_both_find_its_values() {
    let desk = Desk::with(model()).await;
    let other = App::open(options(desk.folder.path(), vec![model()])).await.unwrap();
    other.confirm_warehouse(&desk.shop).await;
    // Each computes the profile and the value index, and writes both to the shared workspace.
    let (one, two) = tokio::join!(desk.app.wait_until_prepared(&desk.shop), other.wait_until_prepared(&desk.shop));
    for ready in [one.unwrap(), two.unwrap()] {
        assert!(ready.done && ready.profiled == 2 && ready.values_indexed == ready.values_total, "{ready:?}");
    }
    for app in [&desk.app, &other] {
        assert!(app.profile(desk.shop.clone()).await.unwrap().complete);
        assert_eq!(app.search_values(&desk.shop, "Grace".to_owned()).await.unwrap()[0].value, "Grace");
    }
    // Their stored data is complete for later processes.
    desk.app.shutdown().await;
    other.shutdown().await;
    let third = App::open(options(desk.folder.path(), vec![model()])).await.unwrap();
    third.confirm_warehouse(&desk.shop).await;
    assert!(third.wait_until_prepared(&desk.shop).await.unwrap().done);
    assert_eq!(third.search_values(&desk.shop, "Grace".to_owned()).await.unwrap()[0].value, "Grace");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_of_two_programs_at_once_are_all_answered_and_both_see_them() {
    let desk = Desk::with(model()).await;
    let other = App::open(options(desk.folder.path(), vec![model()])).await.unwrap();
    other.confirm_warehouse(&desk.shop).await;
    let asked = (0..8).map(|number| {
        let app = if number % 2 == 0 { &desk.app } else { &other };
        let request = desk.question(&format!("How many customers, for the {number}th time?"));
        async move {
            use futures::StreamExt;
            let run_id = app.ask(request).await.unwrap();
            let events: Vec<_> = app.stream_run_events(run_id).map(Result::unwrap).collect().await;
            assert_eq!(RunReport::from_events(&events).page.unwrap().rows, [[Some("3".to_owned())]], "{number}");
        }
    });
    futures::future::join_all(asked).await;
    for app in [&desk.app, &other] {
        let runs = app.runs(String::new(), 20, 0).await.unwrap();
        assert_eq!(runs.len(), 8);
        assert!(runs.iter().all(|run| run.status == RunStatus::Answered), "{runs:?}");
    }
    // Data that one process stores is immediately available to the other.
    let draft = SavedDraft {
        id: None,
        title: String::new(),
        question: "How many customers?".to_owned(),
        sql: SQL.to_owned(),
        code: None,
        warehouse: desk.shop.clone(),
        status: SavedStatus::Verified,
        run_id: None,
        notes: String::new(),
    };
    desk.app.save_question(draft).await.unwrap();
    assert_eq!(other.saved(String::new()).await.unwrap().len(), 1);
    let mut settings = other.settings().await.unwrap();
    settings.candidates = 7;
    other.set_settings(settings).await.unwrap();
    assert_eq!(desk.app.settings().await.unwrap().candidates, 7);
}
