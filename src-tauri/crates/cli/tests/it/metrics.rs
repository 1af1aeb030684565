//! `vitrine metrics`: numbers that are defined once.

use crate::support::{Desk, Said};
use serde_json::Value;

const METRICS: &str = "
semantic_models:
  - name: orders
    model: ref('orders')
    defaults: {agg_time_dimension: day}
    entities:
      - {name: order, type: primary, expr: id}
      - {name: store, type: foreign, expr: store_id}
    dimensions:
      - {name: day, type: time, type_params: {time_granularity: day}}
      - {name: status, type: categorical}
    measures:
      - {name: revenue, agg: sum, expr: amount, create_metric: true}
      - {name: orders, agg: count, expr: id, create_metric: true}
      - {name: buyers, agg: count_distinct, expr: customer_id, create_metric: true}
  - name: visits
    model: ref('visits')
    defaults: {agg_time_dimension: day}
    primary_entity: visit
    entities: [{name: store, type: foreign, expr: store_id}]
    dimensions: [{name: day, type: time, type_params: {time_granularity: day}}]
    measures: [{name: visits, agg: sum, expr: n, create_metric: true}]
  - name: stock
    model: ref('stock')
    defaults: {agg_time_dimension: day}
    primary_entity: count
    entities: [{name: store, type: foreign, expr: store_id}]
    dimensions: [{name: day, type: time, type_params: {time_granularity: day}}]
    measures:
      - {name: units, agg: sum, create_metric: true, non_additive_dimension: {name: day, window_choice: max}}
  - name: stores
    model: ref('stores')
    entities: [{name: store, type: primary, expr: id}]
    dimensions: [{name: region, type: categorical}]
metrics:
  - {name: conversion, type: ratio, label: Conversion, type_params: {numerator: orders, denominator: visits}}
  - name: daily_revenue
    label: Revenue of every day
    type: simple
    type_params: {measure: {name: revenue, join_to_timespine: true, fill_nulls_with: 0}}
  - {name: so_far, label: So far, type: cumulative, type_params: {measure: revenue, cumulative_type_params: {period_agg: last}}}
  - name: growth
    label: Growth
    type: derived
    type_params: {expr: revenue - before, metrics: [{name: revenue}, {name: revenue, alias: before, offset_window: 1 month}]}
  - {name: signups, label: Signups, type: conversion, type_params: {}}
";

/// A shop in which joining visits or stock to orders would multiply amounts.
fn shop() -> Desk {
    let desk = Desk::new();
    let db = rusqlite::Connection::open(desk.path("shop.db")).unwrap();
    db.execute_batch(
        "CREATE TABLE stores (id INTEGER PRIMARY KEY, region TEXT);
         INSERT INTO stores VALUES (1, 'EU'), (2, 'EU'), (3, 'US');
         CREATE TABLE orders (id INTEGER PRIMARY KEY, store_id INTEGER, customer_id INTEGER, day DATE, status TEXT, amount INTEGER);
         INSERT INTO orders VALUES (1, 1, 7, '2024-01-05', 'paid', 10), (2, 1, 7, '2024-01-20', 'paid', 20),
           (3, 2, 8, '2024-01-31', 'open', 5), (4, 3, 7, '2024-03-01', 'paid', 100), (5, NULL, 9, '2024-03-02', 'paid', 1);
         CREATE TABLE visits (store_id INTEGER, day DATE, n INTEGER);
         INSERT INTO visits VALUES (1, '2024-01-05', 3), (1, '2024-01-06', 4), (2, '2024-02-01', 8), (3, '2024-03-01', 2);
         CREATE TABLE stock (store_id INTEGER, day DATE, units INTEGER);
         INSERT INTO stock VALUES (1, '2024-01-30', 50), (1, '2024-01-31', 40), (2, '2024-01-31', 2), (1, '2024-02-10', 30);",
    )
    .unwrap();
    std::fs::write(desk.path("metrics.yml"), METRICS).unwrap();
    let imported = desk.run(&["metrics", "import", "metrics.yml", "--warehouse", &desk.shop()]);
    assert_eq!(imported.status, 0, "{}", imported.err);
    assert!(imported.out.contains("conversion metrics are not supported"), "{}", imported.out);
    desk
}

fn query(desk: &Desk, arguments: &[&str]) -> Said {
    let shop = desk.shop();
    desk.run(&[&["metrics", "query", "--json", "--warehouse", &shop], arguments].concat())
}

fn rows(desk: &Desk, arguments: &[&str]) -> String {
    let said = query(desk, arguments);
    assert_eq!(said.status, 0, "{}", said.err);
    let told: Value = serde_json::from_str(&said.out).unwrap();
    told["rows"].to_string()
}

