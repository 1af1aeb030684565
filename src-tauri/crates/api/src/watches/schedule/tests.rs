use super::*;
use proptest::prelude::*;
use vitrine_store::WatchAlert;

fn plan(interval: WatchInterval, minute: u16, weekday: u8) -> WatchPlan {
    WatchPlan { interval, minute, weekday, alert: WatchAlert::Changed, column: None, output: None }
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).expect(name)
}

/// Returns the next times after `since` in local notation.
fn next_times(plan: &WatchPlan, since: &str, zone: &TimeZone, count: usize) -> Vec<String> {
    let mut at: Timestamp = since.parse().unwrap();
    let mut times = Vec::new();
    for _ in 0..count {
        at = find_next_due(plan, at, zone).unwrap();
        times.push(at.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string());
    }
    times
}

#[test]
fn a_daily_time_keeps_its_place_on_the_clock_when_the_clock_changes() {
    let berlin = zone("Europe/Berlin");
    let morning = plan(WatchInterval::Day, 8 * 60, 0);
    assert_eq!(
        next_times(&morning, "2026-03-27T07:00:00Z", &berlin, 3),
        ["2026-03-28T08:00:00+01:00", "2026-03-29T08:00:00+02:00", "2026-03-30T08:00:00+02:00"]
    );
    // 02:30 does not exist on 29 March 2026 and exists twice on 25 October 2026.
    let night = plan(WatchInterval::Day, 2 * 60 + 30, 0);
    assert_eq!(
        next_times(&night, "2026-03-28T12:00:00Z", &berlin, 2),
        ["2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"]
    );
    assert_eq!(
        next_times(&night, "2026-10-24T12:00:00Z", &berlin, 2),
        ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"]
    );
}

#[test]
fn an_hourly_answer_runs_every_hour_also_when_the_clock_is_set_back() {
    let berlin = zone("Europe/Berlin");
    assert_eq!(
        next_times(&plan(WatchInterval::Hour, 0, 0), "2026-10-24T23:59:59Z", &berlin, 3),
        ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00+01:00"]
    );
    // The clocks of Lord Howe Island change by half an hour, those of India differ by half an hour.
    let howe = zone("Australia/Lord_Howe");
    assert_eq!(
        next_times(&plan(WatchInterval::Hour, 0, 0), "2026-10-03T14:10:00Z", &howe, 3),
        ["2026-10-04T01:00:00+10:30", "2026-10-04T03:00:00+11:00", "2026-10-04T04:00:00+11:00"]
    );
    let india = zone("Asia/Kolkata");
    assert_eq!(
        next_times(&plan(WatchInterval::Hour, 0, 0), "2026-01-01T00:00:00Z", &india, 1),
        ["2026-01-01T06:00:00+05:30"]
    );
}

#[test]
fn a_weekly_answer_runs_on_its_day() {
    let york = zone("America/New_York");
    assert_eq!(
        next_times(&plan(WatchInterval::Week, 9 * 60, 4), "2026-11-30T00:00:00Z", &york, 2),
        ["2026-12-04T09:00:00-05:00", "2026-12-11T09:00:00-05:00"]
    );
}

#[test]
fn typed_times_are_local_unless_they_have_an_offset() {
    let berlin = zone("Europe/Berlin");
    assert_eq!(format_stored(parse_typed("2026-12-01T08:00", &berlin).unwrap()), "2026-12-01T07:00:00.000Z");
    assert_eq!(format_stored(parse_typed("2026-12-01T08:00:00Z", &berlin).unwrap()), "2026-12-01T08:00:00.000Z");
    assert_eq!(format_stored(parse_typed("2026-12-01 08:00", &berlin).unwrap()), "2026-12-01T07:00:00.000Z");
    assert!(parse_typed("tomorrow", &berlin).is_err());
}

proptest! {
    #[test]
    fn the_next_time_is_later_and_at_the_planned_minute(
        second in 1_600_000_000i64..2_000_000_000,
        minute in 0u16..1440,
        weekday in 0u8..7,
        name in prop::sample::select(vec!["Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]),
    ) {
        let (zone, since) = (zone(name), Timestamp::from_second(second).unwrap());
        for interval in [WatchInterval::Hour, WatchInterval::Day, WatchInterval::Week] {
            let plan = plan(interval, minute, weekday);
            let next = find_next_due(&plan, since, &zone).unwrap();
            prop_assert!(next > since);
            let local = next.to_zoned(zone.clone());
            match interval {
                WatchInterval::Hour => {
                    prop_assert_eq!(local.minute(), 0);
                    prop_assert!(next.as_second() - second <= 5_400);
                }
                _ => {
                    let at = i64::from(local.hour()) * 60 + i64::from(local.minute());
                    // Only a clock change moves the time, by at most an hour.
                    prop_assert!((at - i64::from(minute)).abs() <= 60 || (at - i64::from(minute)).abs() >= 1380);
                    prop_assert!(next.as_second() - second <= 8 * 86_400 + 3_600);
                }
            }
        }
    }
}

#[test]
fn a_stored_time_in_the_future_or_without_meaning_counts_as_now() {
    let now: Timestamp = "2026-03-27T07:00:00Z".parse().unwrap();
    assert_eq!(parse_since("2026-03-27T06:00:00.000Z", now).to_string(), "2026-03-27T06:00:00Z");
    assert_eq!(parse_since("2999-01-01T00:00:00.000Z", now), now);
    assert_eq!(parse_since("yesterday", now), now);
}
