//! Verified questions as templates: a question that differs from a verified one only in years, periods, numbers and
//! stored values gets the verified query with the new values.
//!
//! Decisions:
//! - Questions are compared word by word. Only articles, prepositions without a meaning of their own and words that ask
//!   ("show", "what is") may differ; a different comparison, negation or order is another question.
//! - A part of the question is replaced only if each constant of the query that depends on it is known. If the old year
//!   or value remains anywhere in the query, the template does not apply.
//! - The caller checks that a new text is a stored value of its column ([`TextSlot`]).

mod align;
mod fill;
mod link;
mod parts;
mod period;
mod words;

pub use fill::{FilledTemplate, TemplateMatch, TextSlot, match_template};

#[cfg(test)]
mod tests;
