//! A database whose queries are billed, tested with BigQuery's emulator, which bills nothing.

use crate::connected::keep;
use crate::support::Desk;
use tokio_util::sync::CancellationToken;
use vitrine_api::eval::{AmbiguityMode, EvalOptions, EvalScope, GivenSchema, Sample};
use vitrine_domain::{ErrorCode, Profile, RunReport, ScanCap, SemanticKind, TableName};
use vitrine_llm::Line;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;

async fn shop() -> Option<(BigqueryEmulator, String)> {
    let emulator = BigqueryEmulator::start()?;
    emulator
        .script(&[
            "CREATE TABLE shop.customers (customer_id INT64, city STRING, day STRING)",
            "INSERT INTO shop.customers SELECT n, IF(MOD(n, 2) = 0, 'Basel', 'Oslo'), '29.02.2024'
             FROM UNNEST(GENERATE_ARRAY(1, 50)) AS n",
            "CREATE TABLE shop.orders (order_id INT64, customer_id INT64, items ARRAY<STRUCT<sku STRING, n INT64>>)",
            "INSERT INTO shop.orders SELECT n, MOD(n, 50) + 1, [STRUCT('lamp' AS sku, n AS n)]
             FROM UNNEST(GENERATE_ARRAY(1, 900)) AS n",
            "CREATE VIEW shop.recent AS SELECT order_id FROM shop.orders",
        ])
        .await;
    let address = emulator.address("shop");
    Some((emulator, address))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_gives_profile_keys_and_values_without_a_query() {
    let Some((emulator, address)) = shop().await else { return };
    let desk = Desk::new(Vec::<Line>::new()).await;
    keep(&desk.app, &address, |draft| draft.settings.previews.rows = 100).await.unwrap();
    let before = emulator.jobs().await;
    let prepared = desk.app.wait_until_prepared(&address).await.unwrap();
    let said = prepared.sample.unwrap();
    assert!(said.contains("up to 100 rows was read of 2 tables") && said.contains("1 table or view"), "{said}");
    let profile: Profile = desk.app.profile(address.clone()).await.unwrap();
    let table = |name: &str| profile.find_table(&TableName::from_unqualified(name));
    let (customers, orders) = (table("customers").unwrap(), table("orders").unwrap());
    assert_eq!((customers.row_count, customers.profiled_rows), (Some(50), 50));
    assert_eq!((orders.row_count, orders.profiled_rows), (Some(900), 100), "a sample, and said to be one");
    assert!(table("recent").is_none(), "a view has no preview");
    assert_eq!(customers.find_column("day").unwrap().hidden.as_deref(), Some("%d.%m.%Y"));
    assert_eq!(customers.find_column("city").unwrap().kind, SemanticKind::Dimension);
    let items = orders.find_column("items").unwrap();
    assert_eq!(items.data_type, "ARRAY<STRUCT<sku STRING, n INT64>>", "as BigQuery declares it");
    assert!(items.paths.iter().any(|(path, _)| path.ends_with("sku")), "{items:?}");
    let keys: Vec<String> =
        desk.app.inferred_keys(address.clone()).await.unwrap().into_iter().map(|row| row.id).collect();
    assert!(keys.contains(&"orders(customer_id) -> customers(customer_id)".to_owned()), "{keys:?}");
    let found = desk.app.search_values(&address, "Bassel".to_owned()).await.unwrap();
    assert!(found.iter().any(|value| value.value == "Basel"), "{found:?}");
    let rows = desk.app.sample_rows(address.clone(), TableName::from_unqualified("orders")).await.unwrap();
    assert!((40..=50).contains(&rows.page.rows.len()), "spread over the table: {}", rows.page.rows.len());
    assert_eq!((rows.page.truncated, rows.sql), (true, None));
    let view = desk.app.sample_rows(address.clone(), TableName::from_unqualified("recent")).await.unwrap_err();
    assert!(view.message.contains("recent"), "a view has no rows without a query: {view}");
    assert_eq!(emulator.jobs().await, before, "no query was run for all this");
}

#[tokio::test(flavor = "multi_thread")]
async fn approximate_statistics_are_queried_only_when_a_connection_allows_their_bytes() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    emulator
        .script(&[
            "CREATE TABLE shop.visits (id INT64, city STRING, day DATE)",
            "INSERT INTO shop.visits SELECT n, IF(n BETWEEN 60 AND 140, 'Oslo', 'Basel'), DATE '2024-01-01'
             FROM UNNEST(GENERATE_ARRAY(1, 500)) AS n ORDER BY n",
        ])
        .await;
    let (desk, address) = (Desk::new(Vec::<Line>::new()).await, emulator.address("shop"));
    let allow = async |bytes: u64| {
        let change = |draft: &mut vitrine_api::ConnectionDraft| {
            draft.settings.previews.rows = 20;
            draft.settings.previews.statistics_bytes = bytes;
        };
        keep(&desk.app, &address, change).await.unwrap();
        let prepared = desk.app.wait_until_prepared(&address).await.unwrap();
        (prepared.sample.unwrap(), desk.app.profile(address.clone()).await.unwrap())
    };
    let before = emulator.jobs().await;
    let (said, profile): (String, Profile) = allow(0).await;
    assert!(!said.contains("approximate") && emulator.jobs().await == before, "nothing is queried by default: {said}");
    let visits = |profile: &Profile| profile.find_table(&TableName::from_unqualified("visits")).unwrap().clone();
    assert_eq!(visits(&profile).profiled_rows, 20);
    assert!(
        desk.app.search_values(&address, "Oslo".to_owned()).await.unwrap().iter().all(|found| found.value != "Oslo")
    );

    let (said, profile) = allow(1_000_000_000).await;
    assert!(said.contains("approximate statistics of 1 tables"), "{said}");
    let visits = visits(&profile);
    assert_eq!((visits.profiled_rows, visits.is_whole()), (500, false), "estimates are no facts about all rows");
    let city = visits.find_column("city").unwrap();
    assert_eq!((city.distinct, city.complete), (2, false));
    assert!(city.top.iter().any(|(value, count)| value == "Oslo" && *count == 81), "{city:?}");
    assert_eq!(visits.find_column("id").unwrap().max.as_deref(), Some("500"));
    let found = desk.app.search_values(&address, "Oslo".to_owned()).await.unwrap();
    assert!(found.iter().any(|value| value.value == "Oslo"), "frequent values are found: {found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limits_of_a_connection_hold_for_each_database_of_a_pack_that_it_serves() {
    let Some((emulator, _)) = shop().await else { return };
    let desk = Desk::new(vec!["SELECT COUNT(*) AS n FROM customers"; 4]).await;
    let files = [
        ("spider2-lite.jsonl", r#"{"instance_id": "bq1", "db": "trade", "question": "How many customers?"}"#),
        ("resource/databases/bigquery/trade/test-project.shop/DDL.csv", ""),
        ("evaluation_suite/gold/sql/bq1.sql", "SELECT COUNT(*) FROM `test-project.shop.customers`"),
    ];
    for (path, text) in files {
        let path = desk.path("pack").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let run = async |out: &str, bytes: u64| {
        let limit = ScanCap { bytes: Some(bytes), money: None };
        let project = emulator.address("");
        keep(&desk.app, &project, |draft| draft.settings.scans.question = Some(limit)).await.unwrap();
        let given = [("bigquery:*".parse().unwrap(), "Shop".to_owned())];
        let pack = desk.app.load_connected_pack(&desk.path("pack"), EvalScope::Answers, &given).await.unwrap();
        let options = EvalOptions {
            settings: desk.question("").settings,
            sample: Sample::default(),
            meaning: AmbiguityMode::Any,
            schema: GivenSchema::Whole,
            jobs: 1,
            out: desk.path(out),
            resume: false,
            replies: None,
        };
        desk.app.evaluate_pack(&pack, options, CancellationToken::new(), |_| {}).await.unwrap()
    };
    let refused = run("none", 0).await;
    let reasons: Vec<&str> = refused.left_out.keys().map(|reason| reason.reason_text()).collect();
    assert_eq!((reasons, refused.outcomes.len()), (vec!["byte limit reached, not judged"], 0));
    let judged = run("enough", 1_000_000_000).await;
    assert!(judged.left_out.is_empty() && judged.outcomes[0].spider2 == Some(true), "{:?}", judged.outcomes);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_preview_shows_is_not_said_of_the_table() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    // Rows are taken from four places; rows in between differ.
    let columns = "(id INT64, note STRING, year INT64, city STRING)";
    let between = "n BETWEEN 60 AND 140";
    let statements = [
            format!("CREATE TABLE shop.towns {columns}"),
            "INSERT INTO shop.towns SELECT n, NULL, 2021, 'Basel' FROM UNNEST(GENERATE_ARRAY(1, 50)) AS n".to_owned(),
            format!("CREATE TABLE shop.visits {columns}"),
            format!(
                "INSERT INTO shop.visits SELECT IF({between}, 1, n), IF({between}, 'late', NULL), IF({between}, 2022, 2021),
                 IF({between}, 'Oslo', 'Basel') FROM UNNEST(GENERATE_ARRAY(1, 500)) AS n ORDER BY n"
            ),
    ];
    emulator.script(&statements.each_ref().map(String::as_str)).await;
    let (desk, address) = (Desk::new(Vec::<Line>::new()).await, emulator.address("shop"));
    keep(&desk.app, &address, |draft| draft.settings.previews.rows = 100).await.unwrap();
    desk.app.wait_until_prepared(&address).await.unwrap();
    crate::reading_ahead::takes_no_part_for_the_whole(&desk, &address).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_over_its_limit_ends_with_what_to_change_and_one_within_it_is_answered() {
    let Some((emulator, address)) = shop().await else { return };
    let sql = "SELECT COUNT(*) AS n FROM customers";
    let desk = Desk::new(vec![sql; 8]).await;
    let ask = async || {
        let request = vitrine_api::AskRequest { warehouse: address.clone(), ..desk.question("How many customers?") };
        let run = desk.app.ask(request).await.unwrap();
        RunReport::from_events(&desk.all(&run).await)
    };
    keep(&desk.app, &address, |_| {}).await.unwrap();
    desk.app.wait_until_prepared(&address).await.unwrap();
    let answered = ask().await;
    assert_eq!(answered.page.unwrap().rows, [[Some("50".to_owned())]]);
    let counted = desk.app.scans(None).await.unwrap();
    assert!(counted.rows[0].queries > 0 && counted.rows[0].bytes == 0, "the emulator bills nothing: {counted:?}");

    let nothing = ScanCap { bytes: Some(0), money: None };
    keep(&desk.app, &address, |draft| draft.settings.scans.question = Some(nothing)).await.unwrap();
    let before = emulator.jobs().await;
    let refused = ask().await.finished.flatten().unwrap();
    assert_eq!(refused.code, ErrorCode::Usage);
    assert!(refused.message.starts_with("Over budget: the limit of one question is 0 bytes"), "{refused:?}");
    assert!(refused.hint.unwrap().contains("vitrine connections limit"));
    assert_eq!(emulator.jobs().await, before, "nothing ran");

    keep(&desk.app, &address, |draft| draft.settings.scans.month = nothing).await.unwrap();
    let refused = ask().await.finished.flatten().unwrap();
    assert!(refused.message.contains("the month's limit of Shop"), "{refused:?}");
    keep(&desk.app, &address, |_| {}).await.unwrap();
    let mut settings = desk.app.settings().await.unwrap();
    settings.monthly_scans = nothing;
    desk.app.set_settings(settings).await.unwrap();
    let refused = ask().await.finished.flatten().unwrap();
    assert!(refused.message.contains("the month's limit of all connections"), "{refused:?}");
    assert!(
        matches!(desk.app.query_page(address.clone(), sql.to_owned(), 10, Default::default()).await, Err(error) if error.code == ErrorCode::Usage),
        "queries of the editor, too"
    );
}
