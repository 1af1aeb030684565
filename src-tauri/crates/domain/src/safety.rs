//! What keeps a connected database from being changed or left, layer by layer, and how each is known.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::{later, translate_constant};

/// A layer. Each holds by itself, whatever the others do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SafetyKind {
    /// Every statement is proven to be one query that only reads, before anything sees it.
    Proof,
    /// Each text is approved by a user before it runs.
    Approval,
    /// The engine's own read-only mode.
    Engine,
    /// Walls of the operating system around the engine's process.
    Process,
    /// What the user, or the role on the server, has the right to change.
    Rights,
    /// How what is sent is protected on its way.
    Connection,
    /// What all this was tried on.
    Tried,
}

impl SafetyKind {
    /// Its name for people.
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

/// Whether a layer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SafetyState {
    /// It does.
    Holds,
    /// In part; what it says tells which.
    Partly,
    /// It does not: the other layers have to.
    Missing,
    /// It could not be found out.
    Unknown,
}

/// One layer of one connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SafetyLayer {
    /// Which.
    pub kind: SafetyKind,
    /// Whether it holds.
    pub state: SafetyState,
    /// What it keeps from happening, or does not; one or two sentences.
    pub says: String,
    /// How that is known: what was asked, and whom.
    pub how: String,
}

impl SafetyLayer {
    /// A layer.
    pub fn new(kind: SafetyKind, state: SafetyState, says: impl Into<String>, how: impl Into<String>) -> Self {
        Self { kind, state, says: says.into(), how: how.into() }
    }
}
