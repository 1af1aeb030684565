//! Tests of the crate's public behaviour, as tables of cases.

mod comparable;
mod fixtures;
mod hidden;
mod page;
mod views;
