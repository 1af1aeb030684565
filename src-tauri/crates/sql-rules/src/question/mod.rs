//! Rules that need the question: plausible SQL that contradicts what was asked.

pub(crate) mod anti_join;
mod anti_join_parent;
pub(crate) mod count_entities;
pub(crate) mod duplicate_filter;
pub(crate) mod facts;
pub(crate) mod missing_group_column;
pub(crate) mod same_columns;
#[cfg(test)]
mod tests;

pub use facts::QuestionFacts;
