//! How alike a literal and a stored value look, from 0 to 1.
//!
//! The surface similarity is the greatest of: edit similarity (`1 - levenshtein / longer length`, folded, also on letters
//! and digits alone), word-set similarity (order and extra words matter little), and abbreviation (initials, start of
//! a word). Anything but the same folded text stays below 1.

use crate::edit::Edits;
use crate::text::Form;

/// How exactly two texts agree; orders before any similarity does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Merely alike.
    Alike,
    /// The same letters and digits.
    Compact,
    /// The same but for case, width, accents and white space.
    Folded,
    /// The same bytes.
    Exact,
}

/// The highest similarity of texts that are not the same.
const NEAR: f64 = 0.97;

/// A literal as it is compared: its text, or the fixed parts of a LIKE pattern.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The text as given.
    pub literal: String,
    /// The text without LIKE's wildcards, as it is embedded.
    pub spoken: String,
    /// The forms of that text.
    pub form: Form,
    /// The folded and the compact form, to compare others with.
    folded: Edits,
    compact: Edits,
    /// The folded parts between `%` signs when the literal is a pattern, with whether each end is anchored.
    pattern: Option<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    parts: Vec<String>,
    anchored_start: bool,
    anchored_end: bool,
}

impl Wanted {
    /// Reads a literal. A `%` makes it a LIKE pattern; `_` counts as a wildcard only then.
    pub fn new(literal: &str) -> Self {
        if !literal.contains('%') {
            return Self::from_literal(literal, literal.to_owned(), None);
        }
        let raw: Vec<&str> = literal.split(['%', '_']).filter(|p| !p.trim().is_empty()).collect();
        let pattern = Pattern {
            parts: raw.iter().map(|p| crate::text::fold_text(p)).collect(),
            anchored_start: !literal.starts_with(['%', '_']),
            anchored_end: !literal.ends_with(['%', '_']),
        };
        Self::from_literal(literal, raw.join(" "), Some(pattern))
    }

    fn from_literal(literal: &str, spoken: String, pattern: Option<Pattern>) -> Self {
        let form = Form::new(&spoken);
        let (folded, compact) = (Edits::new(&form.folded), Edits::new(&form.compact));
        Self { literal: literal.to_owned(), spoken, form, folded, compact, pattern }
    }

    /// Whether nothing can match: there is nothing to look for, or far more than any stored value holds.
    pub fn is_hopeless(&self) -> bool {
        let length = self.form.folded.chars().count();
        length == 0 || length > 2 * crate::LONGEST_VALUE as usize
    }

    /// How exactly a stored value agrees.
    pub fn agreement_with(&self, value: &str, form: &Form) -> Agreement {
        if self.pattern.is_none() && self.literal == value {
            Agreement::Exact
        } else if self.form.folded == form.folded {
            Agreement::Folded
        } else if self.form.compact == form.compact {
            Agreement::Compact
        } else {
            Agreement::Alike
        }
    }

    /// Surface similarity. `close` is set for the column that the literal was compared with: there, also an abbreviation
    /// that keeps the first letter and the order of letters ("CA" for "California") counts.
    pub fn similarity(&self, value: &Form, close: bool) -> f64 {
        if self.form.folded == value.folded {
            return 1.0;
        }
        if self.form.compact == value.compact {
            return 0.98;
        }
        if self.pattern.as_ref().is_some_and(|p| p.matches_text(&value.folded)) {
            return NEAR;
        }
        let compact = if self.form.compact == self.form.folded && value.compact == value.folded {
            0.0
        } else {
            self.compact.similarity(&value.compact)
        };
        [
            self.folded.similarity(&value.folded),
            compact,
            word_similarity(&self.form, value),
            abbreviation_similarity(&self.form, value, close).max(abbreviation_similarity(value, &self.form, close)),
        ]
        .into_iter()
        .fold(0.0, f64::max)
        .min(NEAR)
    }
}

impl Pattern {
    fn matches_text(&self, folded: &str) -> bool {
        let mut rest = folded;
        for (i, part) in self.parts.iter().enumerate() {
            match rest.find(part.as_str()) {
                Some(at) if i > 0 || !self.anchored_start || at == 0 => rest = &rest[at + part.len()..],
                _ => return false,
            }
        }
        !self.parts.is_empty()
            && (!self.anchored_end || self.parts.last().is_some_and(|p| folded.ends_with(p.as_str())))
    }
}

