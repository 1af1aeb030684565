//! How an answer came about, told from its query: no model is asked.

use crate::{RewrittenQuestion, SchemaSelection};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use specta::Type;

/// A query told in words, table by table and step by step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What the query asks for, clause by clause.
    pub understood: Vec<String>,
    /// The same as a rewritten question: what is to be found, its outputs, filters and order.
    pub rewritten: RewrittenQuestion,
    /// The question beside it, where one was asked.
    pub question: Option<QuestionMatch>,
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

impl Explanation {
    /// The tables and columns that the query reads.
    pub fn schema_selection(&self) -> SchemaSelection {
        let mut selection = SchemaSelection::default();
        for table in &self.selection {
            selection.add(&table.table, None);
            table.columns.iter().for_each(|column| selection.add(&table.table, Some(&column.column)));
        }
        selection
    }

    /// The object of `vitrine explain --json`, which `vitrine ask --json` holds, too; its field names are a contract with other
    /// programs.
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

/// A question, word by word, beside a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuestionMatch {
    /// The question in pieces; put together they are the question again.
    pub parts: Vec<QuestionPart>,
    /// What the question names and the query does not use, one sentence each: numbers, quotes, stored values, tables and
    /// columns.
    pub unanswered: Vec<String>,
    /// Conditions of the query whose values and columns no word of the question names.
    pub unsaid: Vec<String>,
}

/// A piece of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuestionPart {
    /// Its text as asked.
    pub text: String,
    /// What in the query answers to it: a table, `table.column` or a value.
    pub answered_by: Option<String>,
}

/// A table that a query reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsedTable {
    /// Its name as a query writes it.
    pub table: String,
    /// Rows that it has; `None` where they were not counted.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
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
    /// What one of these rows is: `one row of orders`, `one row for each region`.
    pub grain: Option<String>,
    /// The columns of its result.
    pub columns: Vec<ExplainedColumn>,
    /// Its first rows, a few, cells as text; empty where none were fetched.
    pub sample: Vec<Vec<Option<String>>>,
    /// The view of the method that it stands for.
    pub view: Option<String>,
}

/// A column of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplainedColumn {
    /// Its name in the step.
    pub name: String,
    /// The columns that its values are made of.
    pub from: Vec<ColumnSource>,
}

/// A column that a step reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ColumnSource {
    /// A step before, or a table.
    pub source: String,
    /// Its column there.
    pub column: String,
}

/// The rows that a row of a result, or one cell of it, was made of, at one step or in one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RowsBehind {
    /// The step or table.
    pub source: String,
    /// Whether it is a table of the database.
    pub is_table: bool,
    /// What the step does; of a table nothing.
    pub note: String,
    /// The query that gives these rows.
    pub sql: String,
    /// How many there are; `None` where they were not counted.
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
