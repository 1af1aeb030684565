//! Tests the steps of queries. Whether chains give the results of their queries is measured over thousands of queries
//! (`npm run bench`, section explain).

use crate::{Expression, NotTakenApart, StepKind, Steps, describe_sql, take_apart};
use vitrine_domain::{Catalog, Column, Dialect, Table, TableKind, TableName};
use vitrine_sql::ReadOnlySql;

const ALL: [Dialect; 5] = [Dialect::Sqlite, Dialect::Duckdb, Dialect::Postgres, Dialect::Snowflake, Dialect::Bigquery];

/// Queries of all kinds, one per line; not each is valid in every dialect.
const QUERIES: &str = include_str!("queries.sql");

fn test_catalog(dialect: Dialect) -> Catalog {
    let table = |name: &str, columns: &[&str], key: &[&str]| Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns
            .iter()
            .map(|name| Column { name: (*name).into(), data_type: "TEXT".into(), nullable: true, comment: None })
            .collect(),
        primary_key: key.iter().map(|name| (*name).into()).collect(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
    };
    let tables = vec![
        table("cities", &["city", "region"], &["city"]),
        table("customers", &["id", "name", "city", "age", "active", "place"], &["id"]),
        table("orders", &["id", "customer_id", "total", "day"], &["id"]),
        table("items", &["id", "order_id", "price"], &["id"]),
        table("typed", &["code", "num", "label"], &[]),
        table("odd table", &["order total", "group"], &[]),
    ];
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables,
    }
}

fn split_into_steps(sql: &str, dialect: Dialect) -> Result<Steps, NotTakenApart> {
    take_apart(&ReadOnlySql::parse(sql, dialect).unwrap(), &test_catalog(dialect))
}

fn step_names(sql: &str, dialect: Dialect) -> String {
    let steps = split_into_steps(sql, dialect).unwrap();
    let names: Vec<&str> = steps.steps().iter().map(|step| step.name.as_str()).collect();
    names.join(" ")
}

fn join_texts<'e>(expressions: impl IntoIterator<Item = &'e Expression>) -> String {
    expressions.into_iter().map(|expression| expression.text.as_str()).collect::<Vec<_>>().join(" | ")
}

/// Describes a step on one line.
fn describe_kind(kind: &StepKind) -> String {
    match kind {
        StepKind::Table { table, filters } => format!("table {table}: {}", join_texts(filters)),
        StepKind::Join { kind, left, right, condition } => {
            format!("{kind:?} join of {left} with {right}: {}", join_texts(condition))
        }
        StepKind::Filter { conditions } => format!("filter: {}", join_texts(conditions)),
        StepKind::Having { conditions } => format!("having: {}", join_texts(conditions)),
        StepKind::Group { keys, aggregates, order } => {
            let aggregates: Vec<String> = aggregates
                .iter()
                .map(|a| {
                    let distinct = if a.distinct { " distinct" } else { "" };
                    format!("{} = {}{distinct} of {}", a.name, a.function, join_texts(&a.argument))
                })
                .collect();
            let keys = join_texts(keys.iter().map(|key| &key.value));
            format!(
                "group by {keys}: {}; order {}",
                aggregates.join(", "),
                join_texts(order.iter().map(|key| &key.value))
            )
        }
        StepKind::Window { outputs } => format!("window: {}", join_texts(outputs.iter().map(|output| &output.value))),
        StepKind::Project { outputs } => format!("columns: {}", join_texts(outputs.iter().map(|output| &output.value))),
        StepKind::Distinct => "distinct".into(),
        StepKind::SetOperation { operation, all, left, right, .. } => {
            format!("{operation:?} of {left} and {right}, all {all}")
        }
        StepKind::Order { keys, limit, distinct } => {
            let keys: Vec<String> = keys
                .iter()
                .map(|key| format!("{}{}", key.value.text, if key.descending { " down" } else { "" }))
                .collect();
            format!("order: {}; {limit:?}, distinct {distinct}", keys.join(" | "))
        }
        StepKind::Limit(limit) => format!("{limit:?}"),
        StepKind::Query { reason } => format!("whole because of {reason}"),
    }
}

