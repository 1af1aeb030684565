//! Opening, reloading and preparing warehouses.

use crate::support::{Desk, options};
use vitrine_api::{App, SAMPLE};
use vitrine_domain::{ErrorCode, KeyDecision};
use vitrine_llm::Line;

async fn desk() -> Desk {
    Desk::new(Vec::<Line>::new()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_opened_warehouse_is_made_ready_in_the_background() {
    let desk = desk().await;
    let summary = desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert_eq!((summary.tables, summary.columns, summary.title.as_str()), (2, 6, "shop.db"));
    let ready = desk.app.wait_until_prepared(&desk.shop).await.unwrap();
    assert!(ready.done && ready.profiled == 2 && ready.values_indexed == ready.values_total);
    let profile = desk.app.profile(desk.shop.clone()).await.unwrap();
    assert!(profile.complete && profile.tables.len() == 2);
    let found = desk.app.search_values(&desk.shop, "Grace".to_owned()).await.unwrap();
    assert_eq!(found[0].value, "Grace");
    let again = desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert!(!again.questions.is_empty(), "there is something to begin with");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_is_one_warehouse_however_it_is_named() {
    let desk = desk().await;
    let path = desk.path("shop.db").display().to_string();
    assert_eq!(desk.app.open_warehouse(path).await.unwrap().uri, desk.shop);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_database_is_read_anew() {
    let desk = desk().await;
    let before = desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    rusqlite::Connection::open(desk.path("shop.db"))
        .unwrap()
        .execute_batch("CREATE TABLE returns (id INTEGER, reason TEXT)")
        .unwrap();
    let after = desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert_eq!(after.tables, before.tables + 1);
    assert_ne!(after.fingerprint, before.fingerprint);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_callers_open_a_warehouse_once() {
    let desk = desk().await;
    let opened = futures::future::join_all((0..8).map(|_| desk.app.catalog(desk.shop.clone()))).await;
    assert!(opened.iter().all(|catalog| catalog.as_ref().unwrap().tables == 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_alone_can_be_looked_at_but_not_asked() {
    let desk = desk().await;
    std::fs::write(desk.path("s.sql"), "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT);").unwrap();
    let uri = format!("ddl:{}", desk.path("s.sql").display());
    desk.app.confirm_warehouse(&uri).await;
    let report = desk.app.report_schema(uri.clone(), Some(500)).await.unwrap();
    assert_eq!((report.table_count, report.chunks.len(), report.counted_by.as_str()), (1, 1, "estimate"));
    assert!(report.text.contains("CREATE TABLE a"));
    let question = vitrine_api::AskRequest { warehouse: uri.clone(), ..desk.question("How many are there?") };
    let asked = desk.app.ask(question).await.unwrap_err();
    let queried = desk.app.query_page(uri, "SELECT b FROM a".to_owned(), 1, Default::default()).await.unwrap_err();
    for error in [asked, queried] {
        assert_eq!(error.code, ErrorCode::Query);
        assert!(error.hint.as_ref().unwrap().contains("with data"), "{error:?}");
    }
}

/// Creates a folder of files without keys and opens it as the user.
async fn files(desk: &Desk) -> String {
    let folder = desk.path("files");
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, head: &str, rows: Vec<String>| {
        std::fs::write(folder.join(name), format!("{head}\n{}\n", rows.join("\n"))).unwrap();
    };
    write("customers.csv", "id,name", (1..=50).map(|n| format!("{n},Name {n}")).collect());
    write("orders.csv", "id,customer_id", (1..=90).map(|n| format!("{n},{}", n % 45 + 1)).collect());
    let uri = format!("file:{}", folder.display());
    desk.app.confirm_warehouse(&uri).await;
    uri
}

#[tokio::test(flavor = "multi_thread")]
async fn inferred_keys_are_used_until_the_person_strikes_them() {
    let desk = desk().await;
    let uri = files(&desk).await;
    let reference = "orders(customer_id) -> customers(id)";
    let text = async || desk.app.report_schema(uri.clone(), None).await.unwrap().text;
    assert!(text().await.contains("REFERENCES customers(id)"));
    let rows = desk.app.inferred_keys(uri.clone()).await.unwrap();
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["customers(id)", "orders(id)", reference]);
    let declared = desk.app.open_warehouse(uri.clone()).await.unwrap().fingerprint;
    assert_eq!(desk.app.catalog(uri.clone()).await.unwrap().catalog.fingerprint, declared);

    let decide = async |decision| {
        desk.app.decide_key(uri.clone(), reference.to_owned(), decision).await.unwrap();
        desk.app.inferred_keys(uri.clone()).await.unwrap()
    };
    let struck = decide(Some(KeyDecision::Struck)).await;
    assert_eq!(struck[2].decision, Some(KeyDecision::Struck));
    assert!(!text().await.contains("REFERENCES"), "a struck key is not used");
    let again = App::open(options(desk.folder.path(), Vec::new())).await.unwrap();
    again.confirm_warehouse(&uri).await;
    assert!(
        !again.report_schema(uri.clone(), None).await.unwrap().text.contains("REFERENCES"),
        "nor by a later program"
    );

    assert_eq!(decide(None).await[2].decision, None);
    assert!(text().await.contains("REFERENCES customers(id)"));
    decide(Some(KeyDecision::Confirmed)).await;
    std::fs::write(desk.path("files").join("orders.csv"), "id,customer_id\n1,700\n2,800\n3,900\n4,1000\n").unwrap();
    assert!(text().await.contains("REFERENCES customers(id)"), "the person knows better than the data");
    let unknown = desk.app.decide_key(uri.clone(), "orders(name)".to_owned(), None).await.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_tells_which_layers_hold_and_which_the_user_has_opened() {
    use vitrine_domain::{SafetyKind, SafetyState};
    let desk = Desk::new(Vec::<Line>::new()).await;
    let proof = async || {
        let layers = desk.app.safety(desk.shop.clone()).await.unwrap();
        assert!(layers.iter().any(|layer| layer.kind == SafetyKind::Engine && layer.state == SafetyState::Holds));
        layers.into_iter().find(|layer| layer.kind == SafetyKind::Proof).unwrap()
    };
    assert_eq!(proof().await.state, SafetyState::Holds);
    desk.app.allow_functions(desk.shop.clone(), vec!["margin".to_owned()]).await.unwrap();
    let opened = proof().await;
    assert!(opened.state == SafetyState::Partly && opened.says.contains("margin"), "{opened:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn connecting_reads_no_rows_and_a_question_or_a_wish_begins_that() {
    let desk = Desk::new(vec!["SELECT count(*) FROM orders"]).await;
    let opened = desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert!(!opened.preparation.begun && !opened.preparation.done);
    assert!(desk.app.profile(desk.shop.clone()).await.unwrap().tables.is_empty());
    let run = desk.ask("How many orders?").await.unwrap();
    desk.all(&run).await;
    let asked = desk.app.open_warehouse(desk.shop.clone()).await.unwrap();
    assert!(asked.preparation.begun);
    assert!(!desk.app.profile(desk.shop.clone()).await.unwrap().tables.is_empty());

    let other = desk.path("other.db");
    crate::support::make_shop(&other);
    let uri = format!("sqlite:{}", other.display());
    let mut draft = crate::connections::draft("Other", &uri);
    draft.settings.read_ahead = false;
    desk.app.keep_connection(draft).await.unwrap();
    desk.app.warm(uri.clone()).await.unwrap();
    let asked = vitrine_api::AskRequest { warehouse: uri.clone(), ..desk.question("How many orders?") };
    let run = desk.app.ask(asked).await.unwrap();
    desk.all(&run).await;
    assert!(!desk.app.open_warehouse(uri.clone()).await.unwrap().preparation.begun, "the person does not want it");
    assert!(desk.app.start_preparation(uri).await.unwrap().begun);
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_is_paused_and_goes_on() {
    let desk = desk().await;
    let paused = desk.app.pause_preparation(desk.shop.clone()).await.unwrap();
    assert!(paused.paused && !paused.begun);
    desk.app.warm(desk.shop.clone()).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let held = desk.app.open_warehouse(desk.shop.clone()).await.unwrap().preparation;
    assert!(held.begun && held.paused && !held.done && held.profiled == 0, "{held:?}");
    assert!(!desk.app.start_preparation(desk.shop.clone()).await.unwrap().paused);
    assert!(desk.app.wait_until_prepared(&desk.shop).await.unwrap().done);
}

/// The language is a setting of the whole process, so this test needs its own process, which nextest provides.
#[tokio::test(flavor = "multi_thread")]
async fn the_safety_of_the_sample_and_its_questions_are_told_in_the_language_of_the_window() {
    use vitrine_words::Language;
    let desk = Desk::new(Vec::<Line>::new()).await;
    let mut told = Vec::new();
    for language in [Language::English, Language::French] {
        vitrine_api::set_program_language(language);
        let layers = desk.app.safety(SAMPLE.to_owned()).await.unwrap();
        let mut texts: Vec<String> = layers.into_iter().flat_map(|layer| [layer.says, layer.how]).collect();
        let questions = desk.app.sample_questions(SAMPLE.to_owned()).await.unwrap();
        // Questions derived from the data need its profile.
        texts.extend(questions.into_iter().take(10).map(|question| question.question));
        told.push(texts);
    }
    vitrine_api::set_program_language(Language::English);
    let [english, french] = told.try_into().unwrap();
    assert_eq!(english.len(), french.len());
    for (english, french) in english.iter().zip(&french) {
        assert_ne!(english, french, "nothing of it is English");
    }
    assert!(french.iter().any(|text| text == "Combien de clients avons-nous\u{a0}?"), "{french:?}");
    assert!(french.iter().any(|text| text.contains("le fichier n’est ouvert qu’en lecture")), "{french:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sample_comes_with_what_its_owner_has_defined_until_the_person_takes_it_away() {
    use vitrine_domain::Definitions;
    let desk = desk().await;
    let sample = desk.app.open_warehouse(SAMPLE.to_owned()).await.unwrap().uri;
    let known = desk.app.definitions(sample.clone()).await.unwrap();
    let always: Vec<_> = known.entries.iter().filter(|entry| entry.always).collect();
    assert_eq!(always[0].condition.as_deref(), Some("status <> 'cancelled'"));
    // The definitions can be stored again unchanged, so they fit the sample's tables.
    assert_eq!(desk.app.set_definitions(sample.clone(), known.clone()).await.unwrap(), known);
    desk.app.set_definitions(sample.clone(), Definitions::default()).await.unwrap();
    let again = App::open(options(desk.folder.path(), Vec::new())).await.unwrap();
    again.open_warehouse(SAMPLE.to_owned()).await.unwrap();
    assert_eq!(again.definitions(sample).await.unwrap(), Definitions::default());
}
