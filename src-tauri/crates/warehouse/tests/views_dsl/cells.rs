//! Cell values and calendar arithmetic in their simplest form.

use std::cmp::Ordering;
use vitrine_domain::views::Period;

/// A cell value. Numbers are multiples of a quarter, which floats represent exactly.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Null,
    Number(f64),
    Text(String),
    Truth(bool),
    /// The number of days since 1970.
    Day(i64),
    /// The number of minutes since 1970.
    Time(i64),
}

impl Cell {
    pub fn is_null(&self) -> bool {
        *self == Cell::Null
    }

    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(n) => Some(*n),
            _ => None,
        }
    }

    /// Compares values of the same kind; NULL is last.
    pub fn order(&self, other: &Cell) -> Ordering {
        match (self, other) {
            (Cell::Null, Cell::Null) => Ordering::Equal,
            (Cell::Null, _) => Ordering::Greater,
            (_, Cell::Null) => Ordering::Less,
            (Cell::Number(a), Cell::Number(b)) => a.total_cmp(b),
            (Cell::Text(a), Cell::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Cell::Truth(a), Cell::Truth(b)) => a.cmp(b),
            (Cell::Day(a), Cell::Day(b)) | (Cell::Time(a), Cell::Time(b)) => a.cmp(b),
            _ => panic!("{self:?} and {other:?} have no order"),
        }
    }

    pub fn descending(&self, other: &Cell) -> Ordering {
        if self.is_null() || other.is_null() { self.order(other) } else { other.order(self) }
    }
}

/// Returns the days since 1970 for year, month and day.
pub fn day(year: i64, month: i64, day: i64) -> i64 {
    let leap = |y: i64| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    let length = |m: i64| match m {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap(year)),
        _ => 31,
    };
    (1970..year).map(|y| 365 + i64::from(leap(y))).sum::<i64>() + (1..month).map(length).sum::<i64>() + day - 1
}

/// Returns year, month and day for the days since 1970.
pub fn date(days: i64) -> (i64, i64, i64) {
    let year = (1970..).take_while(|y| day(*y, 1, 1) <= days).last().unwrap_or(1970);
    let month = (1..=12).take_while(|m| day(year, *m, 1) <= days).last().unwrap_or(1);
    (year, month, days - day(year, month, 1) + 1)
}

pub fn day_of(cell: &Cell) -> Cell {
    match cell {
        Cell::Time(minutes) => Cell::Day(minutes.div_euclid(24 * 60)),
        other => other.clone(),
    }
}

pub fn truncated(cell: &Cell, period: Period) -> Cell {
    let Cell::Day(days) = day_of(cell) else { return Cell::Null };
    let (year, month, _) = date(days);
    Cell::Day(match period {
        Period::Year => day(year, 1, 1),
        Period::Quarter => day(year, (month - 1) / 3 * 3 + 1, 1),
        Period::Month => day(year, month, 1),
        // 1 January 1970 was a Thursday.
        Period::Week => days - (days + 3).rem_euclid(7),
        Period::Day => days,
    })
}

/// Counts the starts of periods between two days.
pub fn steps(from: &Cell, to: &Cell, unit: Period) -> Cell {
    let (Cell::Day(from), Cell::Day(to)) = (from, to) else { return Cell::Null };
    let begins = |days: i64| i64::from(truncated(&Cell::Day(days), unit) == Cell::Day(days));
    let between = |from: i64, to: i64| (from + 1..=to).map(begins).sum::<i64>();
    Cell::Number(if from <= to { between(*from, *to) } else { -between(*to, *from) } as f64)
}