fn show_steps(sql: &str, dialect: Dialect) -> String {
    let steps = split_into_steps(sql, dialect).unwrap();
    let mut text = format!("{sql}\n");
    for step in steps.steps() {
        let columns: Vec<String> = step
            .columns
            .iter()
            .map(|column| match &column.origin {
                Some(origin) => format!("{} ({}.{})", column.name, origin.table, origin.column),
                None => column.name.clone(),
            })
            .collect();
        text.push_str(&format!(
            "\n{} <- {}\n  {}\n  {}\n{}\n",
            step.name,
            step.reads.join(", "),
            describe_kind(&step.kind),
            columns.join(", "),
            step.sql
        ));
    }
    text.push_str(&format!("\n{}", steps.full_sql()));
    text
}

#[test]
fn queries_become_as_few_steps_as_a_person_would_name() {
    for (sql, expected) in [
        ("SELECT name FROM customers", "s1_customers"),
        ("SELECT name FROM customers WHERE age > 30", "s1_customers"),
        ("SELECT count(*) FROM customers", "s1_group"),
        ("SELECT count(*) FROM customers WHERE age > 30", "s1_customers s2_group"),
        ("SELECT DISTINCT city FROM customers WHERE age > 30 ORDER BY city", "s1_customers s2_order"),
        ("SELECT name FROM customers ORDER BY age LIMIT 1", "s1_order"),
        ("SELECT city, count(*) FROM customers GROUP BY city HAVING count(*) > 1", "s1_group s2_having"),
        (
            "SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.total > 5 AND c.age > o.total",
            "s1_orders s2_join_orders s3_filter",
        ),
        (
            "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 5)",
            "s1_orders s2_customers",
        ),
        ("SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)", "s1_customers"),
        ("SELECT city FROM customers UNION SELECT city FROM cities", "s1_union"),
        ("WITH old AS (SELECT * FROM customers WHERE age > 60) SELECT * FROM old", "old"),
        ("WITH old AS (SELECT * FROM customers), b AS (SELECT 1) SELECT count(*) FROM old", "old s3_group"),
    ] {
        for dialect in ALL {
            let expected: Vec<String> =
                expected.split(' ').map(|name| vitrine_sql::fold_identifier(name, dialect)).collect();
            assert_eq!(step_names(sql, dialect), expected.join(" "), "{sql} in {dialect:?}");
        }
    }
}

#[test]
fn filters_move_only_where_no_row_is_lost() {
    let text = show_steps(
        "SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.day > '2024' WHERE o.total > 5 AND \
         c.age > 30",
        Dialect::Sqlite,
    );
    assert!(text.contains("table customers: customers.age > 30"), "{text}");
    assert!(text.contains("LEFT JOIN orders AS o ON o.customer_id = s1_customers.id AND o.day > '2024'"), "{text}");
    assert!(text.contains("filter: orders.total > 5"), "{text}");
}

#[test]
fn a_field_is_read_from_its_column_and_is_no_column_itself() {
    for dialect in [Dialect::Duckdb, Dialect::Bigquery, Dialect::Databricks, Dialect::Trino, Dialect::Clickhouse] {
        for (sql, expected) in [
            ("SELECT count(*) FROM customers WHERE place.city = 'Bern'", "table customers: place.city = 'Bern'"),
            (
                "SELECT c.place.geo.lat FROM customers c JOIN orders o ON o.customer_id = c.id",
                "columns: customers.place.geo.lat",
            ),
            ("SELECT c.place.city, count(*) FROM customers c GROUP BY c.place.city", "group by place.city: count"),
            (
                "SELECT name FROM customers WHERE place.city IN (SELECT region FROM cities WHERE city = 'x')",
                "place.city IN (SELECT",
            ),
            (
                "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM cities t WHERE t.city = c.place.city)",
                "t.city = customers.place.city",
            ),
        ] {
            let text = show_steps(sql, dialect);
            let said = text.replace('`', "").replace("__", "");
            assert!(said.contains(expected), "{dialect:?}: {text}");
        }
    }
    let unknown = split_into_steps("SELECT place.city FROM orders", Dialect::Duckdb).unwrap_err().reason;
    assert_eq!(unknown, "the name place");
}

