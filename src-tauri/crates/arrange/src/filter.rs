//! Conditions on values.

use crate::moment::{self, TimePoint};
use crate::number::{self, NO_PLACE};
use crate::shown::Containing;
use crate::types::RowTest;
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::tr;

/// A condition that is prepared for many values.
pub(crate) enum Test<'a> {
    Empty,
    Filled,
    Contains(Containing<'a>),
    Same(&'a str),
    SameInAnyCase(String),
    Numbers(Option<Vec<u8>>, Option<Vec<u8>>),
    Moments(fn(&str) -> Option<TimePoint>, Option<TimePoint>, Option<TimePoint>),
}

impl<'a> Test<'a> {
    pub(crate) fn new(test: &'a RowTest, cell_type: CellType) -> Result<Self, AppError> {
        Ok(match test {
            RowTest::Empty => Self::Empty,
            RowTest::Filled => Self::Filled,
            RowTest::Contains { text, shown } => Self::Contains(Containing::new(text, shown)),
            RowTest::Same { text, case: true } => Self::Same(text),
            RowTest::Same { text, case: false } => Self::SameInAnyCase(text.trim().to_lowercase()),
            RowTest::Range { from, to } => parse_range(from.as_deref(), to.as_deref(), cell_type)?,
        })
    }

    pub(crate) fn accepts_value(&self, value: Option<&str>) -> bool {
        let Some(value) = value else { return matches!(self, Self::Empty) };
        match self {
            Self::Empty => value.is_empty(),
            Self::Filled => !value.is_empty(),
            Self::Contains(containing) => containing.is_in(value),
            Self::Same(text) => value == *text,
            Self::SameInAnyCase(text) => value.to_lowercase() == *text,
            Self::Numbers(from, to) => {
                let key = number::sort_key(value);
                key[0] != NO_PLACE && is_between(&key, from.as_ref(), to.as_ref())
            }
            Self::Moments(read, from, to) => {
                read(value).is_some_and(|place| is_between(&place, from.as_ref(), to.as_ref()))
            }
        }
    }
}

fn is_between<T: Ord>(at: &T, from: Option<&T>, to: Option<&T>) -> bool {
    from.is_none_or(|from| at >= from) && to.is_none_or(|to| at <= to)
}

fn parse_range(from: Option<&str>, to: Option<&str>, cell_type: CellType) -> Result<Test<'static>, AppError> {
    Ok(match cell_type {
        CellType::Integer | CellType::Decimal | CellType::Float => {
            let end = |text: &str| {
                Some(number::sort_key(text)).filter(|key| key[0] != NO_PLACE).ok_or_else(|| incomparable_error(text))
            };
            Test::Numbers(from.map(end).transpose()?, to.map(end).transpose()?)
        }
        CellType::Date | CellType::Timestamp | CellType::Time => {
            let read = if cell_type == CellType::Time { moment::parse_time } else { moment::parse_instant };
            let end = |text: &str| moment::parse_time_point(text).ok_or_else(|| incomparable_error(text));
            Test::Moments(read, from.map(end).transpose()?, to.map(end).transpose()?)
        }
        _ => return Err(incomparable_error(from.or(to).unwrap_or_default())),
    })
}

fn incomparable_error(text: &str) -> AppError {
    AppError::new(ErrorCode::Usage, tr!("No value of the column can be compared with {text}", text))
}
