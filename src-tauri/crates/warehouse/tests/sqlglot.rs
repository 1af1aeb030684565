//! The SQL of Trino and SQL Server through a driver that the user added: on DuckDB, behind sqlglot, which has its own
//! parsers for their grammars. An independent emulator, not evidence for the real engines.

use futures::TryStreamExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{CellType, Dialect, Page, SafetyKind, SafetyState};
use vitrine_sql::bind_names;
use vitrine_test_servers::sqlglot_server::{SqlglotServer, driver};
use vitrine_warehouse::{
    Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, open_with, prove_read_only, read_page,
};

const TRINO: &str = concat!(include_str!("statements/tables.sql"), include_str!("statements/trino/tables.sql"));
const MSSQL: &str = concat!(include_str!("statements/tables.sql"), include_str!("statements/mssql/tables.sql"));

async fn opened(server: &SqlglotServer) -> Arc<dyn Warehouse> {
    opened_as(server, "").await.expect("opens")
}

/// Proves a text and runs it.
async fn page(warehouse: &dyn Warehouse, sql: &str) -> Result<Page, String> {
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    let proven = prove_read_only(sql, &catalog).map_err(|error| error.to_string())?;
    let rows =
        warehouse.run_query(&proven, Limits { rows: Some(1_000), ..Limits::default() }, CancellationToken::new());
    read_page(rows.await.map_err(|error| error.to_string())?, 1_000).await.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn its_tables_are_told_and_questions_are_answered() {
    let server = SqlglotServer::start("trino", TRINO);
    let warehouse = opened(&server).await;
    assert_eq!(warehouse.dialect(), Dialect::Trino);
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["customers", "events", "items", "order notes", "orders", "paid", "products", "staff"]);
    let types: Vec<String> =
        catalog.find_table("events").expect("it is there").columns.iter().map(|c| c.data_type.clone()).collect();
    assert_eq!(types[2..4], ["array(varchar)", "row(city varchar, zip integer)"]);
    let sql = "SELECT o.id, o.placed, o.total, c.vip, e.tags FROM orders o JOIN customers c ON c.id = o.customer_id \
               CROSS JOIN events e WHERE e.id = 1 AND o.id = 1";
    let proven = prove_read_only(sql, &catalog).expect("a read");
    let told: Vec<CellType> =
        warehouse.check_query(&proven).await.expect("columns").columns.iter().map(|column| column.cell_type).collect();
    use CellType as C;
    assert_eq!(told, [C::Integer, C::Timestamp, C::Decimal, C::Boolean, C::Nested]);
    assert!(!server.statements().contains("o.placed"), "describing a query runs nothing: {}", server.statements());
    let rows = page(warehouse.as_ref(), sql).await.expect("rows");
    let cells: Vec<&str> = rows.rows[0].iter().map(|cell| cell.as_deref().unwrap_or_default()).collect();
    assert_eq!(cells, ["1", "2023-01-05 10:15:00", "338.90", "true", "[\"a\",\"b\"]"]);
    // A name may include its catalog and schema; another catalog is out of scope.
    for (sql, known) in [
        ("SELECT c.name FROM shop.main.customers AS c", true),
        ("SELECT name FROM main.customers", true),
        ("SELECT c.name FROM hive.main.customers AS c", false),
    ] {
        let sql = prove_read_only(sql, &catalog).expect("a read");
        assert_eq!(bind_names(&sql, &catalog).problems.is_empty(), known, "{}", sql.as_str());
    }
    let error = page(warehouse.as_ref(), "SELECT nothing FROM orders").await.expect_err("no such column");
    assert!(error.contains("nothing"), "{error}");
    let layers = warehouse.safety_layers().await.expect("layers");
    let engine = layers.iter().find(|layer| layer.kind == SafetyKind::Engine).expect("a layer");
    assert!(engine.state == SafetyState::Missing && engine.says.starts_with("Preview"), "{engine:?}");
    warehouse.close().await;
}

