use super::*;
use crate::fixtures::{catalog_with, rule_input, typed_table};
use crate::{QuestionFacts, Standing};
use vitrine_domain::{Catalog, ColumnProfile, Definition, DefinitionSource, Dialect, Profile, TableName, TableProfile};
use vitrine_sql::ReadOnlySql;

fn shop_catalog(dialect: Dialect) -> Catalog {
    let orders = [
        ("id", "INTEGER"),
        ("customer_id", "INTEGER"),
        ("status", "TEXT"),
        ("amount", "INTEGER"),
        ("paid", "BOOLEAN"),
        ("gift", "INTEGER"),
    ];
    let customers = [("id", "INTEGER"), ("country", "TEXT"), ("email", "TEXT")];
    catalog_with(
        dialect,
        vec![typed_table("orders", &orders, &["id"], &[]), typed_table("customers", &customers, &["id"], &[])],
    )
}

/// In the orders, status, amount and customer are sometimes NULL; the customers have no NULL values.
fn shop_profile() -> Profile {
    let column = |name: &str, null_ratio| ColumnProfile { name: name.into(), null_ratio, ..ColumnProfile::default() };
    let table = |name: &str, columns| TableProfile {
        table: TableName::from_unqualified(name),
        row_count: Some(4),
        profiled_rows: 4,
        columns,
    };
    let orders = [("id", 0.0), ("customer_id", 0.25), ("status", 0.5), ("amount", 0.25), ("paid", 0.25)];
    let customers = [("id", 0.0), ("country", 0.0), ("email", 0.0)];
    let gift = ColumnProfile { min: Some("0".into()), max: Some("1".into()), distinct: 2, ..column("gift", 0.25) };
    let orders = orders.map(|(name, ratio)| column(name, ratio)).into_iter().chain([gift]);
    let tables = vec![
        table("orders", orders.collect()),
        table("customers", customers.map(|(name, ratio)| column(name, ratio)).to_vec()),
    ];
    Profile { tables, ..Profile::default() }
}

fn flatten_sql(sql: &ReadOnlySql) -> String {
    let text = sql.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("( ", "(").replace(" )", ")")
}

