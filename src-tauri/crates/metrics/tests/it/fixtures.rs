//! A shop with its metrics.

use vitrine_domain::{Catalog, Dialect};
use vitrine_metrics::{CompiledQuery, MetricError, MetricQuery, MetricsFile, compile_query, parse_file};

const TABLES: &str = "
CREATE TABLE regions (id INTEGER PRIMARY KEY, name VARCHAR(40));
CREATE TABLE stores (id INTEGER PRIMARY KEY, city VARCHAR(40), region_id INTEGER, opened DATE);
CREATE TABLE customers (id INTEGER PRIMARY KEY, segment VARCHAR(40), region_id INTEGER, home_store INTEGER);
CREATE TABLE orders (id INTEGER PRIMARY KEY, store_id INTEGER, customer_id INTEGER, ordered_at TIMESTAMP, status VARCHAR(10), amount DECIMAL(12,2));
CREATE TABLE visits (id INTEGER, store_id INTEGER, day DATE);
CREATE TABLE stock (store_id INTEGER, day DATE, units INTEGER);
CREATE TABLE prices (product INTEGER, price DECIMAL(10,2));
CREATE TABLE days (day DATE);
";

pub const METRICS: &str = "
tables:
  - name: orders
    time: ordered_at
    entities:
      - {name: order, kind: primary, column: id}
      - {name: store, kind: foreign, column: store_id}
      - {name: customer, kind: foreign, column: customer_id}
    dimensions:
      - {name: ordered_at, kind: time}
      - {name: status}
      - {name: is_large, column: amount > 100}
  - name: stores
    entities:
      - {name: store, kind: primary, column: id}
      - {name: region, kind: foreign, column: region_id}
    dimensions:
      - {name: city}
      - {name: opened, kind: time}
  - name: customers
    entities:
      - {name: customer, kind: primary, column: id}
      - {name: region, kind: foreign, column: region_id}
    dimensions:
      - {name: segment}
  - name: regions
    entities:
      - {name: region, kind: primary, column: id}
    dimensions:
      - {name: name}
  - name: visits
    time: day
    primary_entity: visit
    entities:
      - {name: store, kind: foreign, column: store_id}
    dimensions:
      - {name: day, kind: time}
  - name: stock
    time: day
    primary_entity: count
    entities:
      - {name: store, kind: foreign, column: store_id}
    dimensions:
      - {name: day, kind: time}
  - name: prices
    primary_entity: price
    entities:
      - {name: product, kind: unique}
    dimensions:
      - {name: price_band, column: price}
metrics:
  - {name: revenue, aggregate: sum, of: amount, table: orders, when_empty: 0}
  - {name: orders, aggregate: count, table: orders, every_period: false}
  - {name: paid_revenue, aggregate: sum, of: amount, table: orders, filters: [\"{{ Dimension('order__status') }} = 'paid'\"], every_period: false}
  - {name: buyers, aggregate: count_distinct, of: customer_id, table: orders, every_period: false}
  - {name: middle_amount, aggregate: median, of: amount, table: orders, every_period: false}
  - {name: visits, aggregate: count, table: visits, every_period: false}
  - {name: stock_units, aggregate: sum, of: units, table: stock, last_of: {over: day}, every_period: false}
  - {name: average_order_value, ratio: {of: revenue, to: orders}}
  - {name: conversion, formula: orders / visits}
  - {name: unpaid, formula: revenue - paid_revenue}
  - {name: unpaid_per_order, ratio: {of: unpaid, to: orders}}
  - name: growth
    formula: revenue - before
    inputs: [revenue, {metric: revenue, alias: before, offset: 1 month}]
  - {name: revenue_so_far, cumulative: {metric: revenue}}
  - {name: revenue_to_date, cumulative: {metric: revenue, since: year, pick: last}}
";

pub fn catalog(dialect: Dialect) -> Catalog {
    // TIMESTAMP is a row version in SQL Server, not a time.
    let sql = if dialect == Dialect::Mssql { TABLES.replace("TIMESTAMP", "DATETIME2") } else { TABLES.to_owned() };
    let tables = vitrine_ddl::parse(&sql, dialect).expect("fixture");
    Catalog {
        database: "shop".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".into(),
        tables,
    }
}

pub fn metrics() -> MetricsFile {
    parse_file(METRICS).expect("fixture")
}

pub fn query(metrics: &str, by: &str) -> MetricQuery {
    let split = |text: &str| text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    MetricQuery { metrics: split(metrics), by: split(by), ..MetricQuery::default() }
}

pub fn compile(query: &MetricQuery, dialect: Dialect) -> Result<CompiledQuery, MetricError> {
    compile_query(&metrics(), &catalog(dialect), query)
}

/// Compiles a query of definitions that differ from the shop's, in DuckDB's dialect. Returns its text, or the message
/// and the hint.
pub fn compile_changed(changes: &[(&str, &str)], query: &MetricQuery) -> Result<String, String> {
    let mut text = METRICS.to_owned();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    let compiled = compile_query(&parse_file(&text).expect("definitions"), &catalog(Dialect::Duckdb), query);
    let told = |error: MetricError| format!("{} {}", error.message, error.hint.unwrap_or_default());
    compiled.map(|compiled| compiled.sql.as_str().to_owned()).map_err(told)
}

/// Returns the message and the hint of a query that is rejected.
pub fn reject(query: &MetricQuery) -> String {
    let error = compile(query, Dialect::Duckdb).expect_err("rejected");
    format!("{} {}", error.message, error.hint.unwrap_or_default())
}
