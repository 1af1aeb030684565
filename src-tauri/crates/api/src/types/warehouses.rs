//! Warehouses as front ends see them.

use crate::types::Connection;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{AppError, Dialect, EgressPolicy, InferredKey, KeyDecision, PersonalColumn};

/// What models behind an address may be told of a warehouse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct EgressInfo {
    /// As decided.
    pub policy: EgressPolicy,
    /// Columns whose values are, or look, personal.
    pub personal: Vec<PersonalColumn>,
}

/// Which engine reads a warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum WarehouseKind {
    /// An SQLite database file.
    Sqlite,
    /// A DuckDB database file.
    Duckdb,
    /// Data files, read by DuckDB.
    File,
    /// A schema without data.
    Ddl,
    /// A database on a PostgreSQL server.
    Postgres,
    /// A database on a MySQL or MariaDB server.
    Mysql,
    /// A project of BigQuery.
    Bigquery,
    /// A database of Snowflake.
    Snowflake,
    /// A database on a ClickHouse server.
    Clickhouse,
    /// A catalog behind a SQL warehouse of Databricks.
    Databricks,
    /// A database of MotherDuck.
    Motherduck,
    /// A database behind a driver that the user added.
    Adbc,
}

impl From<vitrine_warehouse::WarehouseKind> for WarehouseKind {
    fn from(kind: vitrine_warehouse::WarehouseKind) -> Self {
        use vitrine_warehouse::WarehouseKind as K;
        match kind {
            K::Sqlite => Self::Sqlite,
            K::Duckdb => Self::Duckdb,
            K::File => Self::File,
            K::Ddl => Self::Ddl,
            K::Postgres => Self::Postgres,
            K::Mysql => Self::Mysql,
            K::Bigquery => Self::Bigquery,
            K::Snowflake => Self::Snowflake,
            K::Clickhouse => Self::Clickhouse,
            K::Databricks => Self::Databricks,
            K::Motherduck => Self::Motherduck,
            K::Adbc => Self::Adbc,
        }
    }
}

/// A driver of databases, and how it stands here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DriverInfo {
    /// What addresses call it.
    pub name: String,
    /// Its version; empty where nobody says it.
    pub version: String,
    /// SPDX name; empty where nobody says it.
    pub licence: String,
    /// SHA-256 of its library, 64 hex digits.
    pub sha256: String,
    /// Bytes of its library.
    #[specta(type = f64)]
    pub bytes: u64,
    /// Where it came from, or would.
    pub from: String,
    /// Its library.
    pub path: String,
    /// Whether the library is there.
    pub present: bool,
    /// Whether the user added it, so that nothing is known of what it does.
    pub preview: bool,
}

/// A warehouse that was opened before, or the sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WarehouseEntry {
    /// Its address.
    pub uri: String,
    /// For people.
    pub title: String,
    /// Which engine reads it.
    pub kind: WarehouseKind,
    /// RFC 3339, UTC; empty when never.
    pub last_used: String,
    /// Whether it is the sample that the program makes.
    pub is_sample: bool,
    /// Its connection, where the user gave it a name.
    pub connection: Option<Connection>,
}

/// A question to begin with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SampleQuestion {
    /// As a person of the business would say it.
    pub question: String,
    /// `easy`, `medium` or `hard`.
    pub level: String,
}

/// An open warehouse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WarehouseSummary {
    /// Its address, made absolute.
    pub uri: String,
    /// For people.
    pub title: String,
    /// Which engine reads it.
    pub kind: WarehouseKind,
    /// What its SQL is written in.
    pub dialect: Dialect,
    /// Changes when the schema or, where cheap to know, the data changes.
    pub fingerprint: String,
    /// Number of tables and views.
    pub tables: u32,
    /// Number of columns over all of them.
    pub columns: u32,
    /// Questions to begin with.
    pub questions: Vec<SampleQuestion>,
    /// Its connection, where the user gave it a name.
    pub connection: Option<Connection>,
    /// How far profile and value index are.
    pub preparation: Preparation,
}

/// How far the background work on a warehouse is. Questions may be asked before it is done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preparation {
    /// The warehouse's address.
    pub uri: String,
    /// Tables profiled.
    pub profiled: u32,
    /// Tables in all.
    pub tables: u32,
    /// Columns whose values are indexed.
    pub values_indexed: u32,
    /// Columns whose values will be indexed.
    pub values_total: u32,
    /// Whether it was begun: with the first question, or because somebody asked for it.
    pub begun: bool,
    /// Whether somebody paused it.
    pub paused: bool,
    /// Whether nothing is left to do.
    pub done: bool,
    /// Why it ended early; what was read until then is used.
    pub error: Option<AppError>,
    /// What was looked at where that is less than all, in a sentence.
    pub sample: Option<String>,
}

/// An inferred key, and what the person says about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InferredKeyRow {
    /// The key as commands name it: `customers(id)`, or `orders(customer_id) -> customers(id)`.
    pub id: String,
    /// The key itself.
    pub key: InferredKey,
    /// What the person says; nothing yet where it is used as inferred.
    pub decision: Option<KeyDecision>,
}
