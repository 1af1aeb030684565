//! Spelling variants of one value within a column: `US`, `U.S.`, `USA` and `United States`.

use vitrine_sql::normalize_name;

/// Length of codes that may abbreviate a longer spelling.
const CODE_LETTERS: std::ops::RangeInclusive<usize> = 2..=4;

/// Returns true if two different values of one column are spelling variants of the same thing, judged only by their
/// letters: equal except for case and punctuation, initials, or a short upper-case code that is a prefix of the other
/// or of its initials. Words that are only similar (`male`, `female`) or numbered (`PG`, `PG-13`) are not.
pub fn is_variant(a: &str, b: &str) -> bool {
    let (key_a, key_b) = (normalize_name(a), normalize_name(b));
    if key_a.is_empty() || key_b.is_empty() {
        return false;
    }
    key_a == key_b || is_abbreviation(a, &key_a, b, &key_b) || is_abbreviation(b, &key_b, a, &key_a)
}

/// Returns the first letters of several words.
fn word_initials(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).collect();
    (words.len() > 1)
        .then(|| words.iter().filter_map(|word| word.chars().next()).flat_map(char::to_lowercase).collect())
}

fn is_abbreviation(code: &str, code_key: &str, long: &str, long_key: &str) -> bool {
    let is_code = CODE_LETTERS.contains(&code_key.chars().count())
        && code.chars().all(|c| !c.is_lowercase())
        && code_key.chars().all(char::is_alphabetic);
    if !is_code {
        return false;
    }
    let begins = long_key.strip_prefix(code_key).is_some_and(|rest| rest.chars().all(char::is_alphabetic));
    let named = word_initials(long).is_some_and(|initials| {
        initials == code_key || (initials.chars().count() > 1 && code_key.starts_with(&initials))
    });
    begins || named
}

#[cfg(test)]
mod tests {
    use super::is_variant;

    #[test]
    fn one_thing_written_in_several_ways() {
        for (a, b) in [
            ("US", "USA"),
            ("U.S.", "US"),
            ("United States", "USA"),
            ("United States", "U.S."),
            ("united states", "United-States"),
            ("CAN", "Canada"),
            ("UK", "United Kingdom"),
        ] {
            assert!(is_variant(a, b) && is_variant(b, a), "{a} and {b}");
        }
    }

    #[test]
    fn things_that_are_only_alike() {
        for (a, b) in [
            ("male", "female"),
            ("PG", "PG-13"),
            ("Smith", "Smyth"),
            ("US", "UK"),
            ("A", "AA"),
            ("new", "newer"),
            ("USA", "Utah"),
            ("2023", "2024"),
        ] {
            assert!(!is_variant(a, b) && !is_variant(b, a), "{a} and {b}");
        }
    }
}
