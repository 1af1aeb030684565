//! Questions that metrics cover. [`cover_question`] matches the words of a question with names, labels, synonyms and
//! stored values, with times and with small closed lists of words in English, German, French and Spanish. No model takes
//! part.
//!
//! Decisions:
//! - A question is covered only if every word has a role. An unknown word, a negation, an alternative, a comparison with
//!   a number, and words with several meanings leave it uncovered: another method answers it then.
//! - Dimensions and values that the metric does not reach by a join are no meaning of a word. Two that it reaches are an
//!   ambiguity.
//! - The question is read in each language separately. If two languages give different queries, it is not covered.
//! - Conditions of a definition are never combined with conditions of the question on the same dimension.

mod cover;
mod coverage;
mod definitions;
mod grammar;
mod items;
mod labels;
mod language;
mod period;
mod prompt;
mod resolve;
mod same_names;
mod terms;
mod times;
mod words;

pub use cover::{AskedQuestion, StoredValue, cover_question, list_phrases};
pub use coverage::{Coverage, CoveredQuestion};
pub use prompt::list_definitions;
pub use same_names::{NameCheck, list_name_checks};
