//! How data files were understood: what was read, what was set aside, and what the user says instead.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// The sign in front of a number's fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DecimalSign {
    /// `1.200,50`
    Comma,
    /// `1,200.50`
    Point,
}

/// Which part of a date such as `03/04/2024` comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DateOrder {
    /// The third of April.
    DayFirst,
    /// The fourth of March.
    MonthFirst,
}

/// Why a row below the data is no row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SetAsideReason {
    /// Its numbers are the sums of the columns above.
    Total,
    /// Its numbers are the sums of the rows above since the subtotal before, and a grand total below confirms it.
    Subtotal,
    /// One text below the data, apart from it.
    Footnote,
    /// A line of comment.
    Comment,
    /// Its cells are the column names again.
    Names,
    /// Its cells are the units of the columns.
    Units,
}

/// A row of a file that is not in its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideRow {
    /// Its line in the file, or its row in the sheet; from 1.
    pub row: u32,
    /// Why it is none of the table's.
    pub reason: SetAsideReason,
    /// What stands there, cells parted by ` | `.
    pub text: String,
}

/// A line above the column names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SkippedRow {
    /// Its line in the file, or its row in the sheet; from 1.
    pub row: u32,
    /// What stands there, cells parted by ` | `.
    pub text: String,
}

/// A column whose values are not as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ConvertedColumn {
    /// Its name.
    pub column: String,
    /// What was made of its text; also the column's comment.
    pub how: String,
}

/// How a table was read from a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FileReading {
    /// The table.
    pub table: String,
    /// The file's name, without its folder.
    pub file: String,
    /// The sheet of a workbook.
    #[serde(default)]
    pub sheet: Option<String>,
    /// How the file's bytes are letters, by the name that the Encoding Standard gives.
    #[serde(default)]
    pub encoding: Option<String>,
    /// What parts the cells of a line.
    #[serde(default)]
    pub delimiter: Option<String>,
    /// The decimal sign of the numbers that were read from text.
    #[serde(default)]
    pub decimal: Option<DecimalSign>,
    /// The order of the dates that were read from text.
    #[serde(default)]
    pub date_order: Option<DateOrder>,
    /// The line or row of the column names, from 1; `None` where there is none.
    #[serde(default)]
    pub header_row: Option<u32>,
    /// What stands above the column names, at most a few rows of it.
    #[serde(default)]
    pub skipped: Vec<SkippedRow>,
    /// Rows that are not in the table.
    #[serde(default)]
    pub set_aside: Vec<SetAsideRow>,
    /// Columns of text that were read as numbers or dates.
    #[serde(default)]
    pub converted: Vec<ConvertedColumn>,
    /// What is in doubt, in sentences: dates that may be read in two ways, a last row that looks like a total.
    #[serde(default)]
    pub doubts: Vec<String>,
    /// The reason that the file is not read. There is no table of it then, and the table's name is empty.
    #[serde(default)]
    pub left_out: Option<String>,
    /// What the user said instead of what was found.
    #[serde(default)]
    pub options: FileOptions,
}

impl FileReading {
    /// Whether anything was understood that the file does not say by itself.
    pub fn is_notable(&self) -> bool {
        !(self.skipped.is_empty()
            && self.set_aside.is_empty()
            && self.converted.is_empty()
            && self.doubts.is_empty()
            && self.left_out.is_none()
            && self.options == FileOptions::default())
    }
}

/// What the user says about the file of a table; what is left out is found out from the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileOptions {
    /// A label of the Encoding Standard, e.g. `windows-1252`.
    #[serde(default)]
    pub encoding: Option<String>,
    /// One character.
    #[serde(default)]
    pub delimiter: Option<String>,
    /// The decimal sign of numbers in text.
    #[serde(default)]
    pub decimal: Option<DecimalSign>,
    /// The order of dates in text.
    #[serde(default)]
    pub date_order: Option<DateOrder>,
    /// The line or row of the column names, from 1; 0 where the file has none.
    #[serde(default)]
    pub header_row: Option<u32>,
    /// Rows below the data stay in the table.
    #[serde(default)]
    pub keep_rows: bool,
    /// Columns that stay text.
    #[serde(default)]
    pub as_text: Vec<String>,
}

/// What the user says about the tables of a file or folder, by table.
pub type TableOptions = BTreeMap<String, FileOptions>;
