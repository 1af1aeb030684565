//! From a spec to a plan: names are looked up, joins are drawn, constants become what their columns need. What does not
//! fit is said with what there is instead.

mod calendar;
mod conditions;
mod joins;
mod keys;
mod lookup;
mod outputs;
pub(crate) mod problem;
pub(crate) mod resolve;
pub(crate) mod scope;
