//! What queries cost that are billed by bytes, or that tell how many they read, as front ends see it. Money is in millionths of a US dollar.

use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{ScanCap, ScanLimits};
use vitrine_warehouse::Metering;

/// What the queries of a connection were billed for, or read, in a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ScansRow {
    /// The connection's name; `None` where the address has none.
    pub name: Option<String>,
    /// Its address.
    pub warehouse: String,
    /// Queries.
    #[specta(type = f64)]
    pub queries: u64,
    /// Bytes that were billed or read, and those set aside for queries at work.
    #[specta(type = f64)]
    pub bytes: u64,
    /// What they cost, at the prices that were set then; 0 without one.
    #[specta(type = f64)]
    pub money: u64,
    /// The limits that hold.
    pub limits: ScanLimits,
}

/// What queries were billed for, or read, in a calendar month (UTC).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Scans {
    /// `2026-11`.
    pub month: String,
    /// By connection, the most first.
    pub rows: Vec<ScansRow>,
    /// The limit of all together.
    pub all: ScanCap,
}

/// How the bytes of queries are known of a kind of database, and what holds them. Front ends have it as a constant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScanTerms {
    /// How they are known.
    pub metering: Metering,
    /// The limits that hold without a word of the user's.
    pub limits: ScanLimits,
}
