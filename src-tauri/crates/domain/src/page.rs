//! Rows as people and programs read them: exact text with a column type beside it.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The family of a result column's type; decides alignment and how JSON output writes a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CellType {
    /// true or false.
    Boolean,
    /// Whole numbers of any width.
    Integer,
    /// Exact decimals.
    Decimal,
    /// Binary floating point.
    Float,
    /// Text.
    Text,
    /// A calendar date.
    Date,
    /// A time of day.
    Time,
    /// A date with a time.
    Timestamp,
    /// Bytes, written as hex.
    Binary,
    /// Lists, structs, maps, JSON; written as JSON text.
    Nested,
    /// Only NULLs, or unknown.
    Null,
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultColumn {
    /// Its label.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub cell_type: CellType,
    /// Whether its values are personal and masked in what is sent to models.
    #[serde(default, skip_serializing_if = "is_false")]
    pub masked: bool,
}

impl ResultColumn {
    /// A column whose values are not masked.
    pub fn new(name: impl Into<String>, cell_type: CellType) -> Self {
        Self { name: name.into(), cell_type, masked: false }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Some rows of a result. `None` is NULL; all else is the value's exact text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Columns, in order.
    pub columns: Vec<ResultColumn>,
    /// Rows, each as wide as `columns`.
    pub rows: Vec<Vec<Option<String>>>,
    /// Rows known to be in the whole result: all of them, or those read before the limit stopped it.
    #[specta(type = f64)]
    pub row_count: u64,
    /// Whether the limit stopped the reading, so that there may be more rows than `row_count`.
    pub truncated: bool,
}

impl Page {
    /// The cells as JSON values: integers, floats and booleans as such, everything else as strings.
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

/// How many digits of a decimal a JSON number keeps, whoever reads it: those of a float.
const KEPT_DIGITS: usize = 15;

/// A cell as a JSON value: a number or a boolean as such, everything else as a string, and a decimal of more digits than a JSON
/// number keeps.
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
