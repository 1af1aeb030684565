//! Keys of a category value: two values with one key differ in case, spacing, punctuation or accents alone.

use unicode_normalization::UnicodeNormalization;

/// Signs that distinguish categories: C and C++, A and A+, 10 and 10 %.
const MEANINGFUL: [char; 13] = ['+', '#', '%', '$', '€', '£', '¥', '<', '>', '=', '*', '@', '&'];
/// Words for "&" in English, German, French and Spanish.
const AND: [&str; 4] = ["and", "und", "et", "y"];

/// How accents are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accents {
    /// Kept: `é` is no `e`.
    Kept,
    /// Left out: `ü` is `u`.
    Dropped,
    /// Written out: `ü` is `ue`.
    WrittenOut,
}

/// The words of a value in lower case, each without punctuation that only separates.
pub(super) fn words(text: &str, accents: Accents) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let letters: Vec<char> = text.trim().nfkc().collect();
    for (at, &c) in letters.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).map(|at| letters[at]), letters.get(at + 1).copied());
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let between_digits = is_digit(before) && is_digit(after);
        // "A-" is no "A", and "-1" no "1".
        let is_sign = matches!(c, '-' | '−' | '–') && (after.is_none() || before.is_none() && is_digit(after));
        if c.is_alphanumeric() || is_mark(c) {
            let word = words.last_mut().expect("there is always a last word");
            spell(c, accents, word);
        } else if MEANINGFUL.contains(&c) || between_digits || is_sign {
            // A blank between digits keeps them apart.
            let word = words.last_mut().expect("there is always a last word");
            word.push(if c.is_whitespace() { ' ' } else { c });
            if c == '&' {
                let rest = word.trim_end_matches('&').len();
                let sign = word.split_off(rest);
                words.extend([sign, String::new()]);
            }
        } else if c != '\'' && c != '’' && c != '.' {
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

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c) || unicode_normalization::char::is_combining_mark(c)
}

fn spell(c: char, accents: Accents, word: &mut String) {
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
            // Elsewhere than in Latin, Greek and Cyrillic marks are vowels.
            _ => word.extend(std::iter::once(c).nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).nfc()),
        }
    }
}

/// The words without what separates them.
pub(super) fn key(text: &str, accents: Accents) -> String {
    words(text, accents).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_mean_something_stay_and_others_go() {
        let key = |text: &str| key(text, Accents::Dropped);
        for (a, b) in [("U.S.", "us"), ("In-Progress", "in_progress"), ("R&D", "r & d"), ("A and B", "A & B")] {
            assert_eq!(key(a), key(b), "{a} and {b}");
        }
        for (a, b) in [("C", "C++"), ("C", "C#"), ("A", "A+"), ("A", "A-"), ("O-", "O+"), ("1.5", "15"), ("1 2", "12")]
        {
            assert_ne!(key(a), key(b), "{a} and {b}");
        }
        assert_eq!(super::key("München", Accents::WrittenOut), "muenchen");
        assert_eq!(super::key("Mu\u{308}nchen", Accents::WrittenOut), "muenchen");
    }
}
