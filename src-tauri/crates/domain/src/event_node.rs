//! The node of the run graph to which an event belongs.

use crate::{EventBody, NodeId};

impl EventBody {
    /// Returns the id of the event's node; `None` for events of the whole run.
    pub fn node_id(&self) -> Option<&NodeId> {
        match self {
            EventBody::RunStarted { .. } | EventBody::RunFinished { .. } => None,
            EventBody::Warning { node, .. } => node.as_ref(),
            EventBody::StageStarted { node, .. }
            | EventBody::StageFinished { node, .. }
            | EventBody::StageKept { node, .. }
            | EventBody::StageEdited { node, .. }
            | EventBody::SchemaPrepared { node, .. }
            | EventBody::ModelCallStarted { node, .. }
            | EventBody::ModelCallProgress { node, .. }
            | EventBody::RequestSent { node, .. }
            | EventBody::ModelCallFinished { node, .. }
            | EventBody::Rewritten { node, .. }
            | EventBody::ValuesRetrieved { node, .. }
            | EventBody::KeywordsExtracted { node, .. }
            | EventBody::ViewsAttempted { node, .. }
            | EventBody::ChunkFinished { node, .. }
            | EventBody::Aggregated { node, .. }
            | EventBody::Planned { node, .. }
            | EventBody::ReasonGiven { node, .. }
            | EventBody::SqlAttempted { node, .. }
            | EventBody::QueryChanged { node, .. }
            | EventBody::VariantTried { node, .. }
            | EventBody::CandidateChosen { node, .. }
            | EventBody::MetricsApplied { node, .. }
            | EventBody::SchemaLinked { node, .. }
            | EventBody::SchemaShuffled { node, .. }
            | EventBody::Probed { node, .. }
            | EventBody::Summarised { node, .. }
            | EventBody::StateReached { node, .. }
            | EventBody::ExamplesWritten { node, .. }
            | EventBody::Voted { node, .. }
            | EventBody::Compared { node, .. }
            | EventBody::ViewFetched { node, .. }
            | EventBody::Analysed { node, .. }
            | EventBody::Judged { node, .. }
            | EventBody::NotInData { node, .. }
            | EventBody::ReadingsOffered { node, .. }
            | EventBody::ReadingChosen { node, .. }
            | EventBody::BestSoFar { node, .. }
            | EventBody::LookingDecided { node, .. }
            | EventBody::Revised { node, .. }
            | EventBody::ApprovalAsked { node, .. }
            | EventBody::ApprovalDecided { node, .. }
            | EventBody::QueryExecuted { node, .. }
            | EventBody::ResultReady { node, .. }
            | EventBody::CertaintyEstimated { node, .. }
            | EventBody::AnswerTested { node, .. }
            | EventBody::Explained { node, .. } => Some(node),
        }
    }
}
