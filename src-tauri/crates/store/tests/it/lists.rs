//! Saved questions, settings, warehouses, remote models, secrets.

use super::Desk;
use vitrine_domain::{Effort, ProfileFacts};
use vitrine_store::secrets::{InMemory, SecretStore};
use vitrine_store::{
    Filing, KeptFacts, Provider, RecentWarehouse, RemoteModel, SavedCode, SavedQuestion, SavedStatus, SavedView,
    StoreError,
};

fn saved(id: &str, title: &str, updated_at: &str) -> SavedQuestion {
    SavedQuestion {
        id: id.into(),
        title: title.into(),
        question: "How many orders?".into(),
        sql: "SELECT count(*) FROM orders".into(),
        code: None,
        warehouse: "duckdb:/tmp/shop.duckdb".into(),
        status: SavedStatus::Draft,
        run_id: Some("r".into()),
        notes: String::new(),
        created_at: updated_at.into(),
        updated_at: updated_at.into(),
        filing: Filing { folder: "Sales/Monthly".into(), tags: vec!["finance".into()], ..Filing::default() },
    }
}

#[test]
fn code_is_kept_with_the_queries_of_its_views_and_found_by_its_words() {
    let desk = Desk::new();
    let views = vec![SavedView { name: "by_day".into(), sql: "SELECT day FROM orders".into() }];
    let code = SavedCode { code: "result = by_day.describe()".into(), views };
    let question = SavedQuestion { code: Some(code), run_id: None, ..saved("1", "Orders", "2026-01-01T00:00:00Z") };
    assert_eq!(desk.store.save_question(&question).unwrap(), question);
    assert_eq!(desk.store.saved_questions("describe").unwrap(), std::slice::from_ref(&question));
    let plain = SavedQuestion { code: None, ..question };
    assert_eq!(desk.store.save_question(&plain).unwrap().code, None, "it may be answered by SQL later");
    assert_eq!(desk.store.saved_questions("orders").unwrap(), [plain]);
}

#[test]
fn a_saved_question_is_found_again_and_outlives_its_run() {
    let desk = Desk::new();
    desk.run("r", "How many orders?", "2026-01-01T00:00:00Z");
    assert!(!desk.store.run_header("r").unwrap().saved);
    desk.store.save_question(&saved("1", "Orders", "2026-01-01T00:00:00Z")).unwrap();
    assert!(desk.store.run_header("r").unwrap().saved);
    desk.store.save_question(&saved("2", "Umsätze", "2026-01-02T00:00:00Z")).unwrap();
    let found =
        |search: &str| desk.store.saved_questions(search).unwrap().into_iter().map(|s| s.id).collect::<Vec<_>>();
    assert_eq!(found(""), ["2", "1"]);
    assert_eq!(found("UMSÄTZE count"), ["2"]);
    assert_eq!(found("monthly finance"), ["2", "1"]);
    assert_eq!(found("folder"), [""; 0], "what the workspace calls it is none of its words");

    let changed = SavedQuestion {
        status: SavedStatus::Verified,
        notes: "checked".into(),
        ..saved("1", "Orders", "2026-01-03T00:00:00Z")
    };
    let kept = desk.store.save_question(&changed).unwrap();
    assert_eq!(kept, SavedQuestion { created_at: "2026-01-01T00:00:00Z".into(), ..changed });
    assert_eq!(found(""), ["1", "2"]);

    desk.store.delete_run("r").unwrap();
    assert_eq!(desk.store.saved_question("1").unwrap().run_id, None);
    assert_eq!(desk.store.save_question(&saved("3", "Late", "2026-01-04T00:00:00Z")).unwrap().run_id, None);
    desk.store.delete_saved_question("1").unwrap();
    assert_eq!(
        desk.store.delete_saved_question("1"),
        Err(StoreError::NotFound { what: "saved question", id: "1".into() })
    );
}

