//! Rewrites a follow-up ("and for 2023?") as a complete question before a run begins, so that the user sees and can edit it. `complete`
//! handles unambiguous replacements without a model; `rewrite` asks a model for the rest.

mod complete;
mod data_names;
mod rewrite;

pub use complete::{Completion, complete_follow_up, find_values};
pub use data_names::DataNames;
pub use rewrite::{FollowUpInput, Rewriting, follow_up};
