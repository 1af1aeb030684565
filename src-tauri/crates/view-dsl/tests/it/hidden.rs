//! Tests views over text that contains numbers and dates, and over tables that are read twice.

use crate::fixtures::catalog;
use serde_json::{Value, json};
use vitrine_domain::{Catalog, ColumnProfile, Dialect, Profile, SemanticKind, TableName, TableProfile, ViewSpec};
use vitrine_sql::bind_names;
use vitrine_view_dsl::{Offer, check_views, compile_view, json_schema};

fn shipments(dialect: Dialect) -> Catalog {
    catalog(
        dialect,
        "CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT, pay INTEGER, manager_id INTEGER REFERENCES employee(id), mentor_id INTEGER REFERENCES employee(id));
         CREATE TABLE airport (code TEXT PRIMARY KEY, city TEXT);
         CREATE TABLE flight (id INTEGER PRIMARY KEY, origin_code TEXT REFERENCES airport(code), destination_code TEXT REFERENCES airport(code), seats INTEGER);
         CREATE TABLE part (id INTEGER PRIMARY KEY, label TEXT, part_of INTEGER REFERENCES part(id));
         CREATE TABLE shipment (id INTEGER PRIMARY KEY, weight TEXT, sent TEXT, arrived TEXT, note TEXT, season TEXT, ended TEXT, fee TEXT);",
    )
}

fn profile(dialect: Dialect) -> Profile {
    let column = |name: &str, kind: SemanticKind, hidden: Option<&str>| ColumnProfile {
        name: name.into(),
        kind,
        hidden: hidden.map(str::to_owned),
        ..ColumnProfile::default()
    };
    let columns = vec![
        column("weight", SemanticKind::Metric, Some("number")),
        column("sent", SemanticKind::Time, Some("%d/%m/%Y")),
        column("arrived", SemanticKind::Time, Some("%Y-%m-%d %H:%M:%S")),
        column("note", SemanticKind::Text, None),
        column("season", SemanticKind::Time, Some("%b %Y")),
        column("ended", SemanticKind::Time, Some("%d %B %Y in German")),
        column("fee", SemanticKind::Metric, Some("number 1.234,56\u{a0}€")),
    ];
    // The name in the catalog's spelling for the dialect.
    let table = shipments(dialect)
        .find_table("shipment")
        .map_or_else(|| TableName::from_unqualified("shipment"), |t| t.name.clone());
    Profile {
        tables: vec![TableProfile { table, row_count: Some(9), profiled_rows: 9, columns }],
        ..Profile::default()
    }
}

fn spec(value: Value) -> ViewSpec {
    serde_json::from_value(value).unwrap_or_else(|e| panic!("{e}"))
}

fn compiled(value: Value, dialect: Dialect) -> String {
    let catalog = shipments(dialect);
    let sql = compile_view(&[spec(value)], &catalog, &profile(dialect), &[], dialect)
        .unwrap_or_else(|e| panic!("{dialect:?}: {e}"));
    assert_eq!(bind_names(&sql, &catalog).problems, [], "{}", sql.as_str());
    sql.as_str().to_owned()
}

fn problems(value: Value) -> Vec<String> {
    let dialect = Dialect::Postgres;
    let found = check_views(&[spec(value)], &shipments(dialect), &profile(dialect), &[]);
    found.err().into_iter().flatten().map(|problem| problem.to_string()).collect()
}

fn shipped(parts: Value) -> Value {
    let mut view = json!({"name": "v", "source": [{"table": "shipment"}], "dimensions": [], "metrics": []});
    view.as_object_mut().expect("an object").extend(parts.as_object().cloned().unwrap_or_default());
    view
}

