//! Everyday questions whose plain answer would mislead: the report says what a reader must know.

use crate::support::{Db, contributions, march_to_april, periods};
use vitrine_metric_change::{MetricChange, MetricChangeRequest, Presence};

fn notes(change: &MetricChange) -> String {
    let own = change.dimensions.iter().flat_map(|dimension| dimension.notes.iter());
    change.notes.iter().chain(own).cloned().collect::<Vec<_>>().join("\n")
}

#[test]
fn regions_that_offset_each_other_are_named_although_the_total_is_the_same() {
    let db = Db::with_sales(
        "('2024-03-31', 'North', 'a', 1, 1, 100, 0), ('2024-03-31', 'South', 'a', 1, 1, 300, 0),
         ('2024-04-30', 'North', 'a', 1, 1, 290, 0), ('2024-04-30', 'South', 'a', 1, 1, 110, 0)",
    );
    let change = db.explain(&march_to_april("revenue"));
    assert_eq!(change.change.as_deref(), Some("0"));
    let said = "Revenue did not change from March 2024 to April 2024: 400 EUR. Region North changed by +190 EUR, and other values offset that.";
    assert_eq!(change.sentence, said);
    assert!(notes(&change).contains("Increases of 190 and decreases of 190 offset each other"), "{}", notes(&change));
    assert_eq!(change.dimensions[0].members[0].share, None);
}

#[test]
fn a_region_that_lost_more_than_the_whole_is_not_called_a_part_of_it() {
    let db = Db::with_sales(
        "('2024-03-31', 'North', 'a', 1, 1, 1000, 0), ('2024-03-31', 'South', 'a', 1, 1, 1000, 0),
         ('2024-04-30', 'North', 'a', 1, 1, 1050, 0), ('2024-04-30', 'South', 'a', 1, 1, 850, 0)",
    );
    let change = db.explain(&march_to_april("revenue"));
    let said = "Revenue fell by 100 EUR (5%) from March 2024 to April 2024. Region South accounts for -150 EUR, more than the whole change; other values offset the rest.";
    assert_eq!(change.sentence, said);
    assert_eq!(change.dimensions[0].members[0].share, Some(1.5));
}

#[test]
fn an_empty_period_is_not_a_fall_to_zero_without_a_word() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, 100, 0)");
    let change = db.explain(&march_to_april("revenue"));
    assert!(change.sentence.starts_with("Revenue has no rows for April 2024."), "{}", change.sentence);
    assert!(notes(&change).contains("April 2024 has no rows of Revenue; they count as 0"));
    assert_eq!(change.dimensions[0].members[0].presence, Presence::Vanished);
    let both = db.explain(&periods("revenue", "2020-01", "2020-02"));
    assert!(both.sentence.starts_with("Revenue has no rows for January 2020 and February 2020."), "{}", both.sentence);
}

#[test]
fn a_current_month_that_is_not_over_is_called_incomplete() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, 100, 0), ('2024-04-12', 'North', 'a', 1, 1, 40, 0)");
    let change = db.explain(&march_to_april("revenue"));
    let said = "The last rows of April 2024 are of 2024-04-12: its last 18 days have none";
    assert!(notes(&change).contains(said), "{}", notes(&change));
    let whole = db.explain(&periods("revenue", "2024-03-01..2024-03-31", "2024-04-01..2024-04-12"));
    assert!(!notes(&whole).contains("incomplete"), "{}", notes(&whole));
}

#[test]
fn periods_of_different_length_and_overlapping_ones_are_noted() {
    let db = Db::with_sales("('2024-02-29', 'North', 'a', 1, 1, 100, 0), ('2024-03-31', 'North', 'a', 1, 1, 90, 0)");
    let change = db.explain(&periods("revenue", "2024-02", "2024-Q1"));
    let said = notes(&change);
    assert!(said.contains("February 2024 has 29 days, Q1 2024 has 91 days") && said.contains("overlap"), "{said}");
    let back = notes(&db.explain(&periods("revenue", "2024-03", "2024-02")));
    assert!(back.contains("March 2024 is later than February 2024"), "{back}");
    let next = notes(&db.explain(&periods("revenue", "2024-03", "2024-04")));
    assert!(!next.contains("length") && !next.contains("overlap") && !next.contains("later"), "{next}");
}

#[test]
fn a_price_that_rises_everywhere_and_falls_in_total_shows_the_mix() {
    // North sells dearly, South cheaply; South's share grows.
    let db = Db::with_sales(
        "('2024-03-31', 'North', 'a', 1, 90, 900, 0), ('2024-03-31', 'South', 'a', 1, 10, 20, 0),
         ('2024-04-30', 'North', 'a', 1, 10, 110, 0), ('2024-04-30', 'South', 'a', 1, 90, 270, 0)",
    );
    let change = db.explain(&march_to_april("price"));
    let by_region = &change.dimensions[0];
    assert_eq!(
        (change.before.value.as_deref(), change.after.value.as_deref()),
        (Some("9.20000000000"), Some("3.80000000000"))
    );
    assert_eq!((by_region.rate.as_deref(), by_region.mix.as_deref()), (Some("1.00000000000"), Some("-6.40000000000")));
    assert!(notes(&change).contains("changed in the other direction"), "{}", notes(&change));
    assert!(change.sentence.contains("contribute +1, changes of their shares -6.40."), "{}", change.sentence);
}

