//! Summarizes many names without losing any: SQL needs the real ones.

use crate::compress::{compare_natural, match_placeholders};
use std::collections::BTreeSet;

/// Up to this number of names are listed individually.
const FEW: usize = 8;
/// Maximum number of runs listed for a group; beyond it the parts of the names are listed instead.
const MOST_RUNS: usize = 12;
/// Maximum number of values listed for a varying part.
const MOST_PARTS: usize = 80;
/// Maximum number of words listed in the description of a group.
const MOST_NAMED: usize = 12;
/// Numbers of four digits that are years.
const YEARS: std::ops::Range<u32> = 1500..2999;

/// Returns the remark on a group of tables and its representative `shown`. `schema` is the prefix of every name with
/// its dot, or empty.
pub(super) fn describe_tables(pattern: &str, names: &[String], shown: &str, schema: &str) -> String {
    let before = if schema.is_empty() { String::new() } else { format!(" in {}", schema.trim_end_matches('.')) };
    if names.len() <= FEW {
        let others: Vec<&str> = names.iter().map(String::as_str).filter(|n| *n != shown).collect();
        let place = if before.is_empty() { String::new() } else { format!("{before}:") };
        return format!("also{place} {} (same columns)", others.join(", "));
    }
    format!("one of {} tables{before} with the same columns: {}", names.len(), list_names(pattern, names))
}

/// Returns the remark on a group of columns.
pub(super) fn describe_columns(pattern: &str, names: &[String]) -> String {
    format!("{} ({} columns)", list_names(pattern, names), names.len())
}

/// Describes a group of tables by what its members stand for: `a series of 64 tables with the same columns, one for each
/// day from 2017-01-01 to 2017-03-05` (DSR-SQL, appendix A, without a model). `None` if the names do not fit the
/// pattern. Names are without quotes.
pub(super) fn describe_series(pattern: &str, names: &[&str]) -> Option<String> {
    let rows: Vec<Vec<&str>> = names.iter().map(|name| match_placeholders(pattern, name)).collect::<Option<_>>()?;
    let mut combinations = 1_usize;
    let mut parts = Vec::new();
    for place in 0..rows.first()?.len() {
        let distinct: BTreeSet<&str> = rows.iter().map(|row| row[place]).collect();
        combinations = combinations.saturating_mul(distinct.len());
        let mut values: Vec<&str> = distinct.into_iter().collect();
        values.sort_by(|a, b| compare_natural(a, b));
        if values.len() > 1 {
            parts.push(describe_values(&values));
        }
    }
    let some = if combinations == names.len() { "" } else { ", not for every combination" };
    (!parts.is_empty()).then(|| {
        format!(
            "a series of {} tables with the same columns, one for each {}{some}",
            names.len(),
            parts.join(" and each ")
        )
    })
}

/// Describes the values of a varying part, in their order: `day from 2017-01-01 to 2017-03-05`, `of ohio, utah`.
fn describe_values(values: &[&str]) -> String {
    let [first, .., last] = values else { return values.concat() };
    let all = |is: fn(&str) -> bool| values.iter().all(|value| is(value));
    let is_number = |value: &str| value.bytes().all(|byte| byte.is_ascii_digit());
    let unit = match first.len() {
        8 if all(|value| read_date(value).is_some_and(|(_, _, day)| day > 0)) => "day",
        6 if all(|value| read_date(value).is_some()) => "month",
        4 if all(|value| value.len() == 4 && value.parse().is_ok_and(|year: u32| YEARS.contains(&year))) => "year",
        _ if all(is_number) => "number",
        _ => {
            let named = values.len().min(MOST_NAMED);
            let more = values.len() - named;
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return format!("of {}{more}", values[..named].join(", "));
        }
    };
    let format_value = |value: &str| match (unit, read_date(value)) {
        ("day", Some((year, month, day))) => format!("{year}-{month:02}-{day:02}"),
        ("month", Some((year, month, _))) => format!("{year}-{month:02}"),
        _ => value.to_owned(),
    };
    let gaps = if values.windows(2).all(|pair| is_successor(pair[0], pair[1])) { "" } else { " with gaps" };
    format!("{unit} from {} to {}{gaps}", format_value(first), format_value(last))
}

