//! The tests of this crate over real processes, in one binary: it links once.

mod analysis;
mod escapes;
mod limits;
mod support;
