//! What is told of a pull.

/// How far a pull has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that are here, in terms of the finished files.
    pub downloaded: u64,
    /// Bytes of the finished files.
    pub total: u64,
    /// What is being done.
    pub phase: Phase,
}

/// What a pull is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Reaching a source, named here.
    Connecting(String),
    /// Receiving from a source, named here.
    Downloading(String),
    /// Comparing the hash.
    Verifying,
    /// The model can be used.
    Done,
}