#[test]
fn no_join_multiplies_a_metric() {
    let desk = shop();
    let by_region = ["--metrics", "revenue,visits,orders,conversion", "--by", "store__region"];
    assert_eq!(rows(&desk, &by_region), r#"[["EU",35,15,3,0.2],["US",100,2,1,0.5],[null,1,null,1,null]]"#);
    assert_eq!(rows(&desk, &["--metrics", "revenue,visits,conversion"]), "[[136,17,0.29411764705882354]]");
    // Customer 7 bought in both regions and counts once in all.
    assert_eq!(rows(&desk, &["--metrics", "buyers"]), "[[3]]");
    assert_eq!(rows(&desk, &["--metrics", "buyers", "--by", "store__region"]), r#"[["EU",2],["US",1],[null,1]]"#);
}

#[test]
fn time_has_empty_periods_balances_and_running_totals() {
    let desk = shop();
    let by_month = |metrics: &'static str| ["--metrics", metrics, "--by", "metric_time__month"];
    let filled = r#"[["2024-01-01",35],["2024-02-01",0],["2024-03-01",101]]"#;
    assert_eq!(rows(&desk, &by_month("daily_revenue")), filled);
    assert_eq!(rows(&desk, &by_month("revenue")), r#"[["2024-01-01",35],["2024-03-01",101]]"#);
    // The last day of January has both stores, the last one of February one.
    assert_eq!(rows(&desk, &by_month("units")), r#"[["2024-01-01",42],["2024-02-01",30]]"#);
    assert_eq!(rows(&desk, &by_month("so_far")), r#"[["2024-01-01",35],["2024-02-01",35],["2024-03-01",136]]"#);
    let running = [&by_month("revenue")[..], &["--running-total"]].concat();
    assert_eq!(rows(&desk, &running), r#"[["2024-01-01",35,35],["2024-03-01",101,136]]"#);
    let compared = [&by_month("daily_revenue")[..], &["--compare", "previous-period"]].concat();
    let expected = r#"[["2024-01-01",35,0,35,null],["2024-02-01",0,35,-35,-1.0],["2024-03-01",101,0,101,null]]"#;
    assert_eq!(rows(&desk, &compared), expected);
    let limited = [&by_month("daily_revenue")[..], &["--from", "2024-02-01", "--to", "2024-02-29"]].concat();
    assert_eq!(rows(&desk, &limited), r#"[["2024-02-01",0]]"#);
    let growth = [&by_month("growth")[..], &["--where", "metric_time__month <= '2024-03-01'"]].concat();
    assert_eq!(rows(&desk, &growth), r#"[["2024-01-01",null],["2024-02-01",null],["2024-03-01",null]]"#);
}

#[test]
fn filters_order_and_limit_are_applied() {
    let desk = shop();
    let base = ["--metrics", "revenue", "--by", "order__status,store__region"];
    let with = |more: &[&str]| rows(&desk, &[&base[..], more].concat());
    assert_eq!(with(&["--where", "{{ Dimension('store__region') }} = 'EU'"]), r#"[["open","EU",5],["paid","EU",30]]"#);
    assert_eq!(with(&["--order", "-revenue", "--limit", "1"]), r#"[["paid","US",100]]"#);
    assert_eq!(with(&["--order", "revenue desc", "--limit", "1"]), r#"[["paid","US",100]]"#);
    assert_eq!(with(&["--where", "revenue > 50"]), r#"[["paid","US",100]]"#);
    let share = ["--metrics", "revenue", "--by", "store__region", "--share", "--where", "store__region IS NOT NULL"];
    assert_eq!(rows(&desk, &share), r#"[["EU",35,0.25925925925925924],["US",100,0.7407407407407407]]"#);
    let by_month = ["--metrics", "revenue", "--by", "metric_time__month", "--share"];
    let shares = r#"[["2024-01-01",35,0.25735294117647056],["2024-03-01",101,0.7426470588235294]]"#;
    assert_eq!(rows(&desk, &by_month), shares);
    let hostile = query(&desk, &["--metrics", "revenue", "--where", "1 = 1) UNION SELECT name FROM customers --"]);
    assert!(hostile.status == 2 && hostile.err.contains("not a single SQL expression"), "{}", hostile.err);
    let sql = desk.run(&["metrics", "query", "--warehouse", &desk.shop(), "--metrics", "orders", "--sql"]);
    assert!(sql.status == 0 && sql.out.contains("COUNT(orders.id)"), "{}", sql.out);
}

#[test]
fn a_key_that_repeats_is_reported_and_not_joined() {
    let desk = shop();
    let db = rusqlite::Connection::open(desk.path("shop.db")).unwrap();
    db.execute_batch("DROP TABLE stores; CREATE TABLE stores (id INTEGER, region TEXT);").unwrap();
    db.execute_batch("INSERT INTO stores VALUES (1, 'EU'), (1, 'US')").unwrap();
    let said = query(&desk, &["--metrics", "revenue", "--by", "store__region"]);
    assert!(
        said.status == 2 && said.err.contains("several rows with the same id") && said.err.contains("id = 1"),
        "{}",
        said.err
    );
    assert_eq!(rows(&desk, &["--metrics", "revenue"]), "[[136]]");
}

#[test]
fn definitions_are_listed_shown_checked_and_exported() {
    let desk = shop();
    let place = ["--warehouse", &desk.shop()];
    let run = |arguments: &[&str]| desk.run(&[&["metrics"], arguments, &place[..]].concat());
    let listed = run(&["list"]);
    assert!(listed.out.contains("daily_revenue") && listed.out.contains("store__region"), "{}", listed.out);
    let shown = run(&["show", "conversion"]);
    assert!(shown.out.contains("ratio") && shown.out.contains("store__region"), "{}", shown.out);
    assert_eq!(run(&["show", "profit"]).status, 2);
    assert_eq!(run(&["check"]).status, 0, "{}", run(&["check"]).out);
    let exported = run(&["export"]);
    std::fs::write(desk.path("again.yml"), &exported.out).unwrap();
    let again = run(&["import", "again.yml", "--json"]);
    let told: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!((told["added"].as_array().unwrap().len(), told["replaced"].as_array().unwrap().len()), (0, 9), "{told}");
    // The same connection by its name, and a file of one's own.
    desk.run(&["connections", "add", "Shop", &desk.shop()]);
    let named = desk.run(&["metrics", "query", "--warehouse", "Shop", "--metrics", "orders", "--json"]);
    assert_eq!(named.status, 0, "{}", named.err);
    let own = desk.path("own.yaml");
    std::fs::write(&own, "tables: [{name: o, table: orders}]\nmetrics: [{name: n, aggregate: count, table: o}]")
        .unwrap();
    let own = ["metrics", "query", "--warehouse", "Shop", "--file", "own.yaml", "--metrics", "n", "--json"];
    assert!(desk.run(&own).out.contains("5"));

    std::fs::write(desk.path("broken.yaml"), "metrics: [{name: a, agregate: sum}]").unwrap();
    let broken = desk.run(&["metrics", "list", "--warehouse", "Shop", "--file", "broken.yaml"]);
    assert!(
        broken.status == 2 && broken.err.contains("agregate") && broken.err.contains("broken.yaml"),
        "{}",
        broken.err
    );
    let unknown = desk.run(&["metrics", "import", "shop.db", "--warehouse", "Shop"]);
    assert_eq!(unknown.status, 2, "{}", unknown.err);
}

fn explain(desk: &Desk, arguments: &[&str]) -> Said {
    let shop = desk.shop();
    desk.run(&[&["metrics", "explain", "--warehouse", &shop], arguments].concat())
}

#[test]
fn a_change_is_explained_by_contributions_that_sum_to_it() {
    let desk = shop();
    let periods = ["--metric", "revenue", "--from", "2024-01", "--to", "2024-03"];
    let said = explain(&desk, &periods);
    assert_eq!(said.status, 0, "{}", said.err);
    let sentence = "revenue rose by 66 (189%) from January 2024 to March 2024. store__region US accounts for +100, more than the whole change; other values offset the rest.";
    assert!(said.out.starts_with(sentence), "{}", said.out);
    assert!(said.out.contains("US (new)") && said.out.contains("EU (vanished)"), "{}", said.out);
    let told: Value = serde_json::from_str(&explain(&desk, &[&periods[..], &["--json"]].concat()).out).unwrap();
    assert_eq!(
        (&told["before"]["value"], &told["after"]["value"], &told["change"]),
        (&"35".into(), &"101".into(), &"66".into())
    );
    assert_eq!(told["dimensions"][0]["name"], "store__region");
    let sum: i64 = told["dimensions"][0]["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| member["contribution"].as_str().unwrap().parse::<i64>().unwrap())
        .sum();
    assert_eq!(sum, 66);
    let ratio = explain(&desk, &["--metric", "conversion", "--from", "2024-01", "--to", "2024-03", "--json"]);
    let told: Value = serde_json::from_str(&ratio.out).unwrap();
    assert!(told["dimensions"][0]["rate"].is_string() && told["notAdditive"].is_null(), "{told}");
    let sql = explain(&desk, &[&periods[..], &["--sql"]].concat());
    assert!(sql.status == 0 && sql.out.contains("GROUP BY") && !sql.out.contains("rose"), "{}", sql.out);
}

#[test]
fn two_groups_are_compared_and_what_cannot_be_split_says_so() {
    let desk = shop();
    let groups = explain(&desk, &["--metric", "revenue", "--between", "store__region=EU,US"]);
    assert!(
        groups.out.starts_with("revenue is 65 (186%) higher for store__region US than for store__region EU."),
        "{}",
        groups.out
    );
    let without = explain(&desk, &["--metric", "revenue", "--between", "store__region=EU,"]);
    assert!(without.out.contains("lower for store__region without a value"), "{}", without.out);
    let buyers = explain(&desk, &["--metric", "buyers", "--from", "2024-01", "--to", "2024-03"]);
    assert!(buyers.out.contains("The change cannot be split: buyers counts distinct values"), "{}", buyers.out);
    for wrong in [
        &["--metric", "revenue"][..],
        &["--metric", "revenue", "--from", "2024-01"],
        &["--metric", "revenue", "--from", "January", "--to", "2024-03"],
        &["--metric", "revenue", "--between", "store__region"],
        &["--metric", "profit", "--from", "2024-01", "--to", "2024-03"],
    ] {
        let said = explain(&desk, wrong);
        assert_eq!((said.status, said.out.as_str()), (2, ""), "{wrong:?}: {}", said.err);
    }
}
