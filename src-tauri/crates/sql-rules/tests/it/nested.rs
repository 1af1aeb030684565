//! Queries over nested values, as people and models write them: they parse, every name binds, correct queries are not
//! repaired, and values extracted from a column have it as their source.

use crate::shop::{catalog, input};
use vitrine_domain::{Catalog, Dialect, Profile};
use vitrine_sql::{NameProblem, ReadOnlySql, bind_names};
use vitrine_sql_rules::values::replace_literal;
use vitrine_sql_rules::{QuestionFacts, repair_names, repair_refused};

struct Repaired {
    sql: ReadOnlySql,
    notes: Vec<String>,
}

/// Returns the repaired form of a query that the engine rejects.
fn repaired(sql: &ReadOnlySql, catalog: &Catalog) -> Result<Repaired, Vec<NameProblem>> {
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let input = input(catalog, &profile, &facts);
    let mut repaired = Repaired { sql: sql.clone(), notes: Vec::new() };
    for step in [repair_names(sql, &input)?, None] {
        let next = step.or_else(|| repair_refused(&repaired.sql, &input));
        if let Some(changed) = next {
            repaired.notes.extend(changed.changes.into_iter().map(|change| change.note));
            repaired.sql = changed.sql;
        }
    }
    Ok(repaired)
}

fn duckdb() -> Catalog {
    catalog(
        Dialect::Duckdb,
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer VARCHAR, items STRUCT(sku VARCHAR, qty INTEGER, price DOUBLE)[],
           tags VARCHAR[], address STRUCT(city VARCHAR, geo STRUCT(lat DOUBLE, lon DOUBLE)), attrs MAP(VARCHAR, VARCHAR), data JSON);
         CREATE TABLE products (sku VARCHAR PRIMARY KEY, label VARCHAR);",
    )
}

fn sqlite() -> Catalog {
    catalog(
        Dialect::Sqlite,
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, items TEXT, tags TEXT, address TEXT);
         CREATE TABLE products (sku TEXT PRIMARY KEY, label TEXT);",
    )
}

fn postgres() -> Catalog {
    catalog(
        Dialect::Postgres,
        "CREATE TABLE orders (id integer PRIMARY KEY, customer text, items jsonb, tags text[], address jsonb, attrs json);
         CREATE TABLE products (sku text PRIMARY KEY, label text);",
    )
}

fn snowflake() -> Catalog {
    catalog(
        Dialect::Snowflake,
        "CREATE TABLE orders (id NUMBER PRIMARY KEY, customer VARCHAR, items VARIANT, tags ARRAY, address OBJECT);
         CREATE TABLE products (sku VARCHAR PRIMARY KEY, label VARCHAR);",
    )
}

fn bigquery() -> Catalog {
    catalog(
        Dialect::Bigquery,
        "CREATE TABLE orders (id INT64, customer STRING, items ARRAY<STRUCT<sku STRING, qty INT64, price FLOAT64>>,
           tags ARRAY<STRING>, address STRUCT<city STRING, geo STRUCT<lat FLOAT64, lon FLOAT64>>, data JSON);
         CREATE TABLE products (sku STRING, label STRING);",
    )
}

