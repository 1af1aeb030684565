//! State that is kept between starts.

use crate::support::{Desk, options};
use vitrine_api::{App, Folders, KeptTable, ModelPlace, RemoteModel, RemoteProvider, SavedDraft, SavedStatus};
use vitrine_domain::{ErrorCode, RunEvent};
use vitrine_llm::Line;
use vitrine_store::Store;

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
    // The key is kept when only other properties change; an empty key removes it.
    desk.app.set_remote_model(RemoteModel { title: "Work".to_owned(), ..model.clone() }, None).await.unwrap();
    assert!(desk.app.remote_models().await.unwrap()[0].has_key);
    desk.app.set_remote_model(model.clone(), Some(String::new())).await.unwrap();
    assert!(!desk.app.remote_models().await.unwrap()[0].has_key);

    desk.app.use_model("work".to_owned()).await.unwrap();
    assert_eq!(desk.app.info().await.unwrap().default_model, "work");
    desk.app.delete_remote_model("work".to_owned()).await.unwrap();
    assert_eq!(desk.app.use_model("work".to_owned()).await.unwrap_err().code, ErrorCode::NotFound);

    // A key is only used for the server for which it was given, and is sent only over https.
    let at = |base_url: &str| RemoteModel { base_url: base_url.to_owned(), ..model.clone() };
    let has_key = async || desk.app.remote_models().await.unwrap()[0].has_key;
    desk.app.set_remote_model(at("https://one.example/v1"), Some("sk-very-secret".to_owned())).await.unwrap();
    desk.app.set_remote_model(at("https://one.example/v2"), None).await.unwrap();
    assert!(has_key().await);
    for elsewhere in ["https://two.example/v1", "https://two.example:8443/v1"] {
        desk.app.set_remote_model(at(elsewhere), None).await.unwrap();
        assert!(!has_key().await, "{elsewhere}");
        desk.app.set_remote_model(at(elsewhere), Some("sk-very-secret".to_owned())).await.unwrap();
        assert!(has_key().await);
    }
    let plain = at("http://two.example/v1");
    let refused = desk.app.set_remote_model(plain.clone(), Some("sk-very-secret".to_owned())).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Usage);
    desk.app.set_remote_model(plain, None).await.unwrap();
    assert!(!has_key().await);
    for provider in [RemoteProvider::Anthropic, RemoteProvider::Gemini] {
        let served = RemoteModel { provider, ..at("https://one.example") };
        desk.app.set_remote_model(served, None).await.unwrap();
        assert_eq!(desk.app.remote_models().await.unwrap()[0].provider, provider);
    }
    desk.app.delete_remote_model("work".to_owned()).await.unwrap();

    for wrong in ["not an address", "api.openai.com/v1", "localhost:11434"] {
        let wrong = RemoteModel { base_url: wrong.to_owned(), ..model.clone() };
        let error = desk.app.set_remote_model(wrong, None).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage);
        assert!(error.message.contains("http:// or https://"), "{error:?}");
    }
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

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_id_is_a_path_is_refused_and_removes_nothing_with_it() {
    let desk = Desk::new(vec!["SELECT count(*) FROM orders"]).await;
    let run_id = desk.ask("How many orders?").await.unwrap();
    let events = desk.all(&run_id).await;
    let precious = desk.path("data/precious");
    std::fs::create_dir_all(&precious).unwrap();
    let (file, path_id) = (desk.path("run.json").display().to_string(), "../precious".to_owned());
    desk.app.write_run(run_id.clone(), file.clone().into()).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap().replace(&run_id, &path_id);
    std::fs::write(&file, text).unwrap();
    let refused = desk.app.import_run(file.clone()).await.unwrap_err();
    assert!(refused.code == ErrorCode::Usage && refused.message.contains("'../precious'"), "{refused}");

    // The run has the form in which an earlier version imported it.
    let app = &desk.app;
    app.shutdown().await;
    let store = Store::open(&Folders::with_root(desk.folder.path()).workspace_file()).unwrap();
    for event in events {
        store.append_event(&RunEvent { run_id: path_id.clone(), ..event }).unwrap();
    }
    let (id, table) = (path_id.clone(), KeptTable { owner: path_id.clone(), rerun: false });
    let draft = SavedDraft {
        id: Some(id.clone()),
        title: "t".to_owned(),
        question: String::new(),
        sql: String::new(),
        code: None,
        warehouse: desk.shop.clone(),
        status: SavedStatus::Draft,
        run_id: None,
        notes: String::new(),
    };
    let refusals = [
        app.cancel_run(id.clone()).await.err(),
        app.choose_reading(id.clone(), None).await.err(),
        app.run_events(id.clone(), 0).await.err(),
        app.run_report(id.clone()).await.err(),
        app.export_run(id.clone(), String::new()).await.err(),
        app.exported_run(id.clone()).await.err(),
        app.open_table(table, 1).await.err(),
        app.run_code(id.clone(), String::new()).await.err(),
        app.run_saved_code(id.clone(), String::new()).await.err(),
        app.stop_code(id.clone()).await.err(),
        app.save_question(SavedDraft { run_id: Some(id.clone()), id: None, ..draft.clone() }).await.err(),
        app.save_question(draft).await.err(),
    ];
    for refusal in refusals {
        let refusal = refusal.unwrap();
        assert!(refusal.code == ErrorCode::NotFound && refusal.message.contains("'../precious' is not"), "{refusal}");
    }
    app.delete_run(path_id.clone()).await.expect("it can be got rid of");
    assert!(app.runs(String::new(), 10, 0).await.unwrap().iter().all(|run| run.run_id != path_id));
    assert!(precious.is_dir(), "and takes no folder with it");
    assert!(app.delete_saved("../precious".to_owned()).await.is_err() && precious.is_dir());
}

#[tokio::test(flavor = "multi_thread")]
async fn history_is_found_by_name_question_and_query_and_pinned_runs_are_on_top() {
    let desk = Desk::new(vec!["SELECT count(*) FROM orders", "SELECT max(total) FROM orders"]).await;
    let first = desk.ask("How many sales?").await.unwrap();
    desk.all(&first).await;
    let second = desk.ask("Largest sale?").await.unwrap();
    desk.all(&second).await;
    let app = &desk.app;
    let found = async |search: &str, warehouse: Option<&str>| {
        let runs = app.history(search.to_owned(), warehouse.map(str::to_owned), 10, 0).await.unwrap();
        runs.into_iter().map(|run| run.run_id).collect::<Vec<_>>()
    };
    assert_eq!(found("", None).await, [second.clone(), first.clone()]);
    assert_eq!(found("MAX orders", None).await, std::slice::from_ref(&second), "by its query");
    app.pin_run(first.clone(), true).await.unwrap();
    app.name_run(first.clone(), "  Board\nmeeting ".to_owned()).await.unwrap();
    assert_eq!(found("", None).await, [first.clone(), second.clone()]);
    assert_eq!(found("board meeting", None).await, std::slice::from_ref(&first));
    assert_eq!(app.history("board".to_owned(), None, 1, 0).await.unwrap()[0].title.as_deref(), Some("Board meeting"));
    assert_eq!(found("", Some(&desk.shop)).await.len(), 2);
    assert!(found("", Some("duckdb:/elsewhere")).await.is_empty());
    // The run that was the latest remains the latest.
    assert_eq!(app.runs(String::new(), 1, 0).await.unwrap()[0].run_id, second);
    app.name_run(first.clone(), " ".to_owned()).await.unwrap();
    assert!(found("board", None).await.is_empty());
    let gone = app.pin_run("00000000-0000-4000-8000-000000000000".to_owned(), true).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}
