//! Questions of a pack, reasons for skipping them, and samples.

use crate::metrics::GoldResult;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_words::later;

/// One question with its gold: SQL, results, or both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// The id, unique within the pack.
    pub id: String,
    /// The name of the question's database.
    pub db_id: String,
    /// The question in natural language.
    pub question: String,
    /// External knowledge that the pack provides.
    pub evidence: Option<String>,
    /// The difficulty level that the pack assigns.
    pub hardness: Option<String>,
    /// Right answers, or interpretations of an ambiguous question ([`AmbiguityMode`](crate::AmbiguityMode)).
    pub gold_sql: Vec<String>,
    /// Gold results; if present, they replace the results of the gold SQL.
    pub gold_tables: Vec<GoldResult>,
    /// How the result of the gold SQL is compared, if the pack states it; otherwise all columns count, and the order if
    /// the SQL orders its rows.
    pub gold_terms: Option<GoldTerms>,
    /// The address of its warehouse, e.g. `sqlite:/packs/x/databases/y.sqlite`.
    pub warehouse: String,
    /// The address of the connection whose login and limits apply to the warehouse, if a connection serves it.
    pub lender: Option<String>,
    /// The engine of the database, such as `bigquery`, if the pack has several.
    pub engine: &'static str,
    /// The schemas of a database on a server, if the pack lists them.
    pub schemas: Vec<String>,
    /// The document that the question names but the pack lacks.
    pub missing_document: Option<String>,
    /// Databases with the same schema on which a right answer must also be right.
    pub test_databases: Arc<[PathBuf]>,
    /// `true` if the golds are different interpretations.
    pub ambiguous: bool,
    /// `true` if the pack states that the gold runs and is not trivial; otherwise this is checked during the run.
    pub judged: bool,
}

/// How the result of gold SQL is compared with an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoldTerms {
    /// Positions of the required columns; empty requires all.
    pub required: Vec<usize>,
    /// `true` if the row order is part of the answer.
    pub ordered: bool,
    /// `true` if the data changes, so that the result of the SQL replaces stored results.
    pub replaces_tables: bool,
}

/// The reason for skipping a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// Its gold does not run.
    GoldFails,
    /// Its gold result is empty or a single NULL.
    GoldTrivial,
    /// Only the schema of its database exists, without data.
    #[serde(alias = "other-engine")]
    SchemaOnly,
    /// The database of the question is missing.
    NoDatabase,
    /// The pack has neither gold SQL nor a gold result.
    NoGold,
    /// The connection that serves the database has no address for it.
    NoConnection,
    /// A dbt project to complete, which is not a question.
    DbtTask,
    /// A byte limit was reached before the answer could be compared.
    OverLimit,
}

impl SkipReason {
    /// Returns the display text of the reason.
    pub fn reason_text(self) -> &'static str {
        match self {
            SkipReason::GoldFails => later!("gold fails"),
            SkipReason::GoldTrivial => later!("gold is trivial"),
            SkipReason::SchemaOnly => later!("schema without data"),
            SkipReason::NoDatabase => later!("database missing"),
            SkipReason::NoGold => later!("no gold, not judged"),
            SkipReason::NoConnection => later!("database not on the connection"),
            SkipReason::DbtTask => later!("dbt project"),
            SkipReason::OverLimit => later!("byte limit reached, not judged"),
        }
    }
}

/// A question of a layout, or the reason for skipping it.
pub(super) type Entry = Result<Question, SkipReason>;

/// Selects questions of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The sampling interval: selects every K-th question.
    pub every: usize,
    /// Index of the first question.
    pub offset: usize,
    /// Maximum number of selected questions; `None` is unlimited.
    pub limit: Option<usize>,
    /// Names of the databases to include; empty includes all.
    pub databases: Vec<String>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { every: 1, offset: 0, limit: None, databases: Vec::new() }
    }
}
