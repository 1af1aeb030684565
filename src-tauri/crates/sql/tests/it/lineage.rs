//! Source columns of a result in queries that rename columns or leave them unnamed: a masked column must stay masked.

use crate::fixtures::catalog;
use vitrine_domain::Dialect;
use vitrine_sql::{ReadOnlySql, bind_names};

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
