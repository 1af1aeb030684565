//! Reports on one or more runs over the same questions: as data, Markdown, HTML and CSV.

mod candidates;
mod certainty;
mod compare;
mod data;
mod html;
mod known;
mod losses;
mod markdown;
mod plot;
mod rows;
mod sentences;
mod share;
pub mod summary;
mod table;
#[cfg(test)]
mod tests;

pub use candidates::{CandidateSummary, GeneratorSummary, Loss, PassAtK, PathSummary, ShareAtK};
pub use certainty::{Bin, CertaintySummary};
pub use compare::{Comparison, Flip, PairGroup, Pairs, compare_run_outcomes, sign_test};
pub use data::Report;
pub use known::KnownFailures;
