//! Interpretation of data files: detected format, excluded rows, and the user's corrections.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// The decimal separator of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DecimalSign {
    /// A comma, as in `1.200,50`.
    Comma,
    /// A point, as in `1,200.50`.
    Point,
}

/// The order of day and month in a date such as `03/04/2024`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DateOrder {
    /// The example is the third of April.
    DayFirst,
    /// The example is the fourth of March.
    MonthFirst,
}

/// The reason why a row below the data is not part of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SetAsideReason {
    /// The numbers are the sums of the columns above.
    Total,
    /// The numbers are the sums of the rows since the previous subtotal, and a grand total below confirms it.
    Subtotal,
    /// A single text below the data, separated from it.
    Footnote,
    /// A comment line of the file.
    Comment,
    /// The cells repeat the column names.
    Names,
    /// The cells are the units of the columns.
    Units,
}

/// A row of a file that is excluded from its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideRow {
    /// The line in the file or the row in the sheet, from 1.
    pub row: u32,
    /// The reason why it is excluded.
    pub reason: SetAsideReason,
    /// The content, with cells separated by ` | `.
    pub text: String,
}

/// A line above the column names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkippedRow {
    /// The line in the file or the row in the sheet, from 1.
    pub row: u32,
    /// The content, with cells separated by ` | `.
    pub text: String,
}

/// A column whose values were converted from text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConvertedColumn {
    /// The name of the column.
    pub column: String,
    /// A description of the conversion, which is also the column's comment.
    pub how: String,
}

/// A table read from a file, with the detected format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FileReading {
    /// The name of the table; empty if the file is not read.
    pub table: String,
    /// The file's name, without its folder.
    pub file: String,
    /// The sheet, if the file is a workbook.
    #[serde(default)]
    pub sheet: Option<String>,
    /// The character encoding of the file, by its name in the Encoding Standard.
    #[serde(default)]
    pub encoding: Option<String>,
    /// The delimiter between the cells of a line.
    #[serde(default)]
    pub delimiter: Option<String>,
    /// The decimal separator of numbers that were parsed from text.
    #[serde(default)]
    pub decimal: Option<DecimalSign>,
    /// The order of dates that were parsed from text.
    #[serde(default)]
    pub date_order: Option<DateOrder>,
    /// The line or row of the column names, from 1; `None` if there is none.
    #[serde(default)]
    pub header_row: Option<u32>,
    /// The first lines above the column names.
    #[serde(default)]
    pub skipped: Vec<SkippedRow>,
    /// Rows that are excluded from the table.
    #[serde(default)]
    pub set_aside: Vec<SetAsideRow>,
    /// Text columns that were converted to numbers or dates.
    #[serde(default)]
    pub converted: Vec<ConvertedColumn>,
    /// Ambiguities in sentences, such as dates with two possible orders or a last row that looks like a total.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// The reason why the file is not read. Then it has no table, and `table` is empty.
    #[serde(default)]
    pub left_out: Option<String>,
    /// The user's corrections of the detected format.
    #[serde(default)]
    pub options: FileOptions,
}

impl FileReading {
    /// Returns true if the file was interpreted in a way that users should know about.
    pub fn is_notable(&self) -> bool {
        !(self.skipped.is_empty()
            && self.set_aside.is_empty()
            && self.converted.is_empty()
            && self.doubts.is_empty()
            && self.left_out.is_none()
            && self.options == FileOptions::default())
    }
}

/// The user's settings for the file of a table. Fields that are not set are detected from the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileOptions {
    /// A label of the Encoding Standard, e.g. `windows-1252`.
    #[serde(default)]
    pub encoding: Option<String>,
    /// The delimiter between cells, one character.
    #[serde(default)]
    pub delimiter: Option<String>,
    /// The decimal separator of numbers in text.
    #[serde(default)]
    pub decimal: Option<DecimalSign>,
    /// The order of dates in text.
    #[serde(default)]
    pub date_order: Option<DateOrder>,
    /// The line or row of the column names, from 1; 0 if the file has none.
    #[serde(default)]
    pub header_row: Option<u32>,
    /// True if rows below the data stay in the table.
    #[serde(default)]
    pub keep_rows: bool,
    /// Columns that are not converted from text.
    #[serde(default)]
    pub as_text: Vec<String>,
}

/// The user's settings for the tables of a file or folder, by table name.
pub type TableOptions = BTreeMap<String, FileOptions>;
