//! The normalized forms of a string: folded, compact, words, initials, 3-grams.
//!
//! The index stores keys of these forms and the search compares them, so that both have the same definition of equal
//! text.

use unicode_normalization::UnicodeNormalization;

/// Words that may be omitted from initials: "United States of America" is both USOA and USA.
const SMALL_WORDS: [&str; 12] = ["of", "the", "and", "for", "in", "on", "de", "la", "du", "der", "und", "y"];

/// A string with its derived forms, computed once and used by every route and every comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The text after compatibility normalization, in lower case, without Latin accents, with white space collapsed.
    pub folded: String,
    /// Only the letters and digits of `folded`, or all of it if it has neither ("++").
    pub compact: String,
    /// End of each word in `compact`; the next word begins there.
    ends: Vec<usize>,
}

impl Form {
    /// Computes the forms of a text.
    pub fn new(text: &str) -> Self {
        let folded = fold_text(text);
        let (mut compact, mut ends) = (String::with_capacity(folded.len()), Vec::with_capacity(8));
        let mut begun = 0;
        for c in folded.chars() {
            if c.is_alphanumeric() {
                compact.push(c);
            } else if c != '\'' && c != '’' && compact.len() > begun {
                // An apostrophe joins: O'Brien is one word in all its spellings.
                begun = compact.len();
                ends.push(begun);
            }
        }
        if compact.len() > begun {
            ends.push(compact.len());
        }
        if ends.is_empty() {
            compact.push_str(&folded);
        }
        Self { folded, compact, ends }
    }

    /// Iterates over the runs of letters and digits of `folded`.
    pub fn iter_words(&self) -> impl ExactSizeIterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.compact[std::mem::replace(&mut start, end)..end])
    }

    /// Returns the first letters of all words, and of all but small words. Empty for a single word.
    pub fn word_initials(&self) -> Vec<String> {
        if self.ends.len() < 2 {
            return Vec::new();
        }
        let of = |main_only: bool| -> String {
            self.iter_words()
                .filter(|w| !main_only || !SMALL_WORDS.contains(w))
                .filter_map(|w| w.chars().next())
                .collect()
        };
        let mut found = vec![of(false)];
        if self.iter_words().any(|w| SMALL_WORDS.contains(&w)) {
            found.extend(Some(of(true)).filter(|main| main.chars().count() > 1));
        }
        found
    }

    /// Calls `each` with the hashes of the 3-grams of `folded`, padded by two at both ends, so that even "US" has four.
    /// Repeats are included because they do not change a minimum.
    #[inline(always)]
    pub fn for_each_gram(&self, mut each: impl FnMut(u32)) {
        const START: u64 = 2;
        const END: u64 = 3;
        let (mut first, mut second) = (START, START);
        let mut next = |third: u64| {
            let gram = (first << 42) | (second << 21) | third;
            (first, second) = (second, third);
            each((mix_bits(gram ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93) >> 32) as u32);
        };
        if self.folded.is_ascii() {
            self.folded.bytes().for_each(|byte| next(u64::from(byte)));
        } else {
            self.folded.chars().for_each(|c| next(c as u64));
        }
        [END; 2].into_iter().for_each(next);
    }
}

/// Removes unintended variation: width, case, Latin accents, white space.
pub fn fold_text(text: &str) -> String {
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
            // Only the combining marks of Latin, Greek and Cyrillic letters: in other scripts, they are vowels.
            .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
            .nfc()
            .for_each(|c| if c == 'ß' { ['s', 's'].into_iter().for_each(&mut push) } else { push(c) });
    }
    if folded.ends_with(' ') {
        folded.pop();
    }
    folded
}

/// Computes a hash that must never change because it is stored on disk. `seed` distinguishes routes.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    const K: u64 = 0xa076_1d64_78bd_642f;
    let mut state = mix_bits(seed ^ K, 0xe703_7ed1_a0b4_28db);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = mix_bits(state ^ u64::from_le_bytes(*chunk), K);
    }
    let mut last = [0_u8; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix_bits(state ^ u64::from_le_bytes(last), K ^ (bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Multiplies to 128 bits and folds, so that every input bit affects every output bit.
pub fn mix_bits(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_that_means_nothing_folds_away() {
        assert_eq!(fold_text("  São   PAULO "), "sao paulo");
        assert_eq!(fold_text("Ｕ．Ｓ．"), "u.s.");
        assert_eq!(fold_text("STRASSE"), fold_text("Straße"));
        assert_eq!(Form::new("U.S.A.").compact, "usa");
        assert_eq!(Form::new("++").compact, "++");
        assert!(Form::new("O'Brien's").iter_words().eq(["obriens"]));
        assert!(Form::new("--Ann  B. O’Hara,").iter_words().eq(["ann", "b", "ohara"]));
    }

    #[test]
    fn initials_are_taken_with_and_without_small_words() {
        assert_eq!(Form::new("United States of America").word_initials(), ["usoa", "usa"]);
        assert_eq!(Form::new("New York").word_initials(), ["ny"]);
        assert!(Form::new("Paris").word_initials().is_empty());
    }

    #[test]
    fn short_strings_have_grams_too() {
        let count = |text: &str| {
            let mut count = 0;
            Form::new(text).for_each_gram(|_| count += 1);
            count
        };
        assert_eq!((count("US"), count("a"), count("é日")), (4, 3, 4));
    }
}
