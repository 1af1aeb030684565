//! Tests of this crate over real engines, in one binary to link only once. `language.rs` changes the language of its
//! process.

mod bombs;
mod cage;
mod conformance;
mod date_pages;
mod expired;
mod snowflake;
mod sqlglot;
mod ssh_passphrase;
mod views_dsl;
mod views_fuzz;
