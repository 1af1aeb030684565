//! Verified questions as templates: a question that differs from a verified one only in years, periods, numbers and
//! stored values gets the verified query with the new values.
//!
//! Decisions:
//! - Questions are compared word by word in their language. Only articles, the preposition of the only period and words
//!   that ask ("show me", "what is") in their usual places may differ; a different comparison, negation or order is
//!   another question.
//! - A part of the question is replaced only if each constant of the query that depends on it is known. If the old year
//!   or value remains anywhere in the query, the template does not apply.
//! - The caller checks that a new text is a stored value of its column ([`TextSlot`]).

mod align;
mod fill;
mod language;
mod link;
mod meaning;
mod parts;
mod period;
mod question;
mod texts;
mod times;
mod words;

pub use fill::{FilledTemplate, TemplateMatch, TextSlot, is_same_question, match_template};

#[cfg(test)]
mod tests;
