//! Tests the view language: compiled specs, rejections and descriptions.

use crate::fixtures::{ALL, catalog};
use serde_json::{Value, json};
use vitrine_domain::{Catalog, Dialect, Profile, ViewSpec};
use vitrine_sql::{DialectExt, ReadOnlySql, bind_names};
use vitrine_view_dsl::{Offer, ViewError, check_views, compile_view, describe_view, json_schema};

/// Rentals as in ProSPy's case, orders with two tables that multiply them, and a table without any key.
fn films(dialect: Dialect) -> Catalog {
    let mut catalog = catalog(
        dialect,
        "CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, first_name TEXT);
         CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT, rating TEXT, released DATE, colour BOOLEAN);
         CREATE TABLE film_actor (actor_id INTEGER REFERENCES actor(actor_id), film_id INTEGER REFERENCES film(film_id), PRIMARY KEY (actor_id, film_id));
         CREATE TABLE inventory (inventory_id INTEGER PRIMARY KEY, film_id INTEGER REFERENCES film(film_id));
         CREATE TABLE rental (rental_id INTEGER PRIMARY KEY, inventory_id INTEGER REFERENCES inventory(inventory_id), rented_at TIMESTAMP);
         CREATE TABLE payment (payment_id INTEGER PRIMARY KEY, rental_id INTEGER REFERENCES rental(rental_id), amount DECIMAL(5,2), quantity INTEGER);
         CREATE TABLE hop (from_film INTEGER REFERENCES film(film_id), to_film INTEGER REFERENCES film(film_id));
         CREATE TABLE \"log book\" (\"Film No.\" INTEGER, \"Order\" TEXT);",
    );
    if let Some(column) = catalog.tables.iter_mut().find(|t| t.name.name == "payment").map(|t| &mut t.columns[2]) {
        column.comment = Some("in dollars".to_owned());
    }
    catalog
}

fn spec(value: Value) -> ViewSpec {
    serde_json::from_value(value).unwrap_or_else(|e| panic!("{e}"))
}

fn sources(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"table": name})).collect()
}

fn film_revenue() -> Value {
    json!({
        "name": "film_revenue",
        "rationale": "Revenue per film",
        "source": sources(&["payment", "rental", "inventory", "film"]),
        "dimensions": [{"column": "film.film_id"}, {"column": "title"}],
        "metrics": [{"name": "total_revenue", "agg": "sum", "of": "amount"}],
    })
}

fn actor_films() -> Value {
    json!({
        "name": "actor_films",
        "source": sources(&["actor", "film_actor"]),
        "dimensions": [{"column": "actor.actor_id"}, {"column": "film_id"}],
        "metrics": [],
    })
}

/// Compiles a view and asserts that every name in the text exists in the catalog.
fn compiled(specs: &[Value], dialect: Dialect) -> ReadOnlySql {
    let catalog = films(dialect);
    let specs: Vec<ViewSpec> = specs.iter().cloned().map(spec).collect();
    let sql = compile_view(&specs, &catalog, &Profile::default(), &[], dialect)
        .unwrap_or_else(|e| panic!("{dialect:?}: {e}"));
    assert_eq!(bind_names(&sql, &catalog).problems, [], "{}", sql.as_str());
    sql
}

fn in_all_dialects(specs: &[Value]) -> String {
    let texts =
        ALL.map(|dialect| format!("-- {}\n{}\n", dialect.sql().display_name(), compiled(specs, dialect).as_str()));
    texts.join("\n")
}

