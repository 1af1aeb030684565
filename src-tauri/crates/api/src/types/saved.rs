//! Saved questions for front ends; the store defines the stored form.

use serde::{Deserialize, Serialize};
use specta::Type;
pub use vitrine_store::{Checked, Filing, ResultCheck, SavedCode, SavedQuestion, SavedResult, SavedStatus, SavedView};

/// A question to save: a new one, or new content for an existing `id`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedDraft {
    /// Id of the saved question to change; `None` creates a new one.
    pub id: Option<String>,
    /// Title of the question for users.
    pub title: String,
    /// The question as the user asked it.
    pub question: String,
    /// SQL that answers the question.
    pub sql: String,
    /// Code that gives the answer; `None` if the SQL alone gives it.
    #[serde(default)]
    pub code: Option<SavedCode>,
    /// Address of the warehouse that the question is about.
    pub warehouse: String,
    /// Status, which shows how reliable the question is.
    pub status: SavedStatus,
    /// Id of the run from which it was saved.
    pub run_id: Option<String>,
    /// The user's notes as free text.
    pub notes: String,
}

/// The outcome of checking a saved question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckedSaved {
    /// The question in its new state.
    pub question: SavedQuestion,
    /// True if the result equals that of the previous check; `None` if one of them is unknown.
    pub same: Option<bool>,
}

/// Changes of the tables and columns that a saved question uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedDrift {
    /// Id of the saved question.
    pub id: String,
    /// The changes, as one sentence each.
    pub changes: Vec<String>,
}

/// A parameter of a query: a replaceable constant, or a placeholder that needs a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedParameter {
    /// Name: that of the placeholder (`:name`), or derived from the column with which the constant is compared.
    pub name: String,
    /// Type of the value; for a placeholder the type of its column, if known.
    pub kind: ParameterKind,
    /// Current value in the query; empty for a placeholder.
    pub value: String,
    /// True for a placeholder, without whose value the query cannot run.
    pub open: bool,
    /// The side on which the value limits its column; `None` for other values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ParameterBound>,
}

/// The side on which a value limits its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ParameterBound {
    /// From the value on.
    From,
    /// After the value.
    After,
    /// Before the value.
    Before,
    /// Up to the value.
    UpTo,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TypedValue {
    /// Type of a placeholder's value; `None` uses the type of the column, or else infers it from the value. The type of a constant is
    /// fixed.
    pub kind: Option<ParameterKind>,
    /// The value as the user typed it.
    pub value: String,
}

/// A query with values for its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FilledQuery {
    /// The query without placeholders, with a read-only proof.
    pub sql: String,
    /// Names of the constants that contain the values, as the parameters of a saved question.
    pub parameters: Vec<String>,
}

/// What can be changed of a query without SQL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryConditions {
    /// Its conditions, in the order of the text.
    pub conditions: Vec<QueryCondition>,
    /// The row limit of the outermost query; `None` if it is not a constant of its own.
    pub limit: Option<SavedParameter>,
}

/// A condition of a query that can be changed or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryCondition {
    /// The condition in words.
    pub text: String,
    /// The words that other descriptions of the query use for the same condition.
    pub variants: Vec<String>,
    /// The constants that only this condition contains.
    pub parameters: Vec<SavedParameter>,
    /// The query without the condition, with a read-only proof. `None` if its removal could count rows several times.
    pub without: Option<String>,
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ParameterKind {
    /// A date, with or without a time.
    Date,
    /// Text on a single line.
    Text,
    /// An integer or a decimal number.
    Number,
}
