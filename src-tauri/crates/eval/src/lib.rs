//! Measuring: packs of questions with known answers, the rules of the field, runs over a pack that can be stopped and
//! resumed, and what the runs add up to: comparisons and reports.

mod calibrate;
mod judge;
pub mod metrics;
pub mod pack;
pub mod report;
pub mod run;

pub use calibrate::{Calibrated, calibrate};
pub use judge::PreparedDatabase;
pub use metrics::Rule;
pub use pack::{AmbiguityMode, EvalScope, Pack, Question, Sample, load_dumps};
pub use report::summary::Share;
pub use report::{CertaintySummary, Comparison, KnownFailures, Report, compare};
pub use run::{EvalEnvironment, EvalOptions, Outcome, Progress, Run, RunRecord, events_file, run_pack};
