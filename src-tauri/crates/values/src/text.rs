//! The forms in which a string is compared: folded, compact, words, initials, 3-grams.
//!
//! One home for "the same but for spelling": the index stores keys of these forms and the search compares them.

use unicode_normalization::UnicodeNormalization;

/// Words that people leave out of initials: "United States of America" is both USOA and USA.
const SMALL_WORDS: [&str; 12] = ["of", "the", "and", "for", "in", "on", "de", "la", "du", "der", "und", "y"];

/// A string with its derived forms, computed once and used by every route and every comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Compatibility-normalised, lower case, Latin accents removed, white space collapsed.
    pub folded: String,
    /// Only the letters and digits of `folded`; all of it when it has neither ("++").
    pub compact: String,
    /// The runs of letters and digits of `folded`, in order.
    pub words: Vec<String>,
}

impl Form {
    /// Derives the forms.
    pub fn new(text: &str) -> Self {
        let folded = fold(text);
        // An apostrophe joins: O'Brien is one word, however it is written.
        let joined = folded.replace(['\'', '’'], "");
        let words: Vec<String> =
            joined.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect();
        let compact = if words.is_empty() { folded.clone() } else { words.concat() };
        Self { folded, compact, words }
    }

    /// First letters of all words, and of all but small words; empty for a single word.
    pub fn initials(&self) -> Vec<String> {
        if self.words.len() < 2 {
            return Vec::new();
        }
        let of = |words: &mut dyn Iterator<Item = &String>| words.filter_map(|w| w.chars().next()).collect::<String>();
        let all = of(&mut self.words.iter());
        let main = of(&mut self.words.iter().filter(|w| !SMALL_WORDS.contains(&w.as_str())));
        let mut found = vec![all];
        if main.chars().count() > 1 && main != found[0] {
            found.push(main);
        }
        found
    }

    /// The hashes of the 3-grams of `folded`, padded at both ends by two, so that even "US" has four. Repeats are kept:
    /// they change no minimum.
    pub fn grams(&self) -> impl Iterator<Item = u32> + '_ {
        const START: u64 = 2;
        const END: u64 = 3;
        let padded = [START; 2].into_iter().chain(self.folded.chars().map(|c| c as u64)).chain([END; 2]);
        let (mut first, mut second) = (0, 0);
        padded.enumerate().filter_map(move |(i, third)| {
            let gram = (first << 42) | (second << 21) | third;
            (first, second) = (second, third);
            (i >= 2).then(|| (mix(gram ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93) >> 32) as u32)
        })
    }
}

/// Folds away what people vary without meaning to: width, case, Latin accents, white space.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut push = |c: char| {
        if !c.is_whitespace() {
            folded.push(c);
        } else if !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
    };
    if text.is_ascii() {
        text.chars().for_each(|c| push(c.to_ascii_lowercase()));
    } else {
        text.nfkd()
            .flat_map(char::to_lowercase)
            // Only the marks that Latin, Greek and Cyrillic put on letters: elsewhere marks are vowels.
            .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
            .nfc()
            .for_each(|c| if c == 'ß' { ['s', 's'].into_iter().for_each(&mut push) } else { push(c) });
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// A hash that stays the same for ever, because it lies on disk; `seed` tells routes apart.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    const K: u64 = 0xa076_1d64_78bd_642f;
    let mut state = mix(seed ^ K, 0xe703_7ed1_a0b4_28db);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = mix(state ^ u64::from_le_bytes(*chunk), K);
    }
    let mut last = [0_u8; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(state ^ u64::from_le_bytes(last), K ^ (bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Multiplies to 128 bits and folds: every input bit reaches every output bit.
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_that_means_nothing_folds_away() {
        assert_eq!(fold("  São   PAULO "), "sao paulo");
        assert_eq!(fold("Ｕ．Ｓ．"), "u.s.");
        assert_eq!(fold("STRASSE"), fold("Straße"));
        assert_eq!(Form::new("U.S.A.").compact, "usa");
        assert_eq!(Form::new("++").compact, "++");
        assert_eq!(Form::new("O'Brien's").words, ["obriens"]);
    }

    #[test]
    fn initials_are_taken_with_and_without_small_words() {
        assert_eq!(Form::new("United States of America").initials(), ["usoa", "usa"]);
        assert_eq!(Form::new("New York").initials(), ["ny"]);
        assert!(Form::new("Paris").initials().is_empty());
    }

    #[test]
    fn short_strings_have_grams_too() {
        assert_eq!(Form::new("US").grams().count(), 4);
        assert_eq!(Form::new("a").grams().count(), 3);
    }
}