#[test]
fn what_is_read_of_lists_is_a_step_and_the_rest_is_taken_apart() {
    let sum = "s1_query s2_group";
    for (dialect, sql, expected, first) in [
        (
            Dialect::Duckdb,
            "SELECT SUM(item.price) FROM orders CROSS JOIN unnest(orders.day) AS t(item)",
            sum,
            "SELECT item.price AS price FROM orders CROSS JOIN unnest(orders.day) AS t (item)",
        ),
        (
            Dialect::Bigquery,
            "SELECT o.id, SUM(item.price * item.n) AS worth FROM orders AS o, UNNEST(o.day) AS item GROUP BY o.id",
            sum,
            "SELECT o.id AS id, item.price AS price, item.n AS n FROM orders AS o, UNNEST(o.day) AS item",
        ),
        (
            Dialect::Trino,
            "SELECT c.name, SUM(qty) FROM orders o CROSS JOIN UNNEST(o.day) AS i (sku, qty) JOIN customers c ON c.id = o.customer_id WHERE i.sku = 'a' GROUP BY c.name",
            "s1_query s2_filter s3_join_customers s4_group",
            "SELECT qty AS qty, o.customer_id AS customer_id, i.sku AS sku FROM orders o CROSS JOIN UNNEST(o.day) AS i (sku, qty)",
        ),
        (
            Dialect::Clickhouse,
            "SELECT item.sku, count(*) AS n FROM orders ARRAY JOIN orders.day AS item GROUP BY item.sku ORDER BY n DESC LIMIT 3",
            "s1_query s2_group s3_order",
            "SELECT item.sku AS sku FROM orders ARRAY JOIN orders.day AS item",
        ),
        (
            Dialect::Databricks,
            "SELECT COUNT(*) FROM orders LATERAL VIEW explode(day) t AS item WHERE item.price > 5",
            "s1_query s2_filter s3_group",
            "SELECT item.price AS price FROM orders CROSS JOIN LATERAL explode(day) AS t (item)",
        ),
        (
            Dialect::Snowflake,
            "SELECT o.ID, SUM(f.value:price::INT) FROM ORDERS o, LATERAL FLATTEN(INPUT => o.DAY) f GROUP BY o.ID",
            sum,
            "SELECT O.ID AS ID, F.VALUE AS VALUE FROM ORDERS O, LATERAL FLATTEN(INPUT => O.DAY) F",
        ),
        (
            Dialect::Duckdb,
            "SELECT c.name, SUM(item.n) FROM orders o, unnest(o.day) AS t(item) JOIN customers c ON c.id = o.customer_id GROUP BY c.name",
            "s1_query s2_join_customers s3_group",
            "SELECT item.n AS n, o.customer_id AS customer_id FROM orders o, unnest(o.day) AS t (item)",
        ),
        (
            Dialect::Duckdb,
            "SELECT c.name, SUM(item.n) FROM customers c JOIN orders o ON c.id = o.customer_id, unnest(o.day) AS t(item) GROUP BY c.name",
            "s1_query s2_join_customers s3_group",
            "SELECT item.n AS n, o.customer_id AS customer_id FROM orders o, unnest(o.day) AS t (item)",
        ),
        (
            Dialect::Trino,
            "SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id CROSS JOIN UNNEST(day) AS i (sku) GROUP BY c.name",
            "s1_query s2_join_customers s3_group",
            "SELECT o.customer_id AS customer_id FROM orders o CROSS JOIN UNNEST(day) AS i (sku)",
        ),
        (
            Dialect::Duckdb,
            "SELECT c.price, SUM(item.n) FROM orders o CROSS JOIN unnest(o.day) AS t(item) JOIN items c USING (id) GROUP BY c.price",
            "s1_query s2_join_items s3_group",
            "SELECT o.id AS id, item.n AS n FROM orders o CROSS JOIN unnest(o.day) AS t (item)",
        ),
        (
            Dialect::Mssql,
            "SELECT TOP (3) o.id, SUM(i.n) AS n FROM orders AS o CROSS APPLY OPENJSON(o.day) WITH (n INT '$.n') AS i GROUP BY o.id ORDER BY SUM(i.n) DESC",
            "s1_query s2_group s3_order",
            "SELECT o.id AS id, i.n AS n FROM orders AS o CROSS APPLY OPENJSON(o.day) WITH (n INT '$.n') AS i",
        ),
        (
            Dialect::Sqlite,
            "SELECT count(*) FROM orders AS o, json_each(o.day) AS j WHERE j.value = 'x'",
            "s1_query s2_filter s3_group",
            "SELECT j.value AS value FROM orders AS o, json_each(o.day) AS j",
        ),
    ] {
        let steps = split_into_steps(sql, dialect).unwrap_or_else(|why| panic!("{sql}: {why:?}"));
        let names: Vec<&str> = steps.steps().iter().map(|step| step.name.as_str()).collect();
        assert_eq!(
            (names.join(" ").to_lowercase().as_str(), steps.steps()[0].sql.as_str()),
            (expected, first),
            "{sql}"
        );
        assert!(matches!(&steps.steps()[0].kind, StepKind::Query { reason } if reason.contains("list")), "{sql}");
    }
    for (sql, reason) in [
        ("SELECT o.id, item.price FROM orders o, unnest(o.day) AS t(item)", "each member of a list is a row"),
        // The owner of the column is unknown.
        ("SELECT count(*) FROM orders o, unnest(o.day) AS t(item) WHERE nobody_knows = 1", "a function gives rows"),
    ] {
        assert_eq!(split_into_steps(sql, Dialect::Duckdb).unwrap_err().reason, reason);
    }
}

