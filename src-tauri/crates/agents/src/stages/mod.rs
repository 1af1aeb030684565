//! Stages: single steps with typed input and output, which the methods share.

pub mod analyse;
pub mod answer;
pub mod assess;
pub mod by_metric;
pub mod compare;
pub mod examples;
pub mod explain;
pub mod explore;
pub mod fetch;
pub mod generate;
pub mod link;
pub mod plan;
pub mod prune;
pub mod revise;
pub mod rewrite;
pub mod schema;
pub mod steps;
pub mod value_linking;
pub mod views;
pub mod vote;
