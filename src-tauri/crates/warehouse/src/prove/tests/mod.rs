//! Tests of the proof that a statement only reads.

mod expressions;
mod fuzz;
mod names;
pub(crate) mod statements;
