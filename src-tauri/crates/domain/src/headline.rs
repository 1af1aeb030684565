//! What a result says at a glance, from its rows and its query alone. No model is asked, and no word of it is made up:
//! these are places in the result, and what the query says its columns are. Front ends put them into words.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What a result says at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Headline {
    /// The form of the result.
    pub shape: HeadlineShape,
    /// The columns that name a row, most telling first: together they differ from row to row. Empty where nothing does.
    pub labels: Vec<u32>,
    /// The one column with the number that the result is about; `None` where there is none or several could be.
    pub measure: Option<u32>,
    /// Whether values of the measure may be added up: it is a count or a sum, and no average or share.
    pub adds_up: bool,
    /// The rows with the largest value of the measure, of all rows that the query is about.
    pub highest: Option<Extreme>,
    /// The rows with the smallest value.
    pub lowest: Option<Extreme>,
    /// What each column is, in words of the query; `None` where its name says as much.
    pub meanings: Vec<Option<String>>,
    /// The tables that the rows come from.
    pub tables: Vec<String>,
    /// The conditions that the rows meet, in words.
    pub conditions: Vec<String>,
    /// Whether the query itself keeps a number of rows only, or may do so.
    pub limited: bool,
}

/// The form of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum HeadlineShape {
    /// No rows.
    Empty,
    /// One row of one column.
    Value,
    /// One row.
    Row,
    /// Rows in the order of a point in time, one row each.
    Series,
    /// Rows of which the highest or the lowest is known.
    Ranked,
    /// Rows of which nothing more can be said.
    Rows,
}

/// The rows that hold the largest or the smallest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Extreme {
    /// The first of them, counted from 0.
    pub row: u32,
    /// How many there are.
    pub rows: u32,
}

/// A question that the user has verified, shown to the models of a run as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct GuidedBy {
    /// The saved question.
    pub saved_id: String,
    /// Its name for people, as it was then.
    pub title: String,
}

/// The question that a question follows up on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FollowUp {
    /// Its run.
    pub run_id: String,
    /// As it was asked there.
    pub question: String,
    /// The follow-up as typed: "and for 2023?"
    pub text: String,
}
