//! Numbers and dates that text hides (ProSPy, A.1). The profile says what every value of a column is; a column is then
//! shown, grouped and counted as it is stored, and reckoned with, compared, ordered and put into periods as what it hides.
//! A value that is not in the column's form after all is NULL.

use vitrine_domain::{Column, ColumnProfile, Dialect, SemanticKind};
use vitrine_sql::ColumnType;

/// What the values of a text column are, as far as its profile knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// Text and nothing else.
    Nothing,
    /// Numbers.
    Number,
    /// Days, or moments where the format has a time of day; in strptime letters.
    Moment(String),
}

impl Hidden {
    /// What a column hides. `None` where it is not text, or where no value is known.
    pub(crate) fn of(column: &Column, profile: Option<&ColumnProfile>, dialect: Dialect) -> Option<Self> {
        let profile = profile.filter(|profile| profile.kind != SemanticKind::Empty)?;
        let stored = ColumnType::of(&column.data_type, dialect);
        // SQLite takes text into a column of any type, and numbers into one of text.
        let of_sqlite = dialect == Dialect::Sqlite;
        let text = matches!(stored, ColumnType::Text | ColumnType::Unknown);
        if !text && !(of_sqlite && matches!(stored, ColumnType::Date | ColumnType::Timestamp)) {
            return None;
        }
        match profile.hidden.as_deref() {
            Some("number" | "%Y") if text => Some(Self::Number),
            Some(format) if is_moment(format) => Some(Self::Moment(format.to_owned())),
            // A zone changes the day: the engine's own reading is left to it.
            Some(format) if format.ends_with("%z") => None,
            _ if of_sqlite && stored == ColumnType::Text && profile.mean.is_some() => Some(Self::Number),
            _ => (stored == ColumnType::Text).then_some(Self::Nothing),
        }
    }

    /// What can be done with a value that is read as what it is.
    pub(crate) fn family(&self) -> Option<ColumnType> {
        match self {
            Hidden::Nothing => None,
            Hidden::Number => Some(ColumnType::Decimal),
            Hidden::Moment(format) if has_clock(format) => Some(ColumnType::Timestamp),
            Hidden::Moment(_) => Some(ColumnType::Date),
        }
    }
}

/// Whether a format says a day.
fn is_moment(format: &str) -> bool {
    let has = |letters: &[char]| letters.iter().any(|letter| format.contains(&format!("%{letter}")));
    has(&['Y', 'y']) && has(&['m', 'b', 'B']) && has(&['d']) && !has(&['z'])
}

/// Whether a format says a time of day, too.
pub(crate) fn has_clock(format: &str) -> bool {
    format.contains("%H") || format.contains("%I")
}

/// Whether SQLite reads the format by itself; such text is in the order of time.
pub(crate) fn is_iso(format: &str) -> bool {
    let rest = format.strip_prefix("%Y-%m-%d").map(|rest| rest.trim_start_matches([' ', 'T']));
    rest.is_some_and(|rest| matches!(rest, "" | "%H:%M" | "%H:%M:%S" | "%H:%M:%SZ" | "%H:%M:%S.%f" | "%H:%M:%S.%fZ"))
}

/// A format's parts in order: a letter of strptime, or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Letter(char),
    Text(String),
}

/// Takes a format apart.
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
