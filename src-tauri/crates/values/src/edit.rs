//! Edit similarity of one text to many others with Myers' algorithm, which compares a character with the whole text in
//! a few operations on one machine word. A search compares hundreds of values with the same literal.

/// Number of characters per machine word. A longer text is compared with a slower algorithm.
const WORD: usize = 64;

/// A text that others are compared with.
#[derive(Debug, Clone)]
pub struct Edits {
    text: String,
    length: usize,
    /// The positions of each character, one bit per position: an array for ASCII characters, a list for others.
    ascii: [u64; 128],
    others: Vec<(char, u64)>,
}

impl Edits {
    pub fn new(text: &str) -> Self {
        let (mut ascii, mut others) = ([0; 128], Vec::<(char, u64)>::new());
        for (place, char) in text.chars().take(WORD).enumerate() {
            let bit = 1 << place;
            match ascii.get_mut(char as usize) {
                Some(places) => *places |= bit,
                None => match others.iter_mut().find(|(other, _)| *other == char) {
                    Some((_, places)) => *places |= bit,
                    None => others.push((char, bit)),
                },
            }
        }
        Self { text: text.to_owned(), length: text.chars().count(), ascii, others }
    }

    /// Returns `1 - distance / longer length`, like strsim's `normalized_levenshtein`.
    pub fn similarity(&self, other: &str) -> f64 {
        if self.length == 0 || self.length > WORD {
            return strsim::normalized_levenshtein(&self.text, other);
        }
        let (distance, length) = self.edit_distance(other);
        1.0 - distance as f64 / self.length.max(length) as f64
    }

    fn char_positions(&self, char: char) -> u64 {
        match self.ascii.get(char as usize) {
            Some(places) => *places,
            None => self.others.iter().find(|(other, _)| *other == char).map_or(0, |(_, places)| *places),
        }
    }

    /// Returns the edit distance and the length of `other`. Each bit of `more` and `less` is set if the distance of a
    /// prefix of the text is greater or smaller by one than that of the next shorter prefix.
    fn edit_distance(&self, other: &str) -> (usize, usize) {
        let (mut more, mut less) = (u64::MAX, 0);
        let (mut distance, mut length) = (self.length, 0);
        let last = 1 << (self.length - 1);
        for char in other.chars() {
            let same = self.char_positions(char);
            let diagonal = ((same & more).wrapping_add(more) ^ more) | same;
            let vertical = same | less;
            let (up, down) = (less | !(diagonal | more), more & diagonal);
            distance += usize::from(up & last != 0);
            distance -= usize::from(down & last != 0);
            let (up, down) = (up << 1 | 1, down << 1);
            (more, less) = (down | !(vertical | up), up & vertical);
            length += 1;
        }
        (distance, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_two_texts_are_as_alike_as_cell_by_cell(a in "[ab cé日]{0,70}", b in "[ab cé日]{0,70}") {
            prop_assert_eq!(Edits::new(&a).similarity(&b), strsim::normalized_levenshtein(&a, &b));
        }
    }
}
