//! Strategies: compositions of stages.

pub mod auto;
pub mod av_sql;
pub mod direct;
