//! The tests of this crate over whole files, in one binary: it links once.

mod dbt;
mod kept;