#[test]
fn a_price_without_units_has_no_value_and_no_change() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 0, 100, 0), ('2024-04-30', 'North', 'a', 1, 4, 40, 0)");
    let change = db.explain(&march_to_april("price"));
    assert_eq!((change.change.as_deref(), change.dimensions.len()), (None, 0));
    let reason = change.not_additive.unwrap();
    assert!(reason.contains("Price has no value for March 2024, because its divisor is 0"), "{reason}");
    assert!(change.sentence.contains("no value for one side"), "{}", change.sentence);
}

#[test]
fn a_region_without_units_keeps_its_part_of_the_price() {
    let db = Db::with_sales(
        "('2024-03-31', 'North', 'a', 1, 10, 100, 0), ('2024-03-31', 'South', 'a', 1, 0, 30, 0),
         ('2024-04-30', 'North', 'a', 1, 10, 100, 0), ('2024-04-30', 'South', 'a', 1, 0, 10, 0)",
    );
    let change = db.explain(&march_to_april("price"));
    assert_eq!(change.change.as_deref(), Some("-2.0000000000"));
    assert_eq!(contributions(&change.dimensions[0])[0], ("South", "-2.0000000000"));
    assert_eq!(change.dimensions[0].members[0].before, None);
    assert!(notes(&change).contains("1 value has a dividend but no divisor"), "{}", notes(&change));
}

#[test]
fn values_that_cannot_be_added_are_not_split() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, 100, 5), ('2024-04-30', 'North', 'a', 2, 1, 90, 5)");
    for (metric, reason) in [
        ("buyers", "counts distinct values"),
        ("middle", "is a median"),
        ("per_buyer", "counts distinct values"),
        ("rounded", "neither a sum"),
        ("so_far", "accumulates over time"),
    ] {
        let change = match db.try_explain(&march_to_april(metric)) {
            Ok(change) => change,
            Err(error) => {
                assert!(metric == "so_far" && error.message.contains("accumulates over time"), "{}", error.message);
                continue;
            }
        };
        assert!(change.not_additive.as_deref().unwrap().contains(reason), "{metric}: {:?}", change.not_additive);
        assert!(change.dimensions.is_empty() && change.before.value.is_some(), "{metric}");
    }
    let buyers = db.explain(&march_to_april("buyers"));
    assert_eq!(buyers.sentence, "Buyers did not change from March 2024 to April 2024: 1.");
}

#[test]
fn new_vanished_and_missing_values_have_their_own_lines() {
    let db = Db::with_sales(
        "('2024-03-31', 'North', 'a', 1, 1, 100, 0), ('2024-03-31', 'West', 'a', 1, 1, 70, 0), ('2024-03-31', NULL, 'a', 1, 1, 5, 0),
         ('2024-04-30', 'North', 'a', 1, 1, 100, 0), ('2024-04-30', 'East', 'a', 1, 1, 30, 0), ('2024-04-30', NULL, 'a', 1, 1, 65, 0)",
    );
    let change = db.explain(&march_to_april("revenue"));
    let by_region = &change.dimensions[0];
    assert_eq!(contributions(by_region), [("West", "-70"), ("NULL", "60"), ("East", "30"), ("North", "0")]);
    let presence: Vec<Presence> = by_region.members.iter().map(|member| member.presence).collect();
    assert_eq!(presence, [Presence::Vanished, Presence::Both, Presence::New, Presence::Both]);
    assert_eq!((by_region.members[0].after.as_deref(), by_region.members[2].before.as_deref()), (None, None));
    assert!(change.sentence.contains("Region without a value accounts for +60 EUR"), "{}", change.sentence);
}

#[test]
fn a_renamed_value_is_not_mistaken_for_a_loss() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, 100, 0), ('2024-04-30', 'NORTH ', 'a', 1, 1, 100, 0)");
    let said = notes(&db.explain(&march_to_april("revenue")));
    assert!(said.contains("differ only in upper and lower case or blanks"), "{said}");
    assert!(said.contains("No value of Region has rows on both sides"), "{said}");
}

#[test]
fn a_negative_start_has_no_percentage() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, -100, 0), ('2024-04-30', 'North', 'a', 1, 1, 50, 0)");
    let change = db.explain(&march_to_april("revenue"));
    assert!(change.sentence.starts_with("Revenue rose by 150 EUR from"), "{}", change.sentence);
    assert_eq!(change.change_share, None);
    assert!(notes(&change).contains("The first value is negative"));
}

#[test]
fn a_value_that_the_metric_has_without_rows_is_not_explained_by_rows() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, 100, 0)");
    let change = db.explain(&march_to_april("at_least_five"));
    assert_eq!(change.after.value.as_deref(), Some("5"));
    assert!(change.not_additive.as_deref().unwrap().contains("differs from the value that its parts give"));
}

#[test]
fn a_balance_counts_the_last_day_and_is_not_added_over_time() {
    let db = Db::with_sales("('2024-03-31', 'North', 'a', 1, 1, 100, 0)");
    let request = MetricChangeRequest {
        by: vec!["count__region".into(), "count__day__month".into()],
        ..periods("stock", "2024-03", "2024-04")
    };
    let change = db.explain(&request);
    assert_eq!((change.before.value.as_deref(), change.change.as_deref()), (Some("30"), Some("-1")));
    assert_eq!(contributions(&change.dimensions[0]), [("North", "-6"), ("South", "5")]);
    assert!(change.left_out[0].reason.contains("Balances"), "{:?}", change.left_out);
}
