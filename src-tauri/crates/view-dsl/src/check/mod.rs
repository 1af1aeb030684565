//! Compiles a spec to a plan: resolves names, builds joins, and converts constants to the types of their columns.
//! Problems are reported together with the names that exist.

mod calendar;
mod comparable;
mod conditions;
mod joins;
mod keys;
mod lookup;
mod outputs;
pub(crate) mod problem;
pub(crate) mod resolve;
pub(crate) mod scope;
mod values;
