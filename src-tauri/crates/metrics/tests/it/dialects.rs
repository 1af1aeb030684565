//! Every kind of query compiles in every dialect: it is proven to read only, and its names are bound.

use crate::fixtures::{compile, query};
use vitrine_metrics::{Comparison, MetricQuery};
use vitrine_sql::dialect::ALL;

#[test]
fn every_kind_of_query_compiles_in_every_dialect() {
    let filters = vec!["store__city <> 'x' AND metric_time__day >= '2024-01-01'".to_owned()];
    let queries = [
        query("revenue,orders,visits,buyers", "store__city,metric_time__month"),
        query("revenue", "metric_time__fiscal_year,metric_time__week"),
        query("middle_amount,average_order_value", "order__status"),
        query("stock_units,conversion", "metric_time__quarter"),
        query("revenue_to_date", "metric_time__month,store__region__name"),
        query("growth", "metric_time__year"),
        query("orders", "order,metric_time__extract_month,store__opened__year"),
        MetricQuery { filters, limit: Some(5), order: vec!["-revenue".into()], ..query("revenue", "metric_time__day") },
        MetricQuery { share: true, running_total: true, ..query("revenue", "metric_time__month,store__city") },
        MetricQuery { compare: Some(Comparison::PreviousPeriod), ..query("revenue,unpaid", "metric_time__quarter") },
    ];
    let mut rejected = Vec::new();
    for dialect in ALL {
        for query in &queries {
            if let Err(error) = compile(query, dialect) {
                rejected.push(format!("{dialect:?} {:?} {:?}: {error}", query.metrics, query.by));
            }
        }
    }
    assert!(rejected.is_empty(), "{rejected:#?}");
}
