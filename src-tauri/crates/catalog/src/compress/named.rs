//! Finds the member of a group that a question names, such as `sales_2023` among `sales_2019` to `sales_2024`.

use super::pattern::match_placeholders;
use std::collections::HashSet;
use vitrine_domain::TableName;

/// Zeros of scripts with digits of their own: Arabic, Persian, Devanagari, Bengali, Thai and full-width forms.
const ZEROS: [char; 6] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ff10}'];

/// A question, prepared for searching names in it.
pub(super) struct Mentioned {
    /// The text in lower case with all digits as ASCII digits.
    text: String,
    /// Runs of digits and words of the text.
    words: HashSet<String>,
}

impl Mentioned {
    pub(super) fn from_text(text: &str) -> Self {
        let text: String = text.to_lowercase().chars().map(plain_digit).collect();
        let mut words = HashSet::new();
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            words.insert(word.to_owned());
            // "2023年" and "Q3" contain a number, too.
            words.extend(word.split(|c: char| !c.is_ascii_digit()).map(str::to_owned));
            words.extend(word.split(|c: char| c.is_ascii_digit()).map(str::to_owned));
        }
        words.remove("");
        Self { text, words }
    }

    /// Returns the member that the text names most specifically; the last of several, `None` if none is named. A
    /// complete name ranks above its parts; only parts that differ between members count, and a complete part ranks
    /// above the year that a date begins with.
    pub(super) fn find_member(&self, pattern: &str, members: &[TableName]) -> Option<usize> {
        // A pattern begins with the schema.
        let full: Vec<String> = members.iter().map(ToString::to_string).collect();
        let parts: Vec<Vec<&str>> =
            full.iter().map(|name| match_placeholders(pattern, name).unwrap_or_default()).collect();
        let differs = |place: usize, part: &str| parts.iter().any(|other| other.get(place).is_none_or(|o| *o != part));
        let clearly = |at: usize| -> usize {
            if self.contains_part(&members[at].name.to_lowercase()) {
                return usize::MAX;
            }
            let differing = parts[at].iter().enumerate().filter(|&(place, part)| differs(place, part));
            let said = differing.map(|(_, part)| match self.contains_part(&part.to_lowercase()) {
                true => 2,
                false => usize::from(extract_year(part).is_some_and(|year| self.words.contains(year))),
            });
            said.sum()
        };
        let named = (0..members.len()).map(|at| (clearly(at), at)).filter(|&(clearly, _)| clearly > 0);
        named.max().map(|(_, at)| at)
    }

    /// Returns true if the text contains a name or a part of one: as a word or, in scripts without word separators,
    /// anywhere.
    fn contains_part(&self, part: &str) -> bool {
        let number = part.trim_start_matches('0');
        let unparted = |part: &str| part.chars().any(|c| matches!(c, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{9fff}'));
        self.words.contains(part)
            || (!number.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) && self.words.contains(number))
            || ((part.contains(|c: char| !c.is_alphanumeric()) || unparted(part)) && self.stands_alone(part))
    }

    /// Returns true if the text contains `part` between word boundaries.
    fn stands_alone(&self, part: &str) -> bool {
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_');
        self.text.match_indices(part).any(|(at, found)| {
            ends(self.text[..at].chars().next_back()) && ends(self.text[at + found.len()..].chars().next())
        })
    }
}

/// Returns the year of a day or month that is written in digits only.
fn extract_year(part: &str) -> Option<&str> {
    let date = matches!(part.len(), 6 | 8) && part.bytes().all(|byte| byte.is_ascii_digit());
    part.get(..4).filter(|year| date && ("1500".."2999").contains(year))
}

fn plain_digit(letter: char) -> char {
    let value = |zero: char| (letter as u32).checked_sub(zero as u32).filter(|&digit| digit < 10);
    ZEROS.into_iter().find_map(value).and_then(|digit| char::from_digit(digit, 10)).unwrap_or(letter)
}
