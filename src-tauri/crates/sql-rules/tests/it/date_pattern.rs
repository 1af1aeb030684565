//! Dates matched with a text pattern, in queries that an engine rejects: a clear pattern is replaced by conditions on
//! the date, and an ambiguous one stays unchanged.

use crate::shop::mended_over;
use vitrine_domain::Dialect;

const TABLES: &str = "
    CREATE TABLE orders (id INTEGER PRIMARY KEY, placed DATE, packed TIMESTAMP, due VARCHAR(10), days DATE[], made TIME);
    CREATE TABLE returns (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), returned DATE);";

const ENGINES: [Dialect; 4] = [Dialect::Duckdb, Dialect::Postgres, Dialect::Bigquery, Dialect::Clickhouse];

fn mended(sql: &str, dialect: Dialect) -> Option<(String, String)> {
    mended_over(TABLES, sql, dialect)
}

/// Returns the rewritten condition over `orders`, identical in every engine that rejects the original. `None` if it
/// does not change.
fn condition(condition: &str) -> Option<String> {
    let of = |dialect| {
        let (sql, note) = mended(&format!("SELECT id FROM orders WHERE {condition}"), dialect)?;
        assert!(note.starts_with("R014 Compared ") && note.ends_with(" as a date, not as text"), "{note}");
        Some(sql.strip_prefix("SELECT id FROM orders WHERE ").expect("the rest stays").to_owned())
    };
    let each = ENGINES.map(of);
    assert!(each.iter().all(|one| *one == each[0]), "{each:#?}");
    each[0].clone()
}

#[test]
fn a_beginning_of_a_date_is_a_span_of_days() {
    for (pattern, first, end) in [
        ("2023%", "2023-01-01", "2024-01-01"),
        ("2023-%", "2023-01-01", "2024-01-01"),
        ("%2023%", "2023-01-01", "2024-01-01"),
        ("2023-__%", "2023-01-01", "2024-01-01"),
        ("2023-__-%", "2023-01-01", "2024-01-01"),
        ("2023-%-%", "2023-01-01", "2024-01-01"),
        ("2023-03%", "2023-03-01", "2023-04-01"),
        ("2023-03-%", "2023-03-01", "2023-04-01"),
        ("%2023-03%", "2023-03-01", "2023-04-01"),
        ("2023-12%", "2023-12-01", "2024-01-01"),
        ("2023-03-05%", "2023-03-05", "2023-03-06"),
        ("2023-02-28%", "2023-02-28", "2023-03-01"),
        ("2024-02-28%", "2024-02-28", "2024-02-29"),
        ("2024-02-29%", "2024-02-29", "2024-03-01"),
        ("2023-12-31%", "2023-12-31", "2024-01-01"),
    ] {
        for column in ["placed", "packed"] {
            let found = condition(&format!("{column} LIKE '{pattern}'"));
            assert_eq!(found, Some(format!("{column} >= '{first}' AND {column} < '{end}'")), "{pattern}");
        }
    }
    // The date is the whole text, while the text of a timestamp continues.
    for (pattern, first, end) in
        [("2023-03-05", "2023-03-05", "2023-03-06"), ("2023-03-__", "2023-03-01", "2023-04-01")]
    {
        let found = condition(&format!("placed LIKE '{pattern}'"));
        assert_eq!(found, Some(format!("placed >= '{first}' AND placed < '{end}'")), "{pattern}");
        assert_eq!(condition(&format!("packed LIKE '{pattern}'")), None, "{pattern}");
    }
}

#[test]
fn a_part_within_a_date_is_asked_by_itself() {
    for (pattern, meant) in [
        ("%-03-%", "EXTRACT(MONTH FROM placed) = 3"),
        ("____-03-%", "EXTRACT(MONTH FROM placed) = 3"),
        ("____-03%", "EXTRACT(MONTH FROM placed) = 3"),
        ("%-12-__%", "EXTRACT(MONTH FROM placed) = 12"),
        ("%-%-05%", "EXTRACT(DAY FROM placed) = 5"),
        ("____-__-05%", "EXTRACT(DAY FROM placed) = 5"),
        ("%-02-29%", "EXTRACT(MONTH FROM placed) = 2 AND EXTRACT(DAY FROM placed) = 29"),
        ("2023-%-05%", "placed >= '2023-01-01' AND placed < '2024-01-01' AND EXTRACT(DAY FROM placed) = 5"),
    ] {
        assert_eq!(condition(&format!("placed LIKE '{pattern}'")).as_deref(), Some(meant), "{pattern}");
        assert_eq!(
            condition(&format!("packed LIKE '{pattern}'")),
            Some(meant.replace("placed", "packed")),
            "{pattern}"
        );
    }
}

