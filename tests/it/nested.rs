//! Nested data end to end: the prompt, and typical queries through proof, binding and repairs to rows; on a Parquet and
//! a JSON file, in SQLite and in PostgreSQL.

use crate::bench::{Shop, large, run, small};
use crate::methods::settings;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{RenderOptions, compress_catalog, is_nested, render_schema};
use vitrine_domain::{Catalog, Profile};
use vitrine_llm::ScriptedModel;
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{QuestionFacts, RuleInput, Standing, find_variants, repair_names, repair_refused};
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_warehouse::{Limits, Warehouse, WarehouseKind, WarehouseUri, open_warehouse, read_page};

/// Three orders; one has no items and one no note.
const ORDERS: [&str; 3] = [
    r#"{"id":1,"customer":"Ada","items":[{"sku":"a","qty":2,"price":1.5},{"sku":"b","qty":1,"price":4.0}],"tags":["gift","web"],"address":{"city":"Paris","geo":{"lat":48.9,"lon":2.4}},"note":"{\"via\":\"web\",\"steps\":[{\"who\":\"Bo\"},{\"who\":\"Cy\"}]}"}"#,
    r#"{"id":2,"customer":"Bo","items":[{"sku":"a","qty":5,"price":1.5}],"tags":["web"],"address":{"city":"Oslo","geo":{"lat":59.9,"lon":10.8}},"note":"{\"via\":\"shop\",\"steps\":[]}"}"#,
    r#"{"id":3,"customer":"Cy","items":[],"tags":[],"address":{"city":"Paris","geo":{"lat":48.8,"lon":2.3}},"note":null}"#,
];

/// A warehouse with its catalog and profile.
pub(crate) struct Read {
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    profile: Profile,
}

impl Read {
    pub(crate) async fn of(uri: &WarehouseUri) -> Self {
        let warehouse = open_warehouse(uri).await.expect("a database");
        let catalog = warehouse.load_catalog().await.expect("a catalog");
        let profile = vitrine_catalog::profile_database(
            Arc::clone(&warehouse),
            &catalog,
            Default::default(),
            |_, _, _| {},
            CancellationToken::new(),
        );
        let profile = profile.await.expect("a profile");
        Self { warehouse, catalog, profile }
    }

    fn text(&self) -> String {
        render_schema(&compress_catalog(&self.catalog), Some(&self.profile), None, &RenderOptions::default())
    }

    /// Returns the columns that are detected as nested.
    fn nested(&self) -> Vec<&str> {
        let table = self.catalog.find_table("orders").expect("the table");
        let profile = self.profile.find_table(&table.name).expect("its profile");
        let columns = table.columns.iter();
        columns
            .filter(|column| is_nested(column, profile.find_column(&column.name), self.catalog.dialect))
            .map(|column| column.name.as_str())
            .collect()
    }

    /// Returns the rows in order, with cells joined by `|`, and the changes before execution.
    pub(crate) async fn rows(&self, text: &str) -> Result<(Vec<String>, Vec<String>), String> {
        let sql = ReadOnlySql::parse(text, self.catalog.dialect).map_err(|e| e.to_string())?;
        let facts = QuestionFacts::default();
        let input = RuleInput {
            catalog: &self.catalog,
            profile: &self.profile,
            facts: &facts,
            knowledge: "",
            values: &[],
            standing: Standing::none(),
            wrong_qualifiers: &[],
            off: &[],
        };
        let repaired = repair_names(&sql, &input)
            .map_err(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        let mut notes: Vec<String> = Vec::new();
        let mut run = sql.clone();
        let mut take = |changed: vitrine_sql_rules::Changed| {
            notes.extend(changed.changes.into_iter().map(|change| change.note));
            changed.sql
        };
        if let Some(changed) = repaired {
            run = take(changed);
        }
        let mut batches = self.warehouse.run_query(&run, Limits::default(), CancellationToken::new()).await;
        // A query that the engine rejects is repaired if it has a single interpretation.
        if batches.is_err()
            && let Some(changed) = repair_refused(&run, &input)
        {
            run = take(changed);
            batches = self.warehouse.run_query(&run, Limits::default(), CancellationToken::new()).await;
        }
        let page = read_page(batches.map_err(|e| e.to_string())?, u64::MAX).await.map_err(|e| e.to_string())?;
        let cell = |cell: &Option<String>| cell.clone().unwrap_or_else(|| "NULL".to_owned());
        let mut rows: Vec<String> =
            page.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("|")).collect();
        if !sql.is_ordered() {
            rows.sort();
        }
        Ok((rows, notes))
    }

