//! Files of other tools.

use crate::fixtures::{catalog, query};
use vitrine_domain::Dialect;
use vitrine_metrics::{Aggregate, ImportedMetrics, MetricsFile, Pick, compile_query, import_files, render_file};

fn import(text: &str) -> ImportedMetrics {
    let files = [("file".to_owned(), text.to_owned())];
    import_files(&files, &MetricsFile::default(), &catalog(Dialect::Duckdb)).unwrap()
}

fn reasons(imported: &ImportedMetrics) -> Vec<String> {
    imported.skipped.iter().map(|one| format!("{} {}: {}", one.kind, one.name, one.reason)).collect()
}

const MANIFEST: &str = r#"{
 "semantic_models": [{
   "name": "orders_model", "node_relation": {"alias": "orders", "schema_name": "main", "database": "shop", "relation_name": "\"shop\".\"main\".\"orders\""},
   "defaults": {"agg_time_dimension": "ordered_at"}, "primary_entity": null,
   "entities": [{"name": "order", "type": "primary", "expr": "id"}, {"name": "store", "type": "foreign", "expr": "store_id"}],
   "measures": [
     {"name": "amount", "agg": "sum", "expr": null, "create_metric": true},
     {"name": "order_count", "agg": "count", "expr": "1"},
     {"name": "p90", "agg": "percentile", "expr": "amount", "agg_params": {"percentile": 0.9}}],
   "dimensions": [
     {"name": "ordered_at", "type": "time", "type_params": {"time_granularity": "day"}},
     {"name": "status", "type": "categorical", "expr": null}]
 }, {
   "name": "stock_model", "node_relation": {"alias": "stock", "schema_name": "main"},
   "defaults": {"agg_time_dimension": "day"}, "primary_entity": "count",
   "entities": [{"name": "store", "type": "foreign", "expr": "store_id"}],
   "measures": [{"name": "units", "agg": "sum", "non_additive_dimension": {"name": "day", "window_choice": "max", "window_groupings": ["store"]}}],
   "dimensions": [{"name": "day", "type": "time", "type_params": {"time_granularity": "day"}}]
 }, {"name": "elsewhere", "node_relation": {"alias": "no_such_table", "schema_name": "main"}, "measures": [{"name": "lost", "agg": "sum"}]}],
 "metrics": [
   {"name": "orders", "type": "simple", "type_params": {"measure": {"name": "order_count", "fill_nulls_with": 0, "join_to_timespine": true}}},
   {"name": "paid", "type": "simple", "type_params": {"measure": {"name": "amount"}}, "filter": {"where_filters": [{"where_sql_template": "{{ Dimension('order__status') }} = 'paid'"}]}},
   {"name": "paid_share", "type": "ratio", "type_params": {"numerator": {"name": "paid"}, "denominator": {"name": "amount"}}},
   {"name": "growth", "type": "derived", "type_params": {"expr": "amount - before", "metrics": [{"name": "amount"}, {"name": "amount", "alias": "before", "offset_window": {"count": 1, "granularity": "month"}}]}},
   {"name": "month_start", "type": "derived", "type_params": {"expr": "a", "metrics": [{"name": "amount", "alias": "a", "offset_to_grain": "month"}]}},
   {"name": "week", "type": "cumulative", "type_params": {"measure": {"name": "amount"}, "cumulative_type_params": {"window": {"count": 7, "granularity": "day"}, "period_agg": "last"}}},
   {"name": "units", "type": "simple", "type_params": {"measure": {"name": "units"}}},
   {"name": "visits_to_orders", "type": "conversion", "type_params": {}},
   {"name": "ninetieth", "type": "simple", "type_params": {"measure": {"name": "p90"}}},
   {"name": "lost", "type": "simple", "type_params": {"measure": {"name": "lost"}}},
   {"name": "lost_share", "type": "ratio", "type_params": {"numerator": "lost", "denominator": "amount"}},
   {"name": "new_style", "type": "simple", "type_params": {"expr": "amount", "metric_aggregation_params": {"semantic_model": "orders_model", "agg": "average"}}}
 ],
 "project_configuration": {"time_spines": [{"node_relation": {"alias": "days", "schema_name": "main"}, "primary_column": {"name": "day", "time_granularity": "day"}}]},
 "saved_queries": [{"name": "weekly"}]
}"#;

