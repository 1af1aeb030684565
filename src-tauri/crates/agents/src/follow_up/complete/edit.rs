//! Changes to the previous question, which are applied together.

use super::words::Text;
use std::ops::Range;

/// A change: a byte range of the previous question, and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub bytes: Range<usize>,
    pub text: String,
}

impl Edit {
    pub(super) fn replace_words(before: &Text<'_>, words: &Range<usize>, text: String) -> Self {
        Self { bytes: before.byte_range(words), text }
    }
}

/// Returns the start of the punctuation at the end of a question.
fn end_of(before: &str) -> usize {
    before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '!' | '.')).len()
}

/// Applies the edits, and appends further conditions; `None` if two edits overlap.
pub(super) fn apply_edits(before: &str, mut edits: Vec<Edit>, added: &[String]) -> Option<String> {
    edits.sort_by_key(|edit| edit.bytes.start);
    if edits.windows(2).any(|two| two[0].bytes.end > two[1].bytes.start) {
        return None;
    }
    let mut whole = before.to_owned();
    whole.insert_str(end_of(before), &added.concat());
    for edit in edits.iter().rev() {
        whole.replace_range(edit.bytes.clone(), &edit.text);
    }
    // A value at the beginning keeps the capital letter of the sentence.
    let mut letters = whole.chars();
    let capital = before.chars().next().is_some_and(char::is_uppercase);
    match letters.next() {
        Some(first) if capital && first.is_lowercase() => Some(first.to_uppercase().chain(letters).collect()),
        _ => Some(whole),
    }
}