/// Lists names as `a1 .. a9, a11` if they have few runs, otherwise by their varying parts.
fn list_names(pattern: &str, names: &[String]) -> String {
    let runs = collapse_runs(names);
    if runs.len() <= MOST_RUNS {
        return runs.join(", ");
    }
    by_parts(pattern, names).unwrap_or_else(|| {
        let most = runs.len().min(MOST_PARTS);
        let more = runs.len() - most;
        runs[..most].join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
    })
}

/// Joins consecutive names (by number, day or month) as `first .. last`.
fn collapse_runs(names: &[String]) -> Vec<String> {
    let mut runs: Vec<Vec<&String>> = Vec::new();
    for name in names {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| is_successor(last, name)) => run.push(name),
            _ => runs.push(vec![name]),
        }
    }
    runs.iter()
        .flat_map(|run| match &run[..] {
            [first, .., last] if run.len() > 2 => vec![format!("{first} .. {last}")],
            few => few.iter().map(|n| (*n).clone()).collect(),
        })
        .collect()
}

/// Returns true if `b` is `a` with one number increased by one step.
fn is_successor(a: &str, b: &str) -> bool {
    let (x, y) = (split_digit_runs(a), split_digit_runs(b));
    let differing: Vec<(&str, &str)> = x.iter().zip(&y).filter(|(x, y)| x != y).map(|(x, y)| (*x, *y)).collect();
    match differing[..] {
        [(from, to)] if x.len() == y.len() => next_number(from, to) || next_day_or_month(from, to),
        _ => false,
    }
}

fn next_number(from: &str, to: &str) -> bool {
    // At most 18 digits; `09` is followed by `10`, and `9` by `10`, but not by `010`.
    let number = |t: &str| (t.len() <= 18).then(|| t.parse::<u64>().ok()).flatten();
    let width_fits = from.len() == to.len() || (!from.starts_with('0') && !to.starts_with('0'));
    matches!((number(from), number(to)), (Some(a), Some(b)) if a + 1 == b) && width_fits
}

/// Reads `20170131` or `201701` as year, month and day; the day of a month is 0.
fn split_date(text: &str) -> Option<(u32, u32, u32)> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse().ok();
    match text.len() {
        8 => Some((part(0..4)?, part(4..6)?, part(6..8)?)),
        6 => Some((part(0..4)?, part(4..6)?, 0)),
        _ => None,
    }
}

/// Like [`split_date`], only for days and months that exist.
fn read_date(text: &str) -> Option<(u32, u32, u32)> {
    let exists = |&(y, m, d): &(u32, u32, u32)| {
        YEARS.contains(&y) && (1..=12).contains(&m) && d <= crate::profile::days_in(y, m)
    };
    split_date(text).filter(exists)
}

fn next_day_or_month(from: &str, to: &str) -> bool {
    let (Some((y, m, d)), Some(next)) = (split_date(from), split_date(to)) else { return false };
    if from.len() != to.len() || !YEARS.contains(&y) || !(1..=12).contains(&m) {
        return false;
    }
    let first = u32::from(d > 0);
    let last_of_month = d == 0 || d == crate::profile::days_in(y, m);
    let next_month = if m == 12 { (y + 1, 1, first) } else { (y, m + 1, first) };
    last_of_month && next == next_month
}