#[test]
fn a_manifest_of_metricflow_is_imported_and_the_rest_is_listed() {
    let imported = import(MANIFEST);
    let names: Vec<&str> = imported.file.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["amount", "orders", "paid", "paid_share", "growth", "week", "units", "new_style"]);
    let metric = |name: &str| imported.file.metrics.iter().find(|metric| metric.name == name).unwrap();
    assert_eq!((metric("orders").when_empty, metric("orders").every_period), (Some(0), None));
    assert_eq!(metric("amount").every_period, Some(false));
    assert_eq!(metric("units").last_of.as_ref().unwrap().pick, Pick::Last);
    assert_eq!(metric("units").last_of.as_ref().unwrap().per, ["store"]);
    assert_eq!(metric("growth").inputs[1].offset.unwrap().to_string(), "1 month");
    assert_eq!(metric("new_style").aggregate, Some(Aggregate::Average));
    assert_eq!(imported.file.tables[0].table.as_deref(), Some("orders"));
    assert_eq!(imported.file.calendar.days.as_ref().unwrap().table, "days");
    let told = reasons(&imported);
    for part in [
        "measure p90: of percentiles, only the median",
        "metric month_start: offset_to_grain",
        "metric visits_to_orders: conversion",
        "metric ninetieth: its measure p90",
        "table elsewhere: The database has no table",
        "metric lost_share: its metric lost",
        "saved query weekly",
    ] {
        assert!(told.iter().any(|one| one.starts_with(part)), "{part}: {told:#?}");
    }
    for (metrics, by) in
        [("amount,orders,paid_share", "order__status,metric_time__month"), ("units,week", "metric_time__month")]
    {
        compile_query(&imported.file, &catalog(Dialect::Duckdb), &query(metrics, by)).unwrap();
    }
    render_file(&imported.file).unwrap();
}

