//! Merges two bounds of a date into a calendar period: from 2025-01-01 on and before 2026-01-01 is 2025.

use sqlparser::ast::{BinaryOperator, Expr, Value};
use vitrine_words::tr;

/// A condition, or two conditions that select one calendar period.
pub(super) enum Bounds<'e> {
    /// A condition that stays as it is.
    One(&'e Expr),
    /// A column with the period that its two bounds select.
    Period(&'e Expr, CalendarPeriod),
}

/// A year, a quarter of a year or a month of a year, by numbers from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CalendarPeriod {
    Year(u32),
    Quarter(u32, u32),
    Month(u32, u32),
}

impl CalendarPeriod {
    /// Returns the period from its first day up to the day after its last.
    fn between(first: Day, next: Day) -> Option<Self> {
        let Day { year, month, day: 1 } = first else { return None };
        let months = (next.year * 12 + next.month).checked_sub(year * 12 + month)?;
        match months {
            _ if next.day != 1 => None,
            12 if month == 1 => Some(Self::Year(year)),
            3 if month % 3 == 1 => Some(Self::Quarter(year, month.div_ceil(3))),
            1 => Some(Self::Month(year, month)),
            _ => None,
        }
    }

    /// Describes a column that lies in the period.
    pub(super) fn describe(self, value: &str) -> String {
        match self {
            Self::Year(year) => tr!("{value} is in {year}", value, year),
            Self::Quarter(year, number) => tr!("{value} is in quarter {number} of {year}", value, number, year),
            Self::Month(year, month) => tr!("{value} is in {month} {year}", value, month = month_name(month), year),
        }
    }
}

fn month_name(month: u32) -> String {
    match month {
        1 => tr!("January"),
        2 => tr!("February"),
        3 => tr!("March"),
        4 => tr!("April"),
        5 => tr!("May"),
        6 => tr!("June"),
        7 => tr!("July"),
        8 => tr!("August"),
        9 => tr!("September"),
        10 => tr!("October"),
        11 => tr!("November"),
        _ => tr!("December"),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Day {
    year: u32,
    month: u32,
    day: u32,
}

/// Merges each lower bound of a date with the upper bound of the same column. Only half-open bounds are merged, because an inclusive upper
/// bound omits the times of the last day.
pub(super) fn merge_bounds<'e>(conditions: &[&'e Expr]) -> Vec<Bounds<'e>> {
    let mut merged: Vec<Bounds<'e>> = Vec::new();
    let mut used = vec![false; conditions.len()];
    for (at, &condition) in conditions.iter().enumerate() {
        if used[at] {
            continue;
        }
        let partner = (at + 1..conditions.len()).filter(|&other| !used[other]).find_map(|other| {
            let period = period_of(condition, conditions[other]).or_else(|| period_of(conditions[other], condition))?;
            Some((other, period))
        });
        merged.push(match partner {
            Some((other, (column, period))) => {
                used[other] = true;
                Bounds::Period(column, period)
            }
            None => Bounds::One(condition),
        });
    }
    merged
}

/// Returns the column and the period that a lower and an upper bound select.
fn period_of<'e>(lower: &'e Expr, upper: &Expr) -> Option<(&'e Expr, CalendarPeriod)> {
    let (column, first) = bound(lower, &BinaryOperator::GtEq)?;
    let (other, next) = bound(upper, &BinaryOperator::Lt)?;
    let is_same = column.to_string() == other.to_string();
    Some((column, CalendarPeriod::between(first, next)?)).filter(|_| is_same)
}

/// Returns the column and the day of a bound with this operator.
fn bound<'e>(condition: &'e Expr, wanted: &BinaryOperator) -> Option<(&'e Expr, Day)> {
    match condition {
        Expr::Nested(inner) => bound(inner, wanted),
        Expr::BinaryOp { left, op, right } if op == wanted => Some((left, midnight(right)?)),
        _ => None,
    }
}

/// Returns the day of a date constant at its beginning.
fn midnight(expr: &Expr) -> Option<Day> {
    let value = match expr {
        Expr::Value(value) => &value.value,
        Expr::TypedString(typed) => &typed.value.value,
        Expr::Cast { expr, .. } => return midnight(expr),
        _ => return None,
    };
    let Value::SingleQuotedString(text) = value else { return None };
    let (date, time) = text.split_at_checked(10)?;
    let is_midnight = time.chars().all(|c| matches!(c, 'T' | ' ' | '0' | ':' | '.'));
    if !vitrine_sql::is_date(text) || !is_midnight {
        return None;
    }
    let mut parts = date.split('-').map(|part| part.parse().ok());
    Some(Day { year: parts.next()??, month: parts.next()??, day: parts.next()?? })
}
