//! Queries about data: profiles, value indexes, plans and evidence for rules.

/// Queries about data: profiles, value indexes, plans and evidence for rules. Defaults describe standard SQL.
pub trait Statistics: Sync {}