#[test]
fn names_are_new_to_the_query() {
    assert_eq!(
        step_names("SELECT s1_customers.name AS s2_order FROM customers AS s1_customers", Dialect::Sqlite),
        "s1_customers_"
    );
}

#[test]
fn the_last_step_has_the_columns_of_the_query() {
    let last = |sql: &str, dialect: Dialect| {
        let steps = split_into_steps(sql, dialect).unwrap();
        let columns = &steps.steps().last().unwrap().columns;
        columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ")
    };
    let sql = "SELECT c.id, o.id, COUNT( o.total ) , max(age)+1 AS m FROM customers c JOIN orders o ON c.id = o.id GROUP BY 1, 2";
    assert_eq!(last(sql, Dialect::Sqlite), "id, id, COUNT( o.total ), m");
    assert_eq!(last(sql, Dialect::Duckdb), "id, id, count(o.total), m");
    assert_eq!(last(sql, Dialect::Postgres), "id, id, count, m");
}

#[test]
fn what_is_not_understood_is_said() {
    for (sql, reason) in [
        ("SELECT value FROM json_each('[1]')", "a function gives rows"),
        ("SELECT nothing FROM customers", "the name nothing"),
        ("SELECT * FROM nowhere", "the table nowhere is not in the catalog"),
        ("VALUES (1, 2)", "rows that are written out"),
    ] {
        assert_eq!(split_into_steps(sql, Dialect::Sqlite).unwrap_err().reason, reason, "{sql}");
    }
}

#[test]
fn a_part_that_is_not_understood_stays_whole() {
    let steps = split_into_steps(
        "SELECT name FROM customers WHERE id IN (SELECT value FROM json_each('[1]')) UNION SELECT city FROM cities",
        Dialect::Sqlite,
    );
    let steps = steps.unwrap();
    assert!(matches!(&steps.steps()[0].kind, StepKind::Query { .. }), "{steps:?}");
    assert!(matches!(&steps.steps()[1].kind, StepKind::SetOperation { .. }), "{steps:?}");
}

#[test]
fn all_that_is_written_is_a_query_that_only_reads() {
    let mut taken = 0;
    for dialect in ALL {
        let catalog = test_catalog(dialect);
        for sql in QUERIES.lines() {
            let Ok(parsed) = ReadOnlySql::parse(sql, dialect) else { continue };
            let Ok(steps) = take_apart(&parsed, &catalog) else { continue };
            taken += 1;
            assert_eq!(steps.full_sql(), steps.sql_of(steps.steps().len() - 1));
            for at in 0..steps.steps().len() {
                let text = steps.sql_of(at);
                ReadOnlySql::parse(&text, dialect).unwrap_or_else(|e| panic!("{dialect:?}: {e}\n{sql}\n{text}"));
            }
        }
    }
    assert!(taken > 600, "{taken}");
}

