//! Tests of the crate's public behaviour.

mod compile;
mod dialects;
mod files;
mod fixtures;
mod import;
mod meaning;