/// Each comparison is NULL for a missing date, as the match would be.
#[test]
fn what_does_not_match_is_the_rest_without_missing_dates() {
    for (before, after) in [
        ("placed NOT LIKE '2023%'", "(placed < '2023-01-01' OR placed >= '2024-01-01')"),
        ("id > 3 AND placed NOT LIKE '2023%'", "id > 3 AND (placed < '2023-01-01' OR placed >= '2024-01-01')"),
        ("placed NOT LIKE '%-03-%'", "EXTRACT(MONTH FROM placed) <> 3"),
        ("placed NOT LIKE '%-03-05%'", "(EXTRACT(MONTH FROM placed) <> 3 OR EXTRACT(DAY FROM placed) <> 5)"),
        ("NOT placed LIKE '2023%'", "NOT (placed >= '2023-01-01' AND placed < '2024-01-01')"),
        ("NOT placed NOT LIKE '2023%'", "NOT (placed < '2023-01-01' OR placed >= '2024-01-01')"),
    ] {
        assert_eq!(condition(before).as_deref(), Some(after), "{before}");
    }
}

#[test]
fn a_pattern_is_read_wherever_it_stands() {
    let span = "placed >= '2023-01-01' AND placed < '2024-01-01'";
    for (before, after) in [
        ("placed LIKE '2023%' AND id > 3", format!("{span} AND id > 3")),
        ("placed ILIKE '2023%' AND id > 3", format!("{span} AND id > 3")),
        ("id > 3 AND placed LIKE '2023%'", format!("id > 3 AND {span}")),
        ("id > 3 OR placed LIKE '2023%'", format!("id > 3 OR ({span})")),
        ("(placed LIKE '2023%' OR id > 3) AND id < 9", format!("(({span}) OR id > 3) AND id < 9")),
        ("due LIKE '2023%' AND placed LIKE '2023%'", format!("due LIKE '2023%' AND {span}")),
        (
            "id IN (SELECT id FROM orders WHERE placed LIKE '2023%')",
            format!("id IN (SELECT id FROM orders WHERE {span})"),
        ),
    ] {
        if before.contains("ILIKE") {
            let (sql, _) = mended(&format!("SELECT id FROM orders WHERE {before}"), Dialect::Duckdb).expect(before);
            assert_eq!(sql, format!("SELECT id FROM orders WHERE {after}"));
        } else {
            assert_eq!(condition(before).as_deref(), Some(after.as_str()), "{before}");
        }
    }
    for (before, after) in [
        (
            "SELECT COUNT(CASE WHEN o.packed LIKE '2023-03%' THEN 1 END) FROM orders AS o",
            "SELECT COUNT(CASE WHEN (o.packed >= '2023-03-01' AND o.packed < '2023-04-01') THEN 1 END) FROM orders AS o",
        ),
        (
            "SELECT o.id FROM orders AS o JOIN returns AS r ON r.order_id = o.id AND r.returned LIKE '2023%'",
            "SELECT o.id FROM orders AS o JOIN returns AS r ON r.order_id = o.id AND (r.returned >= '2023-01-01' AND r.returned < '2024-01-01')",
        ),
        (
            "SELECT placed, COUNT(*) FROM orders GROUP BY placed HAVING placed LIKE '%-12-%' ORDER BY placed LIKE '2023%'",
            "SELECT placed, COUNT(*) FROM orders GROUP BY placed HAVING (EXTRACT(MONTH FROM placed) = 12) ORDER BY (placed >= '2023-01-01' AND placed < '2024-01-01')",
        ),
        (
            "SELECT o.placed AS placed FROM orders AS o WHERE placed LIKE '2023%'",
            "SELECT o.placed AS placed FROM orders AS o WHERE placed >= '2023-01-01' AND placed < '2024-01-01'",
        ),
        (
            "SELECT id FROM orders WHERE placed LIKE '2023%' UNION SELECT id FROM returns WHERE returned LIKE '2023%'",
            "SELECT id FROM orders WHERE placed >= '2023-01-01' AND placed < '2024-01-01' UNION SELECT id FROM returns WHERE returned >= '2023-01-01' AND returned < '2024-01-01'",
        ),
    ] {
        assert_eq!(mended(before, Dialect::Duckdb).expect(before).0, after);
    }
    let (sql, note) =
        mended("SELECT id FROM orders WHERE placed LIKE '2023%' OR packed LIKE '2024%'", Dialect::Postgres)
            .expect("it is mended");
    assert!(!sql.contains("LIKE"), "{sql}");
    assert_eq!(note, "R014 Compared placed and packed as a date, not as text");
}

