//! Compiled queries of one dialect, and rejected ones.

use crate::fixtures::{compile, query, reject};
use vitrine_domain::Dialect;
use vitrine_metrics::{Comparison, MetricQuery};

fn sql(query: &MetricQuery) -> String {
    compile(query, Dialect::Duckdb).unwrap().sql.as_str().to_owned()
}

#[test]
fn a_metric_is_grouped_by_a_dimension_of_a_joined_table() {
    insta::assert_snapshot!(sql(&query("orders", "customer__segment,metric_time__month")));
}

#[test]
fn metrics_of_several_tables_are_aggregated_before_they_meet() {
    insta::assert_snapshot!(sql(&query("orders,visits", "store__city")));
}

#[test]
fn a_balance_counts_the_last_day_of_each_period() {
    insta::assert_snapshot!(sql(&query("stock_units", "store__city,metric_time__month")));
}

#[test]
fn periods_without_rows_are_added() {
    insta::assert_snapshot!(sql(&MetricQuery {
        from: Some("2024-01-01".into()),
        ..query("revenue", "metric_time__month")
    }));
}

#[test]
fn a_name_with_several_paths_is_rejected_with_the_paths() {
    let told = reject(&query("revenue", "region__name"));
    for part in ["Several join paths", "store__region__name", "customer__region__name", "orders → stores → regions"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(compile(&query("revenue", "store__region__name"), Dialect::Duckdb).is_ok());
}

#[test]
fn a_dimension_without_a_path_is_rejected_with_the_reason() {
    let told = reject(&query("visits", "customer__segment"));
    assert!(told.contains("No join path leads from table visits to 'customer__segment'"), "{told}");
    let told = reject(&query("revenue", "product__price_band"));
    assert!(told.contains("No join path leads from table orders"), "{told}");
    let told = reject(&query("revenue", "store__nothing"));
    assert!(told.contains("There is no dimension 'store__nothing'") && told.contains("store__city"), "{told}");
    // The metrics are grouped by the same dimensions, so each needs a path.
    let told = reject(&query("revenue,visits", "customer__segment"));
    assert!(told.contains("visits"), "{told}");
    assert!(reject(&query("profit", "")).contains("Metric 'profit' not found"));
}

#[test]
fn a_key_that_is_not_declared_is_checked() {
    let compiled = compile(&query("revenue", "store__city"), Dialect::Duckdb).unwrap();
    assert!(compiled.key_checks.is_empty());
    // These engines do not enforce the keys that tables declare.
    let compiled = compile(&query("revenue", "store__city"), Dialect::Snowflake).unwrap();
    assert_eq!(compiled.key_checks.len(), 1);
    assert!(compiled.key_checks[0].sql.as_str().contains("HAVING COUNT(*) > 1"));
}

#[test]
fn a_filter_is_one_condition_on_dimensions() {
    let with = |filter: &str| MetricQuery { filters: vec![filter.into()], ..query("orders", "") };
    for accepted in [
        "store__city = 'Bonn'",
        "{{ Dimension('store__city') }} IN ('Bonn', 'Köln') AND metric_time__day >= '2024-01-01'",
        "{{ TimeDimension('metric_time', 'month') }} = '2024-01-01'",
        "order__is_large AND (customer__segment = 'a' OR customer__segment IS NULL)",
        "orders > 5",
        "city = 'Bonn'",
        "store__city = 'Bonn' -- the first store",
    ] {
        assert!(
            compile(&with(accepted), Dialect::Duckdb).is_ok(),
            "{accepted}: {:?}",
            compile(&with(accepted), Dialect::Duckdb)
        );
    }
    for (rejected, reason) in [
        ("1 = 1) OR (1 = 1", "not a single SQL expression"),
        ("store__city = 'a'; DROP TABLE orders", "not a single SQL expression"),
        ("EXISTS (SELECT 1 FROM prices)", "Subqueries"),
        ("store__city IN (SELECT status FROM orders)", "Subqueries"),
        ("(SELECT 1) = 1", "Subqueries"),
        ("1 FROM prices", "not a single SQL expression"),
        ("read_text('/etc/passwd') = 'x'", "not a single SQL expression"),
        ("orders.amount > 1", "not a dimension"),
        ("amount > 1", "There is no dimension 'amount'"),
        ("orders > 5 OR store__city = 'Bonn'", "mixes metrics and dimensions"),
        ("{{ Metric('revenue', ['store']) }} > 5", "not supported in a filter"),
        ("", "not a single SQL expression"),
    ] {
        let told = reject(&with(rejected));
        assert!(told.contains(reason), "{rejected}: {told}");
    }
}

#[test]
fn a_condition_on_a_metric_filters_the_result() {
    let text = sql(&MetricQuery {
        filters: vec!["orders > 5 AND store__city <> 'x'".into()],
        ..query("orders", "store__city")
    });
    assert!(text.contains("WHERE (orders > 5)") && text.contains("WHERE (store.city <> 'x')"), "{text}");
}

#[test]
fn the_order_names_metrics_and_dimensions() {
    let order = |order: &[&str]| {
        let order = order.iter().map(|key| (*key).to_owned()).collect();
        MetricQuery { order, limit: Some(3), ..query("revenue", "store__city,metric_time") }
    };
    let text = sql(&order(&["-revenue", "metric_time desc"]));
    let end = "ORDER BY revenue DESC NULLS LAST, metric_time__day DESC NULLS LAST, store__city NULLS LAST\nLIMIT 3";
    assert!(text.ends_with(end), "{text}");
    assert!(reject(&order(&["orders"])).contains("'orders' is not a column of the result"));
}

#[test]
fn values_that_cannot_be_added_have_no_share_and_no_running_total() {
    let share = |metric: &str| MetricQuery { share: true, ..query(metric, "store__city") };
    let running = |metric: &str| MetricQuery { running_total: true, ..query(metric, "metric_time__month") };
    for metric in ["revenue", "orders", "unpaid"] {
        assert!(sql(&share(metric)).contains(&format!("{metric}__share")));
        assert!(sql(&running(metric)).contains(&format!("{metric}__running_total")));
    }
    assert!(sql(&share("stock_units")).contains("stock_units__share"));
    for metric in ["buyers", "average_order_value", "middle_amount"] {
        assert!(reject(&share(metric)).contains("cannot be added"), "{metric}");
    }
    for metric in ["buyers", "average_order_value", "stock_units", "revenue_to_date"] {
        assert!(reject(&running(metric)).contains("cannot be added"), "{metric}");
    }
}

#[test]
fn a_comparison_needs_periods_of_equal_steps() {
    let compare = |by: &str, compare| MetricQuery { compare: Some(compare), ..query("revenue", by) };
    insta::assert_snapshot!(sql(&compare("metric_time__month", Comparison::PreviousYear)));
    assert!(reject(&compare("store__city", Comparison::PreviousPeriod)).contains("needs a time to group by"));
    assert!(reject(&compare("metric_time__week", Comparison::PreviousYear)).contains("months differ in length"));
    assert!(sql(&compare("metric_time__week", Comparison::PreviousPeriod)).contains("revenue__previous"));
}

#[test]
fn metrics_within_metrics_are_expanded() {
    let text = sql(&query("conversion,average_order_value,growth", "metric_time__month"));
    // The quotient keeps its fraction and is NULL over 0.
    assert!(text.contains("/ NULLIF(merged_"), "{text}");
    assert!(reject(&query("revenue_to_date", "store__city")).contains("accumulates over time"));
    assert!(sql(&query("revenue_to_date", "metric_time__month")).contains("day_place"));
}

#[test]
fn a_formula_within_a_ratio_is_computed_first() {
    for dialect in [Dialect::Duckdb, Dialect::Bigquery] {
        let compiled = compile(&query("unpaid_per_order", "order__status"), dialect).unwrap();
        let text = compiled.sql.as_str();
        assert!(text.contains(".paid_revenue) / NULLIF("), "{text}");
    }
}

#[test]
fn columns_have_the_requested_titles_unless_another_column_has_that_name() {
    let titles = [("store__city", "City of the store"), ("revenue", "Orders"), ("orders", "Number of orders")];
    let titles = titles.map(|(name, title)| (name.to_owned(), title.to_owned())).into_iter().collect();
    let text = sql(&MetricQuery { titles, order: vec!["-revenue".into()], ..query("revenue,orders", "store__city") });
    let select = text.rsplit("SELECT ").next().unwrap_or_default().replace('\n', " ");
    assert!(
        select.contains(r#"AS "City of the store""#) && select.contains(r#"orders AS "Number of orders""#),
        "{select}"
    );
    assert!(!select.contains(r#"AS "Orders""#), "{select}");
}
