//! Views and selection of one chunk.

use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{SchemaSelection, ValueMatch, ViewAttempt};

/// Views and selection from one chunk of the schema.
pub struct ChunkViews {
    /// Final state of the chunk.
    pub outcome: ChunkOutcome,
    /// Tables and columns selected from the chunk.
    pub selection: SchemaSelection,
    /// Views of the chunk that run.
    pub views: Vec<ViewAttempt>,
    /// Stored values similar to the views' literals.
    pub values: Vec<ValueMatch>,
}
