//! What one chunk gave.

use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{SchemaSelection, ValueMatch, ViewAttempt};

/// The outcome of one chunk.
pub struct ChunkViews {
    /// How it ended.
    pub outcome: ChunkOutcome,
    /// Its selection.
    pub selection: SchemaSelection,
    /// Its views that run.
    pub views: Vec<ViewAttempt>,
    /// Stored values similar to their literals.
    pub values: Vec<ValueMatch>,
}
