//! Tests over several modules of the crate.

mod part;
mod sample;
