//! The tests of this crate with real processes, in one binary, which is linked once.

mod analysis;
mod escapes;
mod limits;
mod support;
