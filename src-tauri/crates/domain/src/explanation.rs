//! Explanations of answers, computed from the query without a model.

use crate::{RewrittenQuestion, SchemaSelection};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use specta::Type;

/// A description of a query by its tables and steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Descriptions of the query's clauses, one sentence each.
    pub understood: Vec<String>,
    /// The same description as a rewritten question: task, outputs, filters and order.
    pub rewritten: RewrittenQuestion,
    /// The comparison with the question, if there is one.
    pub question: Option<QuestionMatch>,
    /// The tables that the query reads, with the uses of their columns.
    pub selection: Vec<UsedTable>,
    /// The steps of the query in execution order. Empty if the query cannot be split.
    pub steps: Vec<ExplainedStep>,
    /// True if the steps were executed and gave the result of the query.
    pub proven: bool,
    /// The reason why `steps` is empty or not proven.
    pub unproven: Option<String>,
    /// Checks that an attentive reader would make.
    pub checks: Vec<ExplanationCheck>,
}

impl Explanation {
    /// Returns the tables and columns that the query reads.
    pub fn schema_selection(&self) -> SchemaSelection {
        let mut selection = SchemaSelection::default();
        for table in &self.selection {
            selection.add(&table.table, None);
            table.columns.iter().for_each(|column| selection.add(&table.table, Some(&column.column)));
        }
        selection
    }

    /// Returns the JSON object that `vitrine explain --json` prints and that `vitrine ask --json` contains. Its field
    /// names are a stable interface for other programs.
    pub fn to_json(&self) -> Value {
        let step = |step: &ExplainedStep| {
            json!({
                "name": step.name, "kind": step.kind, "note": step.note, "sql": step.sql, "runs": step.runs,
                "reads": step.reads, "rows": step.rows, "grain": step.grain, "columns": step.columns,
                "sample": step.sample, "view": step.view,
            })
        };
        let check = |check: &ExplanationCheck| json!({"code": check.code, "step": check.step, "text": check.text, "may_change": check.may_change});
        json!({
            "understood": self.understood,
            "question": self.question.as_ref().map(|question| json!({
                "parts": question.parts.iter().map(|part| json!({"text": part.text, "answered_by": part.answered_by})).collect::<Vec<_>>(),
                "unanswered": question.unanswered,
                "unsaid": question.unsaid,
            })),
            "selection": self.selection,
            "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "proven": self.proven,
            "unproven": self.unproven,
            "checks": self.checks.iter().map(check).collect::<Vec<_>>(),
        })
    }
}

/// A question compared with a query, word by word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuestionMatch {
    /// The question in parts; their concatenation is the question.
    pub parts: Vec<QuestionPart>,
    /// Things that the question names and the query does not use, one sentence each: numbers, quotes, stored values,
    /// tables and columns.
    pub unanswered: Vec<String>,
    /// Conditions of the query whose values and columns the question does not name.
    pub unsaid: Vec<String>,
}

/// A part of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuestionPart {
    /// The text of the part.
    pub text: String,
    /// The corresponding part of the query: a table, `table.column` or a value.
    pub answered_by: Option<String>,
}

/// A table that a query reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsedTable {
    /// The table's name as the query writes it.
    pub table: String,
    /// Number of rows of the table; `None` if not counted.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
    /// The used columns, in order of first use.
    pub columns: Vec<UsedColumn>,
}

/// A column that a query uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsedColumn {
    /// The column's name as stored.
    pub column: String,
    /// The uses of the column in the query.
    pub uses: Vec<ColumnUse>,
}

/// A use of a column in a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ColumnUse {
    /// The column is part of the result.
    Shown,
    /// A value of the result is computed from it.
    Computed,
    /// A filter depends on it.
    Filtered,
    /// Tables are joined on it.
    Joined,
    /// Rows are grouped by it.
    Grouped,
    /// Rows are sorted by it.
    Sorted,
}

/// A step of a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedStep {
    /// The name by which later steps read it.
    pub name: String,
    /// The kind of operation: `table`, `join`, `filter`, `group`, `having`, `window`, `project`, `distinct`, `set`,
    /// `order`, `limit`, `query`.
    pub kind: String,
    /// The operation in one sentence.
    pub note: String,
    /// The query of the step, which reads `reads`.
    pub sql: String,
    /// A self-contained query that returns the rows of the step.
    pub runs: String,
    /// Steps and tables that it reads.
    pub reads: Vec<String>,
    /// Number of rows that the step returns; `None` if not counted.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
    /// The grain of the rows: `one row of orders`, `one row for each region`.
    pub grain: Option<String>,
    /// The columns of the step's result.
    pub columns: Vec<ExplainedColumn>,
    /// A few first rows, with cells as text; empty if none were fetched.
    pub sample: Vec<Vec<Option<String>>>,
    /// The name of the method's view that the step corresponds to, if any.
    pub view: Option<String>,
}

/// A column of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedColumn {
    /// The name of the column in the step.
    pub name: String,
    /// The columns from which its values are computed.
    pub from: Vec<ColumnSource>,
}

/// A column that a step reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ColumnSource {
    /// An earlier step, or a table.
    pub source: String,
    /// The name of the column in `source`.
    pub column: String,
}

/// The rows of one step or table from which a row or cell of the result was computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowsBehind {
    /// The name of the step or table.
    pub source: String,
    /// True if `source` is a table of the database.
    pub is_table: bool,
    /// The operation of the step; empty for a table.
    pub note: String,
    /// The query that returns these rows.
    pub sql: String,
    /// Number of these rows; `None` if not counted.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
}

/// A check that an attentive reader would make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplanationCheck {
    /// The kind of check, such as `rows-multiplied`.
    pub code: String,
    /// The step that the check concerns; `None` for the whole query.
    pub step: Option<String>,
    /// The observation in words, with exact counts.
    pub text: String,
    /// True if it may change a number of the answer.
    pub may_change: bool,
}
