//! The roles that columns have in a chart, derived from their types and values.

use crate::values::{IntegerKind, integer_kind};
use chrono::{NaiveDate, NaiveDateTime};
use vitrine_domain::{CellType, Page, ResultColumn};

/// The role of a column in a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Time,
    Amount,
    Name,
    /// Coordinates, which only a map could show.
    Place,
    Other,
}

const PLACES: [&str; 10] = ["lat", "latitude", "lon", "lng", "long", "longitude", "geom", "geometry", "geo", "wkt"];

/// The granularity of a column's points in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    Year,
    Quarter,
    Month,
    Moment,
}

/// Returns the values of a column.
pub(super) fn column_values(page: &Page, at: usize) -> impl Iterator<Item = Option<&str>> {
    page.rows.iter().map(move |row| row.get(at).and_then(|cell| cell.as_deref()))
}

/// Returns the role of a column. `names_rows` is true if the headline uses it as a label.
pub(super) fn find_role(page: &Page, at: usize, names_rows: bool) -> Role {
    let ResultColumn { name, cell_type, .. } = &page.columns[at];
    if PLACES.iter().any(|place| name.eq_ignore_ascii_case(place)) {
        return Role::Place;
    }
    let is_year = *cell_type == CellType::Integer && (names_rows || integer_kind(name) == IntegerKind::Year);
    if find_grain(page, at, is_year).is_some() {
        return Role::Time;
    }
    match cell_type {
        CellType::Integer if names_rows || integer_kind(name) != IntegerKind::Number => Role::Name,
        CellType::Integer | CellType::Decimal | CellType::Float => Role::Amount,
        CellType::Text | CellType::Boolean => Role::Name,
        _ => Role::Other,
    }
}

/// Returns the granularity of a column's points in time; `None` if it has other values. `years` allows integers to be
/// years.
pub(super) fn find_grain(page: &Page, at: usize, years: bool) -> Option<Grain> {
    let known: Vec<&str> = column_values(page, at).flatten().collect();
    let all = |test: &dyn Fn(&str) -> bool| !known.is_empty() && known.iter().all(|text| test(text));
    match page.columns[at].cell_type {
        CellType::Integer => (years && all(&is_year)).then_some(Grain::Year),
        CellType::Text if all(&|text| parse_month(text).is_some()) => Some(Grain::Month),
        CellType::Text if all(&|text| parse_quarter(text).is_some()) => Some(Grain::Quarter),
        CellType::Text | CellType::Date | CellType::Timestamp if all(&|text| parse_moment(text).is_some()) => {
            let days: Vec<NaiveDateTime> = known.iter().filter_map(|text| parse_moment(text)).collect();
            use chrono::{Datelike, Timelike};
            let is_first = |moment: &NaiveDateTime| moment.day() == 1 && moment.num_seconds_from_midnight() == 0;
            let months = days.len() > 1 && days.iter().all(is_first);
            let years = months && days.iter().all(|moment| moment.month() == 1);
            Some(if years {
                Grain::Year
            } else if months {
                Grain::Month
            } else {
                Grain::Moment
            })
        }
        _ => None,
    }
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && ["19", "20", "21"].iter().any(|century| text.starts_with(century)) && text.parse::<u16>().is_ok()
}

fn parse_month(text: &str) -> Option<NaiveDate> {
    let (year, month) = text.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2)?;
    NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, 1)
}

fn parse_quarter(text: &str) -> Option<NaiveDate> {
    let (year, quarter) = text.split_once("-Q").filter(|(year, quarter)| year.len() == 4 && quarter.len() == 1)?;
    let quarter: u32 = quarter.parse().ok().filter(|quarter| (1..=4).contains(quarter))?;
    NaiveDate::from_ymd_opt(year.parse().ok()?, (quarter - 1) * 3 + 1, 1)
}

fn parse_moment(text: &str) -> Option<NaiveDateTime> {
    if text.len() == 10 {
        return NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    }
    // Values with an offset keep their local time, because all values of a column usually have the same offset.
    let local = text.get(..19).map(|text| text.replacen('T', " ", 1))?;
    NaiveDateTime::parse_from_str(&local, "%Y-%m-%d %H:%M:%S").ok()
}

/// Returns the place of a point in time on an axis, in seconds.
pub(super) fn seconds_of(text: &str, grain: Grain) -> Option<f64> {
    let moment = match grain {
        Grain::Quarter => parse_quarter(text)?.and_hms_opt(0, 0, 0),
        Grain::Year if is_year(text) => NaiveDate::from_ymd_opt(text.parse().ok()?, 1, 1)?.and_hms_opt(0, 0, 0),
        Grain::Month if parse_month(text).is_some() => parse_month(text)?.and_hms_opt(0, 0, 0),
        _ => parse_moment(text),
    };
    Some(moment?.and_utc().timestamp() as f64)
}

/// The largest amount that can be drawn; differences of larger ones are not finite.
const LARGEST: f64 = 1e200;

/// Returns the amount in a cell; `None` if it cannot be drawn.
pub(super) fn amount_of(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.abs() <= LARGEST)
}
