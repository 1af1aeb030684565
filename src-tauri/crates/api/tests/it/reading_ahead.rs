//! Cloud warehouses are read ahead only within the configured limits, as their statements show.

use crate::support::Desk;
use vitrine_api::ConnectionDraft;
use vitrine_catalog::{RenderOptions, compress_catalog, render_schema};
use vitrine_domain::{ModelProfile, Profile, SemanticKind, TableName};
use vitrine_test_servers::clickhouse_server::ClickhouseServer;
use vitrine_test_servers::databricks_server::DatabricksServer;

const ROWS: u64 = 100;

async fn keep(desk: &Desk, address: &str, tables: u32) {
    let change = |draft: &mut ConnectionDraft| {
        draft.settings.previews.rows = ROWS as u32;
        draft.settings.previews.tables = tables;
    };
    crate::connected::keep(&desk.app, address, change).await.unwrap();
}

/// Checks the text about a table `visits`, whose read rows mislead, and about `towns` with the same columns, which is read completely.
pub(crate) async fn takes_no_part_for_the_whole(desk: &Desk, address: &str) {
    let profile: Profile = desk.app.profile(address.to_owned()).await.unwrap();
    let visits = profile.find_table(&TableName::from_unqualified("visits")).unwrap();
    let towns = profile.find_table(&TableName::from_unqualified("towns")).unwrap();
    assert_eq!((visits.sampled_rows(), towns.sampled_rows()), (Some(ROWS), None), "{visits:?}");
    assert_eq!(visits.find_column("note").unwrap().kind, SemanticKind::Empty, "no row that was read has one");
    assert!(!visits.find_column("city").unwrap().complete && towns.find_column("city").unwrap().complete);

    let catalog = desk.app.catalog(address.to_owned()).await.unwrap().catalog;
    let keys: Vec<String> =
        desk.app.inferred_keys(address.to_owned()).await.unwrap().into_iter().map(|row| row.id).collect();
    assert!(keys.contains(&"towns(id)".to_owned()) && !keys.iter().any(|key| key.starts_with("visits")), "{keys:?}");
    let large = ModelProfile::default();
    let small = ModelProfile { deliberates: false, ..large.clone() };
    for options in [RenderOptions::for_model(&small), RenderOptions::for_model(&large), RenderOptions::m_schema(&large)]
    {
        let text = render_schema(&compress_catalog(&catalog), Some(&profile), None, &options);
        let (towns, visits) = text.split_once("visits").expect("both tables, by name");
        assert!(visits.contains(&format!("values seen in {ROWS}")) && !towns.contains("seen"), "{text}");
        for said in ["always", "PRIMARY KEY", "Primary Key"] {
            assert!(!visits.contains(said), "{said}: {text}");
        }
        assert_eq!(visits.matches("no value").count(), visits.matches("of 100 rows: no value").count(), "{text}");
        assert!(towns.to_uppercase().contains("PRIMARY KEY"), "{text}");
        if options.statistics {
            assert!(visits.contains("of 100 rows: no value") && towns.contains("no value"), "{text}");
        }
    }
}