/// Asserts the source of each query's last output column.
fn holds(catalog: &Catalog, queries: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in queries {
        let sql = match ReadOnlySql::parse(text, catalog.dialect) {
            Ok(sql) => sql,
            Err(error) => {
                wrong.push(format!("{text}\n  {error}"));
                continue;
            }
        };
        let binding = bind_names(&sql, catalog);
        for problem in &binding.problems {
            wrong.push(format!("{text}\n  {problem}"));
        }
        match repaired(&sql, catalog) {
            Ok(repaired) if repaired.notes.is_empty() => {}
            Ok(repaired) => wrong.push(format!("{text}\n  became {}\n  {:?}", repaired.sql.as_str(), repaired.notes)),
            Err(problems) => wrong.push(format!("{text}\n  {problems:?}")),
        }
        // A query that is changed elsewhere is printed from its tree, so the tree must be complete.
        match replace_literal(&sql, "nothing", "nothing") {
            Some(anew) if bind_names(&anew, catalog) == binding => {}
            anew => wrong.push(format!("{text}\n  written anew: {:?}", anew.as_ref().map(ReadOnlySql::as_str))),
        }
        let last = binding.outputs.last().map(|o| o.sources.clone()).unwrap_or_default();
        let found: Vec<String> = last.iter().map(|(t, c)| format!("{t}.{c}")).collect();
        if found.join(" ") != *expected {
            wrong.push(format!("{text}\n  comes from [{}] instead of [{expected}]", found.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{:?}\n{}", catalog.dialect, wrong.join("\n"));
}

#[test]
fn duckdb_lists_structs_maps_and_json() {
    holds(
        &duckdb(),
        &[
            ("SELECT id, unnest(tags) AS tag FROM orders", "orders.tags"),
            ("SELECT o.id, i.sku FROM orders o, unnest(o.items) AS t(i)", "orders.items"),
            ("SELECT o.id, i.sku FROM orders o, unnest(items) t(i) WHERE i.qty > 1", "orders.items"),
            ("SELECT o.customer, item.qty FROM orders AS o CROSS JOIN UNNEST(o.items) AS u(item)", "orders.items"),
            ("SELECT u.item.sku FROM orders AS o CROSS JOIN UNNEST(o.items) AS u(item)", "orders.items"),
            (
                "SELECT item.sku, SUM(item.qty) AS n FROM (SELECT unnest(items) AS item FROM orders) GROUP BY item.sku ORDER BY n DESC",
                "orders.items",
            ),
            (
                "WITH lines AS (SELECT id, unnest(items) AS line FROM orders) SELECT line.sku, sum(line.qty * line.price) AS total FROM lines GROUP BY line.sku",
                "orders.items",
            ),
            (
                "WITH lines AS (SELECT id, unnest(items) AS line FROM orders) SELECT p.label, sum(l.line.qty) FROM lines AS l JOIN products AS p ON p.sku = l.line.sku GROUP BY p.label",
                "orders.items",
            ),
            (
                "WITH lines AS (SELECT id, unnest(items, recursive := true) FROM orders) SELECT sku, sum(qty) FROM lines GROUP BY sku",
                "orders.items",
            ),
            ("SELECT address.city, count(*) FROM orders GROUP BY address.city", ""),
            ("SELECT o.address.geo.lat FROM orders o WHERE o.address.city = 'Paris'", "orders.address"),
            ("SELECT id FROM orders WHERE list_contains(tags, 'gift')", "orders.id"),
            ("SELECT id FROM orders WHERE 'gift' = ANY(tags)", "orders.id"),
            ("SELECT count(*), data->>'$.channel' AS channel FROM orders GROUP BY channel", "orders.data"),
            (
                "SELECT CAST(data->>'discount' AS DOUBLE) AS d FROM orders WHERE (data->>'channel') = 'web'",
                "orders.data",
            ),
            ("SELECT id, list_sum(list_transform(items, x -> x.qty * x.price)) AS total FROM orders", "orders.items"),
            ("SELECT id, list_filter(tags, lambda t: t <> 'gift') FROM orders", "orders.tags"),
            (
                "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM unnest(o.items) AS t(i) WHERE i.qty > 2)",
                "orders.id",
            ),
            ("SELECT o.id, (SELECT sum(i.qty) FROM unnest(o.items) AS t(i)) AS pieces FROM orders o", "orders.items"),
            ("SELECT items[1].sku FROM orders", "orders.items"),
            ("SELECT attrs['color'] FROM orders", "orders.attrs"),
            ("SELECT o.id, j.value->>'$.name' FROM orders o, json_each(o.data, '$.parts') AS j", "orders.data"),
            ("SELECT unnest(items).sku FROM orders", "orders.items"),
            ("SELECT o.id, len(o.items) AS n FROM orders o ORDER BY n DESC LIMIT 1", "orders.items"),
            ("SELECT o.id, t.sku FROM orders o, LATERAL (SELECT unnest(o.items, max_depth := 2)) AS t", "orders.items"),
            ("SELECT o.id, t.item.sku FROM orders o, LATERAL (SELECT unnest(o.items) AS item) AS t", "orders.items"),
            ("SELECT struct_extract(item, 'sku') FROM orders, unnest(items) AS t(item)", "orders.items"),
            ("SELECT orders.id, t.unnest.sku FROM orders, unnest(orders.items) AS t", "orders.items"),
            ("SELECT address.* FROM orders", ""),
        ],
    );
}

#[test]
fn a_member_of_a_list_goes_by_its_alias() {
    let catalog = duckdb();
    for (text, expected) in [
        (
            "SELECT item.sku, SUM(item.qty) FROM orders, UNNEST(items) AS item GROUP BY item.sku",
            "SELECT item.sku, SUM(item.qty) FROM orders, UNNEST(items) AS item (item) GROUP BY item.sku",
        ),
        (
            "SELECT tag FROM orders AS o CROSS JOIN unnest(o.tags) AS tag",
            "SELECT tag FROM orders AS o CROSS JOIN unnest(o.tags) AS tag (tag)",
        ),
        (
            "SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM UNNEST(o.items) AS i WHERE i.qty > 2)",
            "SELECT id FROM orders AS o WHERE EXISTS (SELECT 1 FROM UNNEST(o.items) AS i (i) WHERE i.qty > 2)",
        ),
    ] {
        let sql = ReadOnlySql::parse(text, Dialect::Duckdb).unwrap();
        let repaired = repaired(&sql, &catalog).unwrap();
        let one_line = repaired.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(one_line.replace("( ", "(").replace(" )", ")"), expected);
        assert_eq!(repaired.notes.len(), 1, "{:?}", repaired.notes);
    }
    for text in [
        // A column's own name could no longer be distinguished from the alias, and a query with `unnest` already
        // follows the engine.
        "SELECT o.id FROM orders AS o, UNNEST(o.tags) AS tags",
        "SELECT i.unnest.sku FROM orders AS o, UNNEST(o.items) AS i",
        "SELECT i.sku FROM orders AS o, UNNEST(o.items) AS t(i)",
    ] {
        let sql = ReadOnlySql::parse(text, Dialect::Duckdb).unwrap();
        assert_eq!(repaired(&sql, &catalog).unwrap().sql, sql);
    }
}

#[test]
fn a_list_is_read_by_its_members() {
    for (dialect, text, expected) in [
        (
            Dialect::Duckdb,
            "SELECT items.sku, SUM(items.qty) AS n FROM orders GROUP BY items.sku ORDER BY SUM(items.qty) DESC",
            "SELECT item.sku, SUM(item.qty) AS n FROM orders CROSS JOIN unnest(orders.items) AS items (item) GROUP BY item.sku ORDER BY SUM(item.qty) DESC",
        ),
        (
            Dialect::Duckdb,
            "SELECT p.label, SUM(o.items.qty) FROM orders AS o JOIN products AS p ON o.items.sku = p.sku WHERE o.items.price > 1 GROUP BY p.label",
            "SELECT p.label, SUM(item.qty) FROM orders AS o CROSS JOIN unnest(o.items) AS items (item) JOIN products AS p ON item.sku = p.sku WHERE item.price > 1 GROUP BY p.label",
        ),
        (
            Dialect::Duckdb,
            "SELECT COUNT(*) FROM orders WHERE customer = 'Ada' AND items.sku = 'a' AND items.qty > 1",
            "SELECT COUNT(*) FROM orders WHERE customer = 'Ada' AND EXISTS (SELECT 1 FROM unnest(orders.items) AS items (item) WHERE item.sku = 'a' AND item.qty > 1)",
        ),
        (
            Dialect::Duckdb,
            "SELECT COUNT(*) FROM orders WHERE tags = 'gift'",
            "SELECT COUNT(*) FROM orders WHERE 'gift' = ANY(orders.tags)",
        ),
        (
            Dialect::Postgres,
            "SELECT count(*) FROM orders o WHERE o.tags <> 'gift' AND tags IN ('a', 'b')",
            "SELECT count(*) FROM orders o WHERE NOT ('gift' = ANY(o.tags)) AND ('a' = ANY(o.tags) OR 'b' = ANY(o.tags))",
        ),
        (
            Dialect::Postgres,
            "SELECT count(*) FROM orders WHERE tags ILIKE '%gift%'",
            "SELECT count(*) FROM orders WHERE EXISTS (SELECT 1 FROM UNNEST(orders.tags) AS tags (tag) WHERE tag ILIKE '%gift%')",
        ),
    ] {
        let catalog = if dialect == Dialect::Duckdb { duckdb() } else { postgres() };
        let sql = ReadOnlySql::parse(text, dialect).unwrap();
        let repaired = repaired(&sql, &catalog).unwrap();
        let one_line = repaired.sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            one_line.replace("( ", "(").replace(" )", ")").replace(" AS o ", " o ").replace(" AS p ", " p "),
            expected.replace(" AS o ", " o ").replace(" AS p ", " p ")
        );
        assert!(!repaired.notes.is_empty());
    }
    for text in [
        // Orders would be counted once for each of their items.
        "SELECT COUNT(*), SUM(items.qty) FROM orders",
        "SELECT items[1].sku FROM orders WHERE tags = ['gift']",
        "SELECT id FROM orders WHERE tags = data",
    ] {
        let sql = ReadOnlySql::parse(text, Dialect::Duckdb).unwrap();
        assert_eq!(repaired(&sql, &duckdb()).unwrap().sql, sql);
    }
}

/// Returns the variants of a query, each with its rule.
fn beside(text: &str, catalog: &Catalog) -> Vec<(String, String)> {
    let (profile, facts) = (Profile::default(), QuestionFacts::default());
    let sql = ReadOnlySql::parse(text, catalog.dialect).unwrap();
    assert_eq!(bind_names(&sql, catalog).problems, [], "{text}");
    let made = vitrine_sql_rules::find_variants(&sql, &input(catalog, &profile, &facts));
    made.into_iter().map(|variant| (variant.rule.into(), variant.sql.as_str().to_owned())).collect()
}

#[test]
fn each_member_stands_beside_one_that_is_added_up() {
    let typed = |dialect, list| {
        let script = format!(
            "CREATE TABLE orders (id INTEGER, items {list}, tags {list});
            CREATE TABLE products (sku VARCHAR(9), label VARCHAR(9));"
        );
        catalog(dialect, &script)
    };
    let (trino, spark) = ("ARRAY(ROW(sku VARCHAR, qty INTEGER))", "ARRAY<STRUCT<sku: STRING, qty: INT>>");
    for (catalog, text, expected) in [
        (
            typed(Dialect::Trino, trino),
            "SELECT SUM(items[1].qty) FROM orders",
            "SELECT SUM(item.qty) FROM orders CROSS JOIN UNNEST(orders.items) AS item (sku, qty)",
        ),
        (
            typed(Dialect::Trino, trino),
            "SELECT o.id, SUM(element_at(o.items, 1).qty) FROM orders o GROUP BY o.id",
            "SELECT o.id, SUM(item.qty) FROM orders o CROSS JOIN UNNEST(o.items) AS item (sku, qty) GROUP BY o.id",
        ),
        (
            typed(Dialect::Databricks, spark),
            "SELECT p.label, SUM(o.items[0].qty) FROM orders o JOIN products p ON o.items[0].sku = p.sku GROUP BY p.label",
            "SELECT p.label, SUM(item.qty) FROM orders o CROSS JOIN LATERAL explode(o.items) AS items (item) JOIN products p ON item.sku = p.sku GROUP BY p.label",
        ),
        (
            bigquery(),
            "SELECT SUM(items[OFFSET(0)].qty) AS n FROM orders ORDER BY SUM(items[OFFSET(0)].qty)",
            "SELECT SUM(item.qty) AS n FROM orders CROSS JOIN UNNEST(orders.items) AS item ORDER BY SUM(item.qty)",
        ),
        (
            typed(Dialect::Clickhouse, "Array(Tuple(sku String, qty Int32))"),
            "SELECT SUM(items[1].qty) FROM orders",
            "SELECT SUM(item.qty) FROM orders ARRAY JOIN orders.items AS item",
        ),
        (
            duckdb(),
            "SELECT COUNT(*) FROM orders WHERE items[1].sku = 'a'",
            "SELECT COUNT(*) FROM orders WHERE EXISTS (SELECT 1 FROM unnest(orders.items) AS items (item) WHERE item.sku = 'a')",
        ),
    ] {
        let one_line = |text: &str| text.split_whitespace().collect::<String>();
        let made: Vec<_> = beside(text, &catalog).into_iter().map(|(rule, sql)| (rule, one_line(&sql))).collect();
        assert_eq!(made, [("R017".to_owned(), one_line(expected))], "{text}");
    }
    for text in [
        // The query shows the first member of each order.
        "SELECT id, items[1].sku FROM orders",
        // Orders would be counted once for each of their items.
        "SELECT COUNT(*), SUM(items[1].qty) FROM orders",
        // Computed positions, plain members, a member of a result.
        "SELECT SUM(items[id].qty) FROM orders",
        "SELECT COUNT(*) FROM orders GROUP BY tags[1]",
        "SELECT SUM(list_sort(items)[1].qty) FROM orders",
        "SELECT SUM(item.qty) FROM orders CROSS JOIN unnest(items) AS t(item)",
        // The sort key is in another query.
        "SELECT customer, (SELECT MAX(label) FROM products WHERE sku = items[1].sku) FROM orders",
    ] {
        assert_eq!(beside(text, &duckdb()), [], "{text}");
    }
}

#[test]
fn sqlite_json_in_text() {
    holds(
        &sqlite(),
        &[
            ("SELECT count(*), json_extract(address, '$.city') AS city FROM orders GROUP BY city", "orders.address"),
            ("SELECT o.id, json_extract(i.value, '$.sku') FROM orders o, json_each(o.items) i", "orders.items"),
            ("SELECT o.id, i.value->>'sku' FROM orders AS o JOIN json_each(o.items) AS i", "orders.items"),
            ("SELECT o.id, i.value->>'$.qty' + 0 FROM orders AS o CROSS JOIN json_each(items) AS i", "orders.items"),
            ("SELECT count(*), value FROM orders, json_each(orders.tags) GROUP BY value", "orders.tags"),
            (
                "SELECT count(*), json_each.value FROM orders, json_each(orders.tags) GROUP BY json_each.value",
                "orders.tags",
            ),
            ("SELECT address->>'$.city' FROM orders WHERE address->>'city' = 'Paris'", "orders.address"),
            (
                "WITH lines AS (SELECT o.id, j.value AS line FROM orders o, json_each(o.items) j) SELECT json_extract(line, '$.sku') AS sku FROM lines GROUP BY sku",
                "orders.items",
            ),
            (
                "WITH lines AS (SELECT o.id, json_extract(j.value, '$.sku') AS sku, json_extract(j.value, '$.qty') AS qty FROM orders o, json_each(o.items) j) SELECT p.label, sum(l.qty) FROM lines l JOIN products p ON p.sku = l.sku GROUP BY p.label",
                "orders.items",
            ),
            ("SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'gift')", "orders.id"),
            ("SELECT id FROM orders WHERE 'gift' IN (SELECT value FROM json_each(orders.tags))", "orders.id"),
            (
                "SELECT t.key, t.fullkey, t.atom FROM orders, json_tree(orders.address) AS t WHERE t.type = 'text'",
                "orders.address",
            ),
            ("SELECT id, json_array_length(items) FROM orders", "orders.items"),
            ("SELECT json_extract(items, '$[0].sku') FROM orders", "orders.items"),
            (
                "SELECT o.id, (SELECT sum(json_extract(value, '$.qty')) FROM json_each(o.items)) AS pieces FROM orders o",
                "orders.items",
            ),
        ],
    );
}

#[test]
fn postgres_json_and_arrays() {
    holds(
        &postgres(),
        &[
            ("SELECT id, item->>'sku' FROM orders, jsonb_array_elements(items) AS item", "orders.items"),
            (
                "SELECT o.id, (item->>'qty')::int FROM orders o CROSS JOIN LATERAL jsonb_array_elements(o.items) AS item",
                "orders.items",
            ),
            ("SELECT o.id, i->>'sku' FROM orders o, jsonb_array_elements(o.items) AS t(i)", "orders.items"),
            ("SELECT item.value->>'sku' FROM orders, jsonb_array_elements(items) AS item", "orders.items"),
            ("SELECT value->>'sku' FROM orders, jsonb_array_elements(items)", "orders.items"),
            ("SELECT count(*), unnest(tags) FROM orders GROUP BY 2", "orders.tags"),
            ("SELECT count(*), tag FROM orders, unnest(tags) AS tag GROUP BY tag", "orders.tags"),
            ("SELECT t.tag FROM orders o JOIN LATERAL unnest(o.tags) AS t(tag) ON true", "orders.tags"),
            ("SELECT o.id, t.n FROM orders o, unnest(o.tags) WITH ORDINALITY AS t(tag, n)", "orders.tags"),
            ("SELECT id FROM orders WHERE 'gift' = ANY(tags)", "orders.id"),
            ("SELECT id FROM orders WHERE tags @> ARRAY['gift']", "orders.id"),
            ("SELECT count(*), address->>'city' FROM orders GROUP BY address->>'city'", "orders.address"),
            ("SELECT address#>>'{geo,lat}' FROM orders", "orders.address"),
            ("SELECT (address->'geo'->>'lat')::numeric FROM orders", "orders.address"),
            ("SELECT id FROM orders WHERE address @> '{\"city\": \"Paris\"}'", "orders.id"),
            ("SELECT key, value FROM orders, json_each_text(attrs)", "orders.attrs"),
            ("SELECT x.sku, x.qty FROM orders o, jsonb_to_recordset(o.items) AS x(sku text, qty int)", "orders.items"),
            ("SELECT tags[1] FROM orders", "orders.tags"),
            (
                "WITH lines AS (SELECT id, jsonb_array_elements(items) AS line FROM orders) SELECT line->>'sku', sum((line->>'qty')::int) AS n FROM lines GROUP BY 1",
                "orders.items",
            ),
            ("SELECT id, jsonb_array_length(items) FROM orders", "orders.items"),
            (
                "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM jsonb_array_elements(o.items) AS i WHERE (i->>'qty')::int > 2)",
                "orders.id",
            ),
            ("SELECT jsonb_path_query(items, '$[*].sku') FROM orders", "orders.items"),
            (
                "SELECT o.id, l.sku FROM orders o, LATERAL (SELECT i->>'sku' AS sku FROM jsonb_array_elements(o.items) AS i) AS l",
                "orders.items",
            ),
        ],
    );
}

#[test]
fn snowflake_flatten_and_paths() {
    holds(
        &snowflake(),
        &[
            ("SELECT o.id, f.value:sku::STRING FROM orders o, LATERAL FLATTEN(input => o.items) f", "ORDERS.ITEMS"),
            (
                "SELECT o.id, f.value:\"sku\"::STRING AS sku FROM orders o, LATERAL FLATTEN(INPUT => o.items) AS f WHERE f.value:qty > 1",
                "ORDERS.ITEMS",
            ),
            (
                "SELECT o.id, f.value::VARIANT:\"sku\"::STRING AS sku FROM orders o, LATERAL FLATTEN(input => o.items) f",
                "ORDERS.ITEMS",
            ),
            ("SELECT o.id, value:sku::STRING FROM orders o, LATERAL FLATTEN(input => o.items)", "ORDERS.ITEMS"),
            ("SELECT o.id, f.value['sku']::STRING FROM orders o, TABLE(FLATTEN(input => o.items)) f", "ORDERS.ITEMS"),
            (
                "SELECT o.id, f.index FROM orders o CROSS JOIN LATERAL FLATTEN(input => o.items, outer => true) f",
                "ORDERS.ITEMS",
            ),
            (
                "SELECT count(*), t.value::STRING AS tag FROM orders, LATERAL FLATTEN(input => tags) t GROUP BY tag",
                "ORDERS.TAGS",
            ),
            ("SELECT address:city::STRING, count(*) FROM orders GROUP BY address:city::STRING", ""),
            ("SELECT o.address:geo.lat::FLOAT FROM orders o WHERE o.address:city = 'Paris'", "ORDERS.ADDRESS"),
            ("SELECT o.items[0]:sku::STRING FROM orders o", "ORDERS.ITEMS"),
            ("SELECT id FROM orders WHERE ARRAY_CONTAINS('gift'::VARIANT, tags)", "ORDERS.ID"),
            ("SELECT PARSE_JSON(customer):name::STRING FROM orders", "ORDERS.CUSTOMER"),
            ("SELECT ARRAY_SIZE(items) FROM orders", "ORDERS.ITEMS"),
            ("SELECT GET_PATH(address, 'geo.lat') FROM orders", "ORDERS.ADDRESS"),
            (
                "WITH lines AS (SELECT o.id, f.value AS line FROM orders o, LATERAL FLATTEN(input => o.items) f) SELECT p.label, SUM(l.line:qty::INT) FROM lines l JOIN products p ON p.sku = l.line:sku::STRING GROUP BY p.label",
                "ORDERS.ITEMS",
            ),
            (
                "SELECT k.key, k.value::STRING FROM orders o, LATERAL FLATTEN(input => o.address) k WHERE k.key ILIKE '%city%'",
                "ORDERS.ADDRESS",
            ),
            (
                "SELECT o.id, g.value:x FROM orders o, LATERAL FLATTEN(input => o.items) f, LATERAL FLATTEN(input => f.value:parts) g",
                "ORDERS.ITEMS",
            ),
        ],
    );
}

#[test]
fn bigquery_unnest() {
    holds(
        &bigquery(),
        &[
            ("SELECT o.id, item.sku FROM orders AS o, UNNEST(o.items) AS item", "orders.items"),
            ("SELECT id, item.sku FROM orders, UNNEST(items) AS item WHERE item.qty > 1", "orders.items"),
            (
                "SELECT item.sku, SUM(item.qty) AS n FROM orders CROSS JOIN UNNEST(items) AS item GROUP BY item.sku ORDER BY n DESC",
                "orders.items",
            ),
            ("SELECT o.id, item.sku FROM orders o, o.items AS item", "orders.items"),
            ("SELECT o.id, sku FROM orders o, UNNEST(o.items)", "orders.items"),
            ("SELECT count(*), tag FROM orders, UNNEST(tags) AS tag GROUP BY tag", "orders.tags"),
            ("SELECT id, off FROM orders, UNNEST(tags) AS tag WITH OFFSET AS off", "orders.tags"),
            ("SELECT o.id FROM orders o WHERE 'gift' IN UNNEST(o.tags)", "orders.id"),
            (
                "SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM UNNEST(o.items) AS i WHERE i.qty > 2)",
                "orders.id",
            ),
            ("SELECT o.id, (SELECT SUM(i.qty) FROM UNNEST(o.items) AS i) AS pieces FROM orders o", "orders.items"),
            ("SELECT o.id, ARRAY(SELECT i.sku FROM UNNEST(o.items) AS i) AS skus FROM orders o", "orders.items"),
            ("SELECT count(*), address.city FROM orders GROUP BY address.city", "orders.address"),
            ("SELECT o.address.geo.lat FROM orders AS o", "orders.address"),
            ("SELECT items[OFFSET(0)].sku FROM orders", "orders.items"),
            ("SELECT items[SAFE_OFFSET(0)].sku FROM orders", "orders.items"),
            ("SELECT JSON_VALUE(data, '$.channel') FROM orders", "orders.data"),
            (
                "SELECT JSON_EXTRACT_SCALAR(f, '$.name') FROM orders AS t, UNNEST(JSON_EXTRACT_ARRAY(t.data, '$.parts')) AS f",
                "orders.data",
            ),
            ("SELECT ARRAY_LENGTH(items) FROM orders", "orders.items"),
            (
                "WITH parts AS (SELECT o.id, item FROM orders o, UNNEST(o.items) AS item) SELECT p.label, SUM(parts.item.qty) FROM parts JOIN products p ON p.sku = parts.item.sku GROUP BY p.label",
                "orders.items",
            ),
            ("SELECT id, item.* FROM orders, UNNEST(items) AS item", "orders.id"),
        ],
    );
}
