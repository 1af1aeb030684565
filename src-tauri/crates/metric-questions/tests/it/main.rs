//! Tests of the crate's public behaviour.

mod clinic;
mod misread;
mod shop;
mod support;
