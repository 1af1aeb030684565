//! Definitions of business terms of a database: selects the ones that a question needs, and reads them from database
//! comments and dbt files. The crate performs no I/O.

mod comments;
mod dbt;
mod text;
mod used;

pub use comments::from_comments;
pub use dbt::{DbtFile, Imported, UnreadableDbt, from_dbt};
pub use text::normalize_definitions;
pub use used::{collect_knowledge, defines_words_of};
