//! The similarity of a literal and a stored value, from 0 to 1.
//!
//! The surface similarity is the maximum of: edit similarity (`1 - levenshtein / longer length`, of the folded texts,
//! and of their letters and digits only), word-set similarity (tolerant of order and additional words), and
//! abbreviation (initials, prefix of a word). It is below 1 unless the folded texts are equal.

use crate::edit::Edits;
use crate::text::Form;

/// The level of agreement of two texts; ranked before any similarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// The texts are only similar.
    Alike,
    /// Letters and digits are equal.
    Compact,
    /// Equal except for case, width, accents and white space.
    Folded,
    /// Equal bytes, without any normalization.
    Exact,
}

/// Maximum similarity of texts that are not equal.
const NEAR: f64 = 0.97;

/// A literal prepared for comparison: its text, or the fixed parts of a LIKE pattern.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub literal: String,
    /// The embedded text: the literal without LIKE wildcards.
    pub spoken: String,
    /// The normalized forms of that text.
    pub form: Form,
    /// The folded and the compact form, prepared for comparison.
    folded: Edits,
    compact: Edits,
    /// For a pattern, the folded parts between `%` signs, and the ends that are anchored.
    pattern: Option<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    parts: Vec<String>,
    anchored_start: bool,
    anchored_end: bool,
}

impl Wanted {
    /// Parses a literal. A `%` makes it a LIKE pattern; only then is `_` a wildcard.
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

    /// Returns true if nothing can match: the literal is empty, or far longer than any stored value.
    pub fn is_hopeless(&self) -> bool {
        let length = self.form.folded.chars().count();
        length == 0 || length > 2 * crate::LONGEST_VALUE as usize
    }

    /// Returns the level of agreement with a stored value.
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

    /// Returns the surface similarity. `close` is set for the column that the literal was compared with: there, an
    /// abbreviation by letters in order with the same first letter ("CA" for "California") is also accepted.
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

/// Returns the word-set similarity: Dice coefficient over shared words by length. At least 0.6 if one text contains all
/// words of the other.
fn word_similarity(a: &Form, b: &Form) -> f64 {
    let mut left: Vec<&str> = b.iter_words().collect();
    let mut shared = 0.0;
    let mut substantial = false;
    for word in a.iter_words() {
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
    // For texts with words, the compact form contains all their characters.
    let weight = |form: &Form| form.compact.chars().count() as f64;
    let (total_a, total_b) = (weight(a), weight(b));
    let dice = 2.0 * shared / (total_a + total_b);
    let (shorter, longer) = if total_a < total_b { (total_a, total_b) } else { (total_b, total_a) };
    if substantial && shared >= shorter { dice.max(0.6 + 0.38 * shorter / longer) } else { dice }
}

/// Returns the similarity if `short` abbreviates `long`: by its initials, by longer or shorter initials ("USA" for
/// "United States"), by the prefix of its only word, or (if `close`) by a subsequence from the first letter. In other
/// columns, two letters match too many names by coincidence, and incomplete initials need additional evidence from the
/// meaning.
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
    if letters >= 3 && long.iter_words().len() == 1 && long.compact.starts_with(&short.compact) {
        return 0.7;
    }
    if close && letters <= 4 && short.iter_words().len() == 1 && is_sketch(&short.compact, &long.compact) {
        return 0.55;
    }
    0.0
}

/// Returns true if the first letters are equal, and all letters of `short` occur in `long` in order.
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
