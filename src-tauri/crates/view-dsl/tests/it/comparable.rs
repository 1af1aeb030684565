//! Tests joins of numbers with text for each engine and kind of values.

use crate::fixtures::catalog;
use serde_json::{Value, json};
use vitrine_domain::{Catalog, ColumnProfile, Dialect, Profile, SemanticKind, TableProfile, ViewSpec};
use vitrine_sql::DialectExt;
use vitrine_view_dsl::compile_view;

const CONVERT: [Dialect; 4] = [Dialect::Sqlite, Dialect::Mysql, Dialect::Duckdb, Dialect::Snowflake];
const REFUSE: [Dialect; 3] = [Dialect::Postgres, Dialect::Bigquery, Dialect::Clickhouse];

fn shops(dialect: Dialect) -> Catalog {
    catalog(
        dialect,
        "CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT);
         CREATE TABLE visit (no INTEGER PRIMARY KEY, shop_code TEXT);",
    )
}

fn profile(catalog: &Catalog, ids: (&str, &str), codes: &[&str]) -> Profile {
    let table = |name: &str, column: ColumnProfile| TableProfile {
        table: catalog.find_table(name).expect("a table").name.clone(),
        row_count: Some(9),
        profiled_rows: 9,
        columns: vec![column],
    };
    let id = ColumnProfile {
        name: "id".to_owned(),
        kind: SemanticKind::Identifier,
        min: Some(ids.0.to_owned()),
        max: Some(ids.1.to_owned()),
        ..ColumnProfile::default()
    };
    let code = ColumnProfile {
        name: "shop_code".to_owned(),
        kind: SemanticKind::Dimension,
        top: codes.iter().map(|code| ((*code).to_owned(), 3)).collect(),
        complete: true,
        ..ColumnProfile::default()
    };
    Profile { tables: vec![table("shop", id), table("visit", code)], ..Profile::default() }
}

fn joined(left: &str, right: &str, on: [&str; 2]) -> Value {
    json!({"name": "v", "source": [{"table": left}, {"table": right}], "joins": [{"left": left, "right": right, "on": [on]}],
        "dimensions": [{"column": "name"}], "metrics": [{"name": "visits", "agg": "count"}]})
}

/// Returns the error of views, or an empty text if they compile.
fn said(views: &[Value], catalog: &Catalog, profile: &Profile) -> String {
    let specs: Vec<ViewSpec> = views.iter().map(|view| serde_json::from_value(view.clone()).expect("a view")).collect();
    let compiled = compile_view(&specs, catalog, profile, &[], catalog.dialect);
    compiled.err().map(|error| error.to_string()).unwrap_or_default()
}

fn of_both_sides(catalog: &Catalog, profile: &Profile) -> String {
    let straight = said(&[joined("shop", "visit", ["id", "shop_code"])], catalog, profile);
    assert_eq!(straight, said(&[joined("visit", "shop", ["shop_code", "id"])], catalog, profile));
    straight
}

#[test]
fn engines_that_read_text_as_a_number_may_join_them() {
    for dialect in CONVERT {
        assert_eq!(of_both_sides(&shops(dialect), &Profile::default()), "", "{dialect:?}");
    }
}

#[test]
fn engines_that_compare_no_text_with_a_number_are_told_so_and_what_to_do_helps() {
    for dialect in REFUSE {
        let catalog = shops(dialect);
        let told = of_both_sides(&catalog, &Profile::default());
        let name = dialect.sql().display_name();
        assert!(
            told.contains(&format!("id is a number and shop_code is text: {name} does not compare them.")),
            "{told}"
        );
        let cast = json!({"name": "coded", "source": [{"table": "visit"}], "metrics": [],
            "dimensions": [{"column": "no"}, {"column": {"cast": "shop_code", "to": "whole"}, "name": "shop_no"}]});
        assert_eq!(
            said(&[cast, joined("shop", "coded", ["id", "shop_no"])], &catalog, &Profile::default()),
            "",
            "{name}"
        );
    }
}

#[test]
fn text_without_a_number_is_never_one_as_the_data_say() {
    for dialect in CONVERT.into_iter().chain(REFUSE) {
        let catalog = shops(dialect);
        let told = of_both_sides(&catalog, &profile(&catalog, ("1", "9"), &["north", "south"])).to_lowercase();
        let so = if dialect == Dialect::Mysql { "mysql takes each of them for 0" } else { "they are never equal" };
        assert!(told.contains(&format!("no value of shop_code is one (\"north\"): {so}")), "{dialect:?}: {told}");
    }
}

#[test]
fn without_such_data_nothing_is_said() {
    let whole = shops(Dialect::Sqlite);
    let some_numbers = profile(&whole, ("1", "9"), &["north", "5"]);
    let sqlite_holds_text_too = profile(&whole, ("1", "north"), &["north", "south"]);
    let mut more_values = profile(&whole, ("1", "9"), &["north", "south"]);
    more_values.tables[1].columns[0].complete = false;
    let mut a_sample = profile(&whole, ("1", "9"), &["north", "south"]);
    a_sample.tables[1].row_count = Some(10);
    let mut unknown = a_sample.clone();
    unknown.tables[1].row_count = None;
    for profile in [some_numbers, sqlite_holds_text_too, more_values, a_sample, unknown] {
        assert_eq!(of_both_sides(&whole, &profile), "", "{profile:?}");
    }
}

#[test]
fn an_engine_that_fails_on_other_text_is_not_asked_where_there_is_some() {
    for dialect in [Dialect::Duckdb, Dialect::Snowflake] {
        let catalog = shops(dialect);
        let told = of_both_sides(&catalog, &profile(&catalog, ("1", "9"), &["5", "north"]));
        assert!(told.contains("fails on a text that is none, such as \"north\". Cast one of them"), "{told}");
        assert_eq!(of_both_sides(&catalog, &profile(&catalog, ("1", "9"), &["5", "6"])), "");
    }
}
