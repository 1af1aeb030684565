//! Numbers that may be a year.

use super::words::{Text, is_in};

/// Words before a number that indicate a quantity or a code instead of a year.
const NO_YEAR_AFTER: &[&str] = &[
    "than",
    "over",
    "above",
    "under",
    "below",
    "least",
    "most",
    "exceeding",
    "exceed",
    "exceeds",
    "top",
    "als",
    "über",
    "unter",
    "mindestens",
    "höchstens",
    "que",
    "moins",
    "plus",
    "dépassant",
    "id",
    "number",
    "no",
    "nr",
    "nummer",
    "numéro",
    "code",
    "costs",
    "cost",
    "kostet",
    "kosten",
    "coûte",
    "coûtent",
    "price",
    "preis",
    "prix",
];
/// Words after a number that indicate a quantity.
const NO_YEAR_BEFORE: &[&str] = &[
    "euro",
    "euros",
    "eur",
    "dollar",
    "dollars",
    "usd",
    "gbp",
    "pounds",
    "chf",
    "franken",
    "francs",
    "cents",
    "kg",
    "km",
    "cm",
    "mm",
    "units",
    "pieces",
    "stück",
    "items",
    "rows",
    "percent",
    "prozent",
    "pourcent",
    "times",
    "mal",
    "fois",
    "g",
    "m",
    "gb",
    "mb",
    "tb",
    "kwh",
    "kcal",
    "hp",
    "sqft",
    "sqm",
    "sq",
    "qm",
    "m2",
    "m²",
    "square",
    "feet",
    "ft",
    "miles",
    "meters",
    "metres",
    "liters",
    "litres",
    "tons",
    "hours",
    "minutes",
    "seconds",
    "days",
    "people",
    "persons",
    "employees",
    "points",
    "seats",
    "calories",
    "quadratmeter",
    "meter",
    "kilometer",
    "liter",
    "tonnen",
    "stunden",
    "minuten",
    "sekunden",
    "tage",
    "personen",
    "mitarbeiter",
    "punkte",
    "plätze",
    "mètres",
    "kilomètres",
    "tonnes",
    "heures",
    "jours",
    "personnes",
    "employés",
];
/// Words after a number that indicate a bound.
const BOUNDS: &[&str] = &[
    "or more",
    "or less",
    "or fewer",
    "or above",
    "or below",
    "and more",
    "and above",
    "oder mehr",
    "oder weniger",
    "und mehr",
    "ou plus",
    "ou moins",
    "et plus",
];
const TO: &[&str] = &["to", "and", "or", "bis", "und", "oder", "à", "et", "ou"];

/// Minimum number of digits of a quantity at the other end of a range with a number that looks like a year.
const DIGITS: usize = 3;

/// Returns true if a number is written like a year, and not like a quantity or a code.
pub(super) fn is_year(text: &Text<'_>, at: usize) -> bool {
    let before = if at > 0 && text.joins_previous(at) { text.lowercase_word(at - 1) } else { "" };
    let after = if text.joins_previous(at + 1) { text.lowercase_word(at + 1) } else { "" };
    let sign = |c: Option<char>| c.is_some_and(|c| "$€£#%<>=≤≥".contains(c));
    let signed = text.words.get(at).is_some_and(|word| {
        sign(text.text[..word.from].trim_end().chars().next_back())
            || sign(text.text[word.to..].trim_start().chars().next())
            || text.text[word.to..].starts_with('+')
    });
    let bounds_amount = text.joins_previous(at + 1) && text.match_phrase(at + 1, BOUNDS) > 0;
    is_shaped(text.lowercase_word(at))
        && !signed
        && !is_in(before, NO_YEAR_AFTER)
        && !is_in(after, NO_YEAR_BEFORE)
        && !bounds_amount
        && !is_joined_to_quantity(text, at)
}

fn is_shaped(word: &str) -> bool {
    let digits = word.strip_prefix("fy").unwrap_or(word);
    digits.len() == 4
        && digits.chars().all(|c| c.is_ascii_digit())
        && (digits.starts_with("19") || digits.starts_with("20"))
}

/// Returns true if a number is one end of a range of quantities: "2000 to 3000".
fn is_joined_to_quantity(text: &Text<'_>, at: usize) -> bool {
    let is_quantity = |at: usize| {
        let word = text.lowercase_word(at);
        word.len() >= DIGITS
            && word.starts_with(|c: char| c.is_ascii_digit())
            && !is_shaped(word)
            && word.matches('.').count() < 2
    };
    let dash = |at: usize| text.words.get(at).is_some_and(|word| matches!(word.gap, "-" | " - " | "–" | " – "));
    let behind = if text.joins_previous(at + 1) { text.match_phrase(at + 1, TO) } else { 0 };
    let before = if text.joins_previous(at) && at > 1 { text.match_phrase_before(at, TO) } else { 0 };
    (behind > 0 && is_quantity(at + 1 + behind))
        || (before > 0 && at > before && is_quantity(at - before - 1))
        || (dash(at + 1) && is_quantity(at + 1))
        || (at > 0 && dash(at) && is_quantity(at - 1))
}
