//! From a spec to a plan: resolves names, builds joins, converts constants to what their columns need. A problem is
//! reported together with the names that exist.

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
