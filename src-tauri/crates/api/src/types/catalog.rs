//! A warehouse's catalog as front ends see it: whole where it is small, else in parts.

use crate::types::InferredKeyRow;
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{Catalog, Table, TableName, TableProfile};

/// The catalog of a warehouse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CatalogView {
    /// With all its tables, or with none where they are too many to hand out at once.
    pub catalog: Catalog,
    /// Whether it has all its tables; otherwise they are listed by page and looked at one by one.
    pub whole: bool,
    /// Number of tables of the warehouse.
    pub tables: u32,
}

/// How far from a table other tables may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Reach {
    /// The table by itself.
    Alone,
    /// One key away.
    Near,
    /// Two keys away.
    Far,
    /// In the same schema, those that keys lead to first.
    Schema,
}

/// A table, and some around it, with what is known of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CatalogPart {
    /// The table that was asked for, then others, the nearest first.
    pub tables: Vec<Table>,
    /// Of each of them, how many keys tie it to others.
    pub keys: Vec<u32>,
    /// What their data is like, as far as it was read.
    pub profiles: Vec<TableProfile>,
    /// Their inferred keys.
    pub inferred: Vec<InferredKeyRow>,
    /// How many more are within reach.
    pub left: u32,
}

/// A name that fits what was typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundName {
    /// As the database calls it.
    pub name: String,
    /// What it names.
    pub kind: NameKind,
    /// The table as a whole; of a column the first table that has it.
    pub table: String,
    /// Of a column: how many more tables have it.
    pub more: u32,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NameKind {
    /// A table or view.
    Table,
    /// A column.
    Column,
}

/// A table in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableSummary {
    /// Its name.
    pub table: TableName,
    /// Its name as a text, with its schema where it needs one.
    pub name: String,
    /// Whether it is a view.
    pub is_view: bool,
    /// Number of columns.
    pub columns: u32,
    /// Rows, where that is known.
    #[specta(type = Option<f64>)]
    pub rows: Option<u64>,
    /// What the database says of it.
    pub comment: Option<String>,
    /// Columns by which the search found it; none where its own name or comment did.
    pub hits: Vec<String>,
}

/// A part of the list of a warehouse's tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TablePage {
    /// Tables that fit the search, and those of the warehouse.
    pub found: u32,
    /// All tables of the warehouse, within its scope.
    pub total: u32,
    /// The part that was asked for.
    pub tables: Vec<TableSummary>,
}
