//! Measuring: packs of questions with known answers, the rules of the field, runs over a pack that can be stopped and
//! resumed, and what the runs add up to: comparisons and reports.

mod attempt;
pub mod compare;
mod dump;
pub mod fault;
pub mod folder;
mod judge;
pub mod known;
mod lab;
pub mod linking;
pub mod meaning;
pub mod metrics;
pub mod outcome;
pub mod pack;
pub mod report;
pub mod run;
pub mod scope;
mod server;

pub use compare::{Comparison, compare};
pub use folder::{Run, RunRecord, events_file};
pub use known::KnownFailures;
pub use lab::{Lab, Prepared};
pub use meaning::Meaning;
pub use metrics::Rule;
pub use outcome::Outcome;
pub use pack::{Pack, Question, Sample};
pub use report::Report;
pub use run::{EvalOptions, Progress, run_pack};
pub use scope::Scope;
pub use server::load_dumps;
