//! Units as written in a row below the column names: `m/s`, `[°C]`, `EUR`.

use vitrine_domain::{MONEY, is_unit_sign};

const PREFIXES: &[&str] =
    &["", "da", "y", "z", "a", "f", "p", "n", "u", "µ", "μ", "m", "c", "d", "h", "k", "K", "M", "G", "T", "P", "E"];
/// Symbols of units, in their exact case.
#[rustfmt::skip]
const SYMBOLS: &[&str] = &[
    "m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "Ω", "Ohm", "ohm", "S", "Wb", "T", "H", "lm", "lx",
    "Bq", "Gy", "Sv", "l", "L", "t", "bar", "eV", "Wh", "VA", "var", "B", "bit", "byte", "bytes", "b", "cal", "psi", "ppm", "ppb", "pH",
    "dB", "rad", "deg", "sr", "h", "min", "d", "ha", "a", "in", "ft", "yd", "mi", "lb", "lbs", "oz", "gal", "kn", "mph", "rpm", "atm",
];
/// Words for counted things, in lower case.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "sec", "secs", "second", "seconds", "minute", "minutes", "hr", "hrs", "hour", "hours", "day", "days", "week", "weeks", "month",
    "months", "year", "years", "yr", "yrs", "pcs", "pieces", "count", "number", "percent", "degrees", "meters", "metres", "kilometers",
    "kilograms", "grams", "liters", "litres", "sek", "sekunde", "sekunden", "minuten", "std", "stunde", "stunden", "tag", "tage", "woche",
    "wochen", "monat", "monate", "jahr", "jahre", "stk", "stück", "anzahl", "prozent", "meter", "kilometer", "kilogramm", "gramm", "liter",
    "seconde", "secondes", "heure", "heures", "jour", "jours", "semaine", "semaines", "mois", "an", "ans", "année", "années", "pièce",
    "pièces", "nombre", "mètres", "litre", "euro", "euros", "dollar", "dollars",
];

/// Returns true if a text is a unit.
pub(super) fn is_unit(text: &str) -> bool {
    let text = inside_brackets(text);
    let factors: Vec<&str> = text.split(['/', '*', '·', '⋅', ' ', '.']).filter(|factor| !factor.is_empty()).collect();
    !factors.is_empty()
        && factors.len() <= 4
        && factors.iter().all(|factor| *factor == "1" || is_factor(factor))
        && text != "1"
}

/// Returns the text without surrounding brackets.
pub(super) fn inside_brackets(text: &str) -> &str {
    let text = text.trim();
    let inner = [('[', ']'), ('(', ')'), ('<', '>')]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    inner.unwrap_or(text).trim()
}

fn is_factor(text: &str) -> bool {
    let letters =
        text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '^' | '-' | '−' | '²' | '³' | '⁻' | '¹'));
    if letters.chars().all(is_unit_sign) {
        return !letters.is_empty();
    }
    let degrees = letters.strip_prefix(['°', 'º']).is_some_and(|rest| rest.chars().count() <= 1);
    let is_symbol = |symbol: &str| letters.strip_suffix(symbol).is_some_and(|prefix| PREFIXES.contains(&prefix));
    degrees
        || MONEY.contains(&letters)
        || SYMBOLS.iter().any(|symbol| is_symbol(symbol))
        || WORDS.contains(&letters.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::is_unit;

    #[test]
    fn units_are_told_from_words() {
        for text in [
            "m/s", "[m/s]", "EUR", "€", "%", "°C", "kg", "(kWh)", "µg/m³", "W/m2", "m s-1", "Stück", "hours", "1/s",
            "MHz", "EUR/kWh",
        ] {
            assert!(is_unit(text), "{text}");
        }
        for text in ["", "Ann", "n/a", "1", "-", "Paris", "unknown", "5 kg", "total", "closed", "x"] {
            assert!(!is_unit(text), "{text}");
        }
    }
}
