//! Dates written as text where only a date is valid, in queries that an engine rejects.

use crate::shop::mended_over;
use vitrine_domain::Dialect;

fn mended(sql: &str, dialect: Dialect) -> Option<(String, String)> {
    mended_over("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed DATE, due VARCHAR(10));", sql, dialect)
}

#[test]
fn a_day_is_written_as_a_date_where_a_date_is_taken() {
    for (before, after) in [
        ("date_trunc('year', '2023-01-01')", "date_trunc('year', DATE '2023-01-01')"),
        ("date_trunc('hour', '2023-01-01 10:30:00')", "date_trunc('hour', TIMESTAMP '2023-01-01 10:30:00')"),
        ("date_part('year', '2023-01-01')", "date_part('year', DATE '2023-01-01')"),
        ("EXTRACT(YEAR FROM '2023-01-01')", "EXTRACT(YEAR FROM DATE '2023-01-01')"),
        ("'2023-01-01' + INTERVAL '1 year'", "DATE '2023-01-01' + INTERVAL '1 year'"),
        ("'2023-01-01' - INTERVAL '1 year'", "DATE '2023-01-01' - INTERVAL '1 year'"),
        ("INTERVAL '1 year' + '2023-01-01'", "INTERVAL '1 year' + DATE '2023-01-01'"),
    ] {
        for dialect in [Dialect::Duckdb, Dialect::Postgres] {
            let (sql, note) = mended(&format!("SELECT id FROM orders WHERE placed < {before}"), dialect).expect(before);
            assert_eq!(sql, format!("SELECT id FROM orders WHERE placed < {after}"), "{dialect:?}");
            assert!(note.starts_with("R015 Read 2023-01-01") && note.ends_with(" as a date, not as text"), "{note}");
        }
    }
    for (before, after) in [
        ("SELECT year('2023-01-01')", "SELECT year(DATE '2023-01-01')"),
        ("SELECT strftime('2023-01-01', '%d.%m.%Y')", "SELECT strftime(DATE '2023-01-01', '%d.%m.%Y')"),
        (
            "SELECT date_diff('day', '2023-01-01', '2023-03-05')",
            "SELECT date_diff('day', DATE '2023-01-01', DATE '2023-03-05')",
        ),
    ] {
        assert_eq!(mended(before, Dialect::Duckdb).expect(before).0, after);
    }
    let nested = "SELECT id FROM orders UNION SELECT id FROM orders WHERE placed IN (SELECT date_trunc('month', '2023-03-05') - INTERVAL '1 day')";
    let (sql, _) = mended(nested, Dialect::Postgres).expect(nested);
    assert!(sql.contains("date_trunc('month', DATE '2023-03-05') - INTERVAL '1 day'"), "{sql}");
}

#[test]
fn what_is_no_day_or_is_taken_as_text_is_left_alone() {
    for left in [
        "placed >= '2023-01-01'",
        "placed - '2023-01-01' > '2023-01-01'",
        "due = left('2023-01-01', 4)",
        "due = coalesce(due, '2023-01-01')",
        "due = concat('2023-01-01', due)",
        "placed = CAST('2023-01-01' AS DATE)",
        "placed = date_trunc('month', '2023-01')",
        "placed = date_trunc('month', '2023')",
        "placed = date_trunc('month', '01/01/2023')",
        "placed = date_trunc('month', '2023-02-29')",
        "placed = date_trunc('month', '2023-01-01 25:00:00')",
        "placed = date_trunc('month', DATE '2023-01-01')",
        "placed = date_trunc('month', due)",
    ] {
        for dialect in [Dialect::Duckdb, Dialect::Postgres] {
            assert_eq!(mended(&format!("SELECT id FROM orders WHERE {left}"), dialect), None, "{left}");
        }
    }
    // Engines that accept a text as a date there, or were not tested.
    for dialect in [Dialect::Mysql, Dialect::Snowflake, Dialect::Bigquery] {
        assert_eq!(mended("SELECT EXTRACT(YEAR FROM '2023-01-01')", dialect), None, "{dialect:?}");
    }
}
