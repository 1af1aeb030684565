//! Prompts of CHASE-SQL, DSR-SQL, ReFoRCE and ProSPy.

#[cfg(test)]
mod tests;

use crate::prompt::{Direct, JudgedQuery, Prompt};
use serde::Serialize;
use vitrine_domain::SyntheticExample;

/// A question for a generator that reasons before it writes.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Task<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
}

/// Divide and conquer (CHASE-SQL, 3.3, Algorithm 1), in one call.
#[derive(Debug, Clone, Serialize)]
pub struct Divide<'a>(pub Task<'a>);
impl Prompt for Divide<'_> {
    const FILE: &'static str = "divide/user.j2";
    const FULL_FILE: &'static str = "divide/full.j2";
}

/// The query as an engine would run it (CHASE-SQL, 3.3, query plan).
#[derive(Debug, Clone, Serialize)]
pub struct QueryPlan<'a>(pub Task<'a>);
impl Prompt for QueryPlan<'_> {
    const FILE: &'static str = "query-plan/user.j2";
    const FULL_FILE: &'static str = "query-plan/full.j2";
}

/// Examples for the database at hand (CHASE-SQL, Algorithm 2).
#[derive(Debug, Clone, Serialize)]
pub struct WriteExamples<'a> {
    /// How many.
    pub count: u32,
    /// `table(column, column)` lines to use (R_t of the paper); empty for examples by SQL feature (R_f).
    pub columns: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for WriteExamples<'_> {
    const FILE: &'static str = "exemplar/task.j2";
    const FULL_FILE: &'static str = "exemplar/task-full.j2";
}

/// The task after examples.
#[derive(Debug, Clone, Serialize)]
pub struct ByExample<'a> {
    /// Examples whose queries ran.
    pub examples: &'a [SyntheticExample],
    /// The task.
    #[serde(flatten)]
    pub task: Direct<'a>,
}
impl Prompt for ByExample<'_> {
    const FILE: &'static str = "exemplar/user.j2";
    const FULL_FILE: &'static str = "exemplar/user-full.j2";
}

/// Probing queries (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3).
#[derive(Debug, Clone, Serialize)]
pub struct Probes<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// Queries that disagree, one line each; empty before any is written.
    pub doubts: &'a [String],
    /// How many at most.
    pub count: u32,
    /// Rows of one.
    pub rows: u64,
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for Probes<'_> {
    const FILE: &'static str = "explorer/probes.j2";
    const FULL_FILE: &'static str = "explorer/probes-full.j2";
}

/// Applying a correction to similar queries (ReFoRCE, Algorithm 1).
#[derive(Debug, Clone, Serialize)]
pub struct CarryOver<'a> {
    /// Why the query failed.
    pub error: &'a str,
    /// The query that failed.
    pub wrong: &'a str,
    /// Its correction.
    pub right: &'a str,
    /// The queries to correct.
    pub others: &'a [&'a str],
}
impl Prompt for CarryOver<'_> {
    const FILE: &'static str = "explorer/carry.j2";
    const FULL_FILE: &'static str = "explorer/carry-full.j2";
}

/// A summary of probing queries (DSR-SQL, 3.2.3, summarization).
#[derive(Debug, Clone, Serialize)]
pub struct Summary<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// Stored values that the question names.
    pub values: &'a [String],
    /// Probes with their results, one line each; empty without exploration.
    pub shown: &'a [String],
}
impl Prompt for Summary<'_> {
    const FILE: &'static str = "explorer/summary.j2";
    const FULL_FILE: &'static str = "explorer/summary-full.j2";
}

/// Which tables of one part of the schema are needed (ReFoRCE, 3.2.1; DSR-SQL, 3.2.2, partitioned); a model that deliberates
/// gives a reason for every table (ReFoRCE, appendix A).
#[derive(Debug, Clone, Serialize)]
pub struct LinkTables<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// 1-based.
    pub part: usize,
    /// How many.
    pub parts: usize,
}
impl Prompt for LinkTables<'_> {
    const FILE: &'static str = "linker/tables.j2";
    const FULL_FILE: &'static str = "linker/judge-tables.j2";
}

/// Which tables or columns are not needed (ProSPy, A.2), for a model that deliberates; another says what is needed.
#[derive(Debug, Clone, Serialize)]
pub struct Exclude<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// `tables` or `columns`.
    pub what: &'a str,
    /// Whether to name only clear cases.
    pub coarse: bool,
    /// From 1 in each pass: later rounds show what is left.
    pub round: u32,
    /// What is shown and cannot be named, because a value is stored there that the question names.
    pub stays: &'a [String],
}
impl Prompt for Exclude<'_> {
    const FILE: &'static str = "linker/exclude.j2";
}

/// An earlier step, as later steps see it.
#[derive(Debug, Clone, Serialize)]
pub struct StepLine {
    /// 1-based.
    pub number: u32,
    /// `extend`, `revise`, `explore`.
    pub action: String,
    /// Its purpose.
    pub aim: String,
    /// Its query on one line.
    pub sql: String,
    /// Row count and first rows, or the error.
    pub outcome: String,
}

/// The next step of the generation state (DSR-SQL, 3.3).
#[derive(Debug, Clone, Serialize)]
pub struct NextStep<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// The result of the alignment.
    pub domain: &'a [String],
    /// The steps so far.
    pub steps: &'a [StepLine],
    /// The moves that the reply's format allows.
    pub actions: &'a [&'a str],
    /// Partial matches for the query's texts, where the last step found nothing.
    pub searches: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for NextStep<'_> {
    const FILE: &'static str = "steps/user.j2";
    const FULL_FILE: &'static str = "steps/full.j2";
}

/// Which of several queries answers the question best (CHASE-SQL, table 6, ranker agent).
#[derive(Debug, Clone, Serialize)]
pub struct Rank<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
    /// The queries, most common result first.
    pub queries: &'a [JudgedQuery],
}
impl Prompt for Rank<'_> {
    const FILE: &'static str = "judge/rank.j2";
    const FULL_FILE: &'static str = "judge/rank-full.j2";
}
