//! A question of a pack, why one is left out, and which of them are asked.

use crate::metrics::GoldResult;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_words::later;

/// One question with its gold: SQL, results, or both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// Unique within the pack.
    pub id: String,
    /// The database's name.
    pub db_id: String,
    /// As a person asks it.
    pub question: String,
    /// External knowledge.
    pub evidence: Option<String>,
    /// The pack's own grading.
    pub hardness: Option<String>,
    /// Any of these is right, unless they are readings of which one is meant ([`AmbiguityMode`](crate::AmbiguityMode)).
    pub gold_sql: Vec<String>,
    /// Where there are any, they decide instead of what the gold SQL gives.
    pub gold_tables: Vec<GoldResult>,
    /// The address of its warehouse, e.g. `sqlite:/packs/x/databases/y.sqlite`.
    pub warehouse: String,
    /// Databases of the same schema on which a right answer is right, too.
    pub test_databases: Arc<[PathBuf]>,
    /// Whether the golds are different readings.
    pub ambiguous: bool,
    /// Whether the pack has said that the gold runs and says something; otherwise that is looked at here.
    pub judged: bool,
}

/// Why a question does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// Its gold does not run, or there is none.
    GoldFails,
    /// Its gold says nothing: no row, or one NULL.
    GoldTrivial,
    /// Of its database there is the schema, which has no answers.
    #[serde(alias = "other-engine")]
    SchemaOnly,
    /// Its database is not there.
    NoDatabase,
}

impl SkipReason {
    /// The reason for people.
    pub fn reason(self) -> &'static str {
        match self {
            SkipReason::GoldFails => later!("gold fails"),
            SkipReason::GoldTrivial => later!("gold is trivial"),
            SkipReason::SchemaOnly => later!("schema without data"),
            SkipReason::NoDatabase => later!("database missing"),
        }
    }
}

/// What a layout says about one question.
pub(super) type Entry = Result<Question, SkipReason>;

/// Which questions of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Every K-th question.
    pub every: usize,
    /// From this one on.
    pub offset: usize,
    /// At most so many.
    pub limit: Option<usize>,
    /// On these databases; empty takes all.
    pub databases: Vec<String>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { every: 1, offset: 0, limit: None, databases: Vec::new() }
    }
}
