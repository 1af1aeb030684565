//! Input and state of the steps.

use crate::candidate::Candidate;
use crate::prompt::methods::StepLine;
use vitrine_domain::{GenerationAction, GenerationPath, NodeId};

/// Input that all steps share.
pub struct Task<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Results of the alignment of the question with the data.
    pub domain: &'a [String],
    /// Maximum number of steps of the state.
    pub steps: u32,
    /// Maximum number of corrections per step.
    pub fixes: u32,
    /// Queries drafted before; the state begins with their majority result, or empty without drafts.
    pub drafts: &'a [String],
}

/// The generation state: the steps so far, and the last query that ran.
#[derive(Default)]
pub(super) struct State {
    pub(super) lines: Vec<StepLine>,
    /// Last query of an Extend or Revise step that ran, with the node of that step.
    pub(super) query: Option<(Candidate, NodeId)>,
    /// Node of that step, and nodes of the Explore steps since.
    pub(super) grew_from: Vec<NodeId>,
    /// Number of Explore steps since the last step of another kind.
    pub(super) explores: usize,
    /// SQL texts of queries that failed.
    pub(super) failed: Vec<String>,
    /// Number of repetitions of failed queries.
    pub(super) repeated: usize,
    /// True if the model has received a warning.
    pub(super) warned: bool,
    /// Kind of the path so far.
    pub(super) path: GenerationPath,
}

/// An action with the path that it leads to.
pub(super) struct TakenAction<'a> {
    pub(super) action: GenerationAction,
    pub(super) path: GenerationPath,
    /// Purpose that the model gave for the step.
    pub(super) aim: &'a str,
}

impl State {
    /// Adds an action to the path.
    pub(super) fn take_action<'a>(&mut self, action: GenerationAction, aim: &'a str) -> TakenAction<'a> {
        self.path = self.path.max(action.path());
        TakenAction { action, path: self.path, aim }
    }
}
