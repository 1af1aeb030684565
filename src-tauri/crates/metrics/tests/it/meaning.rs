//! Names that mean a time, a column or several ones, and queries whose numbers would be wrong.

use crate::fixtures::{compile, compile_changed, query, reject};
use vitrine_ddl::parse;
use vitrine_domain::{Catalog, Dialect};
use vitrine_metrics::{Comparison, MetricQuery, MetricsFile, compile_query, import_files, parse_file};

fn sql(query: &MetricQuery) -> String {
    compile(query, Dialect::Duckdb).unwrap().sql.as_str().to_owned()
}

fn compare(metrics: &str, by: &str) -> MetricQuery {
    MetricQuery { compare: Some(Comparison::PreviousPeriod), ..query(metrics, by) }
}

fn filtered(query: MetricQuery, filter: &str) -> MetricQuery {
    MetricQuery { filters: vec![filter.into()], ..query }
}

#[test]
fn an_earlier_value_needs_a_time() {
    for by in ["", "store__city", "store__opened__month"] {
        assert!(reject(&query("growth", by)).contains("needs a time to group by"), "{by}");
    }
    sql(&query("growth", "metric_time__month"));
    sql(&query("growth", "order__ordered_at__month"));
    sql(&MetricQuery { from: Some("2024-03-01".into()), to: Some("2024-03-31".into()), ..query("growth", "") });
}

#[test]
fn the_shortest_period_of_the_groups_is_compared() {
    let step = |by: &str, text: &str| {
        let sql = sql(&compare("revenue", by));
        assert!(sql.contains(text), "{by}: {sql}");
    };
    step("order__ordered_at__month", "INTERVAL '1 months'");
    step("metric_time__year,metric_time__fiscal_quarter", "INTERVAL '3 months'");
    step("metric_time__fiscal_year", "INTERVAL '12 months'");
    let by_month = [("{name: ordered_at, kind: time}", "{name: ordered_at, kind: time, grain: month}")];
    let text = compile_changed(&by_month, &compare("orders", "metric_time")).unwrap();
    assert!(text.contains("INTERVAL '1 months'"), "{text}");
    assert!(reject(&compare("revenue", "metric_time__extract_month")).contains("Parts of dates"));
    assert!(reject(&compare("revenue", "metric_time__month,metric_time__extract_year")).contains("Parts of dates"));
    let told = compile_changed(&by_month, &query("orders,visits", "metric_time")).unwrap_err();
    assert!(told.contains("different periods"), "{told}");
    compile_changed(&by_month, &query("orders,visits", "metric_time__month")).unwrap();
}

#[test]
fn a_comparison_keeps_groups_of_the_earlier_period() {
    let text = sql(&compare("revenue", "metric_time__month,store__city"));
    assert!(text.contains("OR (metric_time__month <= (SELECT MAX(metric_time__month) FROM"), "{text}");
}

#[test]
fn a_name_means_the_same_column_for_all_metrics() {
    let other = [(
        "      - {name: day, kind: time}\n  - name: stock",
        "      - {name: day, kind: time}\n      - {name: status, column: id}\n  - name: stock",
    )];
    let told = compile_changed(&other, &query("orders,visits", "status")).unwrap_err();
    assert!(told.contains("'status' means different columns"), "{told}");
    let told = compile_changed(&other, &filtered(query("orders,visits", ""), "status = 'paid'")).unwrap_err();
    assert!(told.contains("'status' means different columns"), "{told}");
    let within = [
        other[0],
        (
            "{name: conversion, formula: orders / visits}",
            "{name: conversion, formula: orders / visits, filters: [\"status = 'paid'\"]}",
        ),
    ];
    assert!(compile_changed(&within, &query("conversion", "")).is_err());
    compile_changed(&other, &query("orders,visits", "store,store__city,metric_time__month")).unwrap();
    compile_changed(&other, &filtered(query("orders", ""), "status = 'paid'")).unwrap();
}

#[test]
fn a_balance_knows_its_time_under_every_name() {
    let counted = "PARTITION BY CAST(DATE_TRUNC('month', stock.day) AS DATE)";
    let without_time = [("time: day\n    primary_entity: count", "primary_entity: count")];
    for changes in [Vec::new(), without_time.to_vec()] {
        let by_month = query("stock_units", "count__day__month");
        let text = compile_changed(&changes, &by_month).unwrap();
        assert!(text.contains(counted), "{text}");
        let told = compile_changed(&changes, &MetricQuery { share: true, ..by_month }).unwrap_err();
        assert!(told.contains("cannot be added"), "{told}");
    }
}

