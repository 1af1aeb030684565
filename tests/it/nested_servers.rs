//! Nested data in warehouses: unqualified field names, and lists used like their members, are repaired if they have a
//! single interpretation; queries that the engine accepts are unchanged.

use crate::nested::Read;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::clickhouse_server::ClickhouseServer;
use vitrine_test_servers::databricks_server::DatabricksServer as Databricks;
use vitrine_warehouse::WarehouseUri;

/// A query and its expected rows.
type Brings = (&'static str, &'static [&'static str]);

/// Queries that small models write, with the rows of their repairs.
const SLIPS: &[Brings] = &[
    ("SELECT city, COUNT(*) FROM orders GROUP BY city", &["Oslo|1", "Paris|2"]),
    ("SELECT o.customer FROM orders AS o WHERE o.city = 'Oslo'", &["Bo"]),
    ("SELECT SUM(items.qty) FROM orders", &["8"]),
    ("SELECT id, SUM(items.qty * 2) FROM orders GROUP BY id", &["1|6", "2|10"]),
    ("SELECT items.sku, SUM(items.qty) FROM orders GROUP BY items.sku", &["a|7", "b|1"]),
    ("SELECT customer FROM orders WHERE tags = 'gift'", &["Ada"]),
    ("SELECT customer FROM orders WHERE tags LIKE '%we%'", &["Ada", "Bo"]),
    ("SELECT customer FROM orders WHERE items.sku = 'b'", &["Ada"]),
];

/// Queries with unqualified fields of list members.
const ALONE: &[Brings] = &[
    ("SELECT SUM(qty) FROM orders", &["8"]),
    ("SELECT id, SUM(qty * 2) FROM orders GROUP BY id", &["1|6", "2|10"]),
    ("SELECT COUNT(DISTINCT sku) FROM orders", &["2"]),
];

async fn reads(read: &Read, slips: &[Brings]) {
    let mut wrong = Vec::new();
    for (text, wanted) in slips {
        match read.rows(text).await {
            Ok((rows, notes)) if rows == *wanted && !notes.is_empty() => {}
            other => wrong.push(format!("{text}\n  {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_and_structs_of_bigquery() {
    let emulator = BigqueryEmulator::start().expect("it is installed by: node setup/run.mjs emulator");
    emulator
        .script(&[
            "CREATE TABLE shop.orders (id INT64, customer STRING, items ARRAY<STRUCT<sku STRING, qty INT64, price NUMERIC>>, \
             tags ARRAY<STRING>, address STRUCT<city STRING>)",
            "INSERT INTO shop.orders VALUES (1, 'Ada', [STRUCT('a', 2, 1.5), STRUCT('b', 1, 4.0)], ['gift', 'web'], STRUCT('Paris')), \
             (2, 'Bo', [STRUCT('a', 5, 1.5)], ['web'], STRUCT('Oslo')), (3, 'Cy', [], [], STRUCT('Paris'))",
        ])
        .await;
    let read = Read::of(&WarehouseUri::parse(&emulator.address("shop")).unwrap()).await;
    reads(&read, SLIPS).await;
    reads(&read, ALONE).await;
    read.brings(&[
        ("SELECT i.sku, SUM(i.qty) FROM orders AS o, UNNEST(o.items) AS i GROUP BY i.sku", &["a|7", "b|1"]),
        ("SELECT customer FROM orders WHERE 'gift' IN UNNEST(tags)", &["Ada"]),
        ("SELECT address.city AS city, COUNT(*) FROM orders GROUP BY city", &["Oslo|1", "Paris|2"]),
    ])
    .await;
    read.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_and_tuples_of_clickhouse() {
    let server = ClickhouseServer::start();
    server
        .script(&[
            "CREATE TABLE shop.orders (id UInt32, customer String, items Array(Tuple(sku String, qty UInt32, price Decimal(6, 2))), \
             tags Array(String), address Tuple(city String)) ENGINE = MergeTree ORDER BY id",
            "INSERT INTO shop.orders VALUES (1, 'Ada', [('a', 2, 1.5), ('b', 1, 4)], ['gift', 'web'], tuple('Paris')), \
             (2, 'Bo', [('a', 5, 1.5)], ['web'], tuple('Oslo')), (3, 'Cy', [], [], tuple('Paris'))",
        ])
        .await;
    let read = Read::of(&WarehouseUri::parse(&server.address()).unwrap()).await;
    reads(&read, SLIPS).await;
    for (text, _) in ALONE {
        // `items.sku` is a list for each row here, and a count over it counts lists: names are not reinterpreted.
        let error = read.rows(text).await.expect_err(text);
        assert!(error.contains("No table in this FROM clause has a column"), "{text}: {error}");
    }
    // A list of fields is valid, and no variant is offered.
    assert_eq!(read.offered("SELECT id, length(items.sku) FROM orders"), Vec::<String>::new());
    read.brings(&[
        ("SELECT i.sku, SUM(i.qty) FROM orders ARRAY JOIN items AS i GROUP BY i.sku", &["a|7", "b|1"]),
        ("SELECT sum(arraySum(items.qty)) FROM orders", &["8"]),
        ("SELECT id, items.sku FROM orders WHERE id = 1", &["1|[\"a\",\"b\"]"]),
        ("SELECT address.city AS city, COUNT(*) FROM orders GROUP BY city", &["Oslo|1", "Paris|2"]),
    ])
    .await;
    read.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_and_structs_of_spark() {
    let server = Databricks::start();
    server
        .script(&[
            "CREATE TABLE orders (id INT, customer STRING, items ARRAY<STRUCT<sku: STRING, qty: INT, price: DECIMAL(6, 2)>>, \
             tags ARRAY<STRING>, address STRUCT<city: STRING>)",
            "INSERT INTO orders VALUES \
             (1, 'Ada', array(named_struct('sku', 'a', 'qty', 2, 'price', 1.5), named_struct('sku', 'b', 'qty', 1, 'price', 4.0)), \
              array('gift', 'web'), named_struct('city', 'Paris')), \
             (2, 'Bo', array(named_struct('sku', 'a', 'qty', 5, 'price', 1.5)), array('web'), named_struct('city', 'Oslo')), \
             (3, 'Cy', array(), array(), named_struct('city', 'Paris'))",
        ])
        .await;
    let read = Read::of(&WarehouseUri::parse(&server.address()).unwrap()).await;
    // `items.sku` is a list for each row here: a query that groups by it runs unchanged.
    let slips: Vec<Brings> = SLIPS.iter().filter(|(text, _)| !text.contains("GROUP BY items.sku")).copied().collect();
    reads(&read, &slips).await;
    assert_eq!(read.offered("SELECT id, array_size(items.sku) FROM orders"), Vec::<String>::new());
    read.brings(&[
        ("SELECT i.sku, SUM(i.qty) FROM orders AS o, LATERAL explode(o.items) AS e(i) GROUP BY i.sku", &["a|7", "b|1"]),
        ("SELECT address.city AS city, COUNT(*) FROM orders GROUP BY city", &["Oslo|1", "Paris|2"]),
    ])
    .await;
    read.close().await;
}
