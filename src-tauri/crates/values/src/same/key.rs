//! Keys of category values: two values with the same key differ only in case, spacing, punctuation or accents.

use unicode_normalization::UnicodeNormalization;

/// Signs that distinguish categories: C and C++, A and A+, 10 and 10 %.
const MEANINGFUL: [char; 13] = ['+', '#', '%', '$', '€', '£', '¥', '<', '>', '=', '*', '@', '&'];
/// Words for "&" in English, German, French and Spanish.
const AND: [&str; 4] = ["and", "und", "et", "y"];

/// The treatment of accents in keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accents {
    /// Keeps accents: `é` differs from `e`.
    Kept,
    /// Removes accents: `ü` becomes `u`.
    Dropped,
    /// Expands accents: `ü` becomes `ue`.
    WrittenOut,
}

/// Returns the words of a value in lower case, each without punctuation that only separates.
pub(super) fn split_words(text: &str, accents: Accents) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let letters: Vec<char> = close_ranges(text.trim().nfkc().collect());
    for (at, &c) in letters.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).map(|at| letters[at]), letters.get(at + 1).copied());
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let between_digits = is_digit(before) && is_digit(after);
        // "A-" differs from "A", and "-1" from "1".
        let begins = before.is_none_or(char::is_whitespace);
        let is_sign = is_dash(c) && (after.is_none() || begins && is_digit(after));
        if c.is_alphanumeric() || is_mark(c) {
            let word = words.last_mut().expect("there is always a last word");
            push_letter(c, accents, word);
        } else if MEANINGFUL.contains(&c) || between_digits || is_sign {
            // A space between digits keeps them apart.
            let word = words.last_mut().expect("there is always a last word");
            word.push(match c {
                _ if c.is_whitespace() => ' ',
                _ if is_dash(c) => '-',
                _ => c,
            });
            if c == '&' {
                let rest = word.trim_end_matches('&').len();
                let sign = word.split_off(rest);
                words.extend([sign, String::new()]);
            }
        } else if !matches!(c, '\'' | '’' | '.') || words.last().is_some_and(|word| word.ends_with(char::is_numeric))
        {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    let last = words.len().saturating_sub(1);
    for word in words.iter_mut().take(last).skip(1).filter(|word| AND.contains(&word.as_str())) {
        *word = "&".to_owned();
    }
    words
}

/// Removes the spaces around a dash between two digits: "10 - 19" is the range "10-19".
fn close_ranges(letters: Vec<char>) -> Vec<char> {
    let ends_with_digit = |part: &[char]| part.last().is_some_and(char::is_ascii_digit);
    let mut closed: Vec<char> = Vec::with_capacity(letters.len());
    let mut at = 0;
    while at < letters.len() {
        match letters[at..] {
            [' ', dash, ' ', next, ..] if is_dash(dash) && next.is_ascii_digit() && ends_with_digit(&closed) => {
                closed.push('-');
                at += 3;
            }
            [c, ..] => {
                closed.push(c);
                at += 1;
            }
            [] => break,
        }
    }
    closed
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '−' | '–')
}

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c) || unicode_normalization::char::is_combining_mark(c)
}

fn push_letter(c: char, accents: Accents, word: &mut String) {
    let lower = c.to_lowercase();
    if accents == Accents::Kept {
        word.extend(lower);
        return;
    }
    for c in lower {
        let written_out = match c {
            'ä' | 'æ' => "ae",
            'ö' | 'ø' | 'œ' => "oe",
            'ü' => "ue",
            'å' => "aa",
            'ß' => "ss",
            _ => "",
        };
        match c {
            'ß' => word.push_str("ss"),
            'æ' => word.push_str("ae"),
            'œ' => word.push_str("oe"),
            'ø' if accents == Accents::Dropped => word.push('o'),
            'ł' => word.push('l'),
            'đ' => word.push('d'),
            _ if accents == Accents::WrittenOut && !written_out.is_empty() => word.push_str(written_out),
            // In scripts other than Latin, Greek and Cyrillic, combining marks are vowels.
            _ => word.extend(std::iter::once(c).nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).nfc()),
        }
    }
}

/// Returns the key of a value.
pub(super) fn value_key(text: &str, accents: Accents) -> String {
    join_words(&split_words(text, accents))
}

/// Joins words, keeping only spaces between digits: "1, 12" differs from "11, 2".
pub(super) fn join_words(words: &[String]) -> String {
    let mut joined = String::new();
    for word in words {
        if joined.ends_with(char::is_numeric) && word.starts_with(|c: char| c.is_numeric() || c == '-') {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Returns true for the key of a value that only says that a value is missing or belongs to no other category, in
/// English, German and French.
pub(super) fn says_nothing(key: &str) -> bool {
    const WORDS: [&str; 33] = [
        "na",
        "nan",
        "nil",
        "null",
        "none",
        "tbd",
        "blank",
        "empty",
        "missing",
        "unknown",
        "unspecified",
        "notspecified",
        "notavailable",
        "notapplicable",
        "undefined",
        "other",
        "others",
        "misc",
        "various",
        "andere",
        "anderes",
        "sonstige",
        "sonstiges",
        "unbekannt",
        "ka",
        "keineangabe",
        "keine",
        "autre",
        "autres",
        "inconnu",
        "inconnue",
        "nonrenseigne",
        "aucun",
    ];
    !key.chars().any(char::is_alphanumeric) || WORDS.contains(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_mean_something_stay_and_others_go() {
        let key = |text: &str| value_key(text, Accents::Dropped);
        for (a, b) in [("U.S.", "us"), ("In-Progress", "in_progress"), ("R&D", "r & d"), ("A and B", "A & B")] {
            assert_eq!(key(a), key(b), "{a} and {b}");
        }
        for (a, b) in [("C", "C++"), ("C", "C#"), ("A", "A+"), ("A", "A-"), ("O-", "O+"), ("1.5", "15"), ("1 2", "12")]
        {
            assert_ne!(key(a), key(b), "{a} and {b}");
        }
        for (a, b) in [
            ("1 - 11", "11 - 1"),
            ("1, 12", "11, 2"),
            ("1 / 12", "11 / 2"),
            ("10 - 19", "101 - 9"),
            ("Week 1 - 12", "Week 11 - 2"),
            ("Room 1 (12)", "Room 11 (2)"),
            ("1..5", "15"),
            ("10 -5", "10 5"),
            ("Floor -1", "Floor 1"),
        ] {
            assert_ne!(key(a), key(b), "{a} and {b}");
        }
        for (a, b) in [("10 - 19", "10–19"), ("9:00 - 17:00", "9:00-17:00"), ("Type 1", "type1"), ("1, 12", "1 ; 12")]
        {
            assert_eq!(key(a), key(b), "{a} and {b}");
        }
        assert_eq!(super::value_key("München", Accents::WrittenOut), "muenchen");
        assert_eq!(super::value_key("Mu\u{308}nchen", Accents::WrittenOut), "muenchen");
    }
}
