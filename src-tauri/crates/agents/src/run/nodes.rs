//! Ids of graph nodes, defined here because stages and methods refer to each other's nodes. Logs and the UI identify nodes by them, so they
//! never change.

/// Schema, compressed and split into chunks.
pub const SCHEMA: &str = "schema";
/// Rewritten question, and excerpts of long knowledge.
pub const REWRITER: &str = "rewriter";
/// Stored values linked to the question.
pub const GROUNDING: &str = "grounding";
/// Selected tables and columns (schema linking).
pub const LINKING: &str = "linking";
/// Exploration of the data with probing queries.
pub const EXPLORATION: &str = "exploration";
/// Synthetic examples for the current database.
pub const EXAMPLES: &str = "examples";
/// United views and selections of all chunks. Each chunk also has its own node.
pub const SELECTION: &str = "selection";
/// Plan of the final query.
pub const PLANNER: &str = "planner";
/// Views fetched for an analysis.
pub const FETCH: &str = "fetch";
/// Analysis of fetched views in Python.
pub const ANALYSIS: &str = "analysis";
/// First round of the generator's SQL.
pub const GENERATOR: &str = "generator";
/// Check of the chosen SQL.
pub const REVISOR: &str = "revisor";
/// Interpretation that the user chose when the question was asked before.
pub const READING: &str = "reading";
/// Choice among the results of several generators.
pub const CHOICE: &str = "choice";
/// Final answer of the run.
pub const RESULT: &str = "result";
