//! Facts that go with exported rows.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Facts about exported rows, in the words of the interface: what they answer, how certain that is, where they come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportAbout {
    /// The heading; in a workbook the name of the sheet.
    pub title: String,
    /// The facts in their order.
    pub facts: Vec<ExportFact>,
    /// True where formats without room for facts (CSV, Parquet, JSON) also get a text file with them.
    pub beside: bool,
    /// How a workbook shows the columns, in their order; empty where that is not known.
    pub columns: Vec<ExportColumn>,
}

/// One fact about exported rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportFact {
    /// Names it.
    pub label: String,
    /// May have several lines.
    pub text: String,
}

/// How a workbook shows a column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportColumn {
    /// The header, where it is not made of the column's name.
    pub header: Option<String>,
    /// The format of its numbers, as Excel writes formats.
    pub format: Option<String>,
}
