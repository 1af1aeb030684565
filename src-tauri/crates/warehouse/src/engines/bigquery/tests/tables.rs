//! Wildcard tables and required partition filters, with responses written from Google's documents "Querying multiple
//! tables using a wildcard table" and "Managing partitioned tables", and its REST reference, not recorded.

use super::super::*;
use super::query::{over, prepared};
use crate::scope::ScopedWarehouse;
use crate::{Warehouse, WarehouseUri, open_warehouse, preview_copy, read_page};
use serde_json::{Value, json};
use vitrine_domain::TableName;
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::bigquery_exchanges::{Exchange, Exchanges, answers, error};

const QUERIES: &str = "POST /bigquery/v2/projects/p/queries";
const DAYS: [&str; 5] = ["20240101", "20240102", "20240103", "20240104", "20240105"];

fn list() -> Exchange {
    let entry = |name: String, kind: &str| json!({"tableReference": {"projectId": "p", "datasetId": "d", "tableId": name}, "type": kind});
    let mut tables: Vec<Value> = DAYS.iter().map(|day| entry(format!("events_{day}"), "TABLE")).collect();
    tables.push(entry("events_intraday_20240106".to_owned(), "TABLE"));
    tables.push(entry("visits".to_owned(), "TABLE"));
    tables.extend(DAYS.iter().map(|day| entry(format!("seen_{day}"), "VIEW")));
    answers("GET /bigquery/v2/projects/p/datasets/d/tables?", 200, json!({"tables": tables}))
}

