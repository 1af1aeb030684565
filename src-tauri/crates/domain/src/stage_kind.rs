//! The kinds of nodes in the graph of a run.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The kind of a graph node. It determines the node's column and appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum StageKind {
    /// Reads, compresses and splits the schema.
    Schema,
    /// Makes the question explicit in words.
    Rewriter,
    /// Selects the relevant tables and columns.
    Linking,
    /// Searches the schema and the stored values for names and values of the question.
    Grounding,
    /// Inspects the data with probing queries.
    Exploration,
    /// Writes views for one schema chunk.
    Chunk,
    /// Merges the selections and views of all chunks.
    Selection,
    /// Plans the steps of the final query.
    Planner,
    /// Writes example questions with their queries.
    Examples,
    /// One state of a query that is written step by step.
    Step,
    /// Writes candidates for the final SQL.
    Generator,
    /// Chooses among candidates by vote or by comparison.
    Choice,
    /// Fetches views from the database.
    Fetch,
    /// Analyses the fetched views with code or SQL.
    Analysis,
    /// Verifies and corrects the final SQL.
    Revisor,
    /// Executes the final SQL and returns the answer.
    Result,
}