/// Word-set similarity: Dice over shared words by length; when one text's words all lie in the other, at least 0.6.
fn word_similarity(a: &Form, b: &Form) -> f64 {
    let mut left: Vec<&str> = b.words().collect();
    let mut shared = 0.0;
    let mut substantial = false;
    for word in a.words() {
        if let Some(at) = left.iter().position(|w| *w == word) {
            left.swap_remove(at);
            let length = word.chars().count();
            shared += length as f64;
            substantial |= length >= 3;
        }
    }
    if shared == 0.0 {
        return 0.0;
    }
    // With any word, the compact text is all of them.
    let weight = |form: &Form| form.compact.chars().count() as f64;
    let (total_a, total_b) = (weight(a), weight(b));
    let dice = 2.0 * shared / (total_a + total_b);
    let (shorter, longer) = if total_a < total_b { (total_a, total_b) } else { (total_b, total_a) };
    if substantial && shared >= shorter { dice.max(0.6 + 0.38 * shorter / longer) } else { dice }
}

/// Whether `short` abbreviates `long`: by its initials, by initials that go on or break off ("USA" for "United States"),
/// by the start of its only word, or (close) by a subsequence from the first letter on. In a column that the literal was
/// not compared with, two letters fit too many names by chance, and broken-off initials need the support of meaning.
fn abbreviation_similarity(short: &Form, long: &Form, close: bool) -> f64 {
    let letters = short.compact.chars().count();
    if !(2..=6).contains(&letters) || letters >= long.compact.chars().count() {
        return 0.0;
    }
    let initials = long.word_initials();
    if initials.contains(&short.compact) {
        return match (close, letters) {
            (true, _) => 0.9,
            (false, 2) => 0.55,
            (false, _) => 0.8,
        };
    }
    let broken_off = |i: &String| i.starts_with(&short.compact) || i.len() > 1 && short.compact.starts_with(i.as_str());
    if letters >= 3 && initials.iter().any(broken_off) {
        return if close { 0.75 } else { 0.45 };
    }
    if letters >= 3 && long.words().len() == 1 && long.compact.starts_with(&short.compact) {
        return 0.7;
    }
    if close && letters <= 4 && short.words().len() == 1 && is_sketch(&short.compact, &long.compact) {
        return 0.55;
    }
    0.0
}

/// Same first letter, and all letters of `short` in `long` in order.
fn is_sketch(short: &str, long: &str) -> bool {
    let mut rest = long.chars();
    short.chars().next() == long.chars().next() && short.chars().all(|c| rest.any(|r| r == c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_similarity(a: &str, b: &str) -> f64 {
        Wanted::new(a).similarity(&Form::new(b), false)
    }

    #[test]
    fn case_and_accents_do_not_count() {
        assert_eq!(text_similarity("SÃO PAULO", "Sao Paulo"), 1.0);
        assert_eq!(text_similarity("U.S.A.", "usa"), 0.98);
    }

    #[test]
    fn typos_order_and_abbreviations_pass_the_usual_threshold() {
        for (a, b) in [
            ("USA", "US"),
            ("Germnay", "Germany"),
            ("John Doe", "Doe, John"),
            ("United States of America", "USA"),
            ("January", "Jan"),
            ("Alameda", "Alameda County Office of Education"),
        ] {
            assert!(text_similarity(a, b) >= 0.5, "{a} ~ {b}: {}", text_similarity(a, b));
        }
        assert!(text_similarity("Paris", "Tokyo") < 0.3);
    }

    #[test]
    fn a_pattern_matches_what_like_would() {
        assert_eq!(text_similarity("%airlines%", "American Airlines Inc."), NEAR);
        assert_eq!(text_similarity("Amer%lines", "American Airlines"), NEAR);
        assert!(text_similarity("lines%", "American Airlines") < NEAR);
    }

    #[test]
    fn loose_abbreviations_count_only_in_the_column_itself() {
        for (a, b) in [("CA", "California"), ("United States", "USA"), ("Department", "Dept")] {
            let (wanted, value) = (Wanted::new(a), Form::new(b));
            assert!(wanted.similarity(&value, true) >= 0.5, "{a} ~ {b}");
            assert!(wanted.similarity(&value, false) < 0.5, "{a} ~ {b}");
        }
    }
}