#[test]
fn yaml_of_dbt_has_short_forms() {
    let imported = import(
        "semantic_models:
  - name: orders
    model: ref('orders')
    defaults: {agg_time_dimension: ordered_at}
    entities: [{name: order, type: primary, expr: id}]
    dimensions: [{name: ordered_at, type: time, type_params: {time_granularity: day}}]
    measures: [{name: amount, agg: sum}, {name: orders, agg: count, expr: id}]
metrics:
  - {name: revenue, label: Revenue, type: simple, type_params: {measure: amount}, config: {meta: {owner: Finance, synonyms: [sales]}}}
  - {name: order_total, type: simple, type_params: {measure: {name: orders, filter: \"{{ Dimension('order__ordered_at') }} > '2024-01-01'\"}}}
  - {name: value, type: ratio, type_params: {numerator: revenue, denominator: {name: order_total}}}
  - {name: all_time, type: cumulative, type_params: {measure: amount}}
  - {name: year_to_date, type: cumulative, type_params: {measure: amount, cumulative_type_params: {grain_to_date: year}}}
",
    );
    assert!(imported.skipped.is_empty(), "{:?}", imported.skipped);
    assert_eq!(imported.file.metrics.len(), 5);
    assert_eq!(imported.file.metrics[0].owner.as_deref(), Some("Finance"));
    assert_eq!(imported.file.metrics[0].of.as_deref(), Some("amount"));
}

#[test]
fn models_with_semantic_annotations_are_read() {
    let imported = import(
        "models:
  - name: orders
    semantic_model: true
    agg_time_dimension: ordered_at
    columns:
      - {name: id, entity: {type: primary, name: order}}
      - {name: store_id, entity: {type: foreign, name: store}}
      - {name: ordered_at, granularity: day, dimension: {type: time}}
      - {name: status, dimension: categorical}
    metrics:
      - {name: revenue, type: simple, agg: sum, expr: amount}
      - {name: orders, type: simple, agg: count, expr: id}
  - name: days
    time_spine: {standard_granularity_column: day}
metrics:
  - {name: value, type: ratio, numerator: revenue, denominator: orders}
",
    );
    assert!(imported.skipped.is_empty(), "{:?}", imported.skipped);
    assert_eq!(imported.file.metrics.len(), 3);
    compile_query(&imported.file, &catalog(Dialect::Duckdb), &query("value", "order__status,metric_time__week"))
        .unwrap();
}

#[test]
fn data_models_of_cube_are_read() {
    let imported = import(
        "cubes:
  - name: orders
    sql_table: main.orders
    joins:
      - {name: stores, relationship: many_to_one, sql: \"{CUBE}.store_id = {stores}.id\"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: \"{CUBE}.status\", type: string}
      - {name: created_at, sql: ordered_at, type: time}
      - {name: place, type: geo}
    measures:
      - {name: count, type: count}
      - {name: revenue, sql: amount, type: sum, title: Revenue}
      - {name: paid, sql: amount, type: sum, filters: [{sql: \"{CUBE}.status = 'paid'\"}]}
      - {name: paid_share, sql: \"1.0 * {paid} / {revenue}\", type: number}
      - {name: buyers, sql: customer_id, type: count_distinct_approx}
      - {name: monthly, sql: amount, type: sum, rolling_window: {trailing: 1 month}}
    segments: [{name: big, sql: \"{CUBE}.amount > 100\"}]
  - name: stores
    sql: SELECT * FROM stores
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
    measures: [{name: count, type: count}]
  - name: complicated
    sql: SELECT * FROM orders JOIN stores USING (id)
views: [{name: overview}]
",
    );
    let names: Vec<&str> = imported.file.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["orders_count", "revenue", "paid", "paid_share", "monthly", "stores_count"]);
    let told = reasons(&imported);
    for part in
        ["dimension orders.place", "measure orders.buyers", "segment orders.big", "cube complicated", "view overview"]
    {
        assert!(told.iter().any(|one| one.starts_with(part)), "{part}: {told:#?}");
    }
    let catalog = catalog(Dialect::Duckdb);
    compile_query(
        &imported.file,
        &catalog,
        &query("paid_share,orders_count,monthly", "stores__city,metric_time__month"),
    )
    .unwrap();
}

#[test]
fn semantic_models_of_snowflake_are_read() {
    let imported = import(
        "name: shop
tables:
  - name: orders
    base_table: {database: SHOP, schema: PUBLIC, table: ORDERS}
    primary_key: {columns: [id]}
    dimensions: [{name: state, expr: status, synonyms: [status]}]
    time_dimensions: [{name: ordered_at, expr: ordered_at, data_type: TIMESTAMP}]
    facts: [{name: net, expr: amount * 0.8}]
    metrics:
      - {name: net_revenue, expr: SUM(net), synonyms: [revenue]}
      - {name: net_per_order, expr: SUM(net) / COUNT(DISTINCT id)}
      - {name: wrong, expr: SUM(net) + amount}
  - name: stores
    base_table: {database: SHOP, schema: PUBLIC, table: STORES}
    dimensions: [{name: city, expr: city}]
relationships:
  - {name: r, left_table: orders, right_table: stores, relationship_columns: [{left_column: store_id, right_column: id}]}
metrics: [{name: doubled, expr: orders.net_revenue * 2}]
verified_queries: [{name: q}]
",
    );
    let names: Vec<&str> = imported.file.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["net_revenue", "net_per_order_part_1", "net_per_order_part_2", "net_per_order", "doubled"]);
    let told = reasons(&imported);
    for part in ["metric wrong: 'amount' is used outside", "verified query q"] {
        assert!(told.iter().any(|one| one.starts_with(part)), "{part}: {told:#?}");
    }
    let catalog = catalog(Dialect::Duckdb);
    compile_query(&imported.file, &catalog, &query("net_per_order,doubled", "stores__city,metric_time__month"))
        .unwrap();
}

#[test]
fn metrics_with_the_same_name_in_several_tables_keep_both() {
    let imported = import(
        "name: shop
tables:
  - name: orders
    base_table: {database: SHOP, schema: PUBLIC, table: ORDERS}
    metrics: [{name: total, expr: SUM(amount)}, {name: buyers, expr: COUNT(DISTINCT customer_id)}]
  - name: stock
    base_table: {database: SHOP, schema: PUBLIC, table: STOCK}
    metrics: [{name: total, expr: SUM(units)}]
metrics:
  - {name: difference, expr: orders.total - stock.total}
  - {name: half, expr: orders.buyers / 2}
  - {name: unclear, expr: total * 2}
  - {name: wrong, expr: stock.buyers * 2}
",
    );
    let formula = |name: &str| imported.file.metrics.iter().find(|one| one.name == name).unwrap().formula.clone();
    assert_eq!(formula("difference").as_deref(), Some("orders_total - stock_total"));
    assert_eq!(formula("half").as_deref(), Some("buyers / 2"));
    let told = reasons(&imported);
    for part in ["metric unclear: it refers to total", "metric wrong: it refers to stock.buyers"] {
        assert!(told.iter().any(|one| one.starts_with(part)), "{part}: {told:#?}");
    }
    compile_query(&imported.file, &catalog(Dialect::Duckdb), &query("difference,half", "")).unwrap();
}

#[test]
fn the_lines_of_a_filter_are_kept() {
    let imported = import(
        r#"{"semantic_models": [{"name": "orders", "model": "ref('orders')", "defaults": {"agg_time_dimension": "ordered_at"},
            "entities": [{"name": "order", "type": "primary", "expr": "id"}],
            "dimensions": [{"name": "ordered_at", "type": "time"}, {"name": "status", "type": "categorical"}],
            "measures": [{"name": "amount", "agg": "sum"}]}],
          "metrics": [{"name": "paid", "type": "simple", "type_params": {"measure": "amount"},
            "filter": "{{ Dimension('order__status') }} = 'a  b' -- the first\nAND {{ Dimension('order__status') }} <> 'c'\n"}]}"#,
    );
    let paid = imported.file.metrics.iter().find(|metric| metric.name == "paid").unwrap();
    assert!(paid.filters[0].contains("'a  b' -- the first\nAND"), "{:?}", paid.filters);
    let compiled = compile_query(&imported.file, &catalog(Dialect::Duckdb), &query("paid", "")).unwrap();
    let text = compiled.sql.as_str();
    assert!(text.contains("= 'a  b')") && text.contains("<> 'c')"), "{text}");
}

#[test]
fn a_file_without_metrics_is_rejected() {
    let wrong = |text: &str| {
        let files = [("file".to_owned(), text.to_owned())];
        import_files(&files, &MetricsFile::default(), &catalog(Dialect::Duckdb)).unwrap_err().message
    };
    assert!(wrong("version: 2").contains("no metrics of a known form"));
    assert!(wrong("{").contains("neither valid YAML nor JSON"));
}
