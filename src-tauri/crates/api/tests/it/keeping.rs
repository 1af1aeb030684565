//! What is kept between starts.

use crate::support::{Desk, options};
use vitrine_api::{App, ModelPlace, RemoteModel, RemoteProvider, SavedDraft, SavedStatus};
use vitrine_domain::ErrorCode;
use vitrine_llm::Line;

async fn desk() -> Desk {
    Desk::new(Vec::<Line>::new()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_question_is_found_again_and_can_be_changed() {
    let desk = desk().await;
    let draft = SavedDraft {
        id: None,
        title: String::new(),
        question: "How many customers?".to_owned(),
        sql: "SELECT count(*) FROM customers".to_owned(),
        code: None,
        warehouse: desk.shop.clone(),
        status: SavedStatus::Draft,
        run_id: None,
        notes: String::new(),
    };
    let saved = desk.app.save_question(draft.clone()).await.unwrap();
    assert_eq!(saved.title, "How many customers?", "a question without a title is its own");
    let changed = SavedDraft { id: Some(saved.id.clone()), status: SavedStatus::Verified, ..draft };
    desk.app.save_question(changed).await.unwrap();
    let found = desk.app.saved("customers MANY".to_owned()).await.unwrap();
    assert_eq!((found.len(), found[0].status, &found[0].created_at), (1, SavedStatus::Verified, &saved.created_at));
    desk.app.delete_saved(saved.id).await.unwrap();
    assert!(desk.app.saved(String::new()).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_and_warehouses_outlive_the_program() {
    let desk = desk().await;
    let mut settings = desk.app.settings().await.unwrap();
    settings.candidates = 7;
    desk.app.set_settings(settings).await.unwrap();
    desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    desk.app.shutdown().await;

    let again = App::open(options(desk.folder.path(), Vec::new())).await.unwrap();
    assert_eq!(again.settings().await.unwrap().candidates, 7);
    let known = again.warehouses().await.unwrap();
    assert_eq!(known[0].uri, desk.shop);
    assert!(known.iter().any(|entry| entry.is_sample), "the sample is always offered");
    again.forget_warehouse(desk.shop.clone()).await.unwrap();
    assert!(again.warehouses().await.unwrap().iter().all(|entry| entry.is_sample));
    assert!(desk.path("shop.db").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_kept_and_never_shown() {
    let desk = desk().await;
    let model = RemoteModel {
        id: "work".to_owned(),
        title: String::new(),
        provider: RemoteProvider::Other,
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        model: "some-model".to_owned(),
        context_tokens: 16_000,
        has_key: false,
    };
    desk.app.set_remote_model(model.clone(), Some("sk-very-secret".to_owned())).await.unwrap();
    let remote = desk.app.remote_models().await.unwrap();
    assert!(remote[0].has_key);
    let listed = desk.app.models().await.unwrap();
    assert!(listed.iter().any(|m| m.id == "work" && m.kind == ModelPlace::Remote && m.present));
    for shown in [serde_json::to_string(&remote).unwrap(), serde_json::to_string(&listed).unwrap()] {
        assert!(!shown.contains("sk-very-secret"));
    }
    // The key stays when only the rest is changed, and an empty one takes it away.
    desk.app.set_remote_model(RemoteModel { title: "Work".to_owned(), ..model.clone() }, None).await.unwrap();
    assert!(desk.app.remote_models().await.unwrap()[0].has_key);
    desk.app.set_remote_model(model.clone(), Some(String::new())).await.unwrap();
    assert!(!desk.app.remote_models().await.unwrap()[0].has_key);

    desk.app.use_model("work".to_owned()).await.unwrap();
    assert_eq!(desk.app.info().await.unwrap().default_model, "work");
    desk.app.delete_remote_model("work".to_owned()).await.unwrap();
    assert_eq!(desk.app.use_model("work".to_owned()).await.unwrap_err().code, ErrorCode::NotFound);

    let wrong = RemoteModel { base_url: "not an address".to_owned(), ..model };
    assert!(desk.app.set_remote_model(wrong, None).await.is_err());
    assert!(desk.app.remote_models().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_listed_with_what_one_wants_to_know_before_a_download() {
    let desk = desk().await;
    let listed = desk.app.models().await.unwrap();
    let default = listed.iter().find(|m| m.in_use).unwrap();
    assert_eq!(default.licence, "Apache-2.0");
    assert!(
        !default.present && default.bytes > 1_000_000_000 && default.sha256.is_some() && !default.sources.is_empty()
    );
    assert!(desk.app.add_gguf(desk.path("shop.db").display().to_string()).await.is_err());
}
