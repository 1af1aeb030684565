use super::*;

const TABLES: &str = "
    CREATE TABLE orders (id INT PRIMARY KEY, customer_id INT REFERENCES customers(id), product TEXT, status TEXT,
        is_test BOOLEAN, amount INT, d DATE, year INT);
    CREATE TABLE customers (id INT PRIMARY KEY, country TEXT, state TEXT);
    CREATE TABLE suppliers (id INT PRIMARY KEY, country TEXT);
    CREATE TABLE prices (id INT PRIMARY KEY, product TEXT, year INT, price INT, is_current BOOLEAN);
    CREATE TABLE notes (order_id INT, text TEXT);
    CREATE TABLE views (page TEXT, hits INT);
    CREATE TABLE pages (page TEXT, title TEXT);";

fn catalog() -> Catalog {
    Catalog {
        database: "shop".into(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables: vitrine_ddl::parse(TABLES, Dialect::Duckdb).expect("tables"),
    }
}

fn listed(text: &str) -> Vec<RowCondition> {
    list_conditions(&ReadOnlySql::parse(text, Dialect::Duckdb).expect(text), &catalog())
}

/// Returns the texts, parameter names and remaining query of each condition.
fn conditions(text: &str) -> Vec<(String, Vec<String>, String)> {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    listed(text)
        .into_iter()
        .map(|condition| {
            let names = condition.parameters.into_iter().map(|parameter| parameter.name).collect();
            let without = condition.without.map_or_else(String::new, |sql| one_line(sql.as_str()));
            (condition.texts.join(" AND "), names, without)
        })
        .collect()
}

fn found(texts: &str, names: &[&str], without: &str) -> (String, Vec<String>, String) {
    (texts.to_owned(), names.iter().map(|&name| name.to_owned()).collect(), without.to_owned())
}

/// Returns the texts of all conditions, each with a minus if it cannot be removed.
fn texts(text: &str) -> Vec<String> {
    let sign = |condition: &RowCondition| if condition.without.is_some() { "" } else { "-" };
    listed(text).iter().map(|condition| format!("{}{}", sign(condition), condition.texts.join(" AND "))).collect()
}

#[test]
fn each_condition_is_removed_alone() {
    assert_eq!(
        conditions("SELECT id FROM orders WHERE status = 'x' AND d IS NULL"),
        [
            found("status = 'x'", &["status"], "SELECT id FROM orders WHERE d IS NULL"),
            found("d IS NULL", &[], "SELECT id FROM orders WHERE status = 'x'"),
        ]
    );
    assert_eq!(
        conditions("SELECT id FROM orders WHERE year = 1"),
        [found("year = 1", &["year"], "SELECT id FROM orders")]
    );
}

#[test]
fn two_bounds_of_a_column_are_one_condition() {
    assert_eq!(
        conditions("SELECT o.id FROM orders AS o WHERE o.d >= '2025-01-01' AND o.year = 1 AND o.d < '2026-01-01'"),
        [
            found(
                "d >= '2025-01-01' AND d < '2026-01-01'",
                &["d_from", "d_to"],
                "SELECT o.id FROM orders AS o WHERE o.year = 1"
            ),
            found(
                "year = 1",
                &["year"],
                "SELECT o.id FROM orders AS o WHERE o.d >= '2025-01-01' AND o.d < '2026-01-01'"
            ),
        ]
    );
}

#[test]
fn a_condition_that_also_restricts_a_total_is_omitted() {
    let share = "SELECT 100.0 * sum(amount) / (SELECT sum(amount) FROM orders WHERE is_test = FALSE) FROM orders \
                 WHERE is_test = FALSE AND status = 'paid'";
    assert_eq!(texts(share), [""; 0]);
    for other in [
        "SELECT sum(CASE WHEN 'Paid' = o.\"Status\" THEN 1 END) FROM orders AS o WHERE o.status = 'paid'",
        "SELECT count(*) FILTER (WHERE status IN ('paid')) FROM orders WHERE status = 'paid'",
        "SELECT count(*) FROM orders AS o JOIN customers AS c ON c.id = o.customer_id AND c.country = 'DE' \
         WHERE c.country = 'DE'",
        "SELECT id FROM orders WHERE status = 'paid' UNION ALL SELECT id FROM orders WHERE status = 'paid'",
        "SELECT id FROM orders WHERE year = 2025 AND amount > (SELECT avg(amount) FROM orders WHERE year = 2025)",
        "SELECT id FROM orders WHERE status = 'paid' AND status = 'paid'",
    ] {
        assert_eq!(texts(other), [""; 0], "{other}");
    }
    let neighbour = "SELECT sum(CASE WHEN status = 'open' THEN 1 END) FROM orders WHERE is_test = FALSE";
    assert_eq!(texts(neighbour), ["is_test = false"]);
}

#[test]
fn only_views_that_restrict_the_answer_are_listed() {
    let paid = "WITH paid AS (SELECT customer_id FROM orders WHERE status = 'paid')";
    for (rest, expected) in [
        ("SELECT count(*) FROM paid", vec!["status = 'paid'"]),
        // More of its rows could multiply customers.
        ("SELECT c.id FROM customers AS c JOIN paid ON paid.customer_id = c.id", vec!["-status = 'paid'"]),
        ("SELECT c.id FROM customers AS c LEFT JOIN paid ON paid.customer_id = c.id", vec![]),
        ("SELECT c.id FROM customers AS c WHERE c.id NOT IN (SELECT customer_id FROM paid)", vec![]),
        ("SELECT count(*) / (SELECT count(*) FROM paid) FROM customers", vec![]),
        ("SELECT a.customer_id FROM paid AS a JOIN paid AS b ON a.customer_id = b.customer_id", vec![]),
        ("SELECT (SELECT count(*) FROM orders) - count(*) FROM paid", vec![]),
    ] {
        assert_eq!(texts(&format!("{paid} {rest}")), expected, "{rest}");
    }
    let chain = "WITH a AS (SELECT id, amount FROM orders WHERE status = 'paid'), b AS (SELECT id FROM a) SELECT count(*) FROM b";
    assert_eq!(texts(chain), ["status = 'paid'"]);
    let nested = "WITH a AS (WITH b AS (SELECT id FROM orders WHERE status = 'paid') SELECT id FROM b WHERE id = 1) SELECT id FROM a";
    assert_eq!(texts(nested), [""; 0]);
}

#[test]
fn the_same_condition_of_two_views_of_a_table_is_one() {
    let text = "WITH v AS (SELECT customer_id AS a FROM orders WHERE year = 2025), \
                w AS (SELECT customer_id AS a FROM orders WHERE year = 2025) SELECT v.a FROM v JOIN w ON v.a = w.a";
    assert_eq!(conditions(text), [found("year = 2025", &["year"], "")]);
    let half = text.replacen("year = 2025", "year > 0", 1);
    assert_eq!(texts(&half), [""; 0]);
}

#[test]
fn equal_columns_of_two_tables_are_different_conditions() {
    let text = "SELECT count(*) FROM orders AS o JOIN customers AS c ON c.id = o.customer_id \
                JOIN suppliers AS s ON s.id = o.id WHERE c.country = 'DE' AND s.country = ";
    assert_eq!(texts(&format!("{text}'DE'")), [""; 0]);
    assert_eq!(texts(&format!("{text}'FR'")), ["customers.country = 'DE'", "suppliers.country = 'FR'"]);
    let found = listed(&format!("{text}'FR'"));
    let first: Vec<&str> = found[0].variants.iter().flatten().map(String::as_str).collect();
    assert_eq!(first, ["c.country = 'DE'", "country = 'DE'", "customers.country = 'DE'"]);
}

#[test]
fn what_joins_tables_is_not_a_condition() {
    for none in [
        "SELECT o.id FROM orders AS o, customers AS c WHERE o.customer_id = c.id",
        "SELECT id FROM orders WHERE status = 'x' OR year = 2",
        // The table of the column is not certain.
        "SELECT orders.id FROM orders JOIN prices ON orders.product = prices.product WHERE year = 2025",
    ] {
        assert_eq!(texts(none), [""; 0], "{none}");
    }
}

#[test]
fn a_condition_is_removed_only_if_its_rows_do_not_multiply_others() {
    for (text, expected) in [
        // Every row is an order, whatever the conditions.
        (
            "FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE c.country = 'DE'",
            "customers.country = 'DE'",
        ),
        ("FROM customers AS c JOIN orders AS o ON c.id = o.customer_id WHERE o.status = 'x'", "orders.status = 'x'"),
        // Only the condition makes the price of a product unique.
        (
            "FROM orders AS o JOIN prices AS p ON p.product = o.product WHERE p.is_current = TRUE",
            "-prices.is_current = true",
        ),
        (
            "FROM prices AS p JOIN orders AS o ON p.product = o.product WHERE p.is_current = TRUE",
            "-prices.is_current = true",
        ),
        ("FROM orders AS o LEFT JOIN prices AS p ON p.product = o.product WHERE p.id IS NULL", "-prices.id IS NULL"),
        (
            "FROM customers AS c LEFT JOIN orders AS o ON c.id = o.customer_id WHERE o.status = 'x'",
            "-orders.status = 'x'",
        ),
        // Without declared keys, the first table is counted.
        ("FROM views AS v JOIN pages AS p ON p.page = v.page WHERE v.hits > 1", "views.hits > 1"),
        ("FROM views AS v JOIN pages AS p ON p.page = v.page WHERE p.title = 'x'", "-pages.title = 'x'"),
    ] {
        assert_eq!(texts(&format!("SELECT count(*) {text}")), [expected], "{text}");
    }
    let ranked = "WITH r AS (SELECT id, row_number() OVER (PARTITION BY product ORDER BY d) AS n FROM orders) \
                  SELECT count(*) FROM r WHERE n = 1";
    assert_eq!(texts(ranked), ["-n = 1"]);
}

#[test]
fn many_conditions_and_values_are_limited() {
    let many: Vec<String> = (0..60).map(|n| format!("amount <> {n}")).collect();
    assert_eq!(texts(&format!("SELECT id FROM orders WHERE {}", many.join(" AND "))).len(), 30);
    let values = |count: usize| {
        let list: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        listed(&format!("SELECT id FROM orders WHERE year IN ({})", list.join(", ")))[0].parameters.len()
    };
    assert_eq!((values(20), values(21)), (20, 0));
}