#[test]
fn settings_of_another_shape_count_as_none() {
    let desk = Desk::new();
    desk.store.set_setting("row-limit", &"many").unwrap();
    assert_eq!(desk.store.setting::<u64>("row-limit").unwrap(), None);
    desk.store.set_setting("row-limit", &10_000_u64).unwrap();
    assert_eq!(desk.store.setting::<u64>("row-limit").unwrap(), Some(10_000));
    desk.store.delete_setting("row-limit").unwrap();
    assert_eq!(desk.store.setting::<u64>("row-limit").unwrap(), None);
}

#[test]
fn the_warehouse_used_last_comes_first() {
    let desk = Desk::new();
    let use_it = |uri: &str, at: &str| {
        let warehouse = RecentWarehouse { uri: uri.into(), title: format!("the {uri}"), last_used: at.into() };
        desk.store.remember_warehouse(&warehouse).unwrap();
    };
    use_it("sqlite:a", "2026-01-01T00:00:00Z");
    use_it("sqlite:b", "2026-01-02T00:00:00Z");
    use_it("sqlite:a", "2026-01-03T00:00:00Z");
    let uris: Vec<String> = desk.store.recent_warehouses().unwrap().into_iter().map(|w| w.uri).collect();
    assert_eq!(uris, ["sqlite:a", "sqlite:b"]);
    desk.store.forget_warehouse("sqlite:a").unwrap();
    assert!(desk.store.forget_warehouse("sqlite:a").is_err());
}

#[test]
fn a_remote_model_is_kept_without_secrets() {
    let desk = Desk::new();
    let model = RemoteModel {
        id: "work".into(),
        title: "At work".into(),
        provider: Provider::LmStudio,
        base_url: "http://localhost:1234/v1".into(),
        model: "qwen".into(),
        context_tokens: 8192,
    };
    desk.store.set_remote_model(&model).unwrap();
    let changed = RemoteModel { provider: Provider::OpenAi, ..model.clone() };
    desk.store.set_remote_model(&changed).unwrap();
    assert_eq!(desk.store.remote_models().unwrap(), [changed]);
    for (provider, word) in
        [(Provider::Anthropic, "anthropic"), (Provider::Gemini, "gemini"), (Provider::LmStudio, "lmStudio")]
    {
        desk.store.set_remote_model(&RemoteModel { provider, ..model.clone() }).unwrap();
        assert_eq!(desk.store.remote_models().unwrap()[0].provider, provider);
        assert_eq!(serde_json::to_value(provider).unwrap(), word);
    }
    let secret = RemoteModel { base_url: "https://me:hunter2@host/v1".into(), ..model };
    let error = desk.store.set_remote_model(&secret).unwrap_err();
    assert!(!error.to_string().contains("hunter2"));
    desk.store.delete_remote_model("work").unwrap();
    assert_eq!(desk.store.remote_models().unwrap(), []);
}

#[test]
fn secrets_in_memory_are_not_shown() {
    let secrets = InMemory::default();
    secrets.set(&RemoteModel::secret_name("work"), "hunter2").unwrap();
    assert_eq!(secrets.get("model:work").unwrap().as_deref(), Some("hunter2"));
    assert!(!format!("{secrets:?}").contains("hunter2"));
    secrets.delete("model:work").unwrap();
    secrets.delete("model:work").unwrap();
    assert_eq!(secrets.get("model:work").unwrap(), None);
}

#[test]
fn what_is_known_of_a_model_is_kept_by_its_source_and_forgotten_on_demand() {
    let desk = Desk::new();
    assert_eq!(desk.store.model_facts("m").unwrap(), KeptFacts::default());
    let probed = ProfileFacts { context_tokens: Some(4096), stop: Some(false), ..ProfileFacts::default() };
    let said = ProfileFacts { effort: Some(Effort::Low), ..ProfileFacts::default() };
    let kept = KeptFacts { probed, probed_on: Some("2026-11-24".into()), said };
    desk.store.set_model_facts("m", &kept).unwrap();
    desk.store.set_model_facts("other", &KeptFacts::default()).unwrap();
    assert_eq!(desk.store.model_facts("m").unwrap(), kept);
    desk.store.forget_model_facts("m").unwrap();
    assert_eq!(desk.store.model_facts("m").unwrap(), KeptFacts::default());
}
