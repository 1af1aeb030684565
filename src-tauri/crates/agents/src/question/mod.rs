//! What is asked, and what its answer has to look like.

pub mod context;
pub mod contract;
