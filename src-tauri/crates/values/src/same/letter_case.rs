//! Detects columns in which the case of short values is irrelevant: OK and ok, but not mW and MW.

use super::key::{Accents, says_nothing, value_key};
use std::collections::HashMap;

/// Maximum length, in letters, of codes that may differ only in case: the preposition "in" and IN.
pub(super) const CASED: usize = 2;
/// Minimum length, in letters, of a value that is a word and not a code.
const WORD: usize = 4;
/// Words of column names, in English, German and French, whose values are case-sensitive: units, chemical elements,
/// genes.
const CASE_MATTERS: [&str; 22] = [
    "unit",
    "units",
    "uom",
    "einheit",
    "einheiten",
    "maßeinheit",
    "masseinheit",
    "mengeneinheit",
    "unité",
    "unite",
    "unités",
    "unites",
    "element",
    "elemente",
    "élément",
    "formula",
    "formel",
    "formule",
    "genotype",
    "genotyp",
    "génotype",
    "isotope",
];
/// Words of column names whose values are codes or symbols.
const CODES: [&str; 8] = ["code", "codes", "symbol", "symbole", "sign", "zeichen", "kürzel", "signe"];

/// Returns true if case does not distinguish the short values of a column: several occur in both cases, or one does and
/// the others are words, single letters, or also occur in both cases.
pub(super) fn ignores_case(column: &str, texts: &[&str], plain: &[String]) -> bool {
    let names = vitrine_sql::name_words(column);
    let speaks_of = |words: &[&str]| names.iter().any(|name| words.contains(&name.as_str()));
    if speaks_of(&CASE_MATTERS) || texts.iter().any(|text| is_unit(text)) {
        return false;
    }
    let mut writings: HashMap<&str, Vec<&str>> = HashMap::new();
    for (text, key) in
        texts.iter().zip(plain).filter(|(_, key)| !key.is_empty() && key.chars().all(char::is_alphabetic))
    {
        let own = writings.entry(key).or_default();
        if !own.contains(text) {
            own.push(text);
        }
    }
    let is_short = |key: &str| key.chars().count() <= CASED;
    let both = |short: bool| writings.iter().filter(|(key, own)| own.len() > 1 && is_short(key) == short).count();
    if both(true) > 1 {
        return true;
    }
    let telling: Vec<&String> =
        plain.iter().filter(|plain| !says_nothing(&value_key(plain, Accents::Dropped))).collect();
    let are_letters = telling.iter().all(|key| key.chars().count() == 1 && key.chars().all(char::is_alphabetic));
    if are_letters {
        return writings.len() > 1;
    }
    // The case of a single letter next to words may be significant: m and M in a column with kg.
    let mut pairs = writings.iter().filter(|(key, own)| own.len() > 1 && is_short(key)).map(|(key, _)| key);
    let are_longer = pairs.all(|key| key.chars().count() > 1);
    let has_word = || telling.iter().any(|key| key.chars().filter(|c| c.is_alphabetic()).count() >= WORD);
    both(true) == 1 && are_longer && !speaks_of(&CODES) && (both(false) > 0 || has_word())
}

/// Returns true if a value is a unit, judged by its case: mW, kB, kWh, pH.
fn is_unit(text: &str) -> bool {
    let letters: Vec<char> = text.trim().chars().collect();
    let is_short = (2..=3).contains(&letters.len()) && letters.iter().all(|c| c.is_alphabetic());
    is_short && letters[0].is_lowercase() && letters[1].is_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_column_says_whether_case_matters() {
        let ignores = |column: &str, values: &str| {
            let texts: Vec<&str> = values.split('|').collect();
            let plain: Vec<String> = texts.iter().map(|text| value_key(text, Accents::Kept)).collect();
            ignores_case(column, &texts, &plain)
        };
        for (column, values) in [
            ("answer", "Yes|YES|No|NO"),
            ("result", "OK|ok|failed"),
            ("team", "hr|HR|Sales"),
            ("team", "IT|it|Human Resources"),
            ("sex", "M|m|F"),
            ("sex", "M|m|F|unknown"),
            ("sex", "M|m|F|"),
            ("answer", "ja|Ja|nein"),
            ("flag", "y|Y|n|N"),
        ] {
            assert!(ignores(column, values), "{column}: {values}");
        }
        for (column, values) in [
            ("unit", "mW|MW|kW"),
            ("measure", "mW|MW|W"),
            ("unit", "c|C|F"),
            ("einheit", "m|M|Stück"),
            ("measure", "Mb|MB|kB|each"),
            ("code", "ab|AB|Other kind"),
            ("word", "in|IN|on|at"),
            ("measure", "m|M|kg|piece"),
            ("element", "Co|CO|Iron"),
            ("genotype", "AA|Aa|aa|BB|Bb|bb"),
        ] {
            assert!(!ignores(column, values), "{column}: {values}");
        }
    }
}