fn problems(value: Value) -> Vec<String> {
    match check_views(&[spec(value)], &films(Dialect::Postgres), &Profile::default(), &[]) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn the_papers_view_is_one_group_by_in_every_dialect() {
    insta::assert_snapshot!(in_all_dialects(&[film_revenue()]));
}

#[test]
fn dates_texts_and_truth_are_written_as_each_dialect_needs() {
    let tests = json!([
        {"column": "rented_at", "op": "between", "values": [{"date": "2024-01-01"}, "2024-03-31"]},
        {"any": [
            {"column": "title", "op": "contains", "values": ["o'b\\"]},
            {"column": "title", "op": "like", "values": ["the%"]},
            {"all": [{"column": "colour", "op": "=", "values": [true]}, {"column": "rating", "op": "is null"}]},
        ]},
        {"column": "amount", "op": "not in", "values": [-1, 0.5]},
        {"column": "released", "op": ">=", "values": [{"date": "2020-02-29"}]},
    ]);
    let periods = ["year", "quarter", "month", "week", "day"];
    insta::assert_snapshot!(in_all_dialects(&[json!({
        "name": "by_period",
        "source": sources(&["payment", "rental", "inventory", "film"]),
        "dimensions": periods.map(|by| json!({"column": "rental.rented_at", "by": by})),
        "metrics": [
            {"name": "payments", "agg": "count"},
            {"name": "worth", "agg": "avg", "of": {"left": {"left": "amount", "op": "-", "right": -1}, "op": "/", "right": "quantity"}},
        ],
        "conditions": tests,
    })]));
}

#[test]
fn a_column_is_compared_with_another() {
    let pairs = |conditions: Value| {
        json!({
            "name": "v",
            "source": sources(&["payment", "rental", "inventory", "film"]),
            "dimensions": [{"column": "title"}],
            "metrics": [{"name": "worth", "agg": "sum", "of": "amount"}, {"name": "payments", "agg": "count"}],
            "conditions": conditions,
            "having": [{"column": "worth", "op": ">", "to": "payments"}],
        })
    };
    insta::assert_snapshot!(in_all_dialects(&[pairs(json!([
        {"column": "payment.amount", "op": ">", "to": "quantity"},
        {"column": {"left": "amount", "op": "-", "right": "quantity"}, "op": "<=", "values": [3]},
        {"column": "rented_at", "op": ">=", "to": "released"},
    ]))]));
    assert_eq!(
        problems(pairs(json!([
            {"column": "title", "op": "=", "to": "amount"},
            {"column": "amount", "op": "in", "to": "quantity"},
            {"column": "amount", "op": "=", "to": "quantity", "values": [1]},
            {"column": "amount", "op": "=", "to": "quantitie"},
            {"column": "colour", "op": "<", "to": "film.colour"},
        ]))),
        [
            "View v, conditions: title is text and amount is a number: they cannot be compared.",
            "View v, conditions: amount and quantity are compared by =, !=, <, <=, > or >=.",
            "View v, conditions: amount is compared with quantity and with constants. Write to, or values.",
            "View v, conditions: No source has a column quantitie. Did you mean payment.quantity?",
            "View v, conditions: colour is true or false, which has no order.",
        ]
    );
}

#[test]
fn a_metric_counts_the_rows_that_meet_its_conditions() {
    let early = json!([{"column": "rented_at", "op": "<", "values": [{"date": "2024-01-01"}]}]);
    let per = |sources: Value, dimension: &str| {
        json!({
            "name": "v",
            "source": sources,
            "dimensions": [{"column": dimension}],
            "metrics": [
                {"name": "early", "agg": "sum", "of": "amount", "conditions": early},
                {"name": "payments", "agg": "count"},
                {"name": "early_payments", "agg": "count", "conditions": early},
            ],
            "ratios": [{"name": "part", "of": "early_payments", "to": "payments"}],
        })
    };
    let of_films = per(sources(&["payment", "rental", "inventory", "film"]), "title");
    insta::assert_snapshot!(in_all_dialects(std::slice::from_ref(&of_films)));
    // A payment occurs once for each actor of its film.
    let of_ratings = per(sources(&["payment", "rental", "inventory", "film", "film_actor"]), "rating");
    insta::assert_snapshot!("conditions_and_repetitions", in_all_dialects(&[of_ratings]));
    let sql = compiled(std::slice::from_ref(&of_films), Dialect::Sqlite);
    let described = describe_view(&spec(of_films), &sql, &films(Dialect::Sqlite), &[]);
    assert_eq!(
        described.columns[1].text,
        "sum of amount where rented_at < 2024-01-01; from rental.rented_at, payment.amount (in dollars)"
    );
}

#[test]
fn the_time_between_two_dates_is_counted_in_steps_of_the_calendar() {
    let between =
        |unit: &str| json!({"name": unit, "agg": "avg", "of": {"from": "released", "to": "rented_at", "in": unit}});
    let units = ["year", "quarter", "month", "week", "day"];
    let late = json!({"from": "rental.rented_at", "to": {"date": "2024-06-30"}});
    let view = json!({
        "name": "v",
        "source": sources(&["rental", "inventory", "film"]),
        "dimensions": [{"column": "title"}],
        "metrics": units.map(between),
        "conditions": [{"column": late, "op": ">", "values": [30]}],
    });
    insta::assert_snapshot!(in_all_dialects(&[view]));
    let wrong = json!({"name": "v", "source": sources(&["film"]), "dimensions": [{"column": "title"}],
        "metrics": [{"name": "a", "agg": "avg", "of": {"from": "film_id", "to": "released"}},
            {"name": "b", "agg": "avg", "of": {"from": {"date": "2024-02-30"}, "to": "released"}}]});
    assert_eq!(
        problems(wrong),
        [
            "View v, metric a: film_id is a number: only between dates is there a time. Dates are film.released.",
            "View v, metric b: '2024-02-30' is no day: write it as 2024-01-31.",
        ]
    );
}

#[test]
fn a_case_puts_rows_into_bands() {
    let bands = json!({"case": [
        {"when": [{"column": "amount", "op": "<", "values": [1]}], "then": "low"},
        {"when": [{"column": "amount", "op": "<", "values": [5]}, {"column": "quantity", "op": "is not null"}], "then": "middle"},
    ], "else": "high"});
    let weight = json!({"case": [{"when": [{"column": "rating", "op": "is null"}], "then": 0}], "else": 1.5});
    let view = json!({
        "name": "v",
        "source": sources(&["payment", "rental", "inventory", "film"]),
        "joins": [{"left": "payment", "right": "rental", "kind": "left"}],
        "dimensions": [{"column": bands, "name": "band"}],
        "metrics": [{"name": "weight", "agg": "sum", "of": {"left": weight, "op": "*", "right": "amount"}}],
    });
    // Unmatched rows of the left joins contribute nothing.
    insta::assert_snapshot!(in_all_dialects(std::slice::from_ref(&view)));
    let sql = compiled(std::slice::from_ref(&view), Dialect::Sqlite);
    let described = describe_view(&spec(view), &sql, &films(Dialect::Sqlite), &[]);
    assert_eq!(
        described.columns[0].text,
        "'low' where amount < 1, 'middle' where amount < 5 and quantity is not null, else 'high'; from payment.amount \
         (in dollars), payment.quantity"
    );
    let wrong = |case: Value| {
        problems(json!({"name": "v", "source": sources(&["film"]), "dimensions": [{"column": case, "name": "band"}]}))
    };
    let is = json!([{"column": "rating", "op": "=", "values": ["R"]}]);
    assert_eq!(wrong(json!({"case": []})), ["View v, dimension band: A case needs a branch."]);
    assert_eq!(
        wrong(json!({"case": [{"when": is, "then": "a"}], "else": 3})),
        ["View v, dimension band: The values of a case are of one kind; here one is text and another a number."]
    );
    assert_eq!(
        wrong(json!({"case": [{"when": [], "then": "a"}]})),
        ["View v, dimension band: A branch of a case needs a condition in when; what is left goes to else."]
    );
}

#[test]
fn medians_and_deviations_are_written_out_where_a_dialect_has_none() {
    let metrics = json!([
        {"name": "middle", "agg": "median", "of": "amount"},
        {"name": "spread", "agg": "stddev", "of": "amount"},
        {"name": "payments", "agg": "count"},
    ]);
    let view = json!({
        "name": "v", "source": sources(&["payment"]), "dimensions": [{"column": "quantity"}], "metrics": metrics,
    });
    insta::assert_snapshot!(in_all_dialects(&[view]));
    // A payment occurs once for each actor of its film.
    let repeated = json!({
        "name": "v",
        "source": sources(&["payment", "rental", "inventory", "film", "film_actor"]),
        "dimensions": [],
        "metrics": metrics,
    });
    insta::assert_snapshot!("medians_and_repetitions", in_all_dialects(&[repeated]));
}

#[test]
fn what_has_no_partner_is_selected_or_kept() {
    let anti = json!({
        "name": "v",
        "source": sources(&["film", "inventory", "hop"]),
        "joins": [{"left": "film", "right": "hop", "kind": "anti", "on": [["film_id", "from_film"]]}],
        "dimensions": [{"column": "title"}],
        "metrics": [{"name": "copies", "agg": "count", "of": "inventory_id"}, {"name": "films", "agg": "sum", "of": "film.film_id"}],
        "conditions": [{"column": "to_film", "op": ">", "values": [3]}, {"column": "rating", "op": "=", "values": ["R"]}],
    });
    insta::assert_snapshot!(in_all_dialects(&[anti]));
    let series = |name: &str, metric: Value| json!({"name": name, "source": sources(&["inventory"]), "dimensions": [{"column": "film_id"}], "metrics": [metric]});
    let full = json!({
        "name": "v",
        "source": sources(&["copies", "newest"]),
        "joins": [{"left": "copies", "right": "newest", "kind": "full"}],
        "dimensions": [{"column": "film_id"}, {"column": "copies"}, {"column": "last"}],
        "conditions": [{"column": "film_id", "op": "<", "values": [9]}],
    });
    let copies = series("copies", json!({"name": "copies", "agg": "count"}));
    let newest = series("newest", json!({"name": "last", "agg": "max", "of": "inventory_id"}));
    insta::assert_snapshot!("full_join", in_all_dialects(&[copies, newest, full]));
    let films = |joins: Value, dimension: &str| {
        problems(json!({"name": "v", "source": sources(&["film", "inventory", "rental"]), "joins": joins,
            "dimensions": [{"column": dimension}]}))
    };
    assert_eq!(
        films(
            json!([{"left": "film", "right": "inventory", "kind": "anti"}, {"left": "inventory", "right": "rental"}]),
            "title"
        ),
        ["View v, joins: inventory has an anti join, so nothing else can be joined to it. Make a view of it first."]
    );
    assert_eq!(
        films(json!([{"left": "film", "right": "inventory", "kind": "full"}]), "title"),
        ["View v, joins: A full join joins two sources and no others. Make views of the other joins first."]
    );
    assert_eq!(
        films(json!([{"left": "inventory", "right": "rental", "kind": "anti"}]), "rental_id"),
        ["View v, dimension rental_id: rental has an anti join: no row of it is there. Name it in conditions only."]
    );
    let both = json!([{"column": "rental.inventory_id", "op": "=", "to": "film.film_id"}]);
    let mixed = json!({"name": "v", "source": sources(&["film", "inventory", "rental"]),
        "joins": [{"left": "inventory", "right": "rental", "kind": "anti"}], "dimensions": [{"column": "title"}],
        "conditions": both});
    assert_eq!(
        problems(mixed),
        ["View v, conditions: rental has an anti join: a condition on it names no other source. Write several."]
    );
}

#[test]
fn a_series_is_compared_with_its_own_past() {
    let window = |name: &str, kind: &str, rows: Value| json!({"name": name, "kind": kind, "of": "revenue", "along": ["month"], "per": ["rating"], "rows": rows});
    let view = |windows: Value| {
        json!({
            "name": "v",
            "source": sources(&["payment", "rental", "inventory", "film"]),
            "dimensions": [{"column": "rating"}, {"column": "rented_at", "by": "month", "name": "month"}],
            "metrics": [{"name": "revenue", "agg": "sum", "of": "amount"}],
            "windows": windows,
        })
    };
    let good = view(json!([
        window("before", "lag", Value::Null),
        window("year_before", "lag", json!(12)),
        window("quarter", "moving_sum", json!(3)),
        window("level", "moving_avg", json!(3)),
    ]));
    insta::assert_snapshot!(in_all_dialects(std::slice::from_ref(&good)));
    let sql = compiled(std::slice::from_ref(&good), Dialect::Sqlite);
    let described = describe_view(&spec(good), &sql, &films(Dialect::Sqlite), &[]);
    let told: Vec<&str> = described.columns[3..].iter().map(|c| c.text.split(';').next().unwrap_or_default()).collect();
    assert_eq!(
        told,
        [
            "revenue of 1 row before per rating along month",
            "revenue of 12 rows before per rating along month",
            "sum of revenue over 3 rows up to here per rating along month",
            "mean of revenue over 3 rows up to here per rating along month",
        ]
    );
    let wrong = json!([
        {"name": "a", "kind": "moving_sum", "of": "revenue", "along": ["month"]},
        {"name": "b", "kind": "lag", "of": "revenue"},
        {"name": "c", "kind": "rank", "of": "revenue", "rows": 2},
        {"name": "d", "kind": "lag", "of": "revenue", "along": ["month"], "rows": 0},
    ]);
    assert_eq!(
        problems(view(wrong)),
        [
            "View v, window a: A moving window needs rows: how many it holds.",
            "View v, window b: A lag or a moving window needs dimensions in along.",
            "View v, window c: Only a lag or a moving window has rows.",
            "View v, window d: rows is between 1 and 100000.",
        ]
    );
}

#[test]
fn a_value_is_read_as_another_type() {
    let cast = |of: Value, to: &str| json!({"column": {"cast": of, "to": to}, "name": format!("as_{to}")});
    let view =
        |dimensions: Value| json!({"name": "v", "source": sources(&["film", "inventory"]), "dimensions": dimensions});
    insta::assert_snapshot!(in_all_dialects(&[view(json!([
        cast(json!("title"), "number"),
        cast(json!({"left": "inventory_id", "op": "/", "right": 2}), "whole"),
        cast(json!("released"), "text"),
        cast(json!("title"), "date"),
        {"column": {"cast": "colour", "to": "whole"}, "name": "coloured"},
    ]))]));
    let wrong = json!([
        cast(json!("released"), "number"),
        cast(json!({"left": "inventory_id", "op": "/", "right": 2}), "text"),
        {"column": {"cast": "title", "to": "date"}},
    ]);
    assert_eq!(
        problems(view(wrong)),
        [
            "View v, dimension as_number: released is a date and cannot be cast so: count days from a date with from, to, in.",
            "View v, dimension as_text: (inventory_id / 2) is a number and cannot be cast so: cast it to a whole number first.",
            "View v, dimension: A dimension that is no column needs a name.",
        ]
    );
}

#[test]
fn series_are_united_by_the_columns_that_all_have() {
    let series = |name: &str, agg: &str| {
        json!({"name": name, "source": sources(&["payment", "rental"]),
            "dimensions": [{"column": "rented_at", "by": "month", "name": "month"}],
            "metrics": [{"name": "value", "agg": agg, "of": "amount"}, {"name": name, "agg": "count"}]})
    };
    let both = |union: Value, series: &str| {
        json!({"name": "v", "source": [{"table": "revenue", "union": union, "series": series, "alias": "both"}],
            "dimensions": [{"column": "kind"}, {"column": "month"}], "metrics": [{"name": "value", "agg": "sum", "of": "both.value"}]})
    };
    let (revenue, mean) = (series("revenue", "sum"), series("mean", "avg"));
    insta::assert_snapshot!(in_all_dialects(&[revenue.clone(), mean, both(json!(["mean"]), "kind")]));
    let told = |view: Value| {
        let specs: Vec<ViewSpec> = [revenue.clone(), view].into_iter().map(spec).collect();
        let problems = check_views(&specs, &films(Dialect::Sqlite), &Profile::default(), &[]).expect_err("a problem");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        told(both(json!(["means"]), "kind"))[0],
        "View v, source: There is no table or view means. There is revenue, actor, film, film_actor, inventory, rental, \
         payment, hop and others."
    );
    assert_eq!(
        told(both(json!(["film"]), "kind")),
        ["View v, source: revenue, film have no column of the same name and type. Make views that do."]
    );
}

#[test]
fn a_path_leads_into_what_is_nested() {
    let nested =
        |path: Value, kind: &str| json!({"column": {"column": "facts", "path": path, "as": kind}, "name": kind});
    let view = json!({
        "name": "v",
        "source": sources(&["visit"]),
        "dimensions": [
            nested(json!(["page", "it's title"]), "text"),
            nested(json!(["sizes", 0]), "number"),
            nested(json!(["seen"]), "date"),
        ],
    });
    let texts = ALL.map(|dialect| {
        let kind = match dialect {
            Dialect::Snowflake | Dialect::Databricks => "VARIANT",
            Dialect::Duckdb => "STRUCT(page VARCHAR)",
            Dialect::Trino => "ROW(page VARCHAR)",
            Dialect::Mssql => "NVARCHAR(MAX)",
            Dialect::Sqlite => "TEXT",
            Dialect::Postgres | Dialect::Bigquery | Dialect::Mysql | Dialect::Clickhouse => "JSON",
        };
        let mut visits = catalog(dialect, "CREATE TABLE visit (facts TEXT, n INTEGER);");
        visits.tables[0].columns[0].data_type = kind.to_owned();
        let sql = compile_view(&[spec(view.clone())], &visits, &Profile::default(), &[], dialect);
        format!(
            "-- {}\n{}\n",
            dialect.sql().display_name(),
            sql.unwrap_or_else(|e| panic!("{dialect:?}: {e}")).as_str()
        )
    });
    insta::assert_snapshot!(texts.join("\n"));
    let told = |column: &str, dialect: Dialect| {
        let visits = catalog(dialect, "CREATE TABLE visit (facts TEXT, n INTEGER);");
        let view = json!({"name": "v", "source": [{"table": "visit"}],
            "dimensions": [{"column": {"column": column, "path": ["a"], "as": "text"}, "name": "a"}]});
        let problems = check_views(&[spec(view)], &visits, &Profile::default(), &[]).expect_err("a problem");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        told("n", Dialect::Sqlite),
        ["View v, dimension a: n is a number: nothing is inside it. Name it as it is."]
    );
    assert_eq!(
        told("facts", Dialect::Postgres),
        ["View v, dimension a: facts is text, and PostgreSQL has paths into json and arrays only."]
    );
}

#[test]
fn views_on_views_become_a_with_clause() {
    let best = json!({
        "name": "best",
        "source": sources(&["actor_films", "film_revenue"]),
        "dimensions": [{"column": "actor_id"}, {"column": "title"}],
        "metrics": [
            {"name": "revenue", "agg": "sum", "of": "total_revenue"},
            {"name": "films", "agg": "count"},
        ],
        "ratios": [{"name": "mean", "of": "revenue", "to": "films"}],
        "windows": [
            {"name": "share", "kind": "share", "of": "revenue", "per": ["actor_id"]},
            {"name": "place", "kind": "rank", "of": "mean"},
            {"name": "so_far", "kind": "running_total", "of": "revenue", "along": ["title"]},
        ],
        "having": [{"column": "mean", "op": ">", "values": [1]}],
        "top": {"n": 3, "by": "revenue", "per": ["actor_id"]},
        "order": [{"by": "share", "descending": true}],
        "limit": 100,
    });
    insta::assert_snapshot!(in_all_dialects(&[film_revenue(), actor_films(), best]));
}

#[test]
fn a_row_counts_once_however_often_a_join_repeats_it() {
    let per_actor = |dimensions: Value, of: &str| {
        json!({
            "name": "v",
            "source": sources(&["payment", "rental", "inventory", "film", "film_actor"]),
            "dimensions": dimensions,
            "metrics": [{"name": "total", "agg": "sum", "of": of}, {"name": "n", "agg": "count"}],
        })
    };
    // Within an actor's group a payment occurs once: the bridge's key is the actor and the film.
    let per_actor_sql = compiled(&[per_actor(json!([{"column": "film_actor.actor_id"}]), "amount")], Dialect::Duckdb);
    assert!(!per_actor_sql.as_str().contains("ROW_NUMBER"), "{}", per_actor_sql.as_str());
    // Over all actors, it occurs once per actor of its film.
    insta::assert_snapshot!(in_all_dialects(&[per_actor(json!([{"column": "rating"}]), "payment.amount")]));
    // Two tables that multiply each other, one of them without a key.
    let no_key = json!({
        "name": "v",
        "source": sources(&["film", "inventory", "hop"]),
        "joins": [{"left": "film", "right": "hop", "kind": "left", "on": [["film_id", "from_film"]]}],
        "dimensions": [{"column": "title"}],
        "metrics": [
            {"name": "copies", "agg": "count", "of": "inventory_id"},
            {"name": "hops", "agg": "count", "of": "to_film"},
            {"name": "last_hop", "agg": "max", "of": "to_film"},
        ],
    });
    insta::assert_snapshot!("without_a_key", in_all_dialects(&[no_key]));
}

#[test]
fn names_that_need_quotes_get_them() {
    let sql = compiled(
        &[json!({
            "name": "v",
            "source": [{"table": "log book", "alias": "order"}],
            "dimensions": [{"column": "order.Film No."}, {"column": "Order", "name": "Which order"}],
            "distinct": true,
        })],
        Dialect::Postgres,
    );
    assert_eq!(
        sql.as_str(),
        "SELECT DISTINCT \"order\".\"Film No.\" AS \"Film No.\", \"order\".\"Order\" AS \"Which order\"\nFROM \"log \
         book\" AS \"order\""
    );
}

#[test]
fn what_does_not_fit_is_said_with_what_there_is_instead() {
    let wrong = [
        json!({"name": "a view", "source": [], "dimensions": [], "limit": 0}),
        json!({"name": "film", "source": sources(&["film"]), "dimensions": [{"column": "title"}]}),
        json!({"name": "v", "source": sources(&["flim"]), "dimensions": [{"column": "title"}]}),
        json!({"name": "v", "source": sources(&["film"]), "dimensions": [{"column": "titel"}, {"column": "actor.first_name"}]}),
        json!({"name": "v", "source": sources(&["film", "inventory", "film_actor"]),
            "joins": [{"left": "film", "right": "film_actor", "kind": "left"}], "dimensions": [{"column": "film_id"}]}),
        json!({"name": "v", "source": sources(&["film", "actor"]), "dimensions": [{"column": "title"}]}),
        json!({"name": "v", "source": sources(&["film", "hop"]), "dimensions": [{"column": "title"}]}),
        json!({"name": "v", "source": sources(&["film", "log book"]), "dimensions": [{"column": "title"}],
            "joins": [{"left": "film", "right": "log book", "on": [["title", "Film No."]]}]}),
        json!({"name": "v", "source": sources(&["film", "inventory", "rental"]), "dimensions": [{"column": "title"}],
            "joins": [{"left": "film", "right": "inventory", "kind": "left"}, {"left": "inventory", "right": "rental"}]}),
        json!({"name": "v", "source": sources(&["film", "film_actor", "inventory"]), "dimensions": [{"column": "title"}],
        "joins": [
            {"left": "film", "right": "inventory"},
            {"left": "film", "right": "film_actor"},
            {"left": "film_actor", "right": "inventory", "on": [["film_id", "film_id"]]},
        ]}),
        json!({"name": "v", "source": sources(&["film"]), "dimensions": [{"column": "title"}, {"column": "rating", "name": "Title"},
            {"column": "film_id", "by": "month"}],
            "metrics": [{"name": "m", "agg": "sum", "of": "title"}, {"name": "n", "agg": "avg"}, {"name": "o", "agg": "max", "of": "colour"}]}),
        json!({"name": "v", "source": sources(&["film"]), "dimensions": [{"column": "title"}], "conditions": [
            {"column": "film_id", "op": "=", "values": ["many"]},
            {"column": "film_id", "op": "contains", "values": ["1"]},
            {"column": "released", "op": "=", "values": ["2023-02-30"]},
            {"column": "title", "op": "<", "values": [3]},
            {"column": "title", "op": "in"},
            {"any": []},
        ]}),
        json!({"name": "v", "source": sources(&["film"]), "dimensions": [{"column": "title"}],
            "metrics": [{"name": "films", "agg": "count"}],
            "ratios": [{"name": "r", "of": "films", "to": "title"}],
            "windows": [{"name": "w", "kind": "running_total", "of": "films"}],
            "having": [{"column": "filmz", "op": ">", "values": [1]}],
            "top": {"n": 0, "by": "films"}, "order": [{"by": "released"}]}),
    ];
    let said: Vec<String> = wrong.into_iter().map(|value| problems(value).join("\n")).collect();
    insta::assert_snapshot!(said.join("\n\n"));
}

#[test]
fn problems_of_several_views_are_told_once_each() {
    let view = |name: &str, source: &str, column: &str| {
        spec(json!({"name": name, "source": sources(&[source]), "dimensions": [{"column": column}]}))
    };
    let told = |specs: &[ViewSpec]| match compile_view(
        specs,
        &films(Dialect::Sqlite),
        &Profile::default(),
        &[],
        Dialect::Sqlite,
    ) {
        Err(ViewError::Problems(problems)) => problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    // Views that read a view with problems are not checked.
    assert_eq!(
        told(&[view("b", "a", "title"), view("a", "film", "nothing")]),
        ["View a, dimension nothing: No source has a column nothing. There is film.film_id, film.title, film.rating, \
          film.released, film.colour."]
    );
    assert_eq!(
        told(&[view("a", "b", "x"), view("b", "a", "x")]),
        ["View a, source: These views read each other in a circle: a, b."]
    );
    assert_eq!(told(&[view("a", "a", "x")]), ["View a, source: It reads itself."]);
}

#[test]
fn a_materialised_view_is_read_like_a_table() {
    let catalog = films(Dialect::Duckdb);
    let first = spec(film_revenue());
    let earlier = check_views(std::slice::from_ref(&first), &catalog, &Profile::default(), &[]).expect("fits");
    // The film's key identifies its rows, so that joining it repeats nothing.
    assert_eq!(earlier[0].keys, [vec!["film_id".to_owned()], vec!["film_id".to_owned(), "title".to_owned()]]);
    let next = spec(json!({
        "name": "per_actor",
        "source": sources(&["film_actor", "film_revenue"]),
        "dimensions": [{"column": "actor_id"}],
        "metrics": [{"name": "revenue", "agg": "sum", "of": "total_revenue"}],
    }));
    let sql = compile_view(std::slice::from_ref(&next), &catalog, &Profile::default(), &earlier, Dialect::Duckdb)
        .expect("compiles");
    assert_eq!(
        sql.as_str(),
        "SELECT film_actor.actor_id AS actor_id, SUM(film_revenue.total_revenue) AS revenue\nFROM film_actor\nJOIN \
         film_revenue ON film_actor.film_id = film_revenue.film_id\nGROUP BY 1"
    );
    let described = describe_view(&next, &sql, &catalog, &earlier);
    assert_eq!(described.tables, ["film_actor", "film", "payment"]);
    assert_eq!(described.columns[0].text, "film_actor.actor_id");
    assert_eq!(described.columns[1].sources, [("payment".to_owned(), "amount".to_owned())]);
    assert_eq!(described.columns[1].text, "sum of total_revenue; from payment.amount (in dollars)");
}

#[test]
fn a_description_follows_columns_to_their_tables() {
    let catalog = films(Dialect::Sqlite);
    let spec = spec(json!({
        "name": "monthly",
        "rationale": "How rentals pay",
        "source": sources(&["payment", "rental", "inventory", "film", "film_actor"]),
        "dimensions": [{"column": "rented_at", "by": "month"}],
        "metrics": [
            {"name": "total", "agg": "sum", "of": {"left": "amount", "op": "*", "right": "quantity"}},
            {"name": "rows", "agg": "count"},
        ],
        "windows": [{"name": "part", "kind": "share", "of": "total"}],
    }));
    let sql = compile_view(std::slice::from_ref(&spec), &catalog, &Profile::default(), &[], Dialect::Sqlite)
        .expect("compiles");
    let described = describe_view(&spec, &sql, &catalog, &[]);
    let told: Vec<String> = described.columns.iter().map(|c| format!("{}: {}", c.name, c.text)).collect();
    assert_eq!(
        told,
        [
            "rented_at_month: first day of the month; from rental.rented_at",
            "total: sum of (amount * quantity); from payment.amount (in dollars), payment.quantity",
            "rows: number of rows",
            "part: share of the total total, from 0 to 1; from payment.amount (in dollars), payment.quantity",
        ]
    );
    assert!(described.text.starts_with("How rentals pay. From payment, rental, inventory, film, film_actor.\nSELECT "));
}

#[test]
fn a_model_can_write_only_names_that_there_are() {
    let catalog = films(Dialect::Sqlite);
    let earlier = check_views(&[spec(film_revenue())], &catalog, &Profile::default(), &[]).expect("fits");
    let schema = json_schema(&catalog, &Profile::default(), &earlier, Offer::Core).view;
    // Recorded replies of the embedded model are keyed by it.
    insta::assert_snapshot!("small_schema", serde_json::to_string_pretty(&schema).expect("JSON"));
    let at = |path: &str| schema.pointer(path).unwrap_or_else(|| panic!("no {path}")).clone();
    assert_eq!(at("/required"), json!(["name", "rationale", "source", "dimensions", "metrics", "conditions"]));
    assert_eq!(at("/properties/source/items/anyOf/0/properties/table/enum/0"), json!("film_revenue"));
    // A hop refers to a film as its start and as its end.
    let twice = at("/properties/source/items/anyOf/2/properties");
    assert_eq!(twice, json!({"table": {"const": "film"}, "alias": {"const": "to_film"}}));
    let dated = at("/properties/dimensions/items/anyOf/1/properties/column/enum");
    assert!(dated.as_array().is_some_and(|names| names.contains(&json!("rental.rented_at"))));
    assert!(dated.as_array().is_some_and(|names| names.contains(&json!("to_film.released"))));
    assert!(dated.as_array().is_some_and(|names| !names.contains(&json!("payment.amount"))));
    let added = at("/properties/metrics/items/anyOf/0/properties/of/anyOf/0/enum");
    assert!(added.as_array().is_some_and(|names| names.contains(&json!("payment.amount"))));
    assert!(added.as_array().is_some_and(|names| !names.contains(&json!("film.title"))));
}

#[test]
fn a_spec_is_read_strictly_and_written_shortly() {
    let short = json!({"name": "v", "source": [{"table": "film"}], "dimensions": [{"column": "title"}], "metrics": []});
    assert_eq!(serde_json::to_value(spec(short.clone())).ok(), Some(short));
    for wrong in [
        json!({"name": "v", "source": [], "sql": "SELECT 1"}),
        json!({"name": "v", "source": [{"table": "film", "where": 1}]}),
        json!({"name": "v", "source": [], "conditions": [{"column": "a", "op": "regexp", "values": ["x"]}]}),
        json!({"name": "v", "source": [], "metrics": [{"name": "m", "agg": "mode", "of": "a"}]}),
    ] {
        assert!(serde_json::from_value::<ViewSpec>(wrong.clone()).is_err(), "{wrong}");
    }
}
