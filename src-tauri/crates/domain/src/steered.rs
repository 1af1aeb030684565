//! Runs that go on from an earlier one: what the user set in it, and what runs again because of that.

use crate::{RewrittenQuestion, Usage};
use serde::{Deserialize, Serialize};
use specta::Type;

/// One thing that the user set. What depends on it runs again; what does not is taken from the earlier run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RunChange {
    /// The question itself.
    Question {
        /// As it is asked now.
        text: String,
    },
    /// The question made explicit.
    Rewritten {
        /// What the later stages are told.
        rewritten: RewrittenQuestion,
    },
    /// Tables, or columns as `table.column`.
    Tables {
        /// Selected besides.
        added: Vec<String>,
        /// What the run goes without.
        dropped: Vec<String>,
    },
    /// The query of one view.
    View {
        /// Its name.
        name: String,
        /// Its query.
        sql: String,
    },
    /// The plan.
    Plan {
        /// One step a line.
        text: String,
    },
    /// What the question means: a reading that the earlier run offered. Its query runs again as it was recorded, and no
    /// model is asked.
    Reading {
        /// The reading's candidate.
        candidate: u32,
    },
    /// The final query. No model is asked, and nothing takes its place.
    Sql {
        /// As the user wrote it.
        sql: String,
    },
}

impl RunChange {
    /// The change without its texts and queries, which may be long: what a list of runs says of it.
    pub fn without_texts(self) -> Self {
        match self {
            Self::Question { .. } => Self::Question { text: String::new() },
            Self::Rewritten { .. } => Self::Rewritten { rewritten: RewrittenQuestion::default() },
            Self::View { name, .. } => Self::View { name, sql: String::new() },
            Self::Plan { .. } => Self::Plan { text: String::new() },
            Self::Sql { .. } => Self::Sql { sql: String::new() },
            Self::Tables { .. } | Self::Reading { .. } => self,
        }
    }
}

/// Where a run comes from, and what the user set in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Steered {
    /// The earlier run.
    pub from: String,
    /// What was set.
    pub changes: Vec<RunChange>,
    /// Tables and columns that the run goes without; those that the earlier run went without stay out.
    #[serde(default)]
    pub without: Vec<String>,
}

/// What can be set at one node of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SteerPlace {
    /// The node.
    pub node: String,
    /// What can be set, each with its present value.
    pub edits: Vec<SteerEdit>,
    /// Why nothing can be set, where nothing can.
    pub why_not: Option<String>,
}

/// One thing that can be set, and what runs again then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SteerEdit {
    /// Its present value.
    pub change: RunChange,
    /// Titles of the nodes that run again.
    pub again: Vec<String>,
    /// Titles of the nodes that are kept.
    pub kept: Vec<String>,
    /// What the nodes that run again took in the earlier run.
    pub took: Usage,
}
