//! Text, tokens and literals: how SQL of a dialect is read and written.

/// Text, tokens and literals: how SQL of a dialect is read and written. Defaults describe standard SQL.
pub trait Syntax: Sync {}
