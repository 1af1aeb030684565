//! Choice of one of several candidates: by vote, by comparison, by condition probes, or by the user.

pub mod accept;
pub mod clarify;
pub mod condition_probes;
pub mod pairwise;
