//! Rules that need the question: plausible SQL that contradicts what was asked.

pub(crate) mod anti_join;
mod anti_join_parent;
pub(crate) mod average_of_parts;
pub(crate) mod count_entities;
pub(crate) mod facts;
#[cfg(test)]
mod tests;

pub use facts::QuestionFacts;
