//! Warehouses in the cloud are read ahead within the limits that were set beforehand, and no further: told by what they were asked.

use crate::support::Desk;
use clickhouse_server::Server;
use vitrine_api::ConnectionDraft;
use vitrine_domain::{Profile, SemanticKind, TableName};

#[path = "../../../warehouse/src/tests/clickhouse_server.rs"]
pub(crate) mod clickhouse_server;

const ROWS: u64 = 100;

async fn keep(desk: &Desk, address: &str, tables: u32) {
    let mut settings = vitrine_api::ConnectionSettings::default();
    settings.previews.rows = ROWS as u32;
    settings.previews.tables = tables;
    let known = desk.app.find_connection("Shop").await.ok();
    let draft = ConnectionDraft {
        id: known.map(|connection| connection.id),
        name: "Shop".to_owned(),
        address: address.to_owned(),
        environment: None,
        schemas: Vec::new(),
        settings,
        password: None,
        remember: false,
    };
    desk.app.keep_connection(draft).await.unwrap();
}

/// Has a shop of customers and orders read ahead, and looks at what it was asked meanwhile.
async fn is_read_within_its_limits(desk: &Desk, address: &str, statements: impl Fn() -> String) {
    keep(desk, address, 10).await;
    desk.app.open_warehouse(address.to_owned()).await.unwrap();
    let opening = statements();
    for name in ["customers", "orders", "recent"] {
        let asked = |line: &str| line.contains(&format!("FROM {name}")) || line.contains(&format!(".{name}"));
        assert!(!opening.lines().any(asked), "opening reads no rows: {opening}");
    }
    let prepared = desk.app.prepared(address).await.unwrap();
    let said = prepared.sample.unwrap();
    assert!(said.contains("first 100 rows") && said.contains("2 tables") && said.contains("1 table or view"), "{said}");
    let all = statements();
    // What a catalog is asked reads no rows.
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
    let table = |name: &str| profile.table(&TableName::bare(name));
    let (customers, orders) = (table("customers").unwrap(), table("orders").unwrap());
    assert_eq!((customers.row_count, customers.profiled_rows), (50, 50));
    assert_eq!(orders.profiled_rows, ROWS, "a sample");
    assert!(table("recent").is_none(), "a view may compute its rows from all of a table");
    assert_eq!(customers.column("day").unwrap().hidden.as_deref(), Some("%d.%m.%Y"));
    assert_eq!(customers.column("city").unwrap().kind, SemanticKind::Dimension);
    let keys: Vec<String> =
        desk.app.inferred_keys(address.to_owned()).await.unwrap().into_iter().map(|row| row.id).collect();
    assert!(keys.contains(&"orders(customer_id) -> customers(customer_id)".to_owned()), "{keys:?}");
    let found = desk.app.search_values(address, "Bassel".to_owned()).await.unwrap();
    assert!(found.iter().any(|value| value.value == "Basel"), "{found:?}");

    // What is on file is not read again.
    let before = statements().len();
    keep(desk, address, 11).await;
    desk.app.prepared(address).await.unwrap();
    let again = statements()[before..].to_owned();
    assert!(!again.contains(&bounded), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clickhouse_is_read_within_its_limits() {
    let server = Server::start();
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
