//! Integration tests over whole files, in one binary to link only once.

mod dbt;
mod kept;