#[test]
fn steps_read_what_stands_before_them() {
    // A view with the name of a table hides it.
    for sql in QUERIES.lines().filter(|sql| !sql.starts_with("WITH customers AS")) {
        let Ok(parsed) = ReadOnlySql::parse(sql, Dialect::Sqlite) else { continue };
        let Ok(steps) = take_apart(&parsed, &test_catalog(Dialect::Sqlite)) else { continue };
        let mut known: Vec<&str> = vec!["cities", "customers", "orders", "items", "typed", "odd table"];
        for step in steps.steps() {
            assert!(step.reads.iter().all(|name| known.contains(&name.as_str())), "{sql}: {step:?}");
            assert!(!known.contains(&step.name.as_str()), "{sql}: {step:?}");
            known.push(&step.name);
        }
    }
}

#[test]
fn representative_queries() {
    for (name, dialect, sql) in [
        (
            "join_group_order",
            Dialect::Sqlite,
            "SELECT c.name, count(*), sum(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.total > 5 AND \
             c.city = \"Bern\" GROUP BY c.id HAVING count(*) > 1 ORDER BY sum(o.total) DESC, c.name LIMIT 3",
        ),
        ("groups_in_order", Dialect::Sqlite, "SELECT city FROM customers GROUP BY city ORDER BY count(*) DESC LIMIT 1"),
        (
            "left_join",
            Dialect::Sqlite,
            "SELECT c.name, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL",
        ),
        (
            "self_join",
            Dialect::Sqlite,
            "SELECT a.name, b.name FROM customers a, customers b WHERE a.city = b.city AND a.id < b.id AND b.age > 30",
        ),
        (
            "uncorrelated",
            Dialect::Sqlite,
            "SELECT name FROM customers WHERE age > (SELECT avg(age) FROM customers) AND id NOT IN (SELECT customer_id FROM \
             orders WHERE total > 5)",
        ),
        (
            "correlated",
            Dialect::Duckdb,
            "SELECT name, (SELECT max(total) FROM orders o WHERE o.customer_id = c.id) AS most FROM customers c WHERE EXISTS \
             (SELECT 1 FROM orders WHERE customer_id = c.id) ORDER BY most DESC",
        ),
        (
            "set_operation",
            Dialect::Duckdb,
            "SELECT name, age + 1 AS next FROM customers WHERE active = 1 EXCEPT SELECT city, 0 FROM cities ORDER BY next",
        ),
        (
            "views",
            Dialect::Duckdb,
            "WITH big AS (SELECT customer_id, total FROM orders WHERE total > 20), n AS (SELECT customer_id, count(*) AS k FROM \
             big GROUP BY 1) SELECT c.name, n.k FROM n JOIN customers c ON c.id = n.customer_id ORDER BY k DESC, 1",
        ),
        (
            "windows",
            Dialect::Duckdb,
            "SELECT city, name FROM customers QUALIFY row_number() OVER (PARTITION BY city ORDER BY age DESC) = 1 ORDER BY city",
        ),
        (
            "share",
            Dialect::Postgres,
            "SELECT region, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS share FROM customers JOIN cities USING (city) \
             GROUP BY region ORDER BY share DESC NULLS LAST",
        ),
        (
            "known_by_the_key",
            Dialect::Postgres,
            "SELECT c.id, c.name, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY \
             count(o.id) DESC",
        ),
        (
            "recursive",
            Dialect::Postgres,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT n.i, c.name FROM n LEFT JOIN \
             customers c ON c.id = n.i WHERE n.i > 1 ORDER BY n.i",
        ),
    ] {
        insta::assert_snapshot!(name, show_steps(sql, dialect));
    }
}

/// Names as they occur in files: with blanks, punctuation and SQL keywords.
#[test]
fn a_name_that_needs_quotes_is_said_whole() {
    for dialect in ALL {
        let quote = if dialect == Dialect::Bigquery { '`' } else { '"' };
        let sql =
            "SELECT SUM([order total]) FROM [odd table] WHERE [order total] > 100 AND [group] = 'x' GROUP BY [group]";
        let sql = sql.replace(['[', ']'], &quote.to_string());
        let steps = split_into_steps(&sql, dialect).unwrap();
        let texts: Vec<String> = steps
            .steps()
            .iter()
            .flat_map(|step| condition_texts(&step.kind))
            .map(|text| describe_sql(&text, dialect))
            .collect();
        let said = texts.join(" | ");
        assert!(said.contains("order total") && said.contains("100") && said.contains("group"), "{dialect:?}: {said}");
        assert!(!said.contains('`'), "{dialect:?}: {said}");
    }
}

