//! Values and names as readers see them: grouped digits, dates in the notation of the language, labels for expressions.

use vitrine_domain::{CellType, Headline, Page, ResultColumn};
use vitrine_words::{format_date, format_number, localize_decimal_mark};

/// Maximum number of characters of a cell; a cell may contain a whole document.
const LONGEST: usize = 1_000;

/// The kind of integers in a column, derived from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntegerKind {
    Year,
    Identifier,
    Number,
}

const YEARS: [&str; 7] = ["year", "years", "yr", "yyyy", "jahr", "année", "fy"];
const IDENTIFIERS: [&str; 12] =
    ["id", "ids", "key", "code", "cd", "nr", "no", "number", "postcode", "plz", "ean", "isbn"];
/// Words that make a column a number, whatever its other words are.
const AMOUNTS: [&str; 11] = ["count", "num", "n", "total", "sum", "avg", "average", "mean", "distinct", "per", "of"];

/// Derives the kind of a column's integers from its name.
pub(crate) fn integer_kind(name: &str) -> IntegerKind {
    let words = split_words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let last = words.last().map(String::as_str).unwrap_or_default();
    if has(&AMOUNTS) {
        IntegerKind::Number
    } else if has(&YEARS) {
        IntegerKind::Year
    } else if words.first().is_some_and(|word| word == "id")
        || last == "id"
        || last == "zip"
        || (words.len() > 1 && IDENTIFIERS.contains(&last))
    {
        IntegerKind::Identifier
    } else {
        IntegerKind::Number
    }
}

/// Splits a name into its words in lower case: `orderDate` and `order_date` have two.
fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous_is_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && previous_is_lower) {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().expect("never empty").extend(letter.to_lowercase());
        }
        previous_is_lower = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Formats a value of a column. Digits are grouped as text, so that none is lost.
pub(crate) fn format_value(column: &ResultColumn, text: &str) -> String {
    let shown = match column.cell_type {
        CellType::Integer => match integer_kind(&column.name) {
            IntegerKind::Identifier => None,
            IntegerKind::Year if text.len() == 4 && text.starts_with(['1', '2']) => None,
            _ => group_digits(text),
        },
        CellType::Decimal | CellType::Float => group_digits(text),
        CellType::Date | CellType::Timestamp => Some(format_moment(text)),
        _ => None,
    };
    clip_text(&sanitize_text(shown.as_deref().unwrap_or(text)), LONGEST)
}

/// Groups the digits of a decimal number; `None` for other texts.
pub(crate) fn group_digits(text: &str) -> Option<String> {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || fraction.is_some_and(|part| !is_digits(part)) {
        return None;
    }
    let grouped = whole.parse().map_or_else(|_| whole.to_owned(), format_number);
    let fraction = fraction.map(|part| localize_decimal_mark(&format!(".{part}"))).unwrap_or_default();
    Some(format!("{sign}{grouped}{fraction}"))
}

/// Formats a date or timestamp of a database; midnight is omitted.
fn format_moment(text: &str) -> String {
    let is_date = text.len() >= 10
        && text.bytes().take(10).enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_date {
        return text.to_owned();
    }
    let (day, time) = text.split_at(10);
    let clock = time.trim_start_matches(['T', ' ']);
    let is_midnight = matches!(clock, "00:00" | "00:00:00") || clock.strip_prefix("00:00:00.").is_some_and(is_zeros);
    format_date(if is_midnight { day } else { text })
}

fn is_zeros(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'0')
}

/// Returns the label of a column: its name, or its meaning if the name is an expression.
pub(crate) fn column_label(page: &Page, headline: Option<&Headline>, at: usize) -> String {
    let name = page.columns.get(at).map(|column| column.name.as_str()).unwrap_or_default();
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' ');
    let meaning = headline.and_then(|headline| headline.meanings.get(at)?.as_deref());
    let label = match meaning {
        Some(meaning) if !is_plain => meaning.to_owned(),
        _ if is_plain => name.replace('_', " ").trim().to_owned(),
        _ => name.to_owned(),
    };
    clip_text(&sanitize_text(&label), LONGEST)
}

/// Replaces control characters and characters that change the direction of the surrounding text.
pub(crate) fn sanitize_text(text: &str) -> String {
    let is_hidden = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect()
}

/// Truncates a text to a number of characters.
pub(crate) fn clip_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
