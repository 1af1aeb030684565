//! Warehouses for front ends.

use crate::types::Connection;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{AppError, Dialect, EgressPolicy, InferredKey, KeyDecision, PersonalColumn};
use vitrine_warehouse::WarehouseKind;

/// The egress settings of a warehouse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EgressInfo {
    /// The policy that the user has set, or the default.
    pub policy: EgressPolicy,
    /// Columns whose values are, or look, personal.
    pub personal: Vec<PersonalColumn>,
}

/// A database driver and its state on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DriverInfo {
    /// Name of the driver in addresses.
    pub name: String,
    /// Version of the driver; empty if unknown.
    pub version: String,
    /// SPDX name of the licence; empty if unknown.
    pub licence: String,
    /// SHA-256 of the library, 64 hex digits.
    pub sha256: String,
    /// Size of the library in bytes.
    #[specta(type = f64)]
    pub bytes: u64,
    /// Source of the driver, installed or available.
    pub from: String,
    /// Path of the library on this computer.
    pub path: String,
    /// True if the library is present.
    pub present: bool,
    /// True if the user added the driver, so that its behaviour is unknown.
    pub preview: bool,
}

/// A warehouse that was opened before, or the sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WarehouseEntry {
    /// Address of the warehouse, without password.
    pub uri: String,
    /// Title of the warehouse for users.
    pub title: String,
    /// Engine that reads the warehouse.
    pub kind: WarehouseKind,
    /// Time of the last use: RFC 3339, UTC; empty if never.
    pub last_used: String,
    /// True for the sample warehouse, which the program creates.
    pub is_sample: bool,
    /// Its connection, if it has one.
    pub connection: Option<Connection>,
}

/// A question that is suggested to the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SampleQuestion {
    /// The question in the words of a business user.
    pub question: String,
    /// Difficulty: `easy`, `medium` or `hard`.
    pub level: String,
}

/// Description of a warehouse that is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WarehouseSummary {
    /// Address of the warehouse, with an absolute path.
    pub uri: String,
    /// Title of the warehouse for users.
    pub title: String,
    /// Engine that reads the warehouse.
    pub kind: WarehouseKind,
    /// SQL dialect of the warehouse.
    pub dialect: Dialect,
    /// Fingerprint that changes with the schema and, if that is cheap to detect, with the data.
    pub fingerprint: String,
    /// Number of tables and views.
    pub tables: u32,
    /// Number of columns over all tables and views.
    pub columns: u32,
    /// Questions that are suggested to the user.
    pub questions: Vec<SampleQuestion>,
    /// Its connection, if it has one.
    pub connection: Option<Connection>,
    /// Progress of profile and value index.
    pub preparation: Preparation,
}

/// Progress of preparing a warehouse in the background. Questions can be asked before it is complete.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preparation {
    /// Address of the warehouse that is prepared.
    pub uri: String,
    /// Number of tables that are profiled.
    pub profiled: u32,
    /// Total number of tables to profile.
    pub tables: u32,
    /// Number of columns whose values are indexed.
    pub values_indexed: u32,
    /// Number of columns whose values will be indexed.
    pub values_total: u32,
    /// True if the preparation has started, with the first question or on request.
    pub begun: bool,
    /// True if the user paused it.
    pub paused: bool,
    /// True if the preparation is complete.
    pub done: bool,
    /// Error that ended it early; the data read until then is used.
    pub error: Option<AppError>,
    /// The extent of the data if only a sample was read, in a sentence; `None` otherwise.
    pub sample: Option<String>,
}

/// An inferred key and the user's decision on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InferredKeyRow {
    /// Id in commands: `customers(id)`, or `orders(customer_id) -> customers(id)`.
    pub id: String,
    /// The inferred key with its evidence.
    pub key: InferredKey,
    /// The user's decision; `None` if there is none, and the key is then used.
    pub decision: Option<KeyDecision>,
}
