//! Metadata of exported rows.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Metadata of exported rows for readers: the question, its certainty and the source, in the language of the interface.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportAbout {
    /// The heading; in a workbook the name of the sheet.
    pub title: String,
    /// The facts in display order.
    pub facts: Vec<ExportFact>,
    /// True if formats without room for facts (CSV, Parquet, JSON) also get a text file with them.
    pub beside: bool,
    /// Display formats of the columns in a workbook, in column order; empty if unknown.
    pub columns: Vec<ExportColumn>,
}

/// A fact about exported rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportFact {
    /// The label of the fact.
    pub label: String,
    /// The text, which may have several lines.
    pub text: String,
}

/// The display format of a column in a workbook.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportColumn {
    /// The header, if it differs from the column's name.
    pub header: Option<String>,
    /// The number format in Excel's syntax.
    pub format: Option<String>,
}
