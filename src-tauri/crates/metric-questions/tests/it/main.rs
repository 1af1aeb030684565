//! Tests of the crate's public behaviour.

mod clinic;
mod misread;
mod names;
mod shop;
mod support;
