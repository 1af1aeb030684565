//! The methods: compositions of stages, one file each.

pub mod auto;
pub mod av_sql;
pub mod chase_sql;
pub mod direct;
pub mod dsr_sql;
pub mod prospy;
pub mod reforce;
