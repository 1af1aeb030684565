//! The metrics of the sample warehouse, compared with SQL written by hand.

use crate::support::{Db, check_sums, number, periods};
use std::collections::BTreeMap;
use vitrine_metric_change::{DimensionChange, MetricChange, MetricChangeRequest, Number};

fn by(metric: &str, dimension: &str) -> MetricChangeRequest {
    MetricChangeRequest { by: vec![dimension.into()], members: Some(1_000), ..periods(metric, "2023-Q4", "2024-Q1") }
}

fn dimension(change: &MetricChange) -> &DimensionChange {
    assert!(change.not_additive.is_none() && change.left_out.is_empty(), "{change:?}");
    &change.dimensions[0]
}

/// Reads two columns, a value and a number, of both quarters.
fn by_value(db: &Db, sql: &str) -> BTreeMap<Option<String>, [Number; 2]> {
    let mut values: BTreeMap<Option<String>, [Number; 2]> = BTreeMap::new();
    for (side, (first, last)) in [("2023-10-01", "2023-12-31"), ("2024-01-01", "2024-03-31")].into_iter().enumerate() {
        for row in db.rows(&sql.replace("{first}", first).replace("{last}", last)) {
            let value = number(row[1].as_deref().unwrap());
            values.entry(row[0].clone()).or_insert_with(|| [Number::zero(), Number::zero()])[side] = value;
        }
    }
    values
}

fn check_members(change: &MetricChange, expected: &BTreeMap<Option<String>, [Number; 2]>) {
    let members = &dimension(change).members;
    assert_eq!(members.len(), expected.len());
    for member in members {
        let [before, after] = &expected[&member.member];
        assert_eq!(number(&member.contribution), after - before, "{member:?}");
    }
    let sum: Number = expected.values().map(|[before, after]| after - before).fold(Number::zero(), |a, b| &a + &b);
    assert_eq!(number(change.change.as_deref().unwrap()), sum);
}

#[test]
fn changes_of_the_sample_equal_sql_written_by_hand() {
    let db = Db::sample();
    let lines = "FROM order_items i JOIN orders o USING (order_id) LEFT JOIN stores s USING (store_id)
                 JOIN products p USING (product_id) LEFT JOIN categories c USING (category_id)
                 WHERE o.status <> 'cancelled' AND o.order_date BETWEEN '{first}' AND '{last}' GROUP BY 1";
    let revenue = by_value(&db, &format!("SELECT s.region, SUM(i.net_amt) {lines}"));
    assert!(revenue.contains_key(&None), "orders without a store");
    check_members(&db.explain(&by("revenue", "order__store__region")), &revenue);
    let units = by_value(&db, &format!("SELECT c.category_name, SUM(i.qty) {lines}"));
    check_members(&db.explain(&by("units_sold", "product__category__name")), &units);
    let orders =
        "FROM orders o WHERE o.status <> 'cancelled' AND o.order_date BETWEEN '{first}' AND '{last}' GROUP BY 1";
    let counts = by_value(&db, &format!("SELECT o.channel, COUNT(*) {orders}"));
    check_members(&db.explain(&by("orders", "order__channel")), &counts);
    let refunds =
        "SELECT reason_cd, SUM(refund_amt) FROM returns WHERE return_date BETWEEN '{first}' AND '{last}' GROUP BY 1";
    check_members(&db.explain(&by("refunds", "return__reason")), &by_value(&db, refunds));
    let signups = "SELECT country, COUNT(*) FROM customers
                   WHERE strptime(signup_dt, '%d/%m/%Y') BETWEEN '{first}' AND '{last}' GROUP BY 1";
    check_members(&db.explain(&by("new_customers", "customer__country")), &by_value(&db, signups));
}

#[test]
fn a_ratio_of_two_tables_is_split_into_rate_and_mix_effects() {
    let db = Db::sample();
    let channels =
        "FROM orders o LEFT JOIN (SELECT order_id, SUM(net_amt) AS net FROM order_items GROUP BY 1) i USING (order_id)
                    WHERE o.status <> 'cancelled' AND o.order_date BETWEEN '{first}' AND '{last}' GROUP BY 1";
    let revenue = by_value(&db, &format!("SELECT o.channel, COALESCE(SUM(i.net), 0) {channels}"));
    let orders = by_value(&db, &format!("SELECT o.channel, COUNT(*) {channels}"));
    let change = db.explain(&by("average_order_value", "order__channel"));
    let divide = |a: &Number, b: &Number| a.divide(b).unwrap();
    let sum = |values: &BTreeMap<Option<String>, [Number; 2]>, side: usize| -> Number {
        values.values().map(|value| &value[side]).sum()
    };
    let [r0, r1] = [0, 1].map(|side| divide(&sum(&revenue, side), &sum(&orders, side)));
    let half = number("0.5");
    let tolerance = number("1e-8");
    let close = |printed: &str, exact: &Number| (&number(printed) - exact).abs() < tolerance;
    assert!(close(change.change.as_deref().unwrap(), &(&r1 - &r0)));
    for member in &dimension(&change).members {
        let (n, d) = (&revenue[&member.member], &orders[&member.member]);
        let [w0, w1] = [0, 1].map(|side| divide(&d[side], &sum(&orders, side)));
        let [q0, q1] = [0, 1].map(|side| divide(&n[side], &d[side]));
        let rate = &(&(&w0 + &w1) * &half) * &(&q1 - &q0);
        let mix = &(&w1 - &w0) * &(&(&(&q0 + &q1) * &half) - &(&(&r0 + &r1) * &half));
        assert!(close(member.rate.as_deref().unwrap(), &rate), "{member:?}");
        assert!(close(member.mix.as_deref().unwrap(), &mix), "{member:?}");
    }
}

#[test]
fn every_metric_of_the_sample_is_explained_by_its_default_dimensions_or_says_why_not() {
    let db = Db::sample();
    for metric in &db.file.metrics {
        let change = db.explain(&periods(&metric.name, "2023", "2024"));
        check_sums(&change);
        match metric.name.as_str() {
            "buyers" => assert!(change.not_additive.as_deref().unwrap().contains("distinct"), "{change:?}"),
            _ => {
                assert!(change.not_additive.is_none() && !change.dimensions.is_empty(), "{}: {change:?}", metric.name);
                let powers: Vec<f64> = change.dimensions.iter().map(|dimension| dimension.power).collect();
                assert!(powers.is_sorted_by(|a, b| a >= b), "{powers:?}");
                assert!(change.left_out.iter().all(|one| !one.reason.contains("add up")), "{:?}", change.left_out);
            }
        }
        assert!(
            change.sentence.contains("from 2023 to 2024") || change.sentence.contains("no value"),
            "{}",
            change.sentence
        );
    }
}

#[test]
fn the_total_is_the_value_that_the_metric_has_in_every_other_query() {
    let db = Db::sample();
    let change = db.explain(&by("revenue", "order__channel"));
    let revenue = db.number(
        "SELECT SUM(net_amt) FROM order_items JOIN orders USING (order_id)
         WHERE status <> 'cancelled' AND order_date BETWEEN '2024-01-01' AND '2024-03-31'",
    );
    assert_eq!(number(change.after.value.as_deref().unwrap()), revenue);
}
