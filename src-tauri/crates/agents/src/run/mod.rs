//! One run: the question, shared state, events.

pub mod ask;
pub mod budget;
pub mod calls;
pub mod clarifier;
pub mod context;
pub mod egress;
pub mod events;
pub mod ledger;
pub mod meter;
pub mod nodes;
pub mod queries;
pub mod sandbox;
pub mod value_search;
pub mod verified;
