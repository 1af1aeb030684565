//! The tests of this crate that use its worker, in one binary, which is linked once.

mod real_model;
mod worker;
