//! Evaluation: packs of questions with known answers, the rules of established benchmarks, resumable runs over a pack,
//! comparisons and reports.

mod calibrate;
mod judge;
pub mod metrics;
pub mod pack;
pub mod report;
pub mod run;

pub use calibrate::{Calibrated, SelectionQuality, calibrate_weights};
pub use judge::{BudgetedAccess, PreparedDatabase};
pub use metrics::Rule;
pub use pack::{
    AmbiguityMode, DatabasePattern, EvalScope, GivenSchema, Pack, PackConnection, Question, Sample, load_dumps,
};
pub use report::summary::Share;
pub use report::{CandidateSummary, CertaintySummary, Comparison, KnownFailures, Report, compare_run_outcomes};
pub use run::{EvalEnvironment, EvalOptions, Outcome, Progress, Run, RunRecord, events_file, run_pack};
