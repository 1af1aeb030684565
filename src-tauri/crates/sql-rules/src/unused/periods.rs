//! Compares the years, quarters and months of a question with the periods in a query's conditions.

use super::asked::{Asked, Kind};
use super::bounds::{Bound, Touch};
use super::calendar::Role;
use super::spoken;
use super::used::Used;
use crate::question::facts::has_word;
use vitrine_sql::is_restated;

/// Parts of expressions that extract months.
const MONTHS: [&str; 6] = ["month", "monat", "mois", "%m", "'mm", "-mm"];
/// Keywords in expressions that compute a date from another one.
const DATE_ARITHMETIC: [&str; 5] = ["interval", "date_add", "date_sub", "dateadd", "julianday("];

/// Returns the periods that the query uses instead of an unused period. `None` if it uses the period, or if this is
/// undecidable.
pub(super) fn find_substitutes(used: &Used<'_>, part: &Asked, all: &[Asked]) -> Option<Vec<String>> {
    let constants = &used.constants;
    // The current date is not part of the query.
    let touches = constants.touched_periods();
    if constants.is_relative() || is_grouped(used, &part.kind, &touches) || is_in_name(used, &part.text) {
        return None;
    }
    let is_used = match part.kind {
        Kind::Year { year, decade } => uses_year(used, part, all, &touches, year, decade),
        Kind::Quarter(_) | Kind::Month(_) => uses_months(used, part, all, &touches),
        Kind::Number { .. } => true,
    };
    (!is_used).then(|| unasked_periods(&part.kind, all, &touches))
}

/// Returns true if a text of the query has the word among others, because April may also be the name of a person.
fn is_in_name(used: &Used<'_>, word: &str) -> bool {
    let has_letters = word.chars().any(char::is_alphabetic);
    has_letters && used.constants.all.iter().any(|constant| has_word(constant, word))
}

/// Returns true if the result has a row for each period of this kind.
fn is_grouped(used: &Used<'_>, kind: &Kind, touches: &[Touch]) -> bool {
    let groups = &used.constants.groups;
    let has = |words: &[&str]| words.iter().any(|word| groups.contains(word));
    match kind {
        Kind::Month(_) => has(&MONTHS),
        Kind::Quarter(_) => has(&["quarter", "quartal", "trimestre", "%q", "month", "monat", "mois", "%m"]),
        // A result by month still needs a condition on the year.
        Kind::Year { .. } => {
            let by_year = ["year", "yyyy", "%y", "jahr", "annee", "année"];
            has(&by_year) && !has(&MONTHS) && touches.iter().all(|touch| touch.year.is_none())
        }
        Kind::Number { .. } => false,
    }
}

/// Returns a number that orders periods of one kind.
fn period_ordinal(kind: &Kind) -> Option<i32> {
    match kind {
        Kind::Year { year, .. } => Some(*year),
        Kind::Quarter(quarter) => Some(i32::from(*quarter)),
        Kind::Month(month) => Some(i32::from(*month)),
        Kind::Number { .. } => None,
    }
}

fn same_kind(one: &Kind, other: &Kind) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Returns the period that a condition begins or ends with, as an ordinal of this kind.
fn bound_ordinal(kind: &Kind, touch: &Touch) -> Option<i32> {
    match kind {
        Kind::Year { .. } => touch.year,
        Kind::Quarter(_) => touch.months.map(|(from, _)| i32::from(from.div_ceil(3))),
        Kind::Month(_) => touch.months.filter(|(from, to)| from == to).map(|(from, _)| i32::from(from)),
        Kind::Number { .. } => None,
    }
}

/// Returns true if the conditions include a period: they begin or end with it, with the previous or next one if the
/// question says so, or on both sides of it with other periods of the question.
fn reaches_period(part: &Asked, all: &[Asked], touches: &[Touch]) -> bool {
    let Some(place_of) = period_ordinal(&part.kind) else { return false };
    let reached: Vec<i32> = touches.iter().filter_map(|touch| bound_ordinal(&part.kind, touch)).collect();
    let asked =
        all.iter().filter(|other| same_kind(&other.kind, &part.kind)).filter_map(|other| period_ordinal(&other.kind));
    let between: Vec<i32> = asked.filter(|other| reached.contains(other)).collect();
    reached.contains(&place_of)
        || spoken::ends_range(&part.before) && reached.contains(&(place_of - 1))
        || part.before.iter().any(|word| spoken::is_after(word)) && reached.contains(&(place_of + 1))
        || between.iter().any(|other| *other < place_of) && between.iter().any(|other| *other > place_of)
}

/// Returns true if the conditions end right before a period and begin right after it: the query excludes only that
/// period, as for "not in 2023".
fn leaves_out(part: &Asked, touches: &[Touch]) -> bool {
    let Some(place_of) = period_ordinal(&part.kind) else { return false };
    let reached = |begins: bool| -> Vec<i32> {
        let own = touches.iter().filter(|touch| touch.role.may_begin_period() == begins);
        own.filter_map(|touch| bound_ordinal(&part.kind, touch)).collect()
    };
    let (begins, ends) = (reached(true), reached(false));
    let are_all = |places: &[i32], wanted: i32| !places.is_empty() && places.iter().all(|place| *place == wanted);
    are_all(&begins, place_of + 1) && are_all(&ends, place_of - 1)
}

