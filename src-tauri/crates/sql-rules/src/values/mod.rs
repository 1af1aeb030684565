//! Rewrites by stored values: the caller has looked the values up and says what to write.

mod key_by_name;
mod variants;

pub use key_by_name::{StoredName, key_by_name};
pub use variants::{add_variants, replace_literal};
