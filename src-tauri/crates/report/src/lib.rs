//! Reports of answers for readers without the program: one HTML file with sentence, chart, table, conditions, certainty
//! and query.
//!
//! The file contains no script and loads nothing. Every text in it is untrusted and escaped by the template.

mod chart;
mod html;
mod sentence;
mod values;

pub use chart::{Chart, ChartKind, choose_chart};
pub use html::render_html;
pub use sentence::describe_result;

use vitrine_domain::{Certainty, Headline, Page};

/// A report of one or several answers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The title of the report; empty to use the question of a single answer.
    pub title: String,
    /// Time of writing, as readers see it.
    pub written_at: String,
    /// Notes about the whole report, such as omitted data.
    pub notes: Vec<String>,
    /// The answers in the order of the report.
    pub answers: Vec<ReportedAnswer>,
}

/// An answer in a report. Its texts and rows contain only data that the reader may see.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportedAnswer {
    /// The question as the user asked it.
    pub question: String,
    /// The previous question, if this one is a follow-up.
    pub follows: Option<String>,
    /// Time of the answer, as readers see it.
    pub answered_at: String,
    /// The connection's name and its address without secrets.
    pub source: String,
    /// The rows of the answer; `None` if they are withheld.
    pub page: Option<Page>,
    /// The headline of the rows.
    pub headline: Option<Headline>,
    /// The chart of the rows, if there is one.
    pub chart: Option<Chart>,
    /// Maximum number of rows in the table.
    pub most_rows: usize,
    /// The conditions of the answer in words.
    pub conditions: Vec<String>,
    /// The estimated certainty with its reasons.
    pub certainty: Option<Certainty>,
    /// True for the current result of a saved question, which has no certainty of its own.
    pub is_saved: bool,
    /// True if the answer is only the best one before a limit or a stop.
    pub best_so_far: bool,
    /// Notes in groups, each with a heading.
    pub notes: Vec<NoteGroup>,
    /// The query of the answer.
    pub sql: Option<String>,
    /// The code that computed the answer, unless the query alone did.
    pub code: Option<String>,
    /// Description of the withheld data.
    pub withheld: Option<String>,
}

/// Notes of one kind about an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteGroup {
    /// The heading of the group.
    pub heading: String,
    /// The notes, one sentence each.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests;
