//! The tools, one file each.

pub(crate) mod ask;
pub(crate) mod metrics;
pub(crate) mod query;
pub(crate) mod runs;
pub(crate) mod schema;