/// Opens the server with additional address parameters.
async fn opened_as(server: &SqlglotServer, more: &str) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    let engine = Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine")));
    let options = OpenOptions { engine, driver: Some(driver()), ..OpenOptions::default() };
    open_with(&WarehouseUri::parse(&format!("{}{more}", server.address())).expect("an address"), &options).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_asked_for_and_goes_to_the_driver_alone() {
    let server = SqlglotServer::start_guarded("trino", TRINO, "ann:s@fe word");
    let refused = async |more: &str| {
        let read = async { opened_as(&server, more).await?.load_catalog().await };
        match read.await {
            Err(WarehouseError::Password { refused, detail, server }) => {
                assert!(server.starts_with("adbc:trino?") && !server.contains("word"), "{server}");
                assert!(!detail.contains("word"), "{detail}");
                refused
            }
            other => panic!("{more}: {other:?}"),
        }
    };
    assert!(!refused("").await, "nobody is named, and it is asked for all the same");
    assert!(!refused("&username=ann").await);
    assert!(refused("&username=ann&password=a+wrong+word").await);
    let warehouse = opened_as(&server, "&username=ann&password=s%40fe+word").await.expect("lets in");
    let rows = page(warehouse.as_ref(), "SELECT count(*) FROM customers").await.expect("rows");
    assert!(rows.rows[0][0].is_some());
    warehouse.close().await;
}

/// Parses the statements of a corpus: `## KIND` starts a kind, `
/// ` represents a line break.
fn statements(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("## "))
        .map(|line| line.replace('⏎', "\n"))
        .collect()
}

