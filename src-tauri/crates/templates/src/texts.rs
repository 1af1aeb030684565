//! Text constants of a query that its question mentions.

use crate::question::Question;
use crate::words::{Word, split_question};
use std::ops::Range;
use vitrine_sql::{Literal, Parameter, ParameterKind, ReadOnlySql, Subject, collect_literals, compared_with};

/// A text constant that the verified question mentions.
pub(crate) struct MentionedText {
    /// The index of its parameter.
    pub parameter: usize,
    /// The column that it is compared with.
    pub column: String,
    /// The range of bytes in the question.
    pub at: Range<usize>,
}

/// Finds the text constants that the verified question mentions exactly once, in the order of the question.
pub(crate) fn find_texts(
    sql: &ReadOnlySql,
    own: &Question<'_>,
    parameters: &[Parameter],
    links: &[Vec<usize>],
) -> Vec<MentionedText> {
    let mut found = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let is_linked = links.iter().any(|of_part| of_part.contains(&at));
        let is_name = parameter.value.chars().any(char::is_alphabetic) && !parameter.value.contains(['%', '\'']);
        let is_unique = parameters.iter().filter(|other| is_same_text(&other.value, &parameter.value)).count() == 1;
        if parameter.kind != ParameterKind::Text || is_linked || !is_name || !is_unique {
            continue;
        }
        let Some(Subject::Column(column)) = compared_with(sql, &parameter.value) else { continue };
        if let Some(place) = only_mention(own, &split_question(&parameter.value)) {
            found.push(MentionedText { parameter: at, column, at: place });
        }
    }
    found.sort_by_key(|text| text.at.start);
    found
}

/// Returns true if two texts differ only in case.
pub(crate) fn is_same_text(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Returns the bytes of the only place where the question has these words.
fn only_mention(own: &Question<'_>, value: &[Word]) -> Option<Range<usize>> {
    if value.is_empty() {
        return None;
    }
    let mut places = own
        .words
        .windows(value.len())
        .filter(|window| window.iter().map(|word| &word.text).eq(value.iter().map(|word| &word.text)));
    let only = places.next().filter(|_| places.next().is_none())?;
    Some(only.first()?.at.start..only.last()?.at.end)
}

/// Returns true if another constant that the question does not mention may depend on a replaced text: a text or key that
/// is compared with a column of the same table, such as the country of a city.
pub(crate) fn has_companion(
    sql: &ReadOnlySql,
    parameters: &[Parameter],
    links: &[Vec<usize>],
    texts: &[MentionedText],
) -> bool {
    let is_explained =
        |at: usize| links.iter().any(|of_part| of_part.contains(&at)) || texts.iter().any(|text| text.parameter == at);
    let is_key = |name: &str| name.split('_').any(|word| ["id", "code", "key"].iter().any(|end| word.ends_with(end)));
    let has_key = parameters
        .iter()
        .enumerate()
        .any(|(at, parameter)| parameter.kind == ParameterKind::Number && is_key(&parameter.name) && !is_explained(at));
    let literals = collect_literals(sql);
    let explained: Vec<&str> = parameters
        .iter()
        .enumerate()
        .filter(|(at, _)| is_explained(*at))
        .map(|(_, parameter)| parameter.value.as_str())
        .collect();
    let is_mentioned = |literal: &Literal| texts.iter().any(|text| parameters[text.parameter].value == literal.text);
    let (mentioned, other): (Vec<&Literal>, Vec<&Literal>) = literals.iter().partition(|literal| is_mentioned(literal));
    let shares_table = |one: &Literal| {
        mentioned.is_empty()
            || mentioned.iter().any(|text| match (&one.table, &text.table) {
                (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
                _ => true,
            })
    };
    has_key
        || other
            .into_iter()
            .filter(|literal| {
                literal.text.chars().any(char::is_alphanumeric) && !explained.contains(&literal.text.as_str())
            })
            .any(shares_table)
}
