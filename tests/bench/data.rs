//! What is measured on: made by rules, the same on every machine.

pub mod names;
pub mod orders;