/// Reads a shop of customers and orders ahead, and checks the statements.
async fn is_read_within_its_limits(desk: &Desk, address: &str, statements: impl Fn() -> String) {
    keep(desk, address, 10).await;
    desk.app.open_warehouse(address.to_owned()).await.unwrap();
    let opening = statements();
    for name in ["customers", "orders", "recent"] {
        let asked = |line: &str| line.contains(&format!("FROM {name}")) || line.contains(&format!(".{name}"));
        assert!(!opening.lines().any(asked), "opening reads no rows: {opening}");
    }
    let prepared = desk.app.wait_until_prepared(address).await.unwrap();
    let said = prepared.sample.unwrap();
    assert!(said.contains("first 100 rows") && said.contains("2 tables") && said.contains("1 table or view"), "{said}");
    let all = statements();
    // Queries on the system catalog read no rows.
    let asked: Vec<&str> = all[opening.len()..].lines().filter(|line| !line.contains("FROM system.")).collect();
    let bounded = format!(" LIMIT {ROWS}");
    let (mut of_tables, mut unbounded) = (0, Vec::new());
    for line in asked.iter().filter(|line| ["customers", "orders", "recent"].iter().any(|name| line.contains(name))) {
        of_tables += 1;
        let aggregates = ["count(", "DISTINCT", "JOIN", "recent", "min("].iter().any(|word| line.contains(word));
        if !line.contains(&bounded) || aggregates {
            unbounded.push(*line);
        }
    }
    assert!(of_tables >= 2 && unbounded.is_empty(), "{unbounded:#?} of {asked:#?}");

    let profile: Profile = desk.app.profile(address.to_owned()).await.unwrap();
    let table = |name: &str| profile.find_table(&TableName::from_unqualified(name));
    let (customers, orders) = (table("customers").unwrap(), table("orders").unwrap());
    assert_eq!((customers.row_count, customers.profiled_rows), (Some(50), 50));
    assert_eq!(orders.profiled_rows, ROWS, "a sample");
    assert!(table("recent").is_none(), "a view may compute its rows from all of a table");
    assert_eq!(customers.find_column("day").unwrap().hidden.as_deref(), Some("%d.%m.%Y"));
    assert_eq!(customers.find_column("city").unwrap().kind, SemanticKind::Dimension);
    let keys: Vec<String> =
        desk.app.inferred_keys(address.to_owned()).await.unwrap().into_iter().map(|row| row.id).collect();
    assert!(keys.contains(&"orders(customer_id) -> customers(customer_id)".to_owned()), "{keys:?}");
    let found = desk.app.search_values(address, "Bassel".to_owned()).await.unwrap();
    assert!(found.iter().any(|value| value.value == "Basel"), "{found:?}");

    // Stored profiles are not read again.
    let before = statements().len();
    keep(desk, address, 11).await;
    desk.app.wait_until_prepared(address).await.unwrap();
    let again = statements()[before..].to_owned();
    assert!(!again.contains(&bounded), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clickhouse_is_read_within_its_limits() {
    let server = ClickhouseServer::start();
    server
        .script(&[
            "CREATE TABLE customers (customer_id Int64, city Nullable(String), day String) ENGINE = MergeTree ORDER BY customer_id",
            "INSERT INTO customers SELECT number + 1, if(number % 2 = 0, 'Basel', 'Oslo'), '29.02.2024' FROM numbers(50)",
            "CREATE TABLE orders (order_id Int64, customer_id Int64, total Decimal(10, 2)) ENGINE = MergeTree ORDER BY order_id",
            "INSERT INTO orders SELECT number, number % 50 + 1, number / 4 FROM numbers(900)",
            "CREATE VIEW recent AS SELECT order_id FROM orders",
        ])
        .await;
    let desk = Desk::new(Vec::<&str>::new()).await;
    let address = desk.app.open_warehouse(server.address()).await.unwrap().uri;
    is_read_within_its_limits(&desk, &address, || server.statements()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_first_rows_of_clickhouse_say_is_not_said_of_the_table() {
    let server = ClickhouseServer::start();
    let columns = "(id Int64, note Nullable(String), year Int32, city String) ENGINE = MergeTree ORDER BY year";
    server
        .script(&[
            format!("CREATE TABLE towns {columns}"),
            "INSERT INTO towns SELECT number, NULL, 2021, 'Basel' FROM numbers(50)".to_owned(),
            format!("CREATE TABLE visits {columns}"),
            "INSERT INTO visits SELECT number % 100, if(number < 100, NULL, 'late'), 2021 + intDiv(number, 100), \
               if(number < 100, 'Basel', 'Oslo') FROM numbers(500)"
                .to_owned(),
        ])
        .await;
    let desk = Desk::new(Vec::<&str>::new()).await;
    let address = desk.app.open_warehouse(server.address()).await.unwrap().uri;
    keep(&desk, &address, 10).await;
    desk.app.wait_until_prepared(&address).await.unwrap();
    takes_no_part_for_the_whole(&desk, &address).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_first_rows_of_spark_say_is_not_said_of_the_table_nor_that_there_are_no_more() {
    let server = DatabricksServer::start();
    let columns = "(id BIGINT, note STRING, year INT, city STRING)";
    server
        .script(&[
            format!("CREATE TABLE towns {columns}"),
            "INSERT INTO towns SELECT id, NULL, 2021, 'Basel' FROM range(0, 50, 1, 1)".to_owned(),
            format!("CREATE TABLE visits {columns}"),
            "INSERT INTO visits SELECT id % 100, if(id < 100, NULL, 'late'), 2021 + CAST(id DIV 100 AS INT), \
               if(id < 100, 'Basel', 'Oslo') FROM range(0, 500, 1, 1)"
                .to_owned(),
        ])
        .await;
    let desk = Desk::new(Vec::<&str>::new()).await;
    let address = desk.app.open_warehouse(server.address()).await.unwrap().uri;
    keep(&desk, &address, 10).await;
    desk.app.wait_until_prepared(&address).await.unwrap();
    takes_no_part_for_the_whole(&desk, &address).await;
    let profile: Profile = desk.app.profile(address.clone()).await.unwrap();
    assert_eq!(
        profile.find_table(&TableName::from_unqualified("visits")).unwrap().row_count,
        None,
        "nobody counted them"
    );
}