    /// Returns the rules that offer a variant of a query.
    pub(crate) fn offered(&self, text: &str) -> Vec<String> {
        let facts = QuestionFacts::default();
        let input = RuleInput {
            catalog: &self.catalog,
            profile: &self.profile,
            facts: &facts,
            knowledge: "",
            values: &[],
            standing: Standing::none(),
            wrong_qualifiers: &[],
            off: &[],
        };
        let sql = ReadOnlySql::parse(text, self.catalog.dialect).expect("a query");
        find_variants(&sql, &input).into_iter().map(|variant| variant.rule.to_string()).collect()
    }

    /// Asserts that each query returns its rows without changes.
    pub(crate) async fn brings(&self, queries: &[(&str, &[&str])]) {
        let mut wrong = Vec::new();
        for (text, wanted) in queries {
            match self.rows(text).await {
                Ok((rows, notes)) if rows == *wanted && notes.is_empty() => {}
                other => wrong.push(format!("{text}\n  {other:?}")),
            }
        }
        assert!(wrong.is_empty(), "{:?}\n{}", self.catalog.dialect, wrong.join("\n"));
    }

    pub(crate) async fn close(self) {
        self.warehouse.close().await;
    }
}

fn data(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("orders.json");
    std::fs::write(&path, ORDERS.join("\n")).expect("a file");
    path
}

const IN_DUCKDB: &[(&str, &[&str])] = &[
    ("SELECT o.id, i.sku, i.qty FROM orders o, UNNEST(o.items) AS u(i)", &["1|a|2", "1|b|1", "2|a|5"]),
    ("SELECT u.i.sku FROM orders o CROSS JOIN UNNEST(o.items) AS u(i) WHERE u.i.qty > 1", &["a", "a"]),
    (
        "WITH lines AS (SELECT id, unnest(items) AS line FROM orders) SELECT line.sku, sum(line.qty * line.price) AS total FROM lines GROUP BY line.sku ORDER BY total DESC",
        &["a|10.5", "b|4.0"],
    ),
    (
        "SELECT item.sku, SUM(item.qty) FROM (SELECT unnest(items) AS item FROM orders) AS t GROUP BY item.sku",
        &["a|7", "b|1"],
    ),
    ("SELECT address.city, count(*) FROM orders GROUP BY address.city", &["Oslo|1", "Paris|2"]),
    ("SELECT o.address.geo.lat FROM orders o WHERE o.address.city = 'Oslo'", &["59.9"]),
    ("SELECT customer FROM orders WHERE list_contains(tags, 'gift')", &["Ada"]),
    ("SELECT customer FROM orders WHERE 'web' = ANY(tags) ORDER BY id", &["Ada", "Bo"]),
    ("SELECT tag, count(*) FROM orders, UNNEST(tags) AS t(tag) GROUP BY tag", &["gift|1", "web|2"]),
    ("SELECT customer, len(items) AS n FROM orders ORDER BY n DESC, customer LIMIT 1", &["Ada|2"]),
    ("SELECT id, list_sum(list_transform(items, x -> x.qty * x.price)) FROM orders WHERE id < 3", &["1|7.0", "2|7.5"]),
    ("SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM UNNEST(o.items) AS u(i) WHERE i.qty > 2)", &["2"]),
    ("SELECT id, (SELECT sum(i.qty) FROM UNNEST(o.items) AS u(i)) AS n FROM orders o WHERE id < 3", &["1|3", "2|5"]),
    ("SELECT items[1].sku FROM orders WHERE id = 1", &["a"]),
    ("SELECT note->>'$.via' AS via, count(*) FROM orders WHERE note IS NOT NULL GROUP BY via", &["shop|1", "web|1"]),
    ("SELECT id, step->>'$.who' FROM orders, UNNEST(CAST(note->'$.steps' AS JSON[])) AS u(step)", &["1|Bo", "1|Cy"]),
    (
        "SELECT o.id, l.sku FROM orders o, LATERAL (SELECT unnest(o.items, max_depth := 2)) AS l WHERE l.qty > 2",
        &["2|a"],
    ),
];

