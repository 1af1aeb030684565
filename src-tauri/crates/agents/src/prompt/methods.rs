//! Prompts of CHASE-SQL, DSR-SQL, ReFoRCE and ProSPy.

#[cfg(test)]
mod tests;

use crate::prompt::{Direct, JudgedQuery, Prompt};
use serde::Serialize;
use vitrine_domain::SyntheticExample;

/// Divide and conquer in one call (CHASE-SQL, 3.3, Algorithm 1).
#[derive(Debug, Clone, Serialize)]
pub struct Divide<'a>(pub Direct<'a>);
impl Prompt for Divide<'_> {
    const FILE: &'static str = "divide/user.j2";
    const FULL_FILE: &'static str = "divide/full.j2";
}

/// Query plan: reasoning in the steps of a database engine (CHASE-SQL, 3.3, query plan).
#[derive(Debug, Clone, Serialize)]
pub struct QueryPlan<'a>(pub Direct<'a>);
impl Prompt for QueryPlan<'_> {
    const FILE: &'static str = "query-plan/user.j2";
    const FULL_FILE: &'static str = "query-plan/full.j2";
}

/// Asks for synthetic examples for the current database (CHASE-SQL, Algorithm 2).
#[derive(Debug, Clone, Serialize)]
pub struct WriteExamples<'a> {
    /// Number of examples to write.
    pub count: u32,
    /// `table(column, column)` lines that the examples should use (R_t of the paper); empty for examples by SQL feature (R_f).
    pub columns: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for WriteExamples<'_> {
    const FILE: &'static str = "exemplar/task.j2";
    const FULL_FILE: &'static str = "exemplar/task-full.j2";
}

/// Task that follows the synthetic examples.
#[derive(Debug, Clone, Serialize)]
pub struct ByExample<'a> {
    /// Synthetic examples whose queries ran.
    pub examples: &'a [SyntheticExample],
    /// Task that the model solves.
    #[serde(flatten)]
    pub task: Direct<'a>,
}
impl Prompt for ByExample<'_> {
    const FILE: &'static str = "exemplar/user.j2";
    const FULL_FILE: &'static str = "exemplar/user-full.j2";
}

/// Asks for probing queries (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3).
#[derive(Debug, Clone, Serialize)]
pub struct Probes<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Queries that disagree, one line each; empty before the first query.
    pub doubts: &'a [String],
    /// Maximum number of probing queries.
    pub count: u32,
    /// Maximum number of rows of one probe.
    pub rows: u64,
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for Probes<'_> {
    const FILE: &'static str = "explorer/probes.j2";
    const FULL_FILE: &'static str = "explorer/probes-full.j2";
}

/// Asks to apply a correction to similar queries (ReFoRCE, Algorithm 1).
#[derive(Debug, Clone, Serialize)]
pub struct CarryOver<'a> {
    /// Error message of the failed query.
    pub error: &'a str,
    /// SQL text of the failed query.
    pub wrong: &'a str,
    /// SQL text of the corrected query.
    pub right: &'a str,
    /// Similar queries that need the same correction.
    pub others: &'a [&'a str],
}
impl Prompt for CarryOver<'_> {
    const FILE: &'static str = "explorer/carry.j2";
    const FULL_FILE: &'static str = "explorer/carry-full.j2";
}

/// Asks for a summary of probing queries (DSR-SQL, 3.2.3, summarization).
#[derive(Debug, Clone, Serialize)]
pub struct Summary<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
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

/// Asks for the needed tables of one part of the schema (ReFoRCE, 3.2.1; DSR-SQL, 3.2.2, partitioned). A model that deliberates gives a
/// reason for every table (ReFoRCE, appendix A).
#[derive(Debug, Clone, Serialize)]
pub struct LinkTables<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// Number of the part, from 1.
    pub part: usize,
    /// Total number of parts of the schema.
    pub parts: usize,
}
impl Prompt for LinkTables<'_> {
    const FILE: &'static str = "linker/tables.j2";
    const FULL_FILE: &'static str = "linker/judge-tables.j2";
}

/// Asks for the keywords of question and knowledge that may be stored values (CHASE-SQL, 3.2).
#[derive(Debug, Clone, Serialize)]
pub struct ExtractKeywords<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
}
impl Prompt for ExtractKeywords<'_> {
    const FILE: &'static str = "linker/keywords.j2";
}

/// Asks for the tables or columns that are not needed (ProSPy, A.2). For a model that deliberates; other models list the needed ones.
#[derive(Debug, Clone, Serialize)]
pub struct Exclude<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Description of the database as a whole, in lines; empty if there is none.
    pub about: &'a [String],
    /// Kind of the names: `tables` or `columns`.
    pub what: &'a str,
    /// True if the reply should name only clear cases.
    pub coarse: bool,
    /// Number of the round, from 1 in each pass; later rounds show the remaining names.
    pub round: u32,
    /// Shown names that the reply must not contain, because they store a value that the question names.
    pub stays: &'a [String],
}
impl Prompt for Exclude<'_> {
    const FILE: &'static str = "linker/exclude.j2";
}

/// An earlier step in the form in which later steps show it.
#[derive(Debug, Clone, Serialize)]
pub struct StepLine {
    /// Number of the step, from 1.
    pub number: u32,
    /// Kind of the step: `extend`, `revise` or `explore`.
    pub action: String,
    /// Purpose that the model gave for the step.
    pub aim: String,
    /// SQL text of the step on one line.
    pub sql: String,
    /// Row count and first rows, or the error.
    pub outcome: String,
}

/// Asks for the next step of the generation state (DSR-SQL, 3.3).
#[derive(Debug, Clone, Serialize)]
pub struct NextStep<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Results of the alignment of the question with the data.
    pub domain: &'a [String],
    /// Steps taken so far, in order.
    pub steps: &'a [StepLine],
    /// Actions that the reply's format allows.
    pub actions: &'a [&'a str],
    /// Partial matches for the query's string literals, if the last step returned no rows.
    pub searches: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for NextStep<'_> {
    const FILE: &'static str = "steps/user.j2";
    const FULL_FILE: &'static str = "steps/full.j2";
}

/// Asks for the query that answers the question best (CHASE-SQL, table 6, ranker agent).
#[derive(Debug, Clone, Serialize)]
pub struct Rank<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
    /// Queries to compare, most common result first.
    pub queries: &'a [JudgedQuery],
    /// Numbers of rows that the conditions keep in which queries differ, for a model that deliberates.
    pub probes: &'a [String],
}
impl Prompt for Rank<'_> {
    const FILE: &'static str = "judge/rank.j2";
    const FULL_FILE: &'static str = "judge/rank-full.j2";
}
