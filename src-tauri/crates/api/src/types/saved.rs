//! Saved questions; the stored form is the store's.

use serde::{Deserialize, Serialize};
use specta::Type;
pub use vitrine_store::{Checked, Filing, ResultCheck, SavedCode, SavedQuestion, SavedResult, SavedStatus, SavedView};

/// A question to be kept: a new one, or new content for an `id`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedDraft {
    /// Of the saved question to change; `None` makes a new one.
    pub id: Option<String>,
    /// For people.
    pub title: String,
    /// As asked.
    pub question: String,
    /// What answers it.
    pub sql: String,
    /// The code that gives the answer, where it is not the SQL alone.
    #[serde(default)]
    pub code: Option<SavedCode>,
    /// The warehouse's address.
    pub warehouse: String,
    /// How far to rely on it.
    pub status: SavedStatus,
    /// The run that it came of.
    pub run_id: Option<String>,
    /// Free text.
    pub notes: String,
}

/// A saved question that somebody has checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckedSaved {
    /// The question as it is kept now.
    pub question: SavedQuestion,
    /// Whether it gave what it gave when it was checked before; `None` where one of the two is not known.
    pub same: Option<bool>,
}

/// What has changed of the tables and columns that a saved question uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedDrift {
    /// The saved question.
    pub id: String,
    /// What has changed, one sentence each.
    pub changes: Vec<String>,
}

/// A constant of a query that can be set anew when it is run, or a place that the query leaves open for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedParameter {
    /// Its name: as the query has it where it leaves the place open (`:name`), else made from the column that it is compared with.
    pub name: String,
    /// What it has to be; for an open place what its column holds, as far as that is known.
    pub kind: ParameterKind,
    /// What it is in the query; empty for an open place.
    pub value: String,
    /// Whether the query leaves the place open: it runs only with a value.
    pub open: bool,
}

/// What is put in a parameter's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TypedValue {
    /// What it is, for an open place; what the column holds, or else the value looks like, where that is not said. A constant keeps
    /// its kind.
    pub kind: Option<ParameterKind>,
    /// The value, as it was typed.
    pub value: String,
}

/// A query with values in the places of its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FilledQuery {
    /// The query, which leaves nothing open and is proven to only read.
    pub sql: String,
    /// Names of the constants that hold the values, as a saved question asks for them.
    pub parameters: Vec<String>,
}

/// What a parameter has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ParameterKind {
    /// A day, with or without a time.
    Date,
    /// Any text of one line.
    Text,
    /// A number.
    Number,
}
