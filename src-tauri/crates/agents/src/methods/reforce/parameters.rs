//! Parameters of ReFoRCE.

use crate::attempt::context::EmptyResults;
use serde::{Deserialize, Serialize};

/// Condition for exploring columns (paper, section 3.2.3 and table 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExploreWhen {
    /// If the vote is a tie.
    Tie,
    /// Before any candidate is written.
    Always,
}

/// Number of explorations (paper, figure 1 and table 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Threads {
    /// All candidates are written from one exploration.
    Shared,
    /// Each candidate has an exploration of its own.
    Own,
}

/// Source of stored values; the paper does not look them up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueSource {
    /// For a model that deliberates the words of the question.
    Question,
    /// Only probing queries, as in the paper.
    Probes,
}

/// Parameters of ReFoRCE (paper, sections 3.2 and 4.1, appendix C).
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Number of candidates that vote, the paper's k.
    pub votes: u32,
    /// Rounds of self-refinement for one candidate.
    pub rounds: u32,
    /// Number of probing queries of a column exploration.
    pub probes: u32,
    /// Number of tokens of the compressed schema above which tables are selected.
    pub link_above: u64,
    /// Condition for exploring columns of the data.
    pub explore: ExploreWhen,
    /// Number of explorations.
    pub threads: Threads,
    /// Source of stored values.
    pub values: ValueSource,
    /// Handling of results without a value; `None` depends on the model.
    pub empty: Option<EmptyResults>,
}
