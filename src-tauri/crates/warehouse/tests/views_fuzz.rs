//! Views with mistakes of models or hostile database names: every accepted view compiles to a single query that only
//! reads, and running it without other protection changes nothing.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use vitrine_domain::{Catalog, Profile, ViewSpec};
use vitrine_test_servers::json_nodes::{count_nodes, replace_node};
use vitrine_view_dsl::compile_view;
use vitrine_warehouse::{OpenOptions, WarehouseUri, open_with};

/// Names of tables and columns may be hostile, too.
const TABLES: &str = r#"
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, placed TIMESTAMP, status VARCHAR(20), total DECIMAL(12, 2));
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(80), joined DATE, vip BOOLEAN);
    CREATE TABLE "x"" ; DROP TABLE orders; --" (id INTEGER, "a'b" INTEGER, "); DELETE FROM orders; --" VARCHAR(9));
    INSERT INTO orders VALUES (1, 1, '2024-01-05 10:00:00', 'paid', 12.50), (2, 1, '2024-02-05 10:00:00', 'open', 7.25);
    INSERT INTO customers VALUES (1, 'Ada', '2023-05-01', TRUE);
    INSERT INTO "x"" ; DROP TABLE orders; --" VALUES (1, 2, 'z');"#;

fn well_formed() -> Vec<Value> {
    let orders = json!([{"table": "orders"}]);
    vec![
        json!({"name": "v", "source": orders, "dimensions": [{"column": "status"}],
               "metrics": [{"name": "n", "agg": "count"}, {"name": "t", "agg": "sum", "of": "total"}],
               "conditions": [{"column": "status", "op": "in", "values": ["paid", "open"]}],
               "having": [{"column": "t", "op": ">", "values": [1]}]}),
        json!({"name": "v", "source": [{"table": "orders"}, {"table": "customers"}], "dimensions": [{"column": "customers.name", "name": "who"}],
               "metrics": [{"name": "m", "agg": "avg", "of": {"left": "total", "op": "/", "right": 2}}],
               "conditions": [{"column": "placed", "op": ">=", "values": [{"date": "2024-01-01"}]}]}),
        json!({"name": "v", "source": orders, "dimensions": [{"column": "placed", "by": "month", "name": "month"}],
               "metrics": [{"name": "n", "agg": "count_distinct", "of": "customer_id"}, {"name": "m", "agg": "median", "of": "total"}]}),
        json!({"name": "v", "source": [{"table": "x\" ; DROP TABLE orders; --"}], "dimensions": [{"column": "a'b"}, {"column": "); DELETE FROM orders; --"}],
               "metrics": []}),
        json!({"name": "v", "source": orders, "dimensions": [], "metrics": [{"name": "a", "agg": "sum", "of": "total",
               "conditions": [{"column": "status", "op": "=", "values": ["paid"]}]}, {"name": "b", "agg": "count"}],
               "ratios": [{"name": "share", "of": "a", "to": "b"}]}),
        json!({"name": "v", "source": orders, "dimensions": [{"column": {"case": [{"when": [{"column": "total", "op": ">", "values": [10]}], "then": "large"}],
               "else": "small"}, "name": "size"}], "metrics": [{"name": "n", "agg": "count"}]}),
    ]
}

