//! Ids of graph nodes, defined here because stages and methods refer to each other's nodes. Logs and the UI identify nodes by them, so they
//! never change.

use vitrine_domain::NodeId;

/// Schema, compressed and split into chunks.
pub const SCHEMA: &NodeId = &NodeId::new("schema");
/// Rewritten question, and excerpts of long knowledge.
pub const REWRITER: &NodeId = &NodeId::new("rewriter");
/// Stored values linked to the question.
pub const GROUNDING: &NodeId = &NodeId::new("grounding");
/// Selected tables and columns (schema linking).
pub const LINKING: &NodeId = &NodeId::new("linking");
/// Exploration of the data with probing queries.
pub const EXPLORATION: &NodeId = &NodeId::new("exploration");
/// Synthetic examples for the current database.
pub const EXAMPLES: &NodeId = &NodeId::new("examples");
/// United views and selections of all chunks. Each chunk also has its own node.
pub const SELECTION: &NodeId = &NodeId::new("selection");
/// Plan of the final query.
pub const PLANNER: &NodeId = &NodeId::new("planner");
/// Views fetched for an analysis.
pub const FETCH: &NodeId = &NodeId::new("fetch");
/// Analysis of fetched views in Python.
pub const ANALYSIS: &NodeId = &NodeId::new("analysis");
/// First round of the generator's SQL.
pub const GENERATOR: &NodeId = &NodeId::new("generator");
/// Check of the chosen SQL.
pub const REVISOR: &NodeId = &NodeId::new("revisor");
/// Test if metrics cover the question.
pub const METRICS: &NodeId = &NodeId::new("metrics");
/// Interpretation that the user chose when the question was asked before.
pub const READING: &NodeId = &NodeId::new("reading");
/// Verified question whose query answers this one with other values.
pub const TEMPLATE: &NodeId = &NodeId::new("template");
/// Choice among the results of several generators.
pub const CHOICE: &NodeId = &NodeId::new("choice");
/// Final answer of the run.
pub const RESULT: &NodeId = &NodeId::new("result");
