//! Keywords of Snowflake and BigQuery that look like function calls: they are accepted only in their positions.

use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;

#[test]
fn a_moment_and_a_list_of_patterns_are_no_functions_of_snowflake() {
    for sql in [
        "SELECT id FROM orders AT (TIMESTAMP => '2024-01-01'::TIMESTAMP) AS o",
        "SELECT id FROM orders BEFORE (STATEMENT => '01b2')",
        "SELECT id FROM orders AT (OFFSET => -60 * 5)",
        "SELECT id FROM orders WHERE name LIKE ALL ('%a%', '%b%')",
    ] {
        let read = ReadOnlySql::parse(sql, Dialect::Snowflake);
        assert!(read.is_ok(), "{sql}: {read:?}");
    }
    for sql in [
        "SELECT at(OFFSET => 1) FROM orders",
        "SELECT * FROM at(OFFSET => 1)",
        "SELECT * FROM TABLE(before(OFFSET => 1))",
        "SELECT id FROM orders AT (OFFSET => system$wait(1))",
        "SELECT id FROM orders AT (OFFSET => s.nextval)",
        "SELECT id FROM orders AT (STREAM => 's')",
        "SELECT id FROM orders WHERE name LIKE ALL (system$wait(1))",
        "SELECT \"all\"('a') FROM orders",
    ] {
        let read = ReadOnlySql::parse(sql, Dialect::Snowflake);
        assert!(read.is_err(), "{sql}: {read:?}");
    }
}

#[test]
fn the_day_that_a_week_begins_with_is_no_argument_of_bigquery() {
    for sql in ["SELECT DATE_TRUNC(day, WEEK(MONDAY)) FROM t", "SELECT DATE_DIFF(a, b, week(sunday)) FROM t"] {
        let read = ReadOnlySql::parse(sql, Dialect::Bigquery);
        assert!(read.is_ok(), "{sql}: {read:?}");
    }
    for sql in [
        "SELECT week(a) FROM t",
        "SELECT s.week(monday) FROM t",
        "SELECT week(monday, 1)",
        "SELECT * FROM week(monday)",
    ] {
        let read = ReadOnlySql::parse(sql, Dialect::Bigquery);
        assert!(read.is_err(), "{sql}: {read:?}");
    }
}