#[test]
fn a_moment_in_a_zone_is_compared_as_its_engine_reads_the_day() {
    for (dialect, declared) in [
        (Dialect::Postgres, "TIMESTAMP WITH TIME ZONE"),
        (Dialect::Duckdb, "TIMESTAMPTZ"),
        (Dialect::Clickhouse, "DateTime64(3, 'Europe/Berlin')"),
        (Dialect::Bigquery, "TIMESTAMP"),
        (Dialect::Bigquery, "DATETIME"),
    ] {
        let tables = format!("CREATE TABLE log (seen {declared})");
        let (sql, _) =
            mended_over(&tables, "SELECT seen FROM log WHERE seen LIKE '2023-03%'", dialect).expect(declared);
        assert_eq!(sql, "SELECT seen FROM log WHERE seen >= '2023-03-01' AND seen < '2023-04-01'");
    }
}

#[test]
fn what_could_mean_anything_else_is_left_alone() {
    for left in [
        // No ISO date matches, or two of its parts could be meant.
        "placed LIKE '03/%'",
        "placed LIKE '%/2023'",
        "placed LIKE '%2023'",
        "placed LIKE '2023'",
        "placed LIKE '2023-03'",
        "placed LIKE 'Mar%'",
        "placed LIKE '%-03%'",
        "placed LIKE '%03%'",
        "placed LIKE '20%'",
        "placed LIKE '202_-03-%'",
        "placed LIKE '2023-0%'",
        "placed LIKE '2023--05%'",
        "placed LIKE '2023-3-%'",
        "placed LIKE '-03-%'",
        "placed LIKE '%'",
        "placed LIKE '%%'",
        "placed LIKE '____-__-__'",
        "placed LIKE '2023-03-05-%'",
        "placed LIKE ''",
        // Days that do not exist.
        "placed LIKE '2023-13%'",
        "placed LIKE '2023-02-29%'",
        "placed LIKE '%-04-31%'",
        "placed LIKE '2023-00-%'",
        "placed LIKE '0000%'",
        "placed LIKE '9999%'",
        // A time is not a day.
        "packed LIKE '2023-03-05 08%'",
        "packed LIKE '%08:30%'",
        // The text is not a constant, or has an escape character.
        "placed LIKE due",
        "placed LIKE '2023' || '%'",
        // Columns that are not dates.
        "due LIKE '2023%'",
        "made LIKE '2023%'",
        "days LIKE '2023%'",
        "CAST(placed AS VARCHAR) LIKE '2023%'",
        "MAX(placed) LIKE '2023%'",
        "'2023' LIKE placed",
    ] {
        let sql = format!("SELECT id FROM orders WHERE {left}");
        assert_eq!(mended(&sql, Dialect::Duckdb).filter(|(_, note)| note.contains("R014")), None, "{left}");
    }
    let escaped = "SELECT id FROM orders WHERE placed LIKE '2023%' ESCAPE '!'";
    assert_eq!(mended(escaped, Dialect::Duckdb), None);
    for left in [
        // The ORDER BY of a union refers to its result.
        "SELECT placed FROM orders UNION SELECT returned FROM returns ORDER BY placed LIKE '2023%'",
        // The name may refer to the alias of the formatted date, or to a view of the query.
        "SELECT strftime(placed, '%d.%m.%Y') AS placed FROM orders ORDER BY placed LIKE '2023%'",
        "SELECT COUNT(*) FROM (SELECT strftime(placed, '%Y-%m') AS placed FROM orders) AS o WHERE placed LIKE '2023%'",
        "WITH orders AS (SELECT due AS placed FROM orders) SELECT COUNT(*) FROM orders WHERE placed LIKE '2023%'",
    ] {
        assert_eq!(mended(left, Dialect::Duckdb), None, "{left}");
    }
}

/// The pattern may be written for the engine's own text form of a date; a rejection then has another reason.
#[test]
fn engines_that_match_dates_are_left_alone() {
    for dialect in [Dialect::Sqlite, Dialect::Mysql, Dialect::Snowflake, Dialect::Databricks] {
        assert_eq!(mended("SELECT id FROM orders WHERE placed LIKE '2023%'", dialect), None, "{dialect:?}");
    }
}
