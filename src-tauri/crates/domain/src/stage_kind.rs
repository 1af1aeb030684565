//! The kinds of nodes that a run's graph has.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What a graph node does; decides its column and its looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum StageKind {
    /// Reads, compresses and splits the schema.
    Schema,
    /// Rewrites the question.
    Rewriter,
    /// Selects tables and columns.
    Linking,
    /// Looks the question's names and values up.
    Grounding,
    /// Looks at the data with probing queries.
    Exploration,
    /// Writes views for one schema chunk.
    Chunk,
    /// Aggregates selections and views.
    Selection,
    /// Plans the query.
    Planner,
    /// Writes example questions with their queries.
    Examples,
    /// One state of a query that grows.
    Step,
    /// Writes the final SQL.
    Generator,
    /// Chooses among candidates by vote or by comparison.
    Choice,
    /// Fetches views.
    Fetch,
    /// Analyses fetched views.
    Analysis,
    /// Verifies the final SQL.
    Revisor,
    /// Runs the final SQL.
    Result,
}
