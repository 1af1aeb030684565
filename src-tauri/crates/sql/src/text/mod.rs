//! SQL and names as text: identifiers in quotes, layout, names that are alike.

mod format;
mod names;
mod quote;

pub use format::{first_statement, format};
pub use names::{name_words, normalized, resembling, singular};
pub use quote::{ident, quote, table_ref};

pub(crate) use names::{nearest, same};
