//! The read-only proof: functions, tables and statements that only read.

/// The read-only proof: functions, tables and statements that only read. Defaults describe standard SQL.
pub trait Proof: Sync {}
