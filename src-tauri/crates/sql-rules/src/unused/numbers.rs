//! Compares the numbers of a question with the numbers of a query in each possible SQL notation.

use super::asked::{Asked, Kind};
use super::calendar::{Role, digit_runs};
use super::spoken::{self, Compared};
use super::used::Used;
use crate::question::facts::has_word;
use vitrine_sql::{ReadOnlySql, is_restated};

/// Factors between units: days of a week, months of a year, minutes of an hour, ...
const TIMES: [f64; 18] = [
    2.0, 3.0, 4.0, 7.0, 12.0, 24.0, 28.0, 30.0, 31.0, 52.0, 60.0, 90.0, 91.0, 365.0, 366.0, 1_440.0, 3_600.0, 86_400.0,
];
/// Hundredths and thousandths of a unit.
const PARTS: [f64; 2] = [100.0, 1_000.0];

fn nearly_equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-9)
}

/// Returns the numbers that the query uses instead of an unused number. `None` if it uses the number, or if this is
/// undecidable.
pub(super) fn find_substitutes(used: &Used<'_>, part: &Asked, all: &[Asked], sql: &ReadOnlySql) -> Option<Vec<String>> {
    let Kind::Number { values, percent, of_time } = &part.kind else { return None };
    let constants = &used.constants;
    // A period relative to a day may be written as that day.
    let is_by_day = *of_time && (constants.is_relative() || !constants.touched_periods().is_empty());
    let shows_as_many = values.contains(&(used.page.row_count as f64));
    // A number in words may be stored, or be part of a name, in words.
    let word = part.text.to_lowercase();
    let names = used.binding.columns.iter().map(|(_, column)| column);
    let in_words = constants.all.iter().chain(names).any(|text| has_word(&text.replace('_', " "), &word));
    if is_by_day
        || shows_as_many
        || in_words
        || values.iter().any(|value| uses_number(used, part, *value, *percent, *of_time))
    {
        return None;
    }
    let is_asked = |number: f64| {
        all.iter().any(|other| match &other.kind {
            Kind::Number { values, .. } => values.iter().any(|value| nearly_equal(*value, number)),
            Kind::Year { year, .. } => nearly_equal(f64::from(*year), number),
            _ => false,
        })
    };
    if let Some(limit) = sql.limit().filter(|limit| *limit > 1 && !is_asked(*limit as f64)) {
        return Some(vec![limit.to_string()]);
    }
    let compared = constants.bounds.iter().filter_map(|bound| bound.text.parse::<f64>().ok());
    let mut others: Vec<f64> = compared.filter(|number| !is_asked(*number) && number.abs() > 1.0).collect();
    others.dedup();
    // With several candidates, the substitute is ambiguous.
    Some(match others.as_slice() {
        [only] => vec![only.to_string()],
        _ => Vec::new(),
    })
}

/// Returns true if the query contains a number: directly, as a share, with the complementary inequality, or in another
/// unit.
fn uses_number(used: &Used<'_>, part: &Asked, value: f64, percent: bool, of_time: bool) -> bool {
    let constants = &used.constants;
    let has = |wanted: f64| constants.numbers.iter().any(|number| nearly_equal(number.abs(), wanted.abs()));
    let digits = value.to_string();
    let in_text = |digits: &str| {
        let padded = |run: &str| run.trim_start_matches('0') == digits;
        constants
            .all
            .iter()
            .any(|constant| digit_runs(constant).any(padded) || constant.contains(digits) && digits.contains('.'))
    };
    let share = value / 100.0;
    // A quarter is one of four parts, and a third of 33 percent is one of three.
    let among = |share: f64| constants.numbers.iter().any(|parts| *parts > 1.0 && (share * parts - 1.0).abs() < 0.02);
    let as_share =
        percent && ([share, 1.0 - share, 1.0 + share].into_iter().any(has) || among(share) || among(1.0 - share));
    // "At least 4" may be `> 3` and "more than 4" `>= 5`, but not vice versa. The third largest is after two others.
    let compared = spoken::parse_comparison(&part.before);
    let may_be_below = !matches!(compared, Some(Compared::More | Compared::AtMost));
    let may_be_above = !matches!(compared, Some(Compared::AtLeast | Compared::Less));
    let is_neighbour = constants.bounds.iter().any(|bound| {
        let Ok(number) = bound.text.parse::<f64>() else { return false };
        match bound.role {
            Role::After | Role::To => may_be_below && nearly_equal(number, value - 1.0),
            Role::Before | Role::From => may_be_above && nearly_equal(number, value + 1.0),
            Role::At => false,
        }
    });
    let skips = constants.text.contains("offset") && has(value - 1.0);
    let in_times = of_time && TIMES.iter().any(|factor| has(value * factor) || has(value / factor));
    // The number one is too frequent to be evidence.
    let in_parts = PARTS.iter().any(|factor| has(value * factor) || value != *factor && has(value / factor));
    let restated = is_restated(&digits, used.input.knowledge, crate::question::facts::plain_numbers, |other| {
        other.parse().is_ok_and(has) || in_text(other)
    });
    has(value)
        || in_text(&digits)
        || as_share
        || is_neighbour
        || skips
        || in_times
        || in_parts
        || restated
        || used.has_named(&digits)
}
