//! Rewrites based on stored values: values that the caller has looked up, and values in a table's description.

pub(crate) mod described_rows;
mod key_by_name;
mod spoken;
mod variants;

pub(crate) use spoken::mentions_value;

pub use described_rows::described_conditions;
pub use key_by_name::{StoredName, key_by_name};
pub use variants::{add_variants, replace_literal};
