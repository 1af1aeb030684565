//! One query of a model: adding its views, binding its names, execution, checks by rules, and correction.

pub mod context;
pub mod correction;
pub mod declined;
pub mod execute;
pub mod other_reading;
pub mod prepare;
pub mod quoting;
pub mod refine;
pub mod reply;
pub mod same_values;
pub mod stuck;
pub mod try_sql;
pub mod unknown_rows;
pub mod value_hints;
pub mod variants;
pub mod views;
