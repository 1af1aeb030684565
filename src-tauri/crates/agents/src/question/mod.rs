//! The question, and the required shape of its answer.

pub mod context;
pub mod contract;
