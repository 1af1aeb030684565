//! A view whose every name is known, and what it can be read from. `check` makes it, `write` writes it as SQL.

mod grain;
pub(crate) mod hidden;
mod lineage;
pub(crate) mod plan;
pub(crate) mod relation;
