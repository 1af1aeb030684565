//! Reruns: runs that repeat an earlier one from the first stage that depends on the user's changes.

use crate::{NodeId, RewrittenQuestion, Usage};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A change by the user. Stages that depend on it run again; all others are copied from the earlier run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RunChange {
    /// Replaces the text of the question.
    Question {
        /// The new text of the question.
        text: String,
    },
    /// Replaces the rewritten form of the question.
    Rewritten {
        /// The rewritten question that later stages get.
        rewritten: RewrittenQuestion,
    },
    /// Changes the selection. Names are tables, or columns as `table.column`.
    Tables {
        /// Names that are added to the selection.
        added: Vec<String>,
        /// Names that are excluded from the run.
        dropped: Vec<String>,
    },
    /// Replaces the query of one view.
    View {
        /// The name of the view.
        name: String,
        /// The query of the view.
        sql: String,
    },
    /// Replaces the plan of the query.
    Plan {
        /// The plan, one step per line.
        text: String,
    },
    /// Chooses an interpretation that the earlier run offered. Its recorded query is executed again, without model
    /// calls.
    Reading {
        /// The candidate of the interpretation.
        candidate: u32,
    },
    /// Replaces the final query. No model is called, and the query is used without changes.
    Sql {
        /// The SQL that the user wrote.
        sql: String,
    },
}

impl RunChange {
    /// Returns the change without texts and queries, which may be long, for lists of runs.
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

/// The origin of a rerun, with the user's changes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Steered {
    /// The id of the earlier run.
    pub from: String,
    /// The changes that the user made.
    pub changes: Vec<RunChange>,
    /// Tables and columns that the run excludes, including the ones that the earlier run excluded.
    #[serde(default)]
    pub without: Vec<String>,
}

/// The possible changes at a node of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SteerPlace {
    /// The id of the node.
    pub node: NodeId,
    /// The possible changes with their present values.
    pub edits: Vec<SteerEdit>,
    /// The reason why nothing can be changed; `None` if something can.
    pub why_not: Option<String>,
}

/// A possible change with its effects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SteerEdit {
    /// The change with the present value.
    pub change: RunChange,
    /// Titles of the nodes that run again.
    pub again: Vec<String>,
    /// Titles of the nodes that are kept.
    pub kept: Vec<String>,
    /// Usage of the nodes that run again, in the earlier run.
    pub took: Usage,
}