#[tokio::test]
async fn lists_and_structs_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let json = data(folder.path());
    let parquet = folder.path().join("orders.parquet");
    let copy = format!("COPY (FROM read_json('{}')) TO '{}'", json.display(), parquet.display());
    duckdb::Connection::open_in_memory().unwrap().execute_batch(&copy).unwrap();
    for path in [json, parquet] {
        let read = Read::of(&WarehouseUri::new(WarehouseKind::File, path)).await;
        let text = read.text();
        for leaf in ["[].sku text", "[].qty integer", "city text", "geo.lat float", "via text", "steps[].who text"] {
            assert!(text.contains(leaf), "{leaf} is not in\n{text}");
        }
        assert_eq!(read.nested(), ["items", "tags", "address", "note"]);
        read.brings(IN_DUCKDB).await;
        // Syntax of other engines, and of later versions of this one, is converted.
        for (text, wanted) in [
            ("SELECT item.sku, SUM(item.qty) FROM orders, UNNEST(items) AS item GROUP BY item.sku", ["a|7", "b|1"]),
            // Syntax that small models write for lists but no engine accepts.
            ("SELECT items.sku, SUM(items.qty) FROM orders GROUP BY items.sku", ["a|7", "b|1"]),
            ("SELECT customer FROM orders WHERE tags LIKE '%we%'", ["Ada", "Bo"]),
            ("SELECT customer FROM orders WHERE tags IN ('web', 'gift')", ["Ada", "Bo"]),
            ("SELECT customer FROM orders WHERE items.sku = 'a' AND items.qty < 9", ["Ada", "Bo"]),
        ] {
            let (rows, notes) = read.rows(text).await.unwrap();
            assert_eq!((rows.as_slice(), notes.len()), (wanted.map(str::to_owned).as_slice(), 1), "{text}");
        }
        // This query runs unchanged with a struct for each tag: the members are offered as a variant.
        let text = "SELECT tag, count(*) FROM orders AS o CROSS JOIN unnest(o.tags) AS tag GROUP BY tag";
        let (rows, notes) = read.rows(text).await.unwrap();
        assert_eq!((rows[0].as_str(), notes.len()), ("{\"unnest\":\"gift\"}|1", 0));
        assert_eq!(read.offered(text), ["R002"]);
        read.close().await;
    }
}

