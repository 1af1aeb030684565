//! Progress reports of a pull.

/// The progress of a pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Bytes received, in terms of the finished files.
    pub downloaded: u64,
    /// Total bytes of the finished files.
    pub total: u64,
    /// The phase that is in progress.
    pub phase: Phase,
}

/// A phase of a pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Connecting to the named source.
    Connecting(String),
    /// Downloading from the named source.
    Downloading(String),
    /// Verifying the hash of a file.
    Verifying,
    /// The pull is complete and the model usable.
    Done,
}