#[test]
fn a_range_does_not_shorten_an_accumulation() {
    let ranged = |by: &str| MetricQuery { from: Some("2024-03-01".into()), ..query("revenue_so_far", by) };
    assert!(reject(&ranged("")).contains("accumulates over time"));
    assert!(reject(&ranged("store__city")).contains("accumulates over time"));
    sql(&query("revenue_so_far", "store__city"));
    sql(&ranged("metric_time__month"));
    let since = "order__ordered_at__month >= '2024-03-01'";
    let text = sql(&filtered(query("revenue_so_far", "metric_time__month"), since));
    assert!(text.contains("(CAST(DATE_TRUNC('month', days_.day) AS DATE) >= '2024-03-01')"), "{text}");
    assert!(!text.contains("orders.ordered_at) AS DATE) >= "), "{text}");
    // A definition's own range limits the rows.
    let own = "cumulative: {metric: revenue}, filters: [\"metric_time__day >= '2024-02-01'\"]}";
    let changes = [("cumulative: {metric: revenue}}", own)];
    let text = compile_changed(&changes, &query("revenue_so_far", "metric_time__month")).unwrap();
    assert!(text.contains("(CAST(orders.ordered_at AS DATE) >= '2024-02-01')"), "{text}");
}

#[test]
fn a_metric_within_another_one_may_have_the_name_of_a_group() {
    let changes = [(
        "  - {name: conversion",
        "  - {name: customer, aggregate: count, table: orders}\n  - {name: per_customer, ratio: {of: orders, to: customer}}\n  - {name: conversion",
    )];
    let text = compile_changed(&changes, &query("per_customer", "customer")).unwrap();
    assert!(text.contains("AS customer__2"), "{text}");
}

#[test]
fn a_time_of_an_unknown_zone_is_rejected() {
    let zone = ("\ntables:", "\ncalendar: {time_zone: Europe/Berlin}\ntables:");
    let by_day = query("orders", "metric_time__day");
    let with = |column: &'static str| compile_changed(&[zone, ("{name: ordered_at, kind: time}", column)], &by_day);
    let told = with("{name: ordered_at, kind: time, column: \"DATE_TRUNC('day', ordered_at)\"}").unwrap_err();
    assert!(told.contains("to the time zone Europe/Berlin"), "{told}");
    with("{name: ordered_at, kind: time, column: CAST(ordered_at AS DATE)}").unwrap();
    with("{name: ordered_at, kind: time}").unwrap();
}

#[test]
fn a_formula_has_no_aggregates() {
    let changes = [("formula: orders / visits", "formula: SUM(orders) / visits")];
    let told = compile_changed(&changes, &query("conversion", "")).unwrap_err();
    assert!(told.contains("has the aggregate SUM(orders)"), "{told}");
}

#[test]
fn a_table_of_another_schema_is_used_only_by_an_import() {
    let tables = parse("CREATE TABLE sales.visits (id INTEGER, day DATE);", Dialect::Duckdb).unwrap();
    let catalog = Catalog {
        database: "shop".into(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables,
    };
    let file = |table: &str| {
        let text = format!(
            "tables: [{{name: visits, table: {table}}}]\nmetrics: [{{name: visits, aggregate: count, table: visits}}]"
        );
        parse_file(&text).unwrap()
    };
    let error = compile_query(&file("archive.visits"), &catalog, &query("visits", "")).unwrap_err();
    assert!(error.message.contains("no table archive.visits"), "{}", error.message);
    compile_query(&file("sales.visits"), &catalog, &query("visits", "")).unwrap();
    compile_query(&file("visits"), &catalog, &query("visits", "")).unwrap();
    let model = "cubes: [{name: visits, sql_table: archive.visits, measures: [{name: visits, type: count}]}]";
    let imported = import_files(&[("file".to_owned(), model.to_owned())], &MetricsFile::default(), &catalog).unwrap();
    assert_eq!(imported.file.tables[0].table.as_deref(), Some("sales.visits"));
    assert!(imported.skipped.iter().any(|one| one.reason.contains("no archive.visits")), "{:?}", imported.skipped);
}