/// Asserts that every real statement runs and no hostile one is proven.
async fn told_apart(dialect: &'static str, tables: &str, real: &str, hostile: &str) {
    let server = SqlglotServer::start(dialect, tables);
    let warehouse = opened(&server).await;
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    let mut failing = Vec::new();
    for sql in statements(real) {
        failing.extend(page(warehouse.as_ref(), &sql).await.err().map(|reason| format!("{sql}\n      {reason}")));
    }
    let hostile = statements(hostile);
    let proven: Vec<&String> = hostile.iter().filter(|sql| prove_read_only(sql, &catalog).is_ok()).collect();
    assert!(proven.is_empty() && failing.is_empty(), "proven: {proven:#?}\nfailing:\n  {}", failing.join("\n  "));
    warehouse.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_real_statement_runs_and_no_hostile_one_is_proven() {
    let real = include_str!("statements/trino/real.sql");
    told_apart("trino", TRINO, real, include_str!("statements/trino/hostile.sql")).await;
    let real = include_str!("statements/mssql/real.sql");
    told_apart("mssql", MSSQL, real, include_str!("statements/mssql/hostile.sql")).await;
}

/// Runs the gold queries of the shop's questions, as on every engine; rows in any order, cells separated by `|`.
async fn are_answered(dialect: &'static str, script: &str, questions: &[(&str, &[&str])]) {
    let server = SqlglotServer::start(dialect, script);
    let warehouse = opened(&server).await;
    let mut wrong = Vec::new();
    for &(sql, wanted) in questions {
        let found = page(warehouse.as_ref(), sql).await.map(|page| {
            let row = |row: &Vec<Option<String>>| {
                row.iter().map(|c| c.clone().unwrap_or_default()).collect::<Vec<_>>().join("|")
            };
            let mut rows: Vec<String> = page.rows.iter().map(row).collect();
            rows.sort();
            rows
        });
        if found.as_deref().ok() != Some(&wanted.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>()[..]) {
            wrong.push(format!("{sql}\n  {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    warehouse.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_with_nested_columns_is_asked() {
    let script = include_str!("../../../../tests/cloud/shop/duckdb.sql");
    let questions: &[(&str, &[&str])] = &[
        ("SELECT COUNT(*) FROM customers", &["6"]),
        ("SELECT COUNT(*) FROM customers WHERE address.country = 'Switzerland'", &["2"]),
        (
            "SELECT c.address.country, COUNT(*) FROM customers AS c GROUP BY c.address.country",
            &["France|1", "Norway|1", "Switzerland|2", "UK|2"],
        ),
        ("SELECT name FROM products ORDER BY price DESC LIMIT 1", &["Oak table"]),
        ("SELECT COUNT(*) FROM orders WHERE year(placed_at) = 2024", &["5"]),
        (
            "SELECT DISTINCT c.name FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id WHERE o.status = 'open'",
            &["Bert Haller", "Dan Okoro"],
        ),
        (
            "SELECT SUM(i.quantity) FROM orders AS o CROSS JOIN UNNEST(o.items) AS i (product_id, quantity, unit_price)",
            &["26"],
        ),
        (
            "SELECT p.category, SUM(i.quantity) FROM orders AS o CROSS JOIN UNNEST(o.items) AS i (product_id, quantity, unit_price) \
             JOIN products AS p ON p.product_id = i.product_id GROUP BY p.category",
            &["Furniture|14", "Kitchen|7", "Lighting|5"],
        ),
        ("SELECT COUNT(*) FROM customers WHERE contains(tags, 'vip')", &["2"]),
        (
            "SELECT t.tag, COUNT(*) FROM customers AS c CROSS JOIN UNNEST(c.tags) AS t (tag) GROUP BY t.tag",
            &["newsletter|3", "vip|2"],
        ),
    ];
    are_answered("trino", script, questions).await;
}

/// As SQL Server stores nested data: JSON in text columns.
#[tokio::test(flavor = "multi_thread")]
async fn a_shop_with_columns_of_json_is_asked() {
    let shop = concat!(
        include_str!("../../../../tests/cloud/shop/duckdb.sql"),
        include_str!("../../../../tests/cloud/shop/json.sql")
    );
    let items = "OPENJSON(o.items) WITH (product_id INT '$.product_id', quantity INT '$.quantity', \
                 unit_price DECIMAL(10, 2) '$.unit_price') AS i";
    let units = format!("SELECT SUM(i.quantity) FROM orders AS o CROSS APPLY {items}");
    let categories = format!(
        "SELECT p.category, SUM(i.quantity) FROM orders AS o CROSS APPLY {items} JOIN products AS p ON p.product_id = i.product_id \
         GROUP BY p.category"
    );
    let questions: &[(&str, &[&str])] = &[
        ("SELECT COUNT(*) FROM customers WHERE JSON_VALUE(address, '$.country') = 'Switzerland'", &["2"]),
        (
            "SELECT JSON_VALUE(address, '$.country'), COUNT(*) FROM customers GROUP BY JSON_VALUE(address, '$.country')",
            &["France|1", "Norway|1", "Switzerland|2", "UK|2"],
        ),
        ("SELECT YEAR(placed_at), COUNT(*) FROM orders GROUP BY YEAR(placed_at)", &["2023|3", "2024|5"]),
        ("SELECT TOP (1) name FROM products ORDER BY price DESC", &["Oak table"]),
        (
            "SELECT DISTINCT c.name FROM customers AS c JOIN orders AS o ON o.customer_id = c.customer_id WHERE o.status = 'open'",
            &["Bert Haller", "Dan Okoro"],
        ),
        (&units, &["26"]),
        (&categories, &["Furniture|14", "Kitchen|7", "Lighting|5"]),
        ("SELECT COUNT(*) FROM customers WHERE 'vip' IN (SELECT value FROM OPENJSON(tags))", &["2"]),
    ];
    are_answered("mssql", shop, questions).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_is_cut_off_at_its_rows_and_when_it_is_cancelled() {
    let server = SqlglotServer::start("trino", "");
    let warehouse = opened(&server).await;
    let catalog = warehouse.load_catalog().await.expect("a catalog");
    let many = "SELECT a.n FROM UNNEST(sequence(1, 5000)) AS a (n) CROSS JOIN UNNEST(sequence(1, 50)) AS b (m)";
    let proven = prove_read_only(many, &catalog).expect("a read");
    let rows =
        warehouse.run_query(&proven, Limits { rows: Some(7), ..Limits::default() }, CancellationToken::new()).await;
    let rows = read_page(rows.expect("rows"), 1_000).await.expect("a page");
    assert_eq!((rows.rows.len(), rows.truncated), (7, true));
    let digits = (1..10).map(|digit| format!(" UNION ALL SELECT {digit}")).collect::<String>();
    let from = (0..12).map(|at| format!("x AS a{at}")).collect::<Vec<_>>().join(" CROSS JOIN ");
    let endless = format!("WITH x (d) AS (SELECT 0{digits}) SELECT sum((a0.d + a11.d) % 7) AS n FROM {from}");
    let proven = prove_read_only(&endless, &catalog).expect("a read");
    let cancel = CancellationToken::new();
    let stop = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cancel.cancel();
        Instant::now()
    };
    let query = async {
        let rows = warehouse.run_query(&proven, Limits::default(), cancel.clone()).await?;
        rows.stream.try_collect::<Vec<_>>().await
    };
    let (ended, stopped) = tokio::join!(query, stop);
    assert_eq!(ended.map(|rows| rows.len()), Err(WarehouseError::Cancelled));
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    assert_eq!(
        page(warehouse.as_ref(), "SELECT 7 AS n").await.expect("the next one runs").rows[0][0].as_deref(),
        Some("7")
    );
    warehouse.close().await;
}