fn found_in(dialect: Dialect, sql: &str) -> Vec<UnknownRows> {
    let (catalog, profile, facts) = (shop_catalog(dialect), shop_profile(), QuestionFacts::default());
    let sql = ReadOnlySql::parse(sql, dialect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    unknown_rows(&sql, &rule_input(&catalog, &profile, &facts))
}

fn find_in_duckdb(sql: &str) -> Vec<UnknownRows> {
    found_in(Dialect::Duckdb, sql)
}

#[test]
fn each_negated_comparison_lets_a_missing_value_pass() {
    let rows = "SELECT COUNT(*) FROM orders WHERE";
    for (condition, kept) in [
        ("status <> 'cancelled'", "(status <> 'cancelled' OR status IS NULL)"),
        ("'cancelled' != status", "('cancelled' <> status OR status IS NULL)"),
        ("status NOT IN ('cancelled', 'open')", "(status NOT IN ('cancelled', 'open') OR status IS NULL)"),
        ("status NOT LIKE 'canc%'", "(status NOT LIKE 'canc%' OR status IS NULL)"),
        ("status NOT ILIKE 'canc%'", "(status NOT ILIKE 'canc%' OR status IS NULL)"),
        ("amount NOT BETWEEN 5 AND 9", "(amount NOT BETWEEN 5 AND 9 OR amount IS NULL)"),
        ("NOT (status = 'cancelled')", "NOT ((status = 'cancelled' AND status IS NOT NULL))"),
        ("NOT status IN ('a', 'b')", "NOT (status IN ('a', 'b') AND status IS NOT NULL)"),
        ("NOT amount > 5", "NOT (amount > 5 AND amount IS NOT NULL)"),
        ("NOT paid", "NOT (paid AND paid IS NOT NULL)"),
        ("lower(status) <> 'cancelled'", "(lower(status) <> 'cancelled' OR lower(status) IS NULL)"),
        ("amount > 1 AND status <> 'a'", "amount > 1 AND (status <> 'a' OR status IS NULL)"),
        (
            "NOT (status = 'a' OR amount = 5)",
            "NOT ((status = 'a' AND status IS NOT NULL) OR (amount = 5 AND amount IS NOT NULL))",
        ),
        ("(status = 'a') IS FALSE", "((status = 'a' AND status IS NOT NULL)) IS FALSE"),
    ] {
        let found = find_in_duckdb(&format!("{rows} {condition}"));
        assert_eq!(
            found.iter().map(|one| flatten_sql(&one.sql)).collect::<Vec<_>>(),
            [format!("{rows} {kept}")],
            "{condition}"
        );
        assert!(found[0].known && found[0].counted && found[0].counts.len() == 1, "{condition}");
    }
}

#[test]
fn only_a_test_of_the_same_column_in_the_same_select_treats_it() {
    let shown =
        |sql: &str| find_in_duckdb(sql).iter().map(|one| (one.rule.clone(), flatten_sql(&one.sql))).collect::<Vec<_>>();
    let orders = "SELECT COUNT(*) FROM orders AS o";
    assert_eq!(
        shown(&format!(
            "{orders} WHERE o.customer_id IS NOT NULL AND NOT o.customer_id IN (SELECT customer_id FROM orders)"
        )),
        [(
            UNKNOWN_MEMBERS,
            format!(
                "{orders} WHERE o.customer_id IS NOT NULL AND NOT o.customer_id IN (SELECT customer_id FROM orders \
                 WHERE customer_id IS NOT NULL)"
            )
        )]
    );
    // The list contains no NULL, so orders without a customer are affected instead.
    assert_eq!(
        shown(&format!(
            "{orders} WHERE o.customer_id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)"
        ))
        .iter()
        .map(|(rule, _)| rule.clone())
        .collect::<Vec<_>>(),
        [UNKNOWN_ROWS]
    );
    let joined = format!("{orders} JOIN orders AS c ON c.id = o.id");
    assert_eq!(
        shown(&format!("{joined} WHERE c.status IS NOT NULL AND o.status <> 'x'")),
        [(UNKNOWN_ROWS, format!("{joined} WHERE c.status IS NOT NULL AND (o.status <> 'x' OR o.status IS NULL)"))]
    );
    for sql in [
        format!("{joined} WHERE o.status IS NOT NULL AND o.status <> 'x'"),
        format!("{orders} WHERE o.status IS NOT NULL AND status <> 'x'"),
        "WITH k AS (SELECT status FROM orders WHERE status IS NOT NULL) SELECT COUNT(*) FROM k WHERE status <> 'x'"
            .into(),
        "SELECT COUNT(*) FROM (SELECT status FROM orders WHERE status IS NOT NULL) AS k WHERE k.status <> 'x'".into(),
    ] {
        assert!(shown(&sql).is_empty(), "{sql}");
    }
}

#[test]
fn false_flags_and_members_of_lists_are_negations() {
    let rows = "SELECT COUNT(*) FROM orders WHERE";
    for (condition, kept) in [
        ("paid = FALSE", "(paid = FALSE OR paid IS NULL)"),
        ("paid <> TRUE", "(paid <> TRUE OR paid IS NULL)"),
        ("gift = 0", "(gift = 0 OR gift IS NULL)"),
        ("(status = 'x') = FALSE", "((status = 'x' AND status IS NOT NULL)) = FALSE"),
        ("status <> ALL (ARRAY['x', 'y'])", "(status <> ALL(ARRAY['x', 'y']) OR status IS NULL)"),
        ("NOT (status = ANY (ARRAY['x', 'y']))", "NOT ((status = ANY(ARRAY['x', 'y']) AND status IS NOT NULL))"),
    ] {
        let found = find_in_duckdb(&format!("{rows} {condition}"));
        let spaced = |text: &str| text.to_lowercase().replace("all (", "all(").replace("any (", "any(");
        let texts: Vec<String> = found.iter().map(|one| spaced(&flatten_sql(&one.sql))).collect();
        assert_eq!(texts, [format!("{rows} {kept}").to_lowercase()], "{condition}");
        assert!(found[0].known, "{condition}");
    }
    for condition in ["paid = TRUE", "gift = 1", "amount = 0", "(status = 'x') = TRUE", "status = ANY (ARRAY['x'])"] {
        assert!(find_in_duckdb(&format!("{rows} {condition}")).is_empty(), "{condition}");
    }
    // A flag that is never NULL in the profile, or that is not profiled.
    let (catalog, nothing, facts) = (shop_catalog(Dialect::Duckdb), Profile::default(), QuestionFacts::default());
    let sql = ReadOnlySql::parse("SELECT COUNT(*) FROM orders WHERE paid = FALSE", Dialect::Duckdb).unwrap();
    assert!(unknown_rows(&sql, &rule_input(&catalog, &nothing, &facts)).is_empty());
}

#[test]
fn rows_without_a_partner_and_values_that_are_not_read_may_be_missing() {
    let customers = "SELECT COUNT(*) FROM customers AS c";
    for (from, condition, kept) in [
        ("LEFT JOIN orders AS o ON o.customer_id = c.id", "o.id <> 7", "(o.id <> 7 OR o.id IS NULL)"),
        (
            "LEFT JOIN orders AS o ON o.customer_id = c.id AND o.id <> 3",
            "o.id NOT IN (7, 8)",
            "(o.id NOT IN (7, 8) OR o.id IS NULL)",
        ),
        (
            "RIGHT JOIN orders AS o ON o.customer_id = c.id",
            "c.country <> 'US'",
            "(c.country <> 'US' OR c.country IS NULL)",
        ),
        ("", "NULLIF(c.country, '-') <> 'US'", "(NULLIF(c.country, '-') <> 'US' OR NULLIF(c.country, '-') IS NULL)"),
        ("", "TRY_CAST(c.email AS INT) <> 5", "(TRY_CAST(c.email AS INT) <> 5 OR TRY_CAST(c.email AS INT) IS NULL)"),
        ("", "(c.email ->> 'kind') <> 'x'", "((c.email ->> 'kind') <> 'x' OR (c.email ->> 'kind') IS NULL)"),
    ] {
        let space = if from.is_empty() { "" } else { " " };
        let found = find_in_duckdb(&format!("{customers}{space}{from} WHERE {condition}"));
        let texts: Vec<String> = found.iter().map(|one| flatten_sql(&one.sql).to_lowercase()).collect();
        assert_eq!(texts, [format!("{customers}{space}{from} WHERE {kept}").to_lowercase()], "{condition}");
        assert!(!found[0].known && found[0].counted, "{condition}");
    }
    for query in [
        "JOIN orders AS o ON o.customer_id = c.id WHERE o.id <> 7",
        "LEFT JOIN orders AS o ON o.customer_id = c.id WHERE c.country <> 'US'",
        "LEFT JOIN orders AS o ON o.customer_id = c.id WHERE o.id <> 7 AND o.id IS NOT NULL",
        "LEFT JOIN orders AS o ON o.customer_id = c.id AND o.id <> 7",
        "LEFT JOIN orders AS o ON o.customer_id = c.id WHERE o.id = 7",
    ] {
        assert!(find_in_duckdb(&format!("{customers} {query}")).is_empty(), "{query}");
    }
    let cases = "SELECT COUNT(CASE WHEN o.id <> 7 THEN 1 END) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id";
    assert!(find_in_duckdb(cases).is_empty());
}

#[test]
fn what_treats_missing_values_or_has_none_is_left_as_it_is() {
    for condition in [
        "status = 'cancelled'",
        "status <> 'cancelled' OR status IS NULL",
        "status IS NOT NULL AND status <> 'cancelled'",
        "status IS DISTINCT FROM 'cancelled'",
        "(status = 'cancelled') IS NOT TRUE",
        "NOT ((status = 'cancelled') IS TRUE)",
        "NOT (status <> 'cancelled')",
        "status <> ''",
        "amount <> 0",
        "amount > 5",
        "id <> 7",
        "customer_id <> amount",
        "NOT EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id)",
    ] {
        let found = find_in_duckdb(&format!("SELECT COUNT(*) FROM orders WHERE {condition}"));
        assert!(found.is_empty(), "{condition}: {found:?}");
    }
    assert!(
        find_in_duckdb("SELECT COUNT(*) FROM customers WHERE country <> 'US' AND email NOT LIKE '%@x.org'").is_empty()
    );
}

#[test]
fn conditions_are_found_wherever_they_are() {
    let is = |sql: &str, kept: &str, counted: bool| {
        let found = find_in_duckdb(sql);
        assert_eq!(found.iter().map(|one| flatten_sql(&one.sql)).collect::<Vec<_>>(), [kept], "{sql}");
        assert_eq!(found[0].counted, counted, "{sql}");
    };
    is(
        "SELECT SUM(CASE WHEN status <> 'a' THEN 1 ELSE 0 END) FROM orders",
        "SELECT SUM(CASE WHEN (status <> 'a' OR status IS NULL) THEN 1 ELSE 0 END) FROM orders",
        true,
    );
    is(
        "SELECT COUNT(*) FILTER (WHERE status <> 'a') FROM orders",
        "SELECT COUNT(*) FILTER (WHERE (status <> 'a' OR status IS NULL)) FROM orders",
        true,
    );
    is(
        "SELECT status, COUNT(*) FROM orders GROUP BY status HAVING status <> 'a'",
        "SELECT status, COUNT(*) FROM orders GROUP BY status HAVING (status <> 'a' OR status IS NULL)",
        false,
    );
    is(
        "SELECT COUNT(*) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id AND o.status <> 'a'",
        "SELECT COUNT(*) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id AND (o.status <> 'a' OR o.status IS NULL)",
        false,
    );
    is(
        "WITH kept AS (SELECT id, status AS state FROM orders) SELECT COUNT(*) FROM kept WHERE state <> 'a'",
        "WITH kept AS (SELECT id, status AS state FROM orders) SELECT COUNT(*) FROM kept WHERE (state <> 'a' OR state IS NULL)",
        true,
    );
}

#[test]
fn the_rows_that_are_left_out_are_counted_under_the_other_conditions() {
    let [found] =
        find_in_duckdb("SELECT status, SUM(amount) FROM orders WHERE amount > 5 AND status <> 'a' GROUP BY status")
            .try_into()
            .unwrap();
    let counts: Vec<String> = found.counts.iter().map(flatten_sql).collect();
    assert_eq!(
        counts,
        [
            "SELECT COUNT(*) FROM orders WHERE (amount > 5 AND (status <> 'a' OR status IS NULL)) AND CASE WHEN amount > 5 AND \
          status <> 'a' THEN 0 ELSE 1 END = 1"
        ]
    );
    assert_eq!(found.columns, ["status"]);
    assert!(found.describe_change(Some(2)).contains("2 rows without a value in status"));
}

#[test]
fn a_list_with_a_missing_value_loses_it() {
    let customers = "SELECT COUNT(*) FROM customers WHERE";
    for (condition, kept, written) in [
        (
            "id NOT IN (SELECT customer_id FROM orders)",
            "id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)",
            0,
        ),
        (
            "id NOT IN (SELECT customer_id FROM orders WHERE amount > 5)",
            "id NOT IN (SELECT customer_id FROM orders WHERE amount > 5 AND customer_id IS NOT NULL)",
            0,
        ),
        (
            "NOT (id IN (SELECT customer_id FROM orders))",
            "NOT (id IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL))",
            0,
        ),
        (
            "id <> ALL (SELECT customer_id FROM orders)",
            "id <> ALL (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)",
            0,
        ),
        ("country NOT IN ('US', NULL)", "country NOT IN ('US')", 1),
    ] {
        let found = find_in_duckdb(&format!("{customers} {condition}"));
        let told: Vec<_> = found.iter().map(|one| (one.rule.clone(), flatten_sql(&one.sql), one.written)).collect();
        assert_eq!(told, [(UNKNOWN_MEMBERS, format!("{customers} {kept}"), written)], "{condition}");
    }
    for condition in [
        "id IN (SELECT customer_id FROM orders)",
        "id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)",
        "id NOT IN (SELECT id FROM orders)",
        "id NOT IN (SELECT COUNT(*) FROM orders)",
    ] {
        let found = find_in_duckdb(&format!("{customers} {condition}"));
        assert!(found.is_empty(), "{condition}: {found:?}");
    }
}

#[test]
fn other_dialects_are_read_alike() {
    for (dialect, sql) in [
        (Dialect::Postgres, "SELECT COUNT(*) FROM orders WHERE status !~ '^canc'"),
        (Dialect::Mysql, "SELECT COUNT(*) FROM orders WHERE status NOT REGEXP '^canc'"),
        (Dialect::Mysql, "SELECT COUNT(*) FROM orders WHERE status <> \"cancelled\""),
        (Dialect::Sqlite, "SELECT COUNT(*) FROM orders WHERE status <> \"cancelled\""),
        (Dialect::Bigquery, "SELECT COUNTIF(status <> 'cancelled') FROM orders"),
        (Dialect::Clickhouse, "SELECT countIf(status != 'cancelled') FROM orders"),
        (Dialect::Mssql, "SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'"),
    ] {
        assert_eq!(found_in(dialect, sql).len(), 1, "{dialect:?}: {sql}");
    }
}

#[test]
fn a_condition_that_the_user_wants_always_is_not_doubted() {
    let (catalog, profile, facts) = (shop_catalog(Dialect::Duckdb), shop_profile(), QuestionFacts::default());
    let always = Definition {
        term: "orders".into(),
        synonyms: Vec::new(),
        meaning: "not cancelled".into(),
        condition: Some("status <> 'cancelled'".into()),
        always: true,
        subject: Some("orders".into()),
        source: DefinitionSource::User,
    };
    let standing = Standing::from_definitions(&[always], &catalog, "How many orders?");
    let sql = ReadOnlySql::parse("SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'", Dialect::Duckdb).unwrap();
    let input = crate::RuleInput { standing: &standing, ..rule_input(&catalog, &profile, &facts) };
    assert!(unknown_rows(&sql, &input).is_empty());
}

#[test]
fn without_a_profile_only_a_count_can_tell() {
    let (catalog, profile, facts) = (shop_catalog(Dialect::Duckdb), Profile::default(), QuestionFacts::default());
    let sql = ReadOnlySql::parse("SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'", Dialect::Duckdb).unwrap();
    let found = unknown_rows(&sql, &rule_input(&catalog, &profile, &facts));
    assert!(matches!(found.as_slice(), [one] if !one.known && one.counts.len() == 1));
}