/// Generates replacement values for a node of a view.
fn hostile() -> impl Strategy<Value = Value> {
    let texts = [
        "x\"; DROP TABLE orders; --",
        "'; DELETE FROM orders; --",
        "total) FROM orders; DELETE FROM orders; SELECT (1",
        "load_extension('x')",
        "(SELECT readfile('x'))",
        "orders; DROP TABLE orders",
        "\u{0}",
        "total -- ",
        "/* ",
        "$$",
        "\\",
        "' OR 1 = 1 --",
        "2024-01-01'; DROP TABLE orders; --",
        "sqlite_schema",
        "pragma_table_info",
        "read_text",
        "v",
        "",
        "*",
        "status",
        "total",
        "orders",
        "customers",
        "placed",
        "sum",
        "like",
        "is null",
        "month",
    ];
    prop_oneof![
        6 => prop::sample::select(texts.to_vec()).prop_map(|text| json!(text)),
        1 => any::<i64>().prop_map(|number| json!(number)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => any::<bool>().prop_map(|truth| json!(truth)),
        1 => Just(Value::Null),
        1 => Just(json!([])),
        1 => Just(json!({})),
        1 => prop::sample::select(vec![json!({"date": "2024-13-99'"}), json!({"left": "total", "op": "-", "right": "total"}), json!({"cast": "total", "to": "text"}), json!({"column": "total"})]),
        1 => "\\PC{0,12}".prop_map(|text| json!(text)),
    ]
}

fn mutant() -> impl Strategy<Value = Value> {
    let change = (any::<prop::sample::Index>(), hostile());
    (prop::sample::select(well_formed()), prop::collection::vec(change, 0..4)).prop_map(|(mut view, changes)| {
        for (at, other) in changes {
            // The root is not replaced, because then nothing would be tested.
            let at = 1 + at.index(count_nodes(&view).saturating_sub(1).max(1));
            replace_node(&mut view, at, other);
        }
        view
    })
}

/// An unprotected database and its catalog.
struct Open {
    run: Box<dyn Fn(&str)>,
    state: Box<dyn Fn() -> String>,
    catalog: Catalog,
    _folder: tempfile::TempDir,
}

const STATE: &str = "SELECT (SELECT count(*) || '/' || sum(total) FROM orders) || (SELECT max(name) FROM customers) || (SELECT count(*) FROM \"x\"\" ; DROP TABLE orders; --\")";

fn catalog(uri: &str) -> Catalog {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let uri = WarehouseUri::parse(uri).expect("an address");
        open_with(&uri, &OpenOptions::default()).await.expect("opens").load_catalog().await.expect("a catalog")
    })
}

fn sqlite() -> Open {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.db");
    let connection = rusqlite::Connection::open(&path).expect("SQLite");
    connection.execute_batch(TABLES).expect("tables");
    let connection = std::rc::Rc::new(connection);
    let runs = connection.clone();
    Open {
        run: Box::new(move |sql| {
            if let Ok(mut statement) = runs.prepare(sql) {
                let mut rows = statement.query([]).expect("no parameters");
                while let Ok(Some(_)) = rows.next() {}
            }
        }),
        state: Box::new(move || {
            let rows: rusqlite::Result<String> = connection.query_row(STATE, [], |row| row.get(0));
            format!("{rows:?} {}", connection.total_changes())
        }),
        catalog: catalog(&format!("sqlite:{}", path.display())),
        _folder: folder,
    }
}

fn duck() -> Open {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.duckdb");
    duckdb::Connection::open(&path).expect("DuckDB").execute_batch(TABLES).expect("tables");
    let catalog = catalog(&format!("duckdb:{}", path.display()));
    let connection = std::rc::Rc::new(duckdb::Connection::open(&path).expect("DuckDB"));
    let runs = connection.clone();
    let files = folder.path().to_owned();
    Open {
        run: Box::new(move |sql| {
            if let Ok(mut statement) = runs.prepare(sql)
                && statement.stream_arrow([]).is_ok()
            {
                while let Ok(Some(_)) = statement.step() {}
            }
        }),
        state: Box::new(move || {
            let rows: duckdb::Result<String> = connection.query_row(STATE, [], |row| row.get(0));
            let files = std::fs::read_dir(&files).expect("a folder").flatten().count();
            format!("{rows:?} {files}")
        }),
        catalog,
        _folder: folder,
    }
}

fn only_reads(open: &Open, cases: u32) {
    // The same cases on each run, so that failures are reproducible.
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let before = (open.state)();
    let (accepted, hostile) = (AtomicU32::new(0), AtomicU32::new(0));
    let outcome = runner.run(&mutant(), |view| {
        let Ok(spec) = ViewSpec::from_json(view.clone()) else { return Ok(()) };
        let dialect = open.catalog.dialect;
        let Ok(sql) = compile_view(&[spec], &open.catalog, &Profile::default(), &[], dialect) else { return Ok(()) };
        accepted.fetch_add(1, Ordering::AcqRel);
        hostile
            .fetch_add(u32::from(sql.as_str().contains("DROP") || sql.as_str().contains("DELETE")), Ordering::AcqRel);
        (open.run)(sql.as_str());
        prop_assert_eq!(&(open.state)(), &before, "{}\n{}", view, sql.as_str());
        Ok(())
    });
    outcome.unwrap();
    let (accepted, hostile) = (accepted.load(Ordering::Acquire), hostile.load(Ordering::Acquire));
    // The test is meaningful only if many views are accepted, some with hostile texts.
    assert!(accepted > cases / 10 && hostile > cases / 50, "{accepted} accepted, {hostile} with hostile texts");
}

#[test]
fn no_view_changes_an_sqlite_database() {
    only_reads(&sqlite(), 2_000);
}

#[test]
fn no_view_changes_a_duckdb_database() {
    only_reads(&duck(), 1_000);
}
