//! What the steps of the published methods find: the payloads of their run events.

use crate::Page;
use serde::{Deserialize, Serialize};
use specta::Type;

/// How a chunk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ChunkOutcome {
    /// Nothing in it is needed.
    Irrelevant,
    /// Every view ran and the selection is consistent.
    Valid,
    /// Rounds ran out; the views that run by themselves are kept.
    Partial,
    /// Rounds ran out and nothing could be kept.
    Failed,
}

/// A literal of a view or of the question, and a stored value that resembles it (AV-SQL, section 4.1.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ValueMatch {
    /// What was looked for.
    pub literal: String,
    /// Where the value is stored.
    pub table: String,
    /// Where the value is stored.
    pub column: String,
    /// The stored value.
    pub value: String,
    /// Edit similarity, 0 to 1.
    pub edit: f64,
    /// Cosine similarity of the embeddings, when both were embedded.
    pub semantic: Option<f64>,
}

/// A probing query: it looks at the data and is never an answer (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// 1-based, from simple to nested.
    pub number: u32,
    /// What it is to show.
    pub purpose: String,
    /// The query as it ran, or as it was written when it did not run.
    pub sql: String,
    /// The probe whose correction was carried over to this one (ReFoRCE, Algorithm 1).
    pub carried_from: Option<u32>,
    /// Corrections by the model.
    pub fixes: u32,
    /// Why it did not run.
    pub error: Option<String>,
    /// A few rows.
    pub page: Option<Page>,
}

/// A move of the generation state (DSR-SQL, 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum GenerationAction {
    /// The query takes in the next part of the question.
    Extend,
    /// The query is put right.
    Revise,
    /// The data is looked at; never an answer.
    Explore,
    /// The query is the answer.
    Finalize,
}

/// An example question with its query, made for the database at hand (CHASE-SQL, 3.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SyntheticExample {
    /// The question.
    pub question: String,
    /// Its query; it ran.
    pub sql: String,
}

/// Candidates with one result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Cluster {
    /// The candidates, the representative first.
    pub candidates: Vec<u32>,
    /// Why the result is suspicious, if it is: nothing found, or nothing but zeros.
    pub suspicious: Option<String>,
}

/// How sure a vote is (ReFoRCE, equations 5 and 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Confidence {
    /// One result has more votes than any other.
    High,
    /// Two results lead with as many votes, or no result can be trusted.
    Low,
}

/// What a selection of tables and columns left (ProSPy, A.2; ReFoRCE, 3.2.1; DSR-SQL, 3.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum LinkingPass {
    /// Names that several drafted queries use.
    Drafts,
    /// Every table by itself: needed or not, and with which columns.
    Tables,
    /// Tables left out, coarse pass.
    CoarseTables,
    /// Columns left out, coarse pass.
    CoarseColumns,
    /// Tables left out, fine pass.
    FineTables,
    /// Columns left out, fine pass.
    FineColumns,
    /// Something left out before is brought back.
    BroughtBack,
}

/// What a model said about one table of the schema (ReFoRCE, 3.2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableVerdict {
    /// The table, or the pattern of a group of look-alikes.
    pub table: String,
    /// Whether it is needed.
    pub needed: bool,
    /// Why.
    pub why: String,
}

/// A result that candidates agree on, with how they came to it: one reading of the question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The first candidate that gave it.
    pub candidate: u32,
    /// Candidates that gave it; none where a rule made its query.
    pub votes: u32,
    /// That candidate's SQL.
    pub sql: String,
    /// What the question means by it, in plain words: what is given, and what that SQL does and not all readings do. Empty
    /// in logs of earlier versions.
    #[serde(default)]
    pub meaning: String,
    /// Rows of the result, at most the row limit.
    #[specta(type = f64)]
    pub row_count: u64,
    /// Its first row.
    pub first_row: Vec<Option<String>>,
}

/// A reading that the user chose before, for the same question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RememberedChoice {
    /// By which it is forgotten.
    pub id: String,
    /// When it was chosen; RFC 3339, UTC.
    pub chosen_at: String,
}

/// One schema chunk (AV-SQL, section 4.1.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChunkSummary {
    /// 1-based number.
    pub index: u32,
    /// Tables in it, by the name the model sees.
    pub tables: Vec<String>,
    /// Tokens of its text: counted by the embedded model, of a model behind an address estimated by letters and corrected by
    /// what its server has counted before.
    pub tokens: u32,
}