/// Returns true if a period is used as the exclusive end of a range: the question says "before 2024" or "not since
/// 2024", it names the start of the range, or the query computes the start ("the thirty days before").
fn counts_as_end(used: &Used<'_>, part: &Asked, all: &[Asked], touches: &[Touch]) -> bool {
    let is_asked = |period: i32| {
        all.iter().any(|other| same_kind(&other.kind, &part.kind) && period_ordinal(&other.kind) == Some(period))
    };
    let begins: Vec<i32> = touches
        .iter()
        .filter(|touch| touch.role.may_begin_period())
        .filter_map(|touch| bound_ordinal(&part.kind, touch))
        .collect();
    let is_computed = || DATE_ARITHMETIC.iter().any(|word| used.constants.text.contains(word));
    spoken::ends_range(&part.before)
        || part.before.iter().any(|word| spoken::is_since(word))
        || is_computed()
        || !begins.is_empty() && begins.into_iter().all(is_asked)
}

fn uses_year(used: &Used<'_>, part: &Asked, all: &[Asked], touches: &[Touch], year: i32, decade: bool) -> bool {
    let constants = &used.constants;
    let digits = year.to_string();
    let ends: Vec<&Bound> =
        constants.bounds.iter().filter(|bound| bound.role == Role::Before && !bound.is_amount).collect();
    let texts: Vec<&str> = ends.iter().map(|bound| bound.text.as_str()).collect();
    let has_run = |digits: &str| constants.digit_runs_except(&texts).contains(&digits);
    let compares_neighbours = ["lag(", "lead("].iter().any(|word| constants.text.contains(word));
    let near = |touch: &Touch| touch.year.is_some_and(|touched| (touched - year).abs() <= 1);
    reaches_period(part, all, touches)
        || leaves_out(part, touches)
        || has_run(&digits)
        || constants.numbers.contains(&f64::from(year)) && !texts.contains(&digits.as_str())
        || used.has_named(&digits)
        || ends.iter().any(|bound| bound.year() == Some(year) || bound.text == digits)
            && counts_as_end(used, part, all, touches)
        || compares_neighbours && touches.iter().any(near)
        || decade && constants.all.iter().any(|constant| constant.starts_with(&digits[..3]))
        || is_restated(&digits, used.input.knowledge, crate::question::facts::plain_numbers, has_run)
        || holds_only(used, &digits)
}

/// Returns true if the profile shows that a table of the query contains no other year.
fn holds_only(used: &Used<'_>, year: &str) -> bool {
    let read = used.binding.tables.iter().filter_map(|name| used.input.catalog.find_table(name));
    let profiles =
        read.filter_map(|table| used.input.profile.find_table(&table.name)).filter(|profile| profile.is_whole());
    let is_of = |value: &Option<String>| value.as_deref().is_some_and(|value| value.starts_with(year));
    profiles.flat_map(|profile| &profile.columns).any(|column| is_of(&column.min) && is_of(&column.max))
}

fn uses_months(used: &Used<'_>, part: &Asked, all: &[Asked], touches: &[Touch]) -> bool {
    let constants = &used.constants;
    let is_within = |months: Option<(u8, u8)>| match (&part.kind, months) {
        (Kind::Quarter(quarter), Some((from, to))) => from >= quarter * 3 - 2 && to <= quarter * 3,
        (Kind::Month(month), Some((from, to))) => from == *month && to == *month,
        _ => false,
    };
    let mut ends = constants.bounds.iter().filter(|bound| bound.role == Role::Before);
    let names = || used.binding.tables.iter().chain(used.binding.columns.iter().map(|(_, column)| column));
    let is_named = |quarter: &u8| {
        let short = format!("q{quarter}");
        let is_in = |name: &str| name.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|part| part == short);
        names().any(|name| is_in(name)) || constants.all.iter().any(|constant| is_in(constant))
    };
    let says_month = |month: &u8| {
        let parts = |name: &str| name.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
        names().any(|name| parts(name).iter().any(|part| spoken::month_in(part) == Some(*month)))
    };
    reaches_period(part, all, touches)
        || touches.iter().any(|touch| is_within(touch.months))
        || ends.any(|bound| is_within(bound.months())) && counts_as_end(used, part, all, touches)
        || match &part.kind {
            Kind::Quarter(quarter) => is_named(quarter),
            // In an unknown format, a text of two digits is the month.
            Kind::Month(month) => says_month(month) || constants.all.contains(&format!("{month:02}")),
            _ => false,
        }
        || used.input.knowledge.to_lowercase().contains(&part.text.to_lowercase())
}

/// Returns the periods of a kind that the query uses and the question does not name.
fn unasked_periods(kind: &Kind, all: &[Asked], touches: &[Touch]) -> Vec<String> {
    let is_asked = |period: i32| {
        all.iter().any(|other| same_kind(&other.kind, kind) && period_ordinal(&other.kind) == Some(period))
    };
    let mut others: Vec<i32> = touches.iter().filter_map(|touch| bound_ordinal(kind, touch)).collect();
    others.retain(|period| !is_asked(*period));
    others.sort_unstable();
    others.dedup();
    let told = |period: i32| match kind {
        Kind::Year { .. } => Some(period.to_string()),
        Kind::Quarter(_) => Some(format!("Q{period}")),
        _ => None,
    };
    let told: Vec<String> = others.into_iter().filter_map(told).collect();
    if told.len() > 3 { Vec::new() } else { told }
}
