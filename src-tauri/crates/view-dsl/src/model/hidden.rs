//! Numbers and dates hidden in text columns (ProSPy, A.1), as detected by the profile. The column is shown, grouped and
//! counted as stored, and computed, compared, ordered and grouped into periods as its hidden type. A value that does
//! not have the column's form is NULL.

use vitrine_domain::{Column, ColumnProfile, Dialect, NumberForm, SemanticKind};
use vitrine_sql::dialect::date_format::has_clock;
use vitrine_sql::{ColumnType, DialectExt};

/// The hidden type of a text column, as far as its profile knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// Text without a hidden type.
    Nothing,
    /// Numbers, with the notation they are written in.
    Number(NumberForm),
    /// Days, or timestamps if the format has a time of day; a strptime format.
    Moment(String),
}

impl Hidden {
    /// Returns the hidden type of a column; `None` if it is not text, or if no value is known.
    pub(crate) fn from_column(column: &Column, profile: Option<&ColumnProfile>, dialect: Dialect) -> Option<Self> {
        let profile = profile.filter(|profile| profile.kind != SemanticKind::Empty)?;
        let stored = dialect.sql().column_type(&column.data_type);
        // Text may be in a column of any type, and numbers in a text column.
        let any_values = dialect.sql().has_dynamic_types();
        let text = matches!(stored, ColumnType::Text | ColumnType::Unknown);
        let may_hold_text = text || any_values && matches!(stored, ColumnType::Date | ColumnType::Timestamp);
        if !may_hold_text {
            return None;
        }
        if let Some(form) = profile.hidden_number().filter(|_| text) {
            return Some(Self::Number(form));
        }
        match profile.hidden.as_deref() {
            Some("%Y") if text => Some(Self::Number(NumberForm::PLAIN)),
            Some(format) if is_moment(format) => Some(Self::Moment(format.to_owned())),
            // A time zone changes the day: parsing is left to the engine.
            Some(format) if format.ends_with("%z") => None,
            _ if any_values && stored == ColumnType::Text && profile.mean.is_some() => {
                Some(Self::Number(NumberForm::PLAIN))
            }
            _ => (stored == ColumnType::Text).then_some(Self::Nothing),
        }
    }

    /// Returns the type of the converted value.
    pub(crate) fn family(&self) -> Option<ColumnType> {
        match self {
            Hidden::Nothing => None,
            Hidden::Number(_) => Some(ColumnType::Decimal),
            Hidden::Moment(format) if has_clock(format) => Some(ColumnType::Timestamp),
            Hidden::Moment(_) => Some(ColumnType::Date),
        }
    }
}

/// Returns true if a format contains a complete day and no time zone.
fn is_moment(format: &str) -> bool {
    let has = |letters: &[char]| letters.iter().any(|letter| format.contains(&format!("%{letter}")));
    has(&['Y', 'y']) && has(&['m', 'b', 'B']) && has(&['d']) && !has(&['z'])
}
