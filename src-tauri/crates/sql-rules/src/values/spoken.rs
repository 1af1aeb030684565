//! Finds stored values in the words of a sentence, in any language.

use crate::words::singular_words;
use vitrine_domain::Catalog;

/// Minimum length, in characters, of a word that may have an ending: `storniert` in "stornierte Bestellungen".
const STEM: usize = 5;
/// Maximum length of an ending, in characters.
const ENDING: usize = 3;
/// Minimum length of a value, in characters; shorter ones are codes that may occur in a sentence by coincidence.
const WORD: usize = 3;

/// Returns true if a sentence contains a stored value as separate words. Scripts without capitals have no spaces
/// between words.
pub(crate) fn mentions_value(sentence: &str, value: &str) -> bool {
    let value = value.trim().to_lowercase();
    let letters: Vec<char> = value.chars().filter(|c| c.is_alphabetic()).collect();
    if letters.is_empty() {
        return false;
    }
    let sentence = sentence.to_lowercase();
    if letters.iter().all(|c| !c.is_lowercase()) {
        return letters.len() > 1 && sentence.contains(&value);
    }
    let (said, wanted) = (split_words(&sentence), split_words(&value));
    letters.len() >= WORD
        && said.windows(wanted.len()).any(|run| run.iter().zip(&wanted).all(|(word, wanted)| is_form(word, wanted)))
}

fn split_words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect()
}

fn is_form(word: &str, of: &str) -> bool {
    let long = of.chars().count() >= STEM;
    word == of || long && word.strip_prefix(of).is_some_and(|ending| ending.chars().count() <= ENDING)
}

/// Returns true if a value is also the name of a table: a sentence that contains it need not refer to the value.
pub(super) fn is_named(value: &str, catalog: &Catalog) -> bool {
    let value = singular_words(value);
    let is_in = |name: &str| singular_words(name).windows(value.len().max(1)).any(|run| run == value.as_slice());
    catalog.tables.iter().any(|table| is_in(&table.name.name))
}

/// Returns the clause of a description that mentions a value.
pub(super) fn find_clause<'a>(description: &'a str, value: &str) -> &'a str {
    let parts = description.split([';', '.', '\n', '。', '；']).map(str::trim);
    parts.into_iter().find(|part| mentions_value(part, value)).unwrap_or(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_as_a_word_in_any_language() {
        for (sentence, value) in [
            ("Cancelled orders do not count as sales", "cancelled"),
            ("Je Buchung eine Zeile; stornierte zählen nicht", "Storniert"),
            ("Les commandes annulées ne comptent pas", "annulée"),
            ("Отменённые заказы не считаются", "отменённые"),
            ("已取消的订单不计入销售额", "已取消"),
            ("Orders in transit are not yet paid", "in transit"),
        ] {
            assert!(mentions_value(sentence, value), "{value} in {sentence}");
        }
        for (sentence, value) in [
            ("Cancellations are in another table", "cancelled"),
            ("All sales of the year", "all-in"),
            ("A row per order", "A"),
            ("Codes from 1 to 9", "1"),
            ("Openings of stores", "pen"),
            ("已取消的订单", "取"),
        ] {
            assert!(!mentions_value(sentence, value), "{value} in {sentence}");
        }
    }

    #[test]
    fn the_part_that_says_it_is_quoted() {
        let description = "One row per order; cancelled orders do not count as sales. See the handbook";
        assert_eq!(find_clause(description, "cancelled"), "cancelled orders do not count as sales");
    }
}
