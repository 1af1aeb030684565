//! Cost of queries that are billed by bytes or report the bytes that they read, for front ends. Money is in millionths of a US dollar.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ScanCap, ScanLimits};

/// Bytes that the queries of a connection were billed for or read in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScansRow {
    /// Name of the connection; `None` if the address has no connection.
    pub name: Option<String>,
    /// Address of the database, without password.
    pub warehouse: String,
    /// Number of queries in the month.
    #[specta(type = f64)]
    pub queries: u64,
    /// Number of bytes billed or read, including those reserved for running queries.
    #[specta(type = f64)]
    pub bytes: u64,
    /// Cost of the queries at the prices set at that time; 0 without a price.
    #[specta(type = f64)]
    pub money: u64,
    /// The limits that apply to the connection.
    pub limits: ScanLimits,
}

/// Bytes that queries were billed for or read in a calendar month (UTC).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Scans {
    /// The month, such as `2026-11`.
    pub month: String,
    /// Usage by connection, the largest first.
    pub rows: Vec<ScansRow>,
    /// Limit of all connections together.
    pub all: ScanCap,
}
