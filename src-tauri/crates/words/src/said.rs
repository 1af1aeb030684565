//! Formats lists and quotations.

use crate::tr;

/// Joins parts with "and": `a`, `a and b`, `a, b and c`.
pub fn join_with_and(parts: &[String]) -> String {
    join_parts(parts, |parts, last| tr!("{parts} and {last}", parts, last))
}

/// Joins parts with "or": `a`, `a or b`, `a, b or c`.
pub fn join_with_or(parts: &[String]) -> String {
    join_parts(parts, |parts, last| tr!("{parts} or {last}", parts, last))
}

/// Joins parts with "nor": `a`, `a nor b`, `a, b nor c`.
pub fn join_with_nor(parts: &[String]) -> String {
    join_parts(parts, |parts, last| tr!("{parts} nor {last}", parts, last))
}

fn join_parts(parts: &[String], end: impl Fn(&str, &str) -> String) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => end(&first.join(", "), last),
    }
}

/// Encloses a foreign text in quotation marks.
pub fn quote_text(text: &str) -> String {
    tr!("“{text}”", text)
}
