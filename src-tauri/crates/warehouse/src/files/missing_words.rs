//! Texts that replace missing values in files of any program. The list contains the frequent ones; others are
//! recognized by their use in a column.

use crate::engines::duck::quote_literal;

/// Words and signs in lower case without blanks.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "na", "n/a", "n.a.", "n.a", "n/a.", "<na>", "#n/a", "#na", "#nv", "#n/v", "nan", "-nan", "null", "(null)", "<null>", "[null]",
    "#null!", "#value!", "#wert!", "#valeur!", "#ref!", "#bezug!", "#div/0!", "#name?", "#num!", "#zahl!", "#nombre!", "\\n", "nil",
    "none", "(none)", "missing", "unknown", "unavailable", "undefined", "notavailable", "notapplicable", "notreported", "nodata",
    "empty", "blank", "tba", "tbd", "nr", "n.r.", "n/r", "nd", "n.d.", "n.d", "n/d", "nc", "n.c.", "k.a.", "k.a", "k/a", "keineangabe",
    "keineangaben", "unbekannt", "unbek.", "fehlt", "fehlend", "entfällt", "leer", "n.v.", "n.b.", "nichtverfügbar", "inconnu",
    "inconnue", "manquant", "nonrenseigné", "nondisponible", "indisponible", "vide", "s.o.", "s/o", "n.v.t.", "nvt", "s/d", "s.d.",
    "sindatos", "н/д", "нд", "b.d.", "无", "なし", "없음",
];
/// Characters of markers that consist of signs.
const SIGNS: &str = r"-–—―−_.…·:*?#/\~()[]<>";
const LONGEST_SIGNS: usize = 5;

/// Texts that express a value in words, so that they are not missing values.
#[rustfmt::skip]
const VALUES: &[&str] = &[
    "yes", "no", "true", "false", "ja", "nein", "wahr", "falsch", "oui", "non", "vrai", "faux", "zero", "zéro", "nought", "free", "gratis",
    "kostenlos", "frei", "umsonst", "gratuit", "gratuite", "offert", "unlimited", "unbegrenzt", "illimité", "infinite", "unendlich", "inf",
    "-inf", "infinity", "-infinity", "max", "min", "all", "alle", "tous", "half", "halb", "total", "today", "heute", "now", "jetzt",
    "xs", "xl", "xxs", "xxl", "xxxl", "one", "two", "three", "ten", "eins", "zwei", "drei", "zehn", "un", "deux", "trois", "dix",
];
/// Maximum length of a marker in characters.
const LONGEST: usize = 24;

/// Returns true if a text is a known marker.
pub(super) fn is_known(text: &str) -> bool {
    let signs = text.chars().count() <= LONGEST_SIGNS && !text.is_empty() && text.chars().all(|c| SIGNS.contains(c));
    // `nA` is the unit nanoampere.
    signs || text != "nA" && WORDS.contains(&normalize_marker(text).as_str())
}

/// Returns true if a text can be a marker when its column uses it as one: a short word without digits that names no
/// value.
pub(super) fn may_be_marker(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let has_case = text.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    text.chars().count() <= LONGEST
        && text.split_whitespace().count() <= 3
        && !text.chars().any(|c| c.is_numeric() || c == '+')
        && (letters > 1 || letters == 1 && !has_case)
        && !VALUES.contains(&normalize_marker(text).as_str())
}

fn normalize_marker(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_lowercase()
}

/// Returns the SQL condition of [`is_known`] for an expression.
pub(super) fn known_condition(text: &str) -> String {
    let words: Vec<String> = WORDS.iter().map(|word| quote_literal(word)).collect();
    let signs: String = SIGNS.chars().map(|c| if c.is_ascii() { format!("\\{c}") } else { c.to_string() }).collect();
    format!(
        "(({text} <> 'nA' AND lower(regexp_replace({text}, '\\s', '', 'g')) IN ({})) OR regexp_full_match({text}, '[{signs}]{{1,{LONGEST_SIGNS}}}'))",
        words.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_known_in_any_case_and_spacing() {
        for text in [
            "NA", "N/A", "n/a", "NULL", "null", "None", ".", "-", "--", "?", "#N/A", "k. A.", "K.A.", "\\N", "…",
            "n. v.",
        ] {
            assert!(is_known(text), "{text}");
        }
        for text in ["", "nA", "5", "+", "A", "Nadia", "n/b", "-------", "5-", "%", "€"] {
            assert!(!is_known(text), "{text}");
        }
    }

    #[test]
    fn a_word_without_digits_may_be_a_marker_and_a_value_in_words_is_none() {
        for text in ["puuttuu", "brak danych", "δεν υπάρχει", "空", "(kein Wert)", "ausgefallen"] {
            assert!(may_be_marker(text), "{text}");
        }
        for text in ["A", "A-", "5-", "A1", "½", "+", "free", "Ja", "XL", "a sentence of five words", "∞", "two"] {
            assert!(!may_be_marker(text), "{text}");
        }
    }
}
