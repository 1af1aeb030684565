//! What is known of a database in words: which definitions a question needs, and reading them from the database's comments
//! and the files of dbt. Nothing here reads a file or a clock.

mod comments;
mod dbt;
mod text;
mod used;

pub use comments::from_comments;
pub use dbt::{DbtFile, Imported, UnreadableDbt, from_dbt};
pub use text::tidy;
pub use used::knowledge;
