//! Strategies: compositions of stages.

pub mod av_sql;
pub mod direct;
