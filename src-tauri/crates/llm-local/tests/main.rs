//! The tests of this crate with its worker, in one binary: it links once.

mod real_model;
mod worker;
