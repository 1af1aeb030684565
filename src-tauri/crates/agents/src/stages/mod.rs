//! The stages: each one step with typed input and output, each existing once.

pub mod answer;
pub mod consult;
pub mod generate;
pub mod ground;
pub mod judge;
pub mod plan;
pub mod revise;
pub mod rewrite;
pub mod schema;
pub mod views;
