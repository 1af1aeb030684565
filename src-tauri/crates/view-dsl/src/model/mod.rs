//! A resolved view and the relations it can read. `check` builds it, `write` generates its SQL.

mod grain;
pub(crate) mod hidden;
mod lineage;
pub(crate) mod plan;
pub(crate) mod relation;
pub(crate) mod words;
