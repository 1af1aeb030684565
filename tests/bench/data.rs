//! Generated data, the same on every machine.

pub mod names;
pub mod orders;
