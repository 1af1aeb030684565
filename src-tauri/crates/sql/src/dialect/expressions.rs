//! Expressions and clauses that Vitrine writes itself, such as dates, quotients and casts.

/// Expressions and clauses that Vitrine writes itself, such as dates, quotients and casts. Defaults describe standard SQL.
pub trait Expressions: Sync {}