#[tokio::test]
async fn json_text_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.sqlite");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, items TEXT, tags TEXT, address TEXT);
             CREATE TABLE products (sku TEXT PRIMARY KEY, label TEXT);
             INSERT INTO products VALUES ('a', 'Apple'), ('b', 'Bread');",
        )
        .unwrap();
    for order in ORDERS {
        database
            .execute(
                "INSERT INTO orders SELECT ?1->>'id', ?1->>'customer', ?1->'items', ?1->'tags', ?1->'address'",
                [order],
            )
            .unwrap();
    }
    drop(database);
    let read = Read::of(&WarehouseUri::new(WarehouseKind::Sqlite, path)).await;
    let text = read.text();
    for leaf in ["[].sku text", "[].qty integer", "[] text", "city text", "geo.lat float"] {
        assert!(text.contains(leaf), "{leaf} is not in\n{text}");
    }
    assert_eq!(read.nested(), ["items", "tags", "address"]);
    read.brings(&[
        ("SELECT json_extract(address, '$.city') AS city, count(*) FROM orders GROUP BY city", &["Oslo|1", "Paris|2"]),
        ("SELECT address->>'$.geo.lat' FROM orders WHERE address->>'city' = 'Oslo'", &["59.9"]),
        (
            "SELECT o.id, json_extract(i.value, '$.sku') FROM orders AS o, json_each(o.items) AS i",
            &["1|a", "1|b", "2|a"],
        ),
        ("SELECT o.id, i.value->>'sku' FROM orders AS o JOIN json_each(o.items) AS i WHERE i.value->>'qty' > 1", &["1|a", "2|a"]),
        ("SELECT value, count(*) FROM orders, json_each(orders.tags) GROUP BY value", &["gift|1", "web|2"]),
        ("SELECT json_each.value FROM orders, json_each(orders.tags) WHERE orders.id = 2", &["web"]),
        ("SELECT customer FROM orders WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'gift')", &["Ada"]),
        ("SELECT customer FROM orders WHERE 'web' IN (SELECT value FROM json_each(orders.tags))", &["Ada", "Bo"]),
        ("SELECT customer, json_array_length(items) AS n FROM orders ORDER BY n DESC LIMIT 1", &["Ada|2"]),
        ("SELECT json_extract(items, '$[0].sku') FROM orders WHERE id = 1", &["a"]),
        (
            "WITH lines AS (SELECT o.id, i.value AS line FROM orders o, json_each(o.items) i) SELECT json_extract(line, '$.sku') AS sku, SUM(json_extract(line, '$.qty')) FROM lines GROUP BY sku",
            &["a|7", "b|1"],
        ),
        (
            "SELECT p.label, SUM(i.value->>'$.qty') FROM orders o, json_each(o.items) i JOIN products p ON p.sku = i.value->>'$.sku' GROUP BY p.label",
            &["Apple|7", "Bread|1"],
        ),
        (
            "SELECT id, (SELECT SUM(json_extract(value, '$.qty') * json_extract(value, '$.price')) FROM json_each(orders.items)) AS total FROM orders WHERE id < 3",
            &["1|7.0", "2|7.5"],
        ),
        ("SELECT fullkey, atom FROM orders, json_tree(orders.address) WHERE orders.id = 2 AND json_tree.key = 'city'", &["$.city|Oslo"]),
    ])
    .await;
    // The function has its own columns, including `id`.
    let (rows, notes) = read.rows("SELECT id, value FROM orders, json_each(tags) WHERE id = 1").await.unwrap();
    assert_eq!((rows.join(" "), notes.len()), ("1|gift 1|web".to_owned(), 1));
    read.close().await;
}

