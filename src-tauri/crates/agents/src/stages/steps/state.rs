//! What steps start from, and what they have come to.

use crate::candidate::Candidate;
use crate::prompt::methods::StepLine;

/// The input of all steps.
pub struct Task<'a> {
    /// The question as asked.
    pub question: &'a str,
    /// Knowledge, or empty.
    pub facts: &'a str,
    /// The result of the alignment.
    pub domain: &'a [String],
    /// The most steps.
    pub steps: u32,
    /// Corrections per step.
    pub fixes: u32,
    /// Queries drafted before; the state begins with their majority result. With none, it begins empty.
    pub drafts: &'a [String],
}

/// The state: the steps so far, and the last query that ran.
#[derive(Default)]
pub(super) struct State {
    pub(super) lines: Vec<StepLine>,
    /// The last query of an Extend or Revise step that ran, and the node of that step.
    pub(super) query: Option<(Candidate, String)>,
    /// The node of that step, and those of the Explore steps since.
    pub(super) grew_from: Vec<String>,
    /// Explore steps since the last step of another kind.
    pub(super) explores: usize,
    /// Queries that did not run.
    pub(super) failed: Vec<String>,
    /// How often one of them was repeated.
    pub(super) repeated: usize,
    /// Whether the model has been told of a warning.
    pub(super) warned: bool,
}
