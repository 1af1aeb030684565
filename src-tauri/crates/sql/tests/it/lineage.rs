//! Source columns of a result in queries that rename columns or leave them unnamed: a masked column must stay masked.

use crate::fixtures::catalog;
use vitrine_domain::Dialect;
use vitrine_sql::{ReadOnlySql, bind_names, value_sources};

/// Returns the columns of the result with their sources, or the columns that the query uses if the result cannot be
/// listed.
fn sources(dialect: Dialect, sql: &str) -> String {
    let people = catalog(dialect, "CREATE TABLE people (id INT, email VARCHAR, phone VARCHAR, doc VARCHAR)");
    let sql = ReadOnlySql::parse(sql, dialect).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let bound = bind_names(&sql, &people);
    assert_eq!(bound.problems, [], "{}", sql.as_str());
    let list =
        |of: &[(String, String)]| of.iter().map(|(_, column)| column.to_lowercase()).collect::<Vec<_>>().join(" ");
    match bound.outputs.is_empty() {
        true => format!("uses {}", list(&bound.columns)),
        false => bound
            .outputs
            .iter()
            .map(|o| format!("{}: {}", o.name.to_lowercase(), list(&o.sources)))
            .collect::<Vec<_>>()
            .join("; "),
    }
}

#[test]
fn a_value_of_unpivot_comes_from_all_columns_that_it_gathers() {
    let of_one = "id: id; kind: ; contact: email phone";
    for dialect in [Dialect::Snowflake, Dialect::Databricks, Dialect::Bigquery, Dialect::Duckdb] {
        let sql = "SELECT id, kind, contact FROM people UNPIVOT (contact FOR kind IN (email, phone))";
        assert_eq!(sources(dialect, sql), of_one, "{dialect:?}");
    }
    let sql = "SELECT kind, c, d FROM people UNPIVOT ((c, d) FOR kind IN ((email, phone)))";
    assert_eq!(sources(Dialect::Bigquery, sql), "kind: ; c: email phone; d: email phone");
}

#[test]
fn columns_by_a_pattern_may_be_any() {
    let all = "id email phone doc";
    for dialect in [Dialect::Duckdb, Dialect::Clickhouse] {
        assert_eq!(sources(dialect, "SELECT COLUMNS('^e') FROM people"), format!("uses {all}"), "{dialect:?}");
    }
    assert_eq!(sources(Dialect::Duckdb, "SELECT max(COLUMNS('^e')) AS m FROM people"), format!("m: {all}"));
    assert_eq!(sources(Dialect::Duckdb, "SELECT email FROM people"), "email: email");
}

#[test]
fn rows_of_a_document_come_from_it() {
    let sql =
        "SELECT p.id, j.mail FROM people p, JSON_TABLE(p.doc, '$[*]' COLUMNS (mail VARCHAR(99) PATH '$.mail')) AS j";
    assert_eq!(sources(Dialect::Mysql, sql), "id: id; mail: doc");
}

/// The columns that the first column of a result comes from, as masking follows them.
fn followed(sql: &str) -> Vec<String> {
    let people = catalog(Dialect::Duckdb, "CREATE TABLE people (id INT, email VARCHAR, phone VARCHAR, doc VARCHAR)");
    let sql = ReadOnlySql::parse(sql, Dialect::Duckdb).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let outputs = value_sources(&sql, &people, &|_, _| true).outputs.unwrap_or_default();
    outputs[0].columns.iter().map(|(_, column)| column.to_lowercase()).collect()
}

/// Each select item is masked if `email` is; the table function hides which columns exist.
#[test]
fn a_name_beside_a_table_function_is_followed_to_its_table() {
    for (dialect, sql) in [
        (Dialect::Duckdb, "SELECT main.people.email AS m FROM people, range(1)"),
        (Dialect::Duckdb, "SELECT shop.main.people.email AS m FROM people CROSS JOIN unnest([1])"),
        (Dialect::Duckdb, "SELECT (SELECT main.people.email FROM range(1)) AS m FROM people"),
        (Dialect::Postgres, "SELECT public.people.email AS m FROM people, generate_series(1, 1)"),
    ] {
        assert_eq!(sources(dialect, sql), "m: email", "{sql}");
    }
    let sql = "SELECT main.people AS m FROM people, range(1)";
    assert_eq!(sources(Dialect::Duckdb, sql), "m: id email phone doc");
    let sql = "SELECT range AS m, id FROM people, range(1)";
    assert_eq!(sources(Dialect::Duckdb, sql), "m: ; id: id");
}

#[test]
fn a_document_is_followed_through_an_arrow_whatever_its_right_side_is() {
    for path in ["'$.k'", "lower('$.k')", "concat('$', '.k')", "(SELECT '$.k')", "CASE WHEN true THEN '$.k' END"] {
        assert_eq!(followed(&format!("SELECT doc -> {path} AS m FROM people")), ["doc"], "{path}");
    }
    assert_eq!(followed("SELECT list_transform([id], x -> x + 1) AS m FROM people"), ["id"]);
}

#[test]
fn a_subquery_whose_columns_are_not_listed_is_followed() {
    for sql in [
        "SELECT (SELECT unnest([email])) AS m FROM people",
        "SELECT ARRAY(SELECT unnest(list(email)) FROM people) AS m",
        "WITH x AS (SELECT unnest(list(email)) FROM people) SELECT (SELECT * FROM x LIMIT 1) AS m",
    ] {
        assert_eq!(sources(Dialect::Duckdb, sql), "m: email", "{sql}");
    }
    assert_eq!(sources(Dialect::Duckdb, "SELECT (SELECT max(id) FROM people) AS m"), "m: id");
}

#[test]
fn full_text_search_names_its_table() {
    let sql = "SELECT email FROM people WHERE people MATCH 'word'";
    assert_eq!(sources(Dialect::Sqlite, sql), "email: email");
    let all = "m: id email phone doc";
    let sql = "SELECT highlight(people, 1, '', '') AS m FROM people WHERE people MATCH 'word'";
    assert_eq!(sources(Dialect::Sqlite, sql), all);
    let sql = "SELECT snippet(people) AS m FROM people, json_each('[1]') WHERE people MATCH 'word'";
    assert_eq!(sources(Dialect::Sqlite, sql), all);
    let sql = "SELECT rank AS m FROM people, json_each('[1]') WHERE people MATCH 'word'";
    assert_eq!(sources(Dialect::Sqlite, sql), all);
}

#[test]
fn columns_by_position_may_be_any() {
    assert_eq!(sources(Dialect::Snowflake, "SELECT $3 AS m FROM people"), "m: id email phone doc");
    assert_eq!(sources(Dialect::Snowflake, "SELECT p.$3 AS m FROM people AS p"), "m: id email phone doc");
}
