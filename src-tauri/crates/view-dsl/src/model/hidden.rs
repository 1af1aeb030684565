//! Numbers and dates hidden in text columns (ProSPy, A.1). The profile tells what the values of a column are. The
//! column is shown, grouped and counted as stored, and computed, compared, ordered and grouped into periods as its
//! hidden type. A value that does not have the column's form is NULL.

use vitrine_domain::{Column, ColumnProfile, Dialect, NumberForm, SemanticKind};
use vitrine_sql::ColumnType;

/// The hidden type of a text column, as far as its profile knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// Text and nothing else.
    Nothing,
    /// Numbers, written in this form.
    Number(NumberForm),
    /// Days, or moments where the format has a time of day; in strptime letters.
    Moment(String),
}

impl Hidden {
    /// The hidden type of a column. `None` where it is not text, or where no value is known.
    pub(crate) fn of(column: &Column, profile: Option<&ColumnProfile>, dialect: Dialect) -> Option<Self> {
        let profile = profile.filter(|profile| profile.kind != SemanticKind::Empty)?;
        let stored = ColumnType::of(&column.data_type, dialect);
        // SQLite accepts text in a column of any type, and numbers in a text column.
        let of_sqlite = dialect == Dialect::Sqlite;
        let text = matches!(stored, ColumnType::Text | ColumnType::Unknown);
        if !text && !(of_sqlite && matches!(stored, ColumnType::Date | ColumnType::Timestamp)) {
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
            _ if of_sqlite && stored == ColumnType::Text && profile.mean.is_some() => {
                Some(Self::Number(NumberForm::PLAIN))
            }
            _ => (stored == ColumnType::Text).then_some(Self::Nothing),
        }
    }

    /// The type of a value that is read as its hidden type.
    pub(crate) fn family(&self) -> Option<ColumnType> {
        match self {
            Hidden::Nothing => None,
            Hidden::Number(_) => Some(ColumnType::Decimal),
            Hidden::Moment(format) if has_clock(format) => Some(ColumnType::Timestamp),
            Hidden::Moment(_) => Some(ColumnType::Date),
        }
    }
}

/// Whether a format contains a day.
fn is_moment(format: &str) -> bool {
    let has = |letters: &[char]| letters.iter().any(|letter| format.contains(&format!("%{letter}")));
    has(&['Y', 'y']) && has(&['m', 'b', 'B']) && has(&['d']) && !has(&['z'])
}

/// Whether a format also contains a time of day.
pub(crate) fn has_clock(format: &str) -> bool {
    format.contains("%H") || format.contains("%I")
}

/// Whether SQLite parses the format by itself; such text sorts in the order of time.
pub(crate) fn is_iso(format: &str) -> bool {
    let rest = format.strip_prefix("%Y-%m-%d").map(|rest| rest.trim_start_matches([' ', 'T']));
    rest.is_some_and(|rest| matches!(rest, "" | "%H:%M" | "%H:%M:%S" | "%H:%M:%SZ" | "%H:%M:%S.%f" | "%H:%M:%S.%fZ"))
}

/// The parts of a format in order: a strptime letter, or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Letter(char),
    Text(String),
}

/// Splits a format into its parts.
pub(crate) fn parts(format: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match (letter, parts.last_mut()) {
            ('%', _) => parts.extend(letters.next().map(Part::Letter)),
            (_, Some(Part::Text(text))) => text.push(letter),
            _ => parts.push(Part::Text(letter.to_string())),
        }
    }
    parts
}
