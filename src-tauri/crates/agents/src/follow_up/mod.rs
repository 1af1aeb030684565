//! A follow-up ("and for 2023?") made a question that stands alone, before a run begins: the user sees and edits what will be
//! asked. `complete` replaces what can only be meant in one way, without a model; `rewrite` asks a model for the rest.

mod complete;
mod data_names;
mod rewrite;

pub use complete::{Completion, complete_follow_up, find_values};
pub use data_names::DataNames;
pub use rewrite::{Rewriting, follow_up};
