//! Names, hints and reference pages for prompts.

/// Names, hints and reference pages for prompts. Defaults describe standard SQL.
pub trait Prompts: Sync {}
