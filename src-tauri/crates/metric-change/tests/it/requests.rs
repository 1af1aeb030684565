//! Sides, dimensions and refusals of requests.

use crate::support::{Db, contributions, march_to_april, periods};
use vitrine_metric_change::{GroupPair, MetricChangeRequest, plan_change};

fn shop() -> Db {
    Db::with_sales(
        "('2024-03-31', 'North', 'a', 1, 1, 100, 10), ('2024-03-31', 'South', 'b', 2, 3, 60, 0), ('2024-03-31', 'O''Hara', 'b', 3, 1, 7, 1),
         ('2024-04-30', 'North', 'b', 1, 2, 80, 20), ('2024-04-30', 'South', 'a', 2, 3, 75, 1)",
    )
}

fn between(metric: &str, before: Option<&str>, after: Option<&str>) -> MetricChangeRequest {
    MetricChangeRequest {
        metric: metric.into(),
        between: Some(GroupPair {
            dimension: "sale__region".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        }),
        ..MetricChangeRequest::default()
    }
}

#[test]
fn two_regions_are_compared_like_two_periods() {
    let db = shop();
    let change = db.explain(&between("revenue", Some("North"), Some("South")));
    assert_eq!(change.change.as_deref(), Some("-45"));
    assert!(
        change.sentence.starts_with("Revenue is 45 EUR (25%) lower for Region South than for Region North."),
        "{}",
        change.sentence
    );
    assert_eq!(change.dimensions.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["sale__product"]);
    assert_eq!(contributions(&change.dimensions[0]), [("a", "-25"), ("b", "-20")]);
    assert_eq!(change.left_out[0].name, "sale__region");
    let within =
        MetricChangeRequest { during: Some("2024-03".into()), ..between("revenue", Some("North"), Some("O'Hara")) };
    assert_eq!(db.explain(&within).change.as_deref(), Some("-93"));
    let missing = db.explain(&between("revenue", Some("North"), None));
    assert!(missing.sentence.contains("Revenue has no rows for Region without a value."), "{}", missing.sentence);
}

#[test]
fn a_difference_of_metrics_is_the_sum_of_its_inputs() {
    let change = shop().explain(&march_to_april("net"));
    assert_eq!(change.change.as_deref(), Some("-22"));
    let inputs: Vec<(&str, Option<&str>)> =
        change.inputs.iter().map(|input| (input.title.as_str(), input.contribution.as_deref())).collect();
    assert_eq!(inputs, [("Revenue", Some("-12")), ("Discounts", Some("-10"))]);
    assert_eq!(contributions(&change.dimensions[0]), [("North", "-30"), ("South", "14"), ("O'Hara", "-6")]);
}

#[test]
fn means_and_percentages_are_split_as_quotients() {
    let db = shop();
    let mean = db.explain(&march_to_april("mean_amount"));
    assert_eq!(mean.inputs.len(), 2);
    assert!(mean.not_additive.is_none() && mean.dimensions[0].rate.is_some());
    let rate = db.explain(&march_to_april("discount_rate"));
    assert!(rate.not_additive.is_none(), "{:?}", rate.not_additive);
    assert!(rate.sentence.contains("Discount rate rose by 6.96 % (106%)"), "{}", rate.sentence);
}

#[test]
fn only_the_largest_contributions_are_listed_and_the_others_are_added() {
    let change = shop().explain(&MetricChangeRequest { members: Some(1), ..march_to_april("revenue") });
    let by_region = &change.dimensions[0];
    assert_eq!(contributions(by_region), [("North", "-20")]);
    let others = by_region.others.as_ref().unwrap();
    assert_eq!((others.count, others.contribution.as_str()), (2, "8"));
}

#[test]
fn a_condition_holds_for_both_sides() {
    let request = MetricChangeRequest { filters: vec!["sale__product = 'b'".into()], ..march_to_april("revenue") };
    assert_eq!(shop().explain(&request).change.as_deref(), Some("13"));
    let on_metric = MetricChangeRequest { filters: vec!["revenue > 1000".into()], ..march_to_april("revenue") };
    assert!(shop().try_explain(&on_metric).is_err());
}

#[test]
fn unclear_requests_are_refused_with_the_reason() {
    let db = shop();
    let reject = |request: MetricChangeRequest| {
        let error = db.try_explain(&request).expect_err("rejected");
        format!("{} {}", error.message, error.hint.unwrap_or_default())
    };
    assert!(reject(periods("profit", "2024-03", "2024-04")).contains("Metric 'profit' not found"));
    assert!(reject(periods("revenue", "2024-03", "2024-03")).contains("Both sides"));
    assert!(reject(periods("revenue", "March", "April")).contains("'March' is not a period"));
    assert!(
        reject(MetricChangeRequest { from: None, ..march_to_april("revenue") }).contains("Two periods or two values")
    );
    let both = MetricChangeRequest {
        from: Some("2024".into()),
        to: Some("2023".into()),
        ..between("revenue", Some("a"), Some("b"))
    };
    assert!(reject(both).contains("Two periods or two values"));
    let unknown = MetricChangeRequest { by: vec!["sale__colour".into()], ..march_to_april("revenue") };
    assert!(reject(unknown).contains("There is no dimension 'sale__colour'"));
    let injected = MetricChangeRequest { filters: vec!["1 = 1) OR (1 = 1".into()], ..march_to_april("revenue") };
    assert!(reject(injected).contains("not a single SQL expression"));
}

#[test]
fn a_value_is_a_constant_and_never_sql() {
    let change = shop().explain(&between("revenue", Some("North"), Some("x' OR '1' = '1")));
    assert!(change.sentence.contains("has no rows for Region x' OR '1' = '1."), "{}", change.sentence);
}

#[test]
fn columns_with_few_values_come_first_and_huge_ones_are_left_out() {
    let db = shop();
    let request = periods("revenue", "2024-03", "2024-04");
    let names = |region: u64| {
        let count = |_: &vitrine_domain::TableName, column: &str| Some(if column == "region" { region } else { 5 });
        let plan = plan_change(&db.file, &db.catalog, &request, &count).unwrap();
        let left_out = plan.left_out.iter().map(|one| one.reason.clone()).collect::<Vec<_>>().join("\n");
        (plan.dimensions.iter().map(|one| one.name.clone()).collect::<Vec<_>>(), left_out)
    };
    assert_eq!(names(3).0, ["sale__region", "sale__product"]);
    assert_eq!(names(9).0, ["sale__product", "sale__region"]);
    // One value explains nothing, so that it comes last.
    assert_eq!(names(1).0, ["sale__product", "sale__region"]);
    let (kept, left_out) = names(1_000_000);
    assert_eq!(kept, ["sale__product"]);
    assert!(left_out.contains("more than 20,000 values"), "{left_out}");
}