#[tokio::test]
async fn json_and_arrays_in_postgresql() {
    let server = PostgresServer::start();
    let rows: Vec<String> = ORDERS.iter().map(|order| format!("('{order}'::jsonb)")).collect();
    server.psql(
        "shop",
        &format!(
            "CREATE TABLE orders (id integer PRIMARY KEY, customer text, items jsonb, tags text[], address jsonb, note json);
             INSERT INTO orders SELECT (o->>'id')::int, o->>'customer', o->'items',
               ARRAY(SELECT jsonb_array_elements_text(o->'tags')), o->'address', (o->>'note')::json FROM (VALUES {}) AS v(o);",
            rows.join(", ")
        ),
    );
    let read = Read::of(&WarehouseUri::parse(&server.address("shop")).unwrap()).await;
    let text = read.text();
    for leaf in ["[].sku text", "[].qty integer", "[] text", "city text", "geo.lat float", "steps[].who text"] {
        assert!(text.contains(leaf), "{leaf} is not in\n{text}");
    }
    assert_eq!(read.nested(), ["items", "tags", "address", "note"]);
    read.brings(&[
        ("SELECT id, item->>'sku' FROM orders, jsonb_array_elements(items) AS item", &["1|a", "1|b", "2|a"]),
        (
            "SELECT o.id, i->>'sku' FROM orders o CROSS JOIN LATERAL jsonb_array_elements(o.items) AS t(i) WHERE (i->>'qty')::int > 1",
            &["1|a", "2|a"],
        ),
        ("SELECT value->>'sku' FROM orders, jsonb_array_elements(items) WHERE id = 1", &["a", "b"]),
        ("SELECT tag, count(*) FROM orders, unnest(tags) AS tag GROUP BY tag", &["gift|1", "web|2"]),
        ("SELECT unnest(tags) AS tag, count(*) FROM orders GROUP BY 1", &["gift|1", "web|2"]),
        ("SELECT t.tag, t.n FROM orders o, unnest(o.tags) WITH ORDINALITY AS t(tag, n) WHERE o.id = 1", &["gift|1", "web|2"]),
        ("SELECT customer FROM orders WHERE 'gift' = ANY(tags)", &["Ada"]),
        ("SELECT customer FROM orders WHERE tags @> ARRAY['gift']", &["Ada"]),
        ("SELECT address->>'city' AS city, count(*) FROM orders GROUP BY address->>'city'", &["Oslo|1", "Paris|2"]),
        ("SELECT address#>>'{geo,lat}' FROM orders WHERE address @> '{\"city\": \"Oslo\"}'", &["59.9"]),
        ("SELECT note->>'via' FROM orders WHERE note IS NOT NULL", &["shop", "web"]),
        ("SELECT id, step->>'who' FROM orders, json_array_elements(note->'steps') AS step", &["1|Bo", "1|Cy"]),
        ("SELECT key, value FROM orders, jsonb_each_text(address) WHERE id = 2 AND key = 'city'", &["city|Oslo"]),
        (
            "SELECT x.sku, sum(x.qty * x.price) FROM orders o, jsonb_to_recordset(o.items) AS x(sku text, qty int, price numeric) GROUP BY x.sku",
            &["a|10.5", "b|4.0"],
        ),
        (
            "WITH lines AS (SELECT id, jsonb_array_elements(items) AS line FROM orders) SELECT line->>'sku', sum((line->>'qty')::int) AS n FROM lines GROUP BY 1",
            &["a|7", "b|1"],
        ),
        (
            "SELECT o.id, l.sku FROM orders o JOIN LATERAL (SELECT i->>'sku' AS sku FROM jsonb_array_elements(o.items) AS i) AS l ON true WHERE l.sku = 'b'",
            &["1|b"],
        ),
        ("SELECT customer FROM orders ORDER BY jsonb_array_length(items) DESC LIMIT 1", &["Ada"]),
    ])
    .await;
    let (rows, notes) = read.rows("SELECT customer FROM orders WHERE tags = 'gift'").await.unwrap();
    assert_eq!((rows.join(" "), notes.len()), ("Ada".to_owned(), 1));
    read.close().await;
}

#[tokio::test]
async fn a_large_model_reads_the_values_of_every_field_and_a_small_one_its_first_paths() {
    let fields: Vec<String> = (0..30).map(|n| format!("'measured_value_{n:02}', {n} + purchase.id")).collect();
    let shop = Shop::with(&format!(
        "CREATE TABLE event (id INTEGER PRIMARY KEY, payload TEXT);
         INSERT INTO event SELECT purchase.id, json_object('page', '/home', {}) FROM purchase;",
        fields.join(", ")
    ));
    let requests = async |model: Arc<ScriptedModel>| {
        let ask = shop.ask("What was the largest value 29?", settings("direct", &[], &[]), model.clone()).await;
        run(ask, CancellationToken::new()).await;
        model.requests().first().expect("a request").prefix.clone()
    };
    let sql = "SELECT count(*) FROM event";
    let (few, all) = (requests(small(vec![sql])).await, requests(large(vec![format!("```sql\n{sql}\n```")])).await);
    assert!(few.contains("holds page text '/home', measured_value_00 integer"), "{few}");
    assert!(!few.contains("measured_value_29"), "the first 300 characters as measured: {few}");
    assert!(all.contains("payload.measured_value_29 integer") && all.contains("payload.page text"), "{all}");
    assert!(!all.contains("holds page"), "{all}");
}
