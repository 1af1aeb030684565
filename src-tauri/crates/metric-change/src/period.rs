//! Periods as users write them: `2024`, `2024-Q1`, `2024-03`, `2024-03-15`, or two of them as `2024-01..2024-03`.

use chrono::{Days, Months, NaiveDate};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{format_date, tr};

/// A period of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub first: NaiveDate,
    /// The last day.
    pub last: NaiveDate,
    /// The period in words.
    pub title: String,
}

impl Period {
    /// Parses a period.
    ///
    /// # Errors
    /// Fails for other texts, for dates that do not exist, and if the end is before the beginning.
    pub fn parse(text: &str) -> Result<Self, AppError> {
        let wrong = || {
            AppError::new(ErrorCode::Usage, tr!("'{text}' is not a period", text))
                .with_hint(tr!("Write a year, quarter, month or day, or two of them: 2024, 2024-Q1, 2024-03, 2024-03-15, 2024-03-01..2024-03-15"))
        };
        let Some((from, to)) = text.trim().split_once("..") else {
            return Self::parse_single(text.trim()).ok_or_else(wrong);
        };
        let (from, to) = Self::parse_single(from.trim())
            .zip(Self::parse_single(to.trim().trim_start_matches('.')))
            .ok_or_else(wrong)?;
        if to.last < from.first {
            return Err(AppError::new(ErrorCode::Usage, tr!("The period '{text}' ends before it begins", text)));
        }
        let title = tr!("{first} – {last}", first = day_title(from.first), last = day_title(to.last));
        Ok(Self { first: from.first, last: to.last, title })
    }

    fn parse_single(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let number = |part: &str, digits: usize| {
            (part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| part.parse::<u32>().ok())?
        };
        let year = i32::try_from(number(parts.first()?, 4)?).ok()?;
        let start = |month: u32, day: u32| NaiveDate::from_ymd_opt(year, month, day);
        let (first, months, title) = match parts.as_slice() {
            [_] => (start(1, 1)?, 12, year_text(year)),
            [_, quarter] if quarter.starts_with(['q', 'Q']) => {
                let quarter =
                    number(quarter.trim_start_matches(['q', 'Q']), 1).filter(|quarter| (1..=4).contains(quarter))?;
                let title = tr!("Q{number} {year}", number = quarter, year = year_text(year));
                (start(3 * quarter - 2, 1)?, 3, title)
            }
            [_, month] => {
                let month = number(month, 2)?;
                let title = tr!("{month} {year}", month = month_name(month), year = year_text(year));
                (start(month, 1)?, 1, title)
            }
            [_, month, day] => {
                let day = start(number(month, 2)?, number(day, 2)?)?;
                return Some(Self { first: day, last: day, title: day_title(day) });
            }
            _ => return None,
        };
        let last = first.checked_add_months(Months::new(months))?.checked_sub_days(Days::new(1))?;
        Some(Self { first, last, title })
    }

    /// Returns the number of days.
    pub fn count_days(&self) -> i64 {
        (self.last - self.first).num_days() + 1
    }

    /// Returns true if a day belongs to both periods.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

fn year_text(year: i32) -> String {
    format!("{year:04}")
}

/// Returns a day in the form of the language.
pub fn day_title(day: NaiveDate) -> String {
    format_date(&day.format("%Y-%m-%d").to_string())
}

/// Returns the name of a month from 1 to 12.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_have_a_first_and_a_last_day() {
        for (text, first, last, title) in [
            ("2024", "2024-01-01", "2024-12-31", "2024"),
            ("2024-Q1", "2024-01-01", "2024-03-31", "Q1 2024"),
            ("2023-q4", "2023-10-01", "2023-12-31", "Q4 2023"),
            ("2024-02", "2024-02-01", "2024-02-29", "February 2024"),
            ("2024-03-15", "2024-03-15", "2024-03-15", "2024-03-15"),
            ("2024-03-01..2024-03-15", "2024-03-01", "2024-03-15", "2024-03-01 – 2024-03-15"),
            (" 2024-01 .. 2024-Q2 ", "2024-01-01", "2024-06-30", "2024-01-01 – 2024-06-30"),
        ] {
            let period = Period::parse(text).unwrap();
            assert_eq!((period.first.to_string(), period.last.to_string()), (first.into(), last.into()), "{text}");
            assert_eq!(period.title, title);
        }
    }

    #[test]
    fn other_texts_are_no_periods() {
        for wrong in [
            "",
            "24",
            "2024-13",
            "2024-Q5",
            "2024-Q",
            "2024-3",
            "2024-02-30",
            "March 2024",
            "2024-1-1",
            "..",
            "2024..",
            "2024-ä1",
        ] {
            assert!(Period::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Period::parse("2024-03..2024-02").unwrap_err().message.contains("ends before it begins"));
    }
}
