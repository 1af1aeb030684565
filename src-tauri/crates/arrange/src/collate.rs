//! The order of texts in a language: base letters are compared first, then accents, then case; runs of digits are
//! compared as numbers.
//!
//! Keys have the levels of the Unicode Collation Algorithm in the order of its root; letters that a language sorts
//! separately from their base letter are in `APART`.

use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose};

/// Punctuation and symbols in sort order.
const SIGNS: &str = "_-–—,;:!?.…'\"“”„«»()[]{}§@*/\\&#%•`^°©+<=>|~$£€";

/// Accents and other marks in sort order.
const MARKS: &str =
    "\u{301}\u{300}\u{306}\u{302}\u{30c}\u{30a}\u{308}\u{30b}\u{303}\u{307}\u{338}\u{327}\u{328}\u{304}";

const SPACE: u8 = 0x02;
const SIGN: u8 = 0x03;
const DIGITS: u8 = 0x05;
const LETTER: u8 = 0x06;

/// A base letter, and the letters that sort separately after it.
type LetterGroup = (char, &'static str);

/// Letters that languages sort as separate letters after another one.
const APART: &[(&[&str], &[LetterGroup])] = &[
    (&["sv", "fi"], &[('z', "åäö")]),
    (&["da", "nb", "no", "nn"], &[('z', "æøå")]),
    (&["is"], &[('a', "á"), ('d', "ð"), ('e', "é"), ('i', "í"), ('o', "ó"), ('u', "ú"), ('y', "ý"), ('z', "þæöå")]),
    (&["et"], &[('s', "šzž"), ('w', "õäöü")]),
    (&["es", "gl", "eu"], &[('n', "ñ")]),
    (&["pl"], &[('a', "ą"), ('c', "ć"), ('e', "ę"), ('l', "ł"), ('n', "ń"), ('o', "ó"), ('s', "ś"), ('z', "źż")]),
    (&["cs", "sk"], &[('c', "č"), ('r', "ř"), ('s', "š"), ('z', "ž")]),
    (&["hr", "sl", "bs"], &[('c', "čć"), ('d', "đ"), ('s', "š"), ('z', "ž")]),
    (&["hu"], &[('o', "ö"), ('u', "ü")]),
    (&["ro"], &[('a', "ăâ"), ('i', "î"), ('s', "ș"), ('t', "ț")]),
    (&["tr", "az"], &[('c', "ç"), ('g', "ğ"), ('h', "ı"), ('o', "ö"), ('s', "ş"), ('u', "ü")]),
    (&["lt"], &[('c', "č"), ('s', "š"), ('z', "ž")]),
    (&["lv"], &[('c', "č"), ('g', "ģ"), ('k', "ķ"), ('l', "ļ"), ('n', "ņ"), ('s', "š"), ('z', "ž")]),
];

/// Letters that do not decompose into a base letter and a mark, with the letters they are sorted as.
const AS_LETTERS: &[(char, &str)] =
    &[('ß', "ss"), ('æ', "ae"), ('œ', "oe"), ('ø', "o"), ('đ', "d"), ('ł', "l"), ('ħ', "h"), ('ŧ', "t")];

/// Letters that are sorted separately after another letter in all languages.
const OWN: &[(char, char)] = &[('ð', 'd'), ('ı', 'i'), ('ŋ', 'n')];

/// Creates sort keys of texts in the order of a language.
pub(crate) struct Collation {
    /// The base letter after which a letter sorts, and its position among the letters that follow the same base letter.
    apart: HashMap<char, (char, u8)>,
}

impl Collation {
    pub(crate) fn new(locale: &str) -> Self {
        let language = locale.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let own = OWN.iter().map(|(letter, base)| (*letter, (*base, 1)));
        let groups = APART.iter().filter(|(languages, _)| languages.contains(&language.as_str()));
        let tailored = groups
            .flat_map(|(_, groups)| groups.iter())
            .flat_map(|(base, letters)| letters.chars().zip(2..).map(|(letter, place)| (letter, (*base, place))));
        Self { apart: own.chain(tailored).collect() }
    }

    pub(crate) fn sort_key(&self, text: &str) -> Vec<u8> {
        let mut levels = Levels::default();
        let mut letters = text.nfd().peekable();
        while let Some(letter) = letters.next() {
            if letter.is_ascii_digit() {
                let mut number = String::from(letter);
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                levels.push_number(number.trim_start_matches('0'));
            } else if canonical_combining_class(letter) != 0 {
                levels.push_mark(letter);
            } else {
                let composed = letters.peek().and_then(|mark| compose(letter, *mark));
                let whole = composed.filter(|whole| self.apart.contains_key(&lowercase_letter(*whole)));
                if whole.is_some() {
                    letters.next();
                }
                self.push_letter(whole.unwrap_or(letter), &mut levels);
            }
        }
        levels.into_sort_key()
    }

    fn push_letter(&self, letter: char, levels: &mut Levels) {
        let small = lowercase_letter(letter);
        let capital = small != letter;
        if let Some((base, place)) = self.apart.get(&small) {
            levels.push_base(LETTER, *base as u32, *place, capital);
        } else if let Some((_, letters)) = AS_LETTERS.iter().find(|(known, _)| *known == small) {
            letters.chars().for_each(|letter| levels.push_base(LETTER, letter as u32, 0, capital));
            levels.push_mark(small);
        } else if let Some(place) = SIGNS.find(letter) {
            levels.push_base(SIGN, place as u32, 0, false);
        } else if letter.is_whitespace() {
            levels.push_base(SPACE, letter as u32, 0, false);
        } else if letter.is_alphanumeric() {
            levels.push_base(LETTER, small as u32, 0, capital);
        } else if !letter.is_control() {
            levels.push_base(SIGN, letter as u32, 0, false);
        }
    }
}

fn lowercase_letter(letter: char) -> char {
    let mut small = letter.to_lowercase();
    match (small.next(), small.next()) {
        (Some(small), None) => small,
        _ => letter,
    }
}

/// The levels of a key: a level matters only if all previous ones are equal.
#[derive(Default)]
struct Levels {
    letters: Vec<u8>,
    marks: Vec<u8>,
    capitals: Vec<u8>,
}

impl Levels {
    fn push_base(&mut self, class: u8, code: u32, place: u8, capital: bool) {
        self.letters.push(class);
        self.letters.extend(&code.to_be_bytes()[1..]);
        self.letters.push(place);
        self.marks.push(1);
        self.capitals.push(if capital { 2 } else { 1 });
    }

    /// Adds a number; numbers with more digits are larger.
    fn push_number(&mut self, digits: &str) {
        self.letters.push(DIGITS);
        self.letters.extend((digits.len() as u32).to_be_bytes());
        self.letters.extend(digits.bytes());
        self.marks.push(1);
        self.capitals.push(1);
    }

    fn push_mark(&mut self, mark: char) {
        let place = MARKS.find(mark).map_or(mark as u32, |place| place as u32);
        self.marks.push(2);
        self.marks.extend(&place.to_be_bytes()[1..]);
    }

    fn into_sort_key(self) -> Vec<u8> {
        let mut key = self.letters;
        for level in [self.marks, self.capitals] {
            // Trailing default weights are omitted, because they do not change the order.
            let length = level.iter().rposition(|part| *part != 1).map_or(0, |last| last + 1);
            key.push(0);
            key.extend(&level[..length]);
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort_texts(locale: &str, mut texts: Vec<&'static str>) -> Vec<&'static str> {
        let collation = Collation::new(locale);
        texts.sort_by_key(|text| collation.sort_key(text));
        texts
    }

    /// The expected orders match `Intl.Collator` with `numeric: true`.
    #[test]
    fn texts_are_ordered_as_in_a_dictionary() {
        let german = ["", "-", "a", "A", "Äpfel", "apple", "Apple", "Strasse", "Straße", "zebra", "ב", "中"];
        let mut mixed = german.to_vec();
        mixed.reverse();
        assert_eq!(sort_texts("de-DE", mixed), german.to_vec());
        assert_eq!(sort_texts("fr-FR", vec!["côté", "côte", "coté", "cote"]), ["cote", "coté", "côte", "côté"]);
        assert_eq!(
            sort_texts("en", vec!["ā", "ã", "ä", "å", "â", "à", "á", "a"]),
            ["a", "á", "à", "â", "å", "ä", "ã", "ā"]
        );
        assert_eq!(sort_texts("en", vec!["of", "œ", "oe", "od"]), ["od", "oe", "œ", "of"]);
        assert_eq!(
            sort_texts("en-US", vec!["b", "_a", "1a", " a", "$a", "a b", "ab"]),
            [" a", "_a", "$a", "1a", "a b", "ab", "b"]
        );
    }

    #[test]
    fn digits_are_ordered_as_numbers() {
        assert_eq!(sort_texts("en", vec!["b10", "b9", "b09", "b1.5"]), ["b1.5", "b9", "b09", "b10"]);
        assert_eq!(
            sort_texts("en", vec!["2", "10", "1", "99999999999999999999", "x"]),
            ["1", "2", "10", "99999999999999999999", "x"]
        );
    }

    #[test]
    fn a_language_places_its_own_letters() {
        assert_eq!(sort_texts("sv-SE", vec!["Ö", "Ä", "Z", "Å", "A"]), ["A", "Z", "Å", "Ä", "Ö"]);
        assert_eq!(sort_texts("de", vec!["Z", "Ö", "O", "Ä", "A"]), ["A", "Ä", "O", "Ö", "Z"]);
        assert_eq!(sort_texts("da", vec!["å", "ø", "æ", "z", "ae"]), ["ae", "z", "æ", "ø", "å"]);
        assert_eq!(sort_texts("es", vec!["ñu", "nz", "o", "na"]), ["na", "nz", "ñu", "o"]);
        assert_eq!(sort_texts("pl", vec!["łz", "lz", "ma", "ża", "źa", "za"]), ["lz", "łz", "ma", "za", "źa", "ża"]);
    }
}