#[test]
fn two_bounds_of_a_date_are_described_as_one_period() {
    let periods = [
        ("placed >= '2025-01-01' AND placed < '2026-01-01'", "placed is in 2025"),
        ("paid = 1 AND placed < DATE '2025-04-01' AND placed >= DATE '2025-01-01'", "placed is in quarter 1 of 2025"),
        ("o.placed >= '2024-12-01 00:00:00' AND o.placed < '2025-01-01T00:00:00'", "placed of o is in December 2024"),
    ];
    for (sql, expected) in periods {
        let said = describe_sql(sql, Dialect::Duckdb);
        assert!(said.ends_with(expected), "{sql}: {said}");
    }
    let others = [
        "placed >= '2025-01-01' AND placed <= '2025-12-31'",
        "placed >= '2025-01-01' AND shipped < '2026-01-01'",
        "placed >= '2025-01-01' AND placed < '2026-01-02'",
        "placed >= '2025-02-01' AND placed < '2025-05-01'",
        "placed >= '2025-01-01 06:00:00' AND placed < '2026-01-01'",
        "placed > '2025-01-01' AND placed < '2026-01-01'",
        "placed >= '2026-01-01' AND placed < '2025-01-01'",
        "placed >= '2025-01-01' OR placed < '2026-01-01'",
    ];
    for sql in others {
        let said = describe_sql(sql, Dialect::Duckdb);
        assert!(!said.contains(" is in "), "{sql}: {said}");
    }
}

/// Returns the conditions of a step as text.
fn condition_texts(kind: &StepKind) -> Vec<String> {
    match kind {
        StepKind::Table { filters: conditions, .. } | StepKind::Filter { conditions } => {
            conditions.iter().map(|condition| condition.text.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// Snowflake folds unquoted names to upper case: `paid` is `PAID`, which differs from `"paid"`.
#[test]
fn names_of_snowflake_are_those_that_the_query_means() {
    let mut catalog = test_catalog(Dialect::Snowflake);
    for table in &mut catalog.tables {
        table.name.name = table.name.name.to_uppercase();
        table.columns.iter_mut().for_each(|column| column.name = column.name.to_uppercase());
        table.primary_key.iter_mut().for_each(|key| *key = key.to_uppercase());
    }
    let whole =
        |sql: &str| take_apart(&ReadOnlySql::parse(sql, Dialect::Snowflake).unwrap(), &catalog).unwrap().full_sql();
    for sql in [
        "WITH paid AS (SELECT id, customer_id, total FROM orders WHERE total > 5) \
         SELECT c.name, SUM(p.total) AS revenue, (SELECT COUNT(*) FROM paid AS q WHERE q.customer_id = c.id) AS n \
         FROM customers AS c JOIN paid AS p ON p.customer_id = c.id GROUP BY c.name, c.id ORDER BY revenue DESC",
        "SELECT city, sum(age) AS years FROM customers GROUP BY city HAVING sum(age) > (SELECT max(total) FROM orders) ORDER BY 2",
        "WITH Paid AS (SELECT customer_id FROM Orders) SELECT name FROM customers WHERE id IN (SELECT customer_id FROM PAID)",
    ] {
        assert!(!whole(sql).contains('"'), "nothing here has a name of its own letters: {}", whole(sql));
    }
    let own = whole(
        "WITH \"paid\" AS (SELECT id, total AS \"Worth\" FROM orders) SELECT \"Worth\" FROM \"paid\" ORDER BY \"Worth\"",
    );
    assert!(own.contains("\"paid\"") && own.contains("\"Worth\"") && !own.contains("PAID"), "{own}");
    let (behind, counts) = {
        let sql = ReadOnlySql::parse("SELECT name FROM customers WHERE age > 30", Dialect::Snowflake).unwrap();
        let steps = take_apart(&sql, &catalog).unwrap();
        assert!(!steps.can_be_numbered());
        (steps.gather_query(&["SELECT 1"], &[0], 3), steps.row_count_queries(&catalog))
    };
    assert!(!behind.contains("MATERIALIZED"), "Snowflake has no such word: {behind}");
    assert!(counts.values().all(|sql| !sql.contains('"')), "{counts:?}");
}
