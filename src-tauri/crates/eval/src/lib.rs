//! Measuring: packs of questions with gold SQL, the metrics of the field, and runs over a pack that can be resumed.

pub mod metrics;
pub mod pack;
pub mod report;
pub mod run;

pub use pack::{Pack, Question};
pub use run::{EvalOptions, Lab, Outcome, Prepared, run_pack};