#[test]
fn hidden_values_are_read_in_the_words_of_each_dialect() {
    let view = || {
        shipped(json!({
            "dimensions": [{"column": "sent", "by": "month"}],
            "metrics": [{"name": "total", "agg": "sum", "of": "weight"}, {"name": "kinds", "agg": "count_distinct", "of": "weight"}],
            "conditions": [
                {"column": "weight", "op": ">", "values": [2.5]},
                {"column": "sent", "op": "between", "values": [{"date": "2024-01-01"}, {"date": "2024-06-30"}]},
                {"column": "arrived", "op": ">=", "values": [{"date": "2024-01-05"}]},
            ],
        }))
    };
    for (dialect, number, day) in [
        (Dialect::Sqlite, "CAST(shipment.weight AS REAL)", "DATE(PRINTF('%04d-%02d-%02d'"),
        (
            Dialect::Duckdb,
            "TRY_CAST(shipment.weight AS DOUBLE)",
            "CAST(TRY_STRPTIME(TRIM(shipment.sent), '%d/%m/%Y') AS DATE)",
        ),
        (Dialect::Postgres, "CAST(shipment.weight AS NUMERIC)", "TO_DATE(TRIM(shipment.sent), 'DD/MM/YYYY')"),
        (Dialect::Snowflake, "TRY_TO_DOUBLE(TRIM(SHIPMENT.WEIGHT))", "TRY_TO_DATE(TRIM(SHIPMENT.SENT), 'DD/MM/YYYY')"),
        (
            Dialect::Bigquery,
            "SAFE_CAST(TRIM(shipment.weight) AS FLOAT64)",
            "SAFE.PARSE_DATE('%d/%m/%Y', TRIM(shipment.sent))",
        ),
    ] {
        let sql = compiled(view(), dialect);
        assert!(sql.contains(number) && sql.contains(day), "{sql}");
        let counted = if dialect == Dialect::Snowflake {
            "COUNT(DISTINCT SHIPMENT.WEIGHT)"
        } else {
            "COUNT(DISTINCT shipment.weight)"
        };
        assert!(sql.contains(counted), "values are counted as they are stored: {sql}");
    }
    // Text that SQLite can parse itself is unchanged.
    assert!(compiled(view(), Dialect::Sqlite).contains("DATE(shipment.arrived) >= '2024-01-05'"));
}

#[test]
fn names_of_months_and_signs_of_money_are_read_in_the_words_of_each_dialect() {
    let view = || {
        shipped(json!({
            "dimensions": [{"column": "ended", "by": "month"}],
            "metrics": [{"name": "total", "agg": "sum", "of": "fee"}],
            "conditions": [{"column": "ended", "op": ">=", "values": [{"date": "2024-01-05"}]}],
        }))
    };
    for (dialect, day, number) in [
        (Dialect::Sqlite, "WHEN 'märz' THEN '03' WHEN 'mÄrz' THEN '03' WHEN 'marz' THEN '03'", "AS REAL)"),
        (Dialect::Duckdb, "AS DATE)", "AS DOUBLE)"),
        (Dialect::Postgres, "'DD MM YYYY')", "AS NUMERIC)"),
        (Dialect::Mysql, "'%d %m %Y') + INTERVAL 0 DAY", "AS DOUBLE)"),
        (Dialect::Snowflake, "'DD MM YYYY')", "AS DOUBLE)"),
        (Dialect::Bigquery, "SAFE.PARSE_DATE('%d %m %Y', TRIM(REPLACE(", "AS FLOAT64)"),
    ] {
        let sql = compiled(view(), dialect);
        assert!(sql.contains(day) && sql.contains(number), "{sql}");
        assert!(sql.contains("WHEN 'dezember' THEN '12'") && sql.contains("'€', '')"), "{sql}");
        assert!(!sql.contains("juillet"), "one language alone: {sql}");
    }
    assert!(
        problems(shipped(json!({"metrics": [{"name": "m", "agg": "sum", "of": "ended"}]})))[0]
            .contains("needs a number")
    );
}