/// Splits a name into runs of digits and of other characters.
fn split_digit_runs(name: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.bytes().next() {
        let end = rest.bytes().position(|b| b.is_ascii_digit() != first.is_ascii_digit()).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}

/// Lists varying parts: `s_{VAR}_{NUM} with {VAR}: ohio, iowa; {NUM}: 2019 .. 2021`. Mentions if not every combination
/// exists.
fn by_parts(pattern: &str, names: &[String]) -> Option<String> {
    // Names and pattern are compared without quotes.
    let bare = |text: &str| text.replace(['"', '`'], "");
    let pattern = bare(pattern);
    let names: Vec<String> = names.iter().map(|n| bare(n)).collect();
    let rows: Vec<Vec<&str>> = names.iter().map(|n| match_placeholders(&pattern, n)).collect::<Option<_>>()?;
    let width = rows.first()?.len();
    let mut combinations = 1usize;
    let mut lists = Vec::new();
    let mut places =
        pattern.match_indices('{').map(|(at, _)| if pattern[at..].starts_with("{NUM}") { "{NUM}" } else { "{VAR}" });
    for column in 0..width {
        let distinct: BTreeSet<&str> = rows.iter().map(|r| r[column]).collect();
        combinations = combinations.saturating_mul(distinct.len());
        let mut values: Vec<String> = distinct.into_iter().map(str::to_owned).collect();
        values.sort_by(|a, b| compare_natural(a, b));
        let shown = collapse_runs(&values);
        if shown.len() > MOST_PARTS {
            return None;
        }
        lists.push(format!("{} = {}", places.next().unwrap_or("{VAR}"), shown.join(", ")));
    }
    let some = if combinations == names.len() { "" } else { " (not every combination exists)" };
    Some(format!("{pattern} with {}{some}", lists.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned_names(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn few_tables_are_named_one_by_one() {
        assert_eq!(
            describe_tables("t_{NUM}", &owned_names(&["t_1", "t_2", "t_3"]), "t_3", ""),
            "also t_1, t_2 (same columns)"
        );
        assert_eq!(
            describe_tables("t_{NUM}", &owned_names(&["t_1", "t_2"]), "t_2", "db.ga."),
            "also in db.ga: t_1 (same columns)"
        );
    }

    #[test]
    fn days_run_on_over_the_end_of_a_month() {
        let mut days = Vec::new();
        for (month, last) in [(1, 31), (2, 28), (3, 5)] {
            days.extend((1..=last).map(|day| format!("ga_2017{month:02}{day:02}")));
        }
        let text = describe_tables("ga_{NUM}", &days, "ga_20170305", "");
        assert_eq!(text, "one of 64 tables with the same columns: ga_20170101 .. ga_20170305");
    }

    #[test]
    fn a_series_is_described_by_what_varies() {
        let describe = |pattern: &str, names: &[String]| {
            describe_series(pattern, &names.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
        };
        let days: Vec<String> = (28..=31).map(|day| format!("ga_201701{day}")).chain(["ga_20170201".into()]).collect();
        let (start, each) = ("a series of", "tables with the same columns, one for each");
        assert_eq!(describe("ga_{NUM}", &days), format!("{start} 5 {each} day from 2017-01-28 to 2017-02-01"));
        let months = owned_names(&["m_201711", "m_201712", "m_201802"]);
        assert_eq!(describe("m_{NUM}", &months), format!("{start} 3 {each} month from 2017-11 to 2018-02 with gaps"));
        let numbers = owned_names(&["part_9", "part_10"]);
        assert_eq!(describe("part_{NUM}", &numbers), format!("{start} 2 {each} number from 9 to 10"));
        let mut both = Vec::new();
        for state in ["ohio", "utah"] {
            both.extend([2019, 2020].map(|year| format!("{state}_trees_{year}")));
        }
        let parts = "of ohio, utah and each year from 2019 to 2020";
        assert_eq!(describe("{VAR}_trees_{NUM}", &both), format!("{start} 4 {each} {parts}"));
        both.pop();
        assert!(describe("{VAR}_trees_{NUM}", &both).ends_with(", not for every combination"));
        assert_eq!(describe_series("other_{NUM}", &["part_1", "part_2"]), None);
    }

    #[test]
    fn a_gap_is_not_hidden() {
        let years: Vec<String> = (2000..2012).filter(|y| *y != 2005).map(|y| format!("y{y}")).collect();
        assert_eq!(describe_columns("y{NUM}", &years), "y2000 .. y2004, y2006 .. y2011 (11 columns)");
    }

    #[test]
    fn two_varying_parts_are_listed_by_part() {
        let mut all = Vec::new();
        for state in ["iowa", "ohio", "utah", "ny"] {
            all.extend([2019, 2021, 2024, 2026].map(|year| format!("{state}_trees_{year}")));
        }
        assert_eq!(
            list_names("{VAR}_trees_{NUM}", &all),
            "{VAR}_trees_{NUM} with {VAR} = iowa, ny, ohio, utah; {NUM} = 2019, 2021, 2024, 2026"
        );
        all.pop();
        assert!(list_names("{VAR}_trees_{NUM}", &all).ends_with("(not every combination exists)"));
    }

    #[test]
    fn quoted_names_and_names_without_order_are_kept_whole() {
        let odd = owned_names(&["\"A 1\"", "\"A 2\"", "\"A 3\"", "\"A 4\""]);
        assert_eq!(list_names("A {NUM}", &odd), "\"A 1\" .. \"A 4\"");
    }
}
