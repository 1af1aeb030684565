//! The ids of graph nodes, kept here because stages and methods refer to each other's. Logs and the UI identify nodes
//! by them: they never change.

/// The schema, compressed and split into chunks.
pub const SCHEMA: &str = "schema";
/// The rewritten question, and excerpts of long knowledge.
pub const REWRITER: &str = "rewriter";
/// Stored values linked to the question.
pub const GROUNDING: &str = "grounding";
/// Tables and columns selected.
pub const LINKING: &str = "linking";
/// Exploration of the data.
pub const EXPLORATION: &str = "exploration";
/// Synthetic examples.
pub const EXAMPLES: &str = "examples";
/// The united views and selections of all chunks. Each chunk also has its own node.
pub const SELECTION: &str = "selection";
/// The plan of the query.
pub const PLANNER: &str = "planner";
/// Views fetched for an analysis.
pub const FETCH: &str = "fetch";
/// The analysis of fetched views in Python.
pub const ANALYSIS: &str = "analysis";
/// The SQL, first round.
pub const GENERATOR: &str = "generator";
/// The check of the chosen SQL.
pub const REVISOR: &str = "revisor";
/// What the user chose the question to mean when it was asked before.
pub const READING: &str = "reading";
/// The choice among the results of several generators.
pub const CHOICE: &str = "choice";
/// The answer.
pub const RESULT: &str = "result";