#[test]
fn text_that_is_no_number_and_no_date_is_said_to_be_so() {
    for (parts, expected) in [
        (
            json!({"metrics": [{"name": "m", "agg": "sum", "of": "note"}]}),
            "note is text, and not every value of it is a number or a date: sum needs a number. Numbers are shipment.id, shipment.weight, shipment.fee.",
        ),
        (
            json!({"dimensions": [{"column": "note", "by": "year"}]}),
            "It is text, and not every value of it is a number or a date, and only dates have periods.",
        ),
        (
            json!({"dimensions": [{"column": "season", "by": "year"}]}),
            "It is text, and not every value of it is a number or a date, and only dates have periods.",
        ),
        (
            json!({"dimensions": [{"column": "note"}], "conditions": [{"column": "note", "op": "<", "values": [{"date": "2024-01-01"}]}]}),
            "note is text, and not every value of it is a date: compare it with a text.",
        ),
        (
            json!({"dimensions": [{"column": "sent"}], "conditions": [{"column": "sent", "op": ">", "values": ["31/12/2023"]}]}),
            "'31/12/2023' is no day: write it as 2024-01-31.",
        ),
        (json!({"metrics": [{"name": "m", "agg": "avg", "of": "sent"}]}), "sent is a date: avg needs a number."),
    ] {
        let found = problems(shipped(parts));
        assert!(found.len() == 1 && found[0].contains(expected), "{found:?} instead of {expected}");
    }
    // A text in the stored notation is compared as text.
    let sql = compiled(
        shipped(
            json!({"dimensions": [{"column": "id"}], "conditions": [{"column": "sent", "op": "=", "values": ["31/12/2023"]}, {"column": "weight", "op": "contains", "values": ["."]}]}),
        ),
        Dialect::Postgres,
    );
    assert!(sql.contains("shipment.sent = '31/12/2023'") && sql.contains("STRPOS(LOWER(shipment.weight)"), "{sql}");
    // Nothing is rejected before a table is profiled.
    let early = shipped(json!({"dimensions": [{"column": "note", "by": "year"}]}));
    assert!(check_views(&[spec(early)], &shipments(Dialect::Postgres), &Profile::default(), &[]).is_ok());
}

#[test]
fn what_hides_a_number_is_sorted_by_it() {
    let view = shipped(
        json!({"dimensions": [{"column": "id"}, {"column": "weight"}], "order": [{"by": "weight", "descending": true}], "limit": 3}),
    );
    let sql = compiled(view, Dialect::Duckdb);
    assert!(sql.contains("SELECT shipment.id AS id, shipment.weight AS weight"), "{sql}");
    assert!(
        sql.contains("ORDER BY TRY_CAST(weight AS DOUBLE) DESC NULLS LAST, id NULLS LAST, weight NULLS LAST"),
        "{sql}"
    );
}

#[test]
fn a_table_is_read_twice_by_the_keys_that_aliases_speak_of() {
    let flights = json!({
        "name": "v",
        "source": [{"table": "flight"}, {"table": "airport", "alias": "origin"}, {"table": "airport", "alias": "destination"}],
        "dimensions": [{"column": "origin.city"}, {"column": "destination.city"}],
        "metrics": [{"name": "seats", "agg": "sum", "of": "seats"}],
    });
    let sql = compiled(flights, Dialect::Sqlite);
    assert!(sql.contains("JOIN airport AS origin ON flight.origin_code = origin.code"), "{sql}");
    assert!(sql.contains("JOIN airport AS destination ON flight.destination_code = destination.code"), "{sql}");
    assert!(sql.contains("origin.city AS origin_city, destination.city AS destination_city"), "{sql}");
    let paid = json!({
        "name": "v",
        "source": [{"table": "employee"}, {"table": "employee", "alias": "manager"}],
        "dimensions": [{"column": "manager.name"}],
        "metrics": [{"name": "pay", "agg": "sum", "of": "employee.pay"}, {"name": "own", "agg": "sum", "of": "manager.pay"}],
    });
    let sql = compiled(paid, Dialect::Postgres);
    assert!(sql.contains("JOIN employee AS manager ON employee.manager_id = manager.id"), "{sql}");
    let parts = |joins: Value| {
        json!({
            "name": "v",
            "source": [{"table": "part", "alias": "a"}, {"table": "part", "alias": "b"}],
            "joins": joins,
            "dimensions": [{"column": "a.label"}, {"column": "b.label"}],
            "metrics": [],
        })
    };
    let sql = compiled(parts(json!([{"left": "a", "right": "b", "kind": "left"}])), Dialect::Duckdb);
    assert!(sql.contains("LEFT JOIN part AS b ON a.part_of = b.id"), "the left one refers to the right one: {sql}");
    assert!(problems(parts(json!([])))[0].contains("a and b are linked in 2 ways. Say in joins which"));
    let doubled = json!({"name": "v", "source": [{"table": "part"}, {"table": "part"}], "dimensions": [{"column": "part.id"}], "metrics": []});
    assert!(problems(doubled)[0].contains("Two sources are called part. Give one another alias."));
    let roles = json_schema(&shipments(Dialect::Sqlite), &Profile::default(), &[], Offer::Core).view;
    let text = roles["properties"]["source"].to_string();
    for alias in ["manager", "mentor", "origin", "destination"] {
        assert!(text.contains(alias), "{text}");
    }
}
