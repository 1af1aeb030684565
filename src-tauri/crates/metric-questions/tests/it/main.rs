//! Tests of the crate's public behaviour.

mod clinic;
mod shop;
mod support;