fn table(words: &'static str, more: Value) -> Exchange {
    let mut body = json!({
        "type": "TABLE", "numRows": "100", "lastModifiedTime": "1",
        "schema": {"fields": [{"name": "id", "type": "INTEGER"}, {"name": "day", "type": "DATE"}]},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    answers(words, 200, body)
}

fn described() -> Vec<Exchange> {
    let wants = json!({"timePartitioning": {"type": "DAY", "field": "day"}, "requirePartitionFilter": true});
    let mut all = vec![
        list(),
        table("/tables/events_20240105", json!({"description": "What visitors did"})),
        table("/tables/events_intraday_20240106", json!({})),
        table("/tables/visits", wants),
    ];
    // Views are described one by one.
    all.extend((0..5).map(|_| table("/tables/seen_", json!({"type": "VIEW", "view": {"query": "SELECT 1"}}))));
    all
}

fn sql(text: &str) -> ReadOnlySql {
    ReadOnlySql::parse(text, Dialect::Bigquery).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[tokio::test]
async fn documented_tables_of_each_day_are_one_entry_that_says_how_they_are_read() {
    let server = Exchanges::start(described()).await;
    let catalog = over(&server, "", None).load_catalog().await.unwrap();
    server.done();
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names[..3], ["events_*", "events_intraday_20240106", "visits"]);
    assert_eq!(names.len(), 8, "{names:?}");
    let events = &catalog.tables[0];
    let said = events.comment.as_deref().unwrap();
    assert!(said.starts_with("What visitors did 5 tables, one for each day, from 20240101 to 20240105."), "{said}");
    assert!(said.contains("also reads events_intraday_20240106"), "{said}");
    assert_eq!(events.columns.last().unwrap().name, "_TABLE_SUFFIX");
    // A query may name all of them, some, or one.
    for (text, is_known) in [
        ("SELECT count(id) AS n FROM `events_*` WHERE _TABLE_SUFFIX BETWEEN '20240101' AND '20240105'", true),
        ("SELECT id, _TABLE_SUFFIX AS day FROM `events_2024*`", true),
        ("SELECT id FROM events_20240102", true),
        ("SELECT id FROM `d.events_*`", true),
        ("SELECT id FROM event_20240102", false),
        ("SELECT nothing FROM `events_*`", false),
    ] {
        let bound = vitrine_sql::bind_names(&sql(text), &catalog);
        assert_eq!(bound.problems.is_empty(), is_known, "{text}: {bound:?}");
    }
}

#[tokio::test]
async fn documented_names_with_a_star_stay_inside_a_scope() {
    let server = Exchanges::start(described()).await;
    let scoped = ScopedWarehouse::new(Arc::new(over(&server, "", None)), vec!["d".to_owned()], Some("p".to_owned()));
    scoped.load_catalog().await.unwrap();
    let server = Exchanges::start(described().into_iter().chain((0..4).map(|_| prepared(1)))).await;
    let scoped = ScopedWarehouse::new(Arc::new(over(&server, "", None)), vec!["d".to_owned()], Some("p".to_owned()));
    for inside in [
        "SELECT id FROM `events_*` WHERE _TABLE_SUFFIX = '20240101'",
        "SELECT id FROM `events_202401*`",
        "SELECT id FROM events_20240103",
        "SELECT id FROM `p.d.events_*`",
    ] {
        scoped.check_query(&sql(inside)).await.unwrap_or_else(|error| panic!("{inside}: {error}"));
    }
    for outside in [
        "SELECT id FROM `e.events_*`",
        "SELECT id FROM `q.d.events_*`",
        "SELECT id FROM `*`",
        "SELECT id FROM `other_*`",
    ] {
        let refused = scoped.check_query(&sql(outside)).await;
        assert!(matches!(refused, Err(WarehouseError::OutOfScope { .. })), "{outside}: {refused:?}");
    }
    server.done();
}

#[tokio::test]
async fn documented_preview_takes_rows_of_several_days_with_the_day_of_each() {
    let rows = |first: u64| {
        let row = |n: u64| json!({"f": [{"v": (first + n).to_string()}, {"v": "2024-01-01"}]});
        json!({"rows": (0..5).map(row).collect::<Vec<_>>()})
    };
    let older = json!({"schema": {"fields": [{"name": "id", "type": "INTEGER"}]}, "numRows": "7"});
    let server = Exchanges::start(described().into_iter().chain([
        table("/tables/events_20240105", json!({"numRows": "5"})),
        // It has fewer columns, so its rows are not listed.
        table("/tables/events_20240101", older),
        table("/tables/events_20240102", json!({"numRows": "3"})),
        answers("/tables/events_20240102/data", 200, rows(0)),
        table("/tables/events_20240103", json!({"numRows": "4"})),
        answers("/tables/events_20240103/data", 200, rows(10)),
        answers("/tables/events_20240105/data", 200, rows(20)),
    ]))
    .await;
    let warehouse: Arc<dyn Warehouse> = Arc::new(over(&server, "", None));
    let mut catalog = warehouse.load_catalog().await.unwrap();
    catalog.tables.truncate(1);
    let options = crate::PreviewOptions { rows: 20, tables: 5 };
    let copy = preview_copy(warehouse, &catalog, options, CancellationToken::new()).await.unwrap();
    server.done();
    assert_eq!(copy.without, []);
    let own = copy.catalog.find_table("events_(all)").unwrap();
    assert_eq!(own.row_count, Some(20), "4 of each of three, so 20 of five");
    let text = "SELECT _TABLE_SUFFIX AS day, count(id) AS n FROM \"events_(all)\" GROUP BY _TABLE_SUFFIX ORDER BY day";
    let query = ReadOnlySql::parse(text, Dialect::Duckdb).unwrap();
    let batches = copy.warehouse.run_query(&query, Limits::default(), CancellationToken::new()).await.unwrap();
    let page = read_page(batches, 10).await.unwrap();
    let days: Vec<&str> = page.rows.iter().filter_map(|row| row[0].as_deref()).collect();
    assert_eq!(days, ["20240102", "20240103", "20240105"]);
    let known = vitrine_domain::TableProfile {
        table: own.name.clone(),
        row_count: Some(20),
        profiled_rows: 15,
        columns: Vec::new(),
    };
    let profile = vitrine_domain::Profile { tables: vec![known], ..vitrine_domain::Profile::default() };
    assert_eq!(copy.profile_of_original(profile, &catalog).tables[0].table, TableName::from_unqualified("events_*"));
}

#[tokio::test]
async fn documented_lacking_partition_filter_is_told_before_google_is_asked_and_after_it_refused() {
    let google = "Cannot query over table 'p.d.visits' without a filter over column(s) 'day' that can be used for partition \
                  elimination";
    let server = Exchanges::start(
        described().into_iter().chain([answers(QUERIES, 400, error(400, "invalidQuery", google)), prepared(1)]),
    )
    .await;
    let warehouse = over(&server, "", None);
    warehouse.load_catalog().await.unwrap();
    let message = |error: WarehouseError| match error {
        WarehouseError::Query { message } => message,
        other => panic!("{other}"),
    };
    let before = message(warehouse.check_text("SELECT count(id) AS n FROM visits").await.unwrap_err());
    assert!(server.asked_for(QUERIES).is_empty(), "nothing was sent");
    assert!(before.contains("visits") && before.contains("day >= DATE '2024-01-01'"), "{before}");
    // Uncertain cases are left to Google; its refusal is reported in the same words.
    let after = message(warehouse.check_text("SELECT id FROM visits WHERE day IS NULL OR id = 1").await.unwrap_err());
    assert_eq!(after, before);
    let mended = "SELECT count(id) AS n FROM visits WHERE day >= DATE '2024-01-01'";
    assert!(warehouse.check_text(mended).await.is_ok());
    assert_eq!(server.asked_for(QUERIES).last().unwrap().json()["query"], mended, "nothing is added to it");
    server.done();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_emulator_reads_tables_of_each_day_as_one_and_wants_its_partition_filters() {
    let Some(emulator) = BigqueryEmulator::start() else { return };
    for day in &DAYS[..4] {
        let (table, n) = (format!("shop.events_{day}"), day.trim_start_matches("2024010"));
        let create = format!("CREATE TABLE {table} (id INT64, made DATE)");
        emulator.script(&[&create, &format!("INSERT INTO {table} VALUES ({n}, DATE '2024-01-0{n}')")]).await;
    }
    emulator
        .script(&[
            "CREATE TABLE shop.visits (id INT64, day DATE) PARTITION BY day OPTIONS (require_partition_filter = true)",
            "INSERT INTO shop.visits VALUES (1, DATE '2024-01-01'), (2, DATE '2024-01-02')",
        ])
        .await;
    let warehouse = open_warehouse(&WarehouseUri::parse(&emulator.address("shop")).unwrap()).await.unwrap();
    // Before the catalog is known, the emulator itself refuses.
    let lacks = "SELECT count(id) AS n FROM visits";
    let refused = warehouse.check_query(&sql(lacks)).await.unwrap_err().to_string();
    assert!(refused.contains("partition elimination") && refused.contains("WHERE clause"), "{refused}");
    let catalog = warehouse.load_catalog().await.unwrap();
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["events_*", "visits"]);
    assert!(catalog.tables[1].comment.as_deref().unwrap().contains("Every query has to filter on day."));
    let told = warehouse.check_query(&sql(lacks)).await.unwrap_err().to_string();
    assert!(told.contains("filter on its partition column day"), "{told}");
    let count = async |text: &str| {
        let batches = warehouse.run_query(&sql(text), Limits::default(), CancellationToken::new()).await.unwrap();
        read_page(batches, 10).await.unwrap().rows[0][0].clone().unwrap()
    };
    assert_eq!(count("SELECT count(id) AS n FROM visits WHERE day >= DATE '2024-01-02'").await, "1");
    assert_eq!(count("SELECT count(id) AS n FROM `events_*`").await, "4");
    let some = "SELECT sum(id) AS n FROM `events_*` WHERE _TABLE_SUFFIX BETWEEN '20240102' AND '20240103'";
    assert_eq!(count(some).await, "5");
    assert_eq!(count("SELECT max(id) AS n FROM events_20240104").await, "4");
    let options = crate::PreviewOptions { rows: 100, tables: 5 };
    let copy = preview_copy(warehouse, &catalog, options, CancellationToken::new()).await.unwrap();
    assert_eq!(copy.catalog.find_table("events_(all)").unwrap().row_count, Some(4), "{:?}", copy.without);
}
