//! Connections by name.

use crate::support::{Desk, NoKeychain, options};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_api::{App, AppEvent, AppOptions, ConnectionDraft, ConnectionSettings, PasswordPlace};
use vitrine_domain::{ConnectionTest, ErrorCode};
use vitrine_store::secrets::{InMemory, SecretStore};

pub fn draft(name: &str, address: &str) -> ConnectionDraft {
    ConnectionDraft {
        id: None,
        name: name.to_owned(),
        address: address.to_owned(),
        environment: "production".parse().ok(),
        schemas: Vec::new(),
        settings: ConnectionSettings::default(),
        password: None,
        remember: true,
    }
}

/// The library is chosen in a dialog, because pages cannot name libraries.
#[tokio::test(flavor = "multi_thread")]
async fn a_driver_is_called_as_the_file_that_was_chosen_and_removed_again() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    let names = async || {
        let drivers = desk.app.drivers().await.unwrap();
        drivers.into_iter().filter(|driver| driver.preview).map(|driver| driver.name).collect::<Vec<_>>()
    };
    assert_eq!(desk.app.choose_driver().await.unwrap(), None, "none was chosen");
    let library = desk.path("chosen").join("libadbc_driver_mssql.so");
    std::fs::create_dir_all(desk.path("chosen")).unwrap();
    std::fs::write(&library, "no library").unwrap();
    let error = desk.app.choose_driver().await.unwrap_err();
    assert!(error.message.contains("libadbc_driver_mssql.so"), "{error:?}");
    std::fs::write(&library, b"\x7fELF and more").unwrap();
    let added = desk.app.choose_driver().await.unwrap().expect("one was chosen");
    assert_eq!((added.name.as_str(), added.present), ("mssql", true));
    assert_eq!(names().await, ["mssql"]);
    desk.app.remove_driver("mssql".to_owned()).await.unwrap();
    assert!(names().await.is_empty() && library.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_asked_by_its_name_and_shown_by_it() {
    let desk = Desk::new(vec!["SELECT count(*) FROM orders"]).await;
    let kept = desk.app.keep_connection(draft("My shop", &desk.shop)).await.unwrap();
    assert_eq!((kept.connection.address.as_str(), kept.password), (desk.shop.as_str(), PasswordPlace::None));
    assert_eq!(desk.app.address_of(" my SHOP ").await.unwrap(), desk.shop);
    assert_eq!(desk.app.address_of("other").await.unwrap(), "other");
    let entry = |entries: Vec<vitrine_api::WarehouseEntry>| entries.into_iter().find(|entry| entry.uri == desk.shop);
    let unused = entry(desk.app.warehouses().await.unwrap()).unwrap();
    assert_eq!((unused.title.as_str(), unused.last_used.as_str()), ("My shop", ""));
    let summary = desk.app.open_warehouse(desk.app.address_of("My shop").await.unwrap()).await.unwrap();
    assert_eq!(summary.title, "My shop");
    assert_eq!(summary.connection.unwrap().environment.unwrap().name, "production");
    assert!(desk.app.connections().await.unwrap()[0].used_at.is_some());

    let mut renamed = draft("Shop", &desk.shop);
    renamed.id = Some(kept.connection.id.clone());
    desk.app.keep_connection(renamed).await.unwrap();
    assert_eq!(entry(desk.app.warehouses().await.unwrap()).unwrap().title, "Shop");
    desk.app.forget_warehouse(desk.shop.clone()).await.unwrap();
    assert_eq!(desk.app.connections().await.unwrap().len(), 1, "it is only off the list of those used");
    desk.app.remove_connection(kept.connection.id).await.unwrap();
    assert!(entry(desk.app.warehouses().await.unwrap()).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_may_be_opened_though_nobody_typed_its_address_since_the_start() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    desk.app.keep_connection(draft("Shop", &desk.shop)).await.unwrap();
    desk.app.shutdown().await;
    let app = App::open(options(desk.folder.path(), Vec::new())).await.unwrap();
    app.catalog(desk.shop.clone()).await.unwrap();
    app.remove_connection(app.find_connection("Shop").await.unwrap().id).await.unwrap();
    assert_eq!(app.catalog(desk.shop.clone()).await.unwrap_err().code, ErrorCode::Unconfirmed);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_could_be_addresses_or_are_taken_are_refused() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    for name in ["", "sample", "a/b", "c:\\d", "postgresql://ann:hidden@db/shop"] {
        let error = desk.app.keep_connection(draft(name, &desk.shop)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage, "{name}");
        assert!(!format!("{error:?}").contains("hidden"));
    }
    desk.app.keep_connection(draft("Shop", &desk.shop)).await.unwrap();
    assert!(desk.app.keep_connection(draft("shop", "sqlite:/other.db")).await.unwrap_err().message.contains("'Shop'"));
    assert!(desk.app.keep_connection(draft("Other", &desk.shop)).await.unwrap_err().message.contains("'Shop'"));
    let lost = desk.app.find_connection("postgresql://ann:hidden@db/none").await.unwrap_err();
    assert!(!format!("{lost:?}").contains("hidden") && lost.code == ErrorCode::NotFound, "{lost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_goes_into_the_keychain_or_is_said_to_be_gone_with_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::new(InMemory::default());
    let secrets = Arc::clone(&keychain);
    let app = App::open(AppOptions { secrets, ..options(folder.path(), Vec::new()) }).await.unwrap();
    let address = "postgresql://ann:hidden-word@db.example/shop";
    let kept = app.keep_connection(draft("Shop", address)).await.unwrap();
    assert_eq!(
        (kept.password, kept.connection.address.as_str()),
        (PasswordPlace::Keychain, "postgresql://ann@db.example/shop")
    );
    let entry = "login:ann@db.example:5432?sslmode=prefer";
    assert_eq!(keychain.get(entry).unwrap().as_deref(), Some("hidden-word"));
    app.remove_connection(kept.connection.id).await.unwrap();
    assert_eq!(keychain.get(entry).unwrap(), None);

    let secrets = Arc::new(NoKeychain);
    let without = App::open(AppOptions { secrets, ..options(folder.path(), Vec::new()) }).await.unwrap();
    let kept = without.keep_connection(draft("Shop", address)).await.unwrap();
    assert_eq!(kept.password, PasswordPlace::Session);
    assert!(kept.note.unwrap().contains("keychain"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_is_told_stage_by_stage_and_keeps_nothing() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    let mut events = desk.app.subscribe_to_events();
    let id = desk.app.test_connection(desk.shop.clone(), None).await.unwrap();
    let mut last = ConnectionTest::default();
    while !last.done {
        if let AppEvent::Test(event) = events.recv().await.unwrap() {
            assert_eq!(event.test_id, id);
            last = event.test;
        }
    }
    assert!(last.failed_step().is_none() && last.steps.len() == 4, "{last:?}");
    let entries = desk.app.warehouses().await.unwrap();
    assert!(entries.iter().all(|entry| entry.uri != desk.shop), "a test does not put it on the list");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let stopped = desk.app.inspect_connection(&desk.shop, None, &|_| {}, cancel).await.unwrap();
    assert!(stopped.done && stopped.failed_step().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_in_words_is_told_to_every_question_that_uses_it() {
    use vitrine_domain::{Definition, DefinitionSource, Definitions};
    let desk = Desk::new(vec!["SELECT count(*) FROM orders", "SELECT count(*) FROM orders", "SELECT 1"]).await;
    let define = |term: &str, meaning: &str| Definition {
        term: format!(" {term} "),
        synonyms: vec!["Bestellwert".to_owned()],
        meaning: meaning.to_owned(),
        condition: Some("total > 0".to_owned()),
        always: false,
        subject: None,
        source: DefinitionSource::User,
    };
    let known = Definitions {
        text: " Totals are in euros. ".to_owned(),
        entries: vec![define("order value", "total of an order"), define("", "no term"), define("nothing", "")],
    };
    let kept = desk.app.set_definitions(desk.shop.clone(), known).await.unwrap();
    assert_eq!((kept.text.as_str(), kept.entries.len()), ("Totals are in euros.", 2));
    let told = async |question: &str| {
        let run = desk.ask(question).await.unwrap();
        format!("{:?}", desk.all(&run).await[0])
    };
    let used = told("How high is the Bestellwert?").await;
    assert!(used.contains("Totals are in euros.") && used.contains("total of an order; in SQL: total > 0"), "{used}");
    let unused = told("How many customers?").await;
    assert!(unused.contains("Totals are in euros.") && !unused.contains("total of an order"), "{unused}");
    desk.app.set_definitions(desk.shop.clone(), Definitions::default()).await.unwrap();
    assert!(told("How many customers?").await.contains("knowledge: None"));
}

#[tokio::test(flavor = "multi_thread")]
async fn definitions_of_dbt_are_shown_before_they_are_taken_over() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    let path = desk.path("schema.yml");
    std::fs::write(&path, "models:\n- name: orders\n  description: All orders.\n- name: gone\n  description: x\n")
        .unwrap();
    let path = path.display().to_string();
    let read = desk.app.import_definitions(desk.shop.clone(), Some(path.clone())).await.unwrap();
    assert_eq!((read.found.len(), read.known, read.notes.len()), (1, 0, 1));
    assert_eq!(desk.app.definitions(desk.shop.clone()).await.unwrap(), Default::default());
    let known = vitrine_domain::Definitions { text: String::new(), entries: read.found };
    desk.app.set_definitions(desk.shop.clone(), known).await.unwrap();
    let again = desk.app.import_definitions(desk.shop.clone(), Some(path)).await.unwrap();
    assert_eq!((again.found.len(), again.known), (0, 1));
    let shop = desk.path("shop.db").display().to_string();
    let wrong = desk.app.import_definitions(desk.shop.clone(), Some(shop)).await.unwrap_err();
    assert!(wrong.code == ErrorCode::Usage && wrong.hint.unwrap().contains("schema.yml"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wanted_always_is_in_every_answer_and_in_no_prompt() {
    use vitrine_domain::{Definition, DefinitionSource, Definitions};
    let desk = Desk::new(vec!["SELECT count(*) FROM orders", "SELECT count(*) FROM orders"]).await;
    let define = |subject: &str, condition: &str| Definitions {
        text: String::new(),
        entries: vec![Definition {
            term: "orders".to_owned(),
            synonyms: Vec::new(),
            meaning: "free samples do not count".to_owned(),
            condition: Some(condition.to_owned()),
            always: true,
            subject: Some(subject.to_owned()),
            source: DefinitionSource::User,
        }],
    };
    for (subject, condition, why) in
        [("orders", "state = 1", "state"), ("gone", "total > 0", "gone"), ("orders", "", "SQL")]
    {
        let error = desk.app.set_definitions(desk.shop.clone(), define(subject, condition)).await.unwrap_err();
        assert!(error.code == ErrorCode::Usage && error.detail.unwrap().contains(why), "{subject} {condition}");
    }
    assert_eq!(desk.app.definitions(desk.shop.clone()).await.unwrap(), Definitions::default(), "nothing was kept");
    desk.app.set_definitions(desk.shop.clone(), define("orders", "total > 20")).await.unwrap();
    let run = desk.ask("How many orders?").await.unwrap();
    let events = desk.all(&run).await;
    let log = format!("{events:?}");
    assert!(log.contains("WHERE total > 20") && log.contains("knowledge: None"), "{log}");
    let told = events.iter().any(|event| match &event.body {
        vitrine_domain::EventBody::ResultReady { changes, .. } => changes.iter().any(|change| change.rule == "D001"),
        _ => false,
    });
    assert!(told, "the person is told at the answer");
}
