//! How an answer came about, told from its query: no model is asked.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A query told in words, table by table and step by step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What the query asks for, clause by clause.
    pub understood: Vec<String>,
    /// The tables that it reads, with what it does with their columns.
    pub selection: Vec<UsedTable>,
    /// The query taken apart, in the order of work. Empty where it cannot be.
    pub steps: Vec<ExplainedStep>,
    /// Whether the steps were run and gave the query's own result.
    pub proven: bool,
    /// Why there are no steps, or why they are not proven.
    pub unproven: Option<String>,
    /// What a careful reader would ask about.
    pub checks: Vec<ExplanationCheck>,
}

/// A table that a query reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsedTable {
    /// Its name as a query writes it.
    pub table: String,
    /// Its columns, in order of first use.
    pub columns: Vec<UsedColumn>,
}

/// A column that a query uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsedColumn {
    /// Its name as stored.
    pub column: String,
    /// What is done with it.
    pub uses: Vec<ColumnUse>,
}

/// What a query does with a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ColumnUse {
    /// It stands in the result.
    Shown,
    /// A value of the result is computed from it.
    Computed,
    /// It decides which rows stay.
    Filtered,
    /// Tables are joined on it.
    Joined,
    /// Rows are grouped by it.
    Grouped,
    /// Rows are sorted by it.
    Sorted,
}

/// One step of a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedStep {
    /// The name by which later steps read it.
    pub name: String,
    /// What it does, in one word: `table`, `join`, `filter`, `group`, `having`, `window`, `project`, `distinct`, `set`,
    /// `order`, `limit`, `query`.
    pub kind: String,
    /// What it does, in one sentence.
    pub note: String,
    /// Its query alone, over the steps and tables that it reads.
    pub sql: String,
    /// The query that gives its rows by itself.
    pub runs: String,
    /// Steps and tables that it reads.
    pub reads: Vec<String>,
    /// Rows that come out of it; `None` where they were not counted.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
}

/// Something that a careful reader would ask about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplanationCheck {
    /// Its kind, such as `rows-multiplied`.
    pub code: String,
    /// The step that it concerns.
    pub step: Option<String>,
    /// What was seen, in words.
    pub text: String,
    /// Whether it may change a number of the answer.
    pub may_change: bool,
}
