//! Generates SQL from a plan, in each dialect.

mod casts;
mod count_once;
mod query;
mod reading;
mod rows;
mod spread;
mod terms;

pub(crate) use query::write_query;
