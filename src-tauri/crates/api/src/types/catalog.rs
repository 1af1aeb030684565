//! A warehouse's catalog for front ends: complete if it is small, else in parts.

use crate::types::InferredKeyRow;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{Catalog, Table, TableName, TableProfile};

/// The catalog of a warehouse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CatalogView {
    /// All tables, or none if there are too many to send at once.
    pub catalog: Catalog,
    /// True if `catalog` has all tables; otherwise they are listed in pages and read one by one.
    pub whole: bool,
    /// Number of tables in the warehouse.
    pub tables: u32,
}

/// Distance from a table within which other tables are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Reach {
    /// Only the table itself, without related ones.
    Alone,
    /// Tables that are one key away.
    Near,
    /// Tables that are up to two keys away.
    Far,
    /// Tables in the same schema, those connected by keys first.
    Schema,
}

/// A table and related ones, with their profiles and keys.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CatalogPart {
    /// The requested table, then the others, nearest first.
    pub tables: Vec<Table>,
    /// Number of keys of each table.
    pub keys: Vec<u32>,
    /// Profiles of the tables that were read so far.
    pub profiles: Vec<TableProfile>,
    /// Inferred keys of the tables.
    pub inferred: Vec<InferredKeyRow>,
    /// Number of further tables within reach.
    pub left: u32,
}

/// A name that matches the typed text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundName {
    /// The name in the database.
    pub name: String,
    /// The kind of the named object.
    pub kind: NameKind,
    /// Full name of the table; for a column, of the first table that has it.
    pub table: String,
    /// For a column, the number of further tables that have it.
    pub more: u32,
}

/// The kind of object that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NameKind {
    /// The name of a table or view.
    Table,
    /// The name of a column.
    Column,
}

/// A table in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableSummary {
    /// Identifier of the table, with schema and catalog.
    pub table: TableName,
    /// Name as text, with the schema if it is needed.
    pub name: String,
    /// True if it is a view.
    pub is_view: bool,
    /// Number of columns of the table.
    pub columns: u32,
    /// Number of rows; `None` if unknown.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
    /// Comment on the table in the database.
    pub comment: Option<String>,
    /// Columns that match the search; empty if the table's own name or comment matches.
    pub hits: Vec<String>,
}

/// A page of the list of a warehouse's tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TablePage {
    /// Number of tables that match the search.
    pub found: u32,
    /// Number of tables in the warehouse, within its scope.
    pub total: u32,
    /// The tables of the requested page.
    pub tables: Vec<TableSummary>,
}
