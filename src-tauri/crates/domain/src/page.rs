//! Rows of results: exact text with a type for each column.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The type family of a result column. It determines the alignment and the JSON type of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CellType {
    /// Boolean values, `true` or `false`.
    Boolean,
    /// Integers with any number of digits.
    Integer,
    /// Decimal numbers with exact digits.
    Decimal,
    /// Floating-point numbers, which are not exact.
    Float,
    /// Text, and types without a family of their own.
    Text,
    /// A date without a time.
    Date,
    /// A time of day without a date.
    Time,
    /// A date with a time.
    Timestamp,
    /// Bytes, written as hexadecimal digits.
    Binary,
    /// Lists, structs, maps and JSON, written as JSON text.
    Nested,
    /// Only NULLs, or an unknown type.
    Null,
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultColumn {
    /// The label of the column.
    pub name: String,
    /// The type family of the column.
    #[serde(rename = "type")]
    pub cell_type: CellType,
    /// True if the values are personal and masked in requests to models.
    #[serde(default, skip_serializing_if = "is_false")]
    pub masked: bool,
    /// True if requests mask empty cells as well, because the values are computed from personal ones.
    #[serde(default, skip_serializing_if = "is_false")]
    pub empty_masked: bool,
    /// True if the name may be a stored value that requests to models must not contain.
    #[serde(default, skip_serializing_if = "is_false")]
    pub name_masked: bool,
}

impl ResultColumn {
    /// Creates a column whose name and cells are not masked.
    pub fn new(name: impl Into<String>, cell_type: CellType) -> Self {
        Self { name: name.into(), cell_type, masked: false, empty_masked: false, name_masked: false }
    }

    /// Returns the name that requests to models may contain. `place` is the place of the column in the result, from 0.
    pub fn shown_name(&self, place: usize) -> String {
        if self.name_masked { format!("column {}", place + 1) } else { self.name.clone() }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Rows of a result. A cell is `None` for NULL, otherwise the exact text of the value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The columns in result order.
    pub columns: Vec<ResultColumn>,
    /// Rows, each as wide as `columns`.
    pub rows: Vec<Vec<Option<String>>>,
    /// Number of rows of the whole result, or number of rows read before the limit was reached.
    #[specta(type = f64)]
    pub row_count: u64,
    /// True if reading stopped at the limit, so that there may be more rows than `row_count`.
    pub truncated: bool,
}

impl Page {
    /// Returns the cells as JSON values: integers, floats and booleans natively, all others as strings.
    pub fn json_rows(&self) -> Vec<Vec<serde_json::Value>> {
        self.rows
            .iter()
            .map(|row| {
                row.iter()
                    .zip(&self.columns)
                    .map(|(cell, column)| json_cell(cell.as_deref(), column.cell_type))
                    .collect()
            })
            .collect()
    }
}

/// Number of decimal digits that a JSON number preserves in all parsers, which use 64-bit floats.
const KEPT_DIGITS: usize = 15;

/// Converts a cell to JSON: numbers and booleans natively, all others as strings, also decimals with more digits than a
/// JSON number preserves.
pub fn json_cell(cell: Option<&str>, cell_type: CellType) -> serde_json::Value {
    let Some(text) = cell else { return serde_json::Value::Null };
    let parsed = match cell_type {
        CellType::Boolean => text.parse::<bool>().ok().map(Into::into),
        CellType::Integer => text
            .parse::<i64>()
            .map(serde_json::Value::from)
            .or_else(|_| text.parse::<u64>().map(serde_json::Value::from))
            .ok(),
        CellType::Decimal if text.bytes().filter(u8::is_ascii_digit).count() > KEPT_DIGITS => None,
        CellType::Decimal | CellType::Float => {
            text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Into::into)
        }
        _ => None,
    };
    parsed.unwrap_or_else(|| text.into())
}
