//! The run of one question: inputs, shared state and events.

pub mod ask;
pub mod budget;
pub mod calls;
pub mod clarifier;
pub mod context;
pub mod earlier;
pub mod egress;
pub mod events;
pub mod ledger;
pub mod left_out;
pub mod meter;
pub mod nodes;
pub mod places;
pub mod queries;
pub mod reading;
pub mod sandbox;
pub mod taken;
pub mod template;
pub mod value_search;
pub mod verified;
