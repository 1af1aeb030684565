//! Name resolution: which names a query may use and what they refer to.

/// Name resolution: which names a query may use and what they refer to. Defaults describe standard SQL.
pub trait Names: Sync {}
