//! Caveats of a comparison of periods.

use crate::period::{Period, day_title};
use crate::plan::ChangePlan;
use crate::shape::title_of;
use crate::totals::Totals;
use chrono::NaiveDate;
use vitrine_domain::Page;
use vitrine_words::{plural, tr};

/// From this difference in length, in per cent, a note states the lengths of both periods.
const DIFFERENT_LENGTH: i64 = 5;
/// From this number of days without rows at the end of a period, a note states it.
const FEWEST_MISSING: i64 = 2;
/// The number of missing days that is always stated, however long the period is.
const MANY_MISSING: i64 = 7;

/// Reads the last day with rows from the result of a query of `last_days`.
pub fn read_last_day(page: &Page) -> Option<NaiveDate> {
    let text = page.rows.first()?.first()?.as_deref()?;
    NaiveDate::parse_from_str(text.get(..10)?, "%Y-%m-%d").ok()
}

/// Returns what a reader of the comparison must know.
pub(crate) fn describe_caveats(plan: &ChangePlan, totals: &Totals, last_days: [Option<NaiveDate>; 2]) -> Vec<String> {
    let mut notes = Vec::new();
    let metric = title_of(&plan.metric);
    for (side, is_empty) in plan.sides.iter().zip(totals.is_empty) {
        if is_empty && totals.problem.is_none() {
            notes.push(tr!("{side} has no rows of {metric}; they count as 0", side = side.title, metric));
        }
    }
    if !plan.is_between_groups
        && let [Some(before), Some(after)] = plan.sides.each_ref().map(|side| side.period.as_ref())
    {
        notes.extend(compare_periods(before, after));
        for (period, last) in [before, after].into_iter().zip(last_days) {
            notes.extend(last.and_then(|last| describe_missing_days(period, last)));
        }
    }
    if totals.values[0].as_ref().is_some_and(crate::number::Number::is_negative) {
        notes.push(tr!("The first value is negative, so that the change is not given in per cent"));
    }
    notes
}

fn compare_periods(before: &Period, after: &Period) -> Vec<String> {
    let mut notes = Vec::new();
    let (a, b) = (before.count_days(), after.count_days());
    if (a - b).abs() * 100 >= DIFFERENT_LENGTH * a.max(b) {
        let days = |count: i64| plural!(u64::try_from(count).unwrap_or(0), "{n} day", "{n} days");
        notes.push(tr!(
            "The periods differ in length: {before} has {before_days}, {after} has {after_days}",
            before = before.title,
            before_days = days(a),
            after = after.title,
            after_days = days(b)
        ));
    }
    if before.overlaps(after) {
        notes.push(tr!("The periods overlap: the days in both count on both sides"));
    } else if before.first > after.first {
        notes.push(tr!("{before} is later than {after}", before = before.title, after = after.title));
    }
    notes
}

/// Returns a note about days without rows at the end of a period, such as those of the current month.
fn describe_missing_days(period: &Period, last: NaiveDate) -> Option<String> {
    let missing = (period.last - last).num_days();
    let many = MANY_MISSING.min(period.count_days() / 10).max(FEWEST_MISSING);
    (missing >= many).then(|| {
        plural!(
            u64::try_from(missing).unwrap_or(0),
            "The last rows of {period} are of {day}: its last day has none, so that the period may be incomplete",
            "The last rows of {period} are of {day}: its last {n} days have none, so that the period may be incomplete",
            period = period.title,
            day = day_title(last)
        )
    })
}
