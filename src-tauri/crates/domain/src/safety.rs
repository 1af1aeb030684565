//! Safety layers, which protect a connected database from changes and its data from leaving; with their evidence.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::{later, translate_constant};

/// A safety layer. Each layer protects independently of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SafetyKind {
    /// Every statement is proven to be a single read-only query before it is executed.
    Proof,
    /// Users approve each SQL text before it is executed.
    Approval,
    /// The engine's own read-only mode.
    Engine,
    /// Operating-system sandboxing of the engine's process.
    Process,
    /// The permissions of the user, or of the role on the server.
    Rights,
    /// The protection of data in transit.
    Connection,
    /// The systems on which the layers were tested.
    Tried,
}

impl SafetyKind {
    /// Returns the label for users.
    pub fn display_title(self) -> &'static str {
        translate_constant(match self {
            Self::Proof => later!("Proof of every statement"),
            Self::Approval => later!("Approval of every text"),
            Self::Engine => later!("Read-only engine"),
            Self::Process => later!("Engine in a process of its own"),
            Self::Rights => later!("Rights"),
            Self::Connection => later!("Connection"),
            Self::Tried => later!("What this was tried on"),
        })
    }
}

/// The state of a safety layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SafetyState {
    /// The layer is fully active.
    Holds,
    /// The layer is partly active; its text has the details.
    Partly,
    /// The layer is missing, so that the other layers have to protect.
    Missing,
    /// The state could not be determined.
    Unknown,
}

/// A safety layer of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SafetyLayer {
    /// The kind of the layer.
    pub kind: SafetyKind,
    /// The state of the layer.
    pub state: SafetyState,
    /// The protection that the layer gives or lacks, in one or two sentences.
    pub says: String,
    /// The evidence for the state: the check and its source.
    pub how: String,
}

impl SafetyLayer {
    /// Creates a layer from its state and texts.
    pub fn new(kind: SafetyKind, state: SafetyState, says: impl Into<String>, how: impl Into<String>) -> Self {
        Self { kind, state, says: says.into(), how: how.into() }
    }
}
