//! Chooses an Arrow type for a column, exactly: SQLite's columns may contain any type in any row, Arrow's have one.

use crate::WarehouseError;
use arrow::array::{ArrayRef, BinaryBuilder, Float64Builder, Int64Builder, NullArray, StringBuilder};
use arrow::datatypes::DataType;
use rusqlite::types::ValueRef;
use std::sync::Arc;

/// Maximum absolute value up to which all integers are exact as floats.
const EXACT: u64 = 1 << 53;

/// The types that occur in a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    integers: bool,
    long_integers: bool,
    reals: bool,
    texts: bool,
    blobs: bool,
}

impl Seen {
    pub(super) fn record_value(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => {}
            ValueRef::Integer(number) => {
                self.integers = true;
                self.long_integers |= number.unsigned_abs() > EXACT;
            }
            ValueRef::Real(_) => self.reals = true,
            ValueRef::Text(_) => self.texts = true,
            ValueRef::Blob(_) => self.blobs = true,
        }
    }

    /// Returns the type that holds every value exactly. Without values, the declared type is used.
    pub(super) fn data_type(self, declared: Option<&str>) -> DataType {
        match (self.integers, self.reals, self.texts, self.blobs) {
            (false, false, false, false) => declared.map_or(DataType::Null, declared_type),
            (true, false, false, false) => DataType::Int64,
            (false, true, false, false) => DataType::Float64,
            (true, true, false, false) if !self.long_integers => DataType::Float64,
            (false, false, false, true) => DataType::Binary,
            _ => DataType::Utf8,
        }
    }
}

/// Applies SQLite's affinity rules to a declared type.
pub(super) fn declared_type(declared: &str) -> DataType {
    let name = declared.to_ascii_uppercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&["INT"]) {
        DataType::Int64
    } else if has(&["CHAR", "CLOB", "TEXT"]) {
        DataType::Utf8
    } else if has(&["BLOB"]) {
        DataType::Binary
    } else if has(&["REAL", "FLOA", "DOUB", "NUM", "DEC"]) {
        DataType::Float64
    } else if has(&["BOOL"]) {
        DataType::Int64
    } else if has(&["DATE", "TIME"]) {
        DataType::Utf8
    } else {
        DataType::Null
    }
}

/// Collects the values of one column.
pub(super) enum Builder {
    Null(usize),
    Integer(Int64Builder),
    Real(Float64Builder),
    Text(StringBuilder),
    Blob(BinaryBuilder),
}

impl Builder {
    pub(super) fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Int64 => Self::Integer(Int64Builder::new()),
            DataType::Float64 => Self::Real(Float64Builder::new()),
            DataType::Utf8 => Self::Text(StringBuilder::new()),
            DataType::Binary => Self::Blob(BinaryBuilder::new()),
            _ => Self::Null(0),
        }
    }

    pub(super) fn push(&mut self, value: ValueRef<'_>) -> Result<(), WarehouseError> {
        match (self, value) {
            (Self::Null(count), ValueRef::Null) => *count += 1,
            (Self::Integer(builder), ValueRef::Null) => builder.append_null(),
            (Self::Integer(builder), ValueRef::Integer(number)) => builder.append_value(number),
            (Self::Real(builder), ValueRef::Null) => builder.append_null(),
            (Self::Real(builder), ValueRef::Real(number)) => builder.append_value(number),
            (Self::Real(builder), ValueRef::Integer(number)) if number.unsigned_abs() <= EXACT => {
                builder.append_value(number as f64)
            }
            (Self::Blob(builder), ValueRef::Null) => builder.append_null(),
            (Self::Blob(builder), ValueRef::Blob(bytes)) => builder.append_value(bytes),
            (Self::Text(builder), ValueRef::Null) => builder.append_null(),
            (Self::Text(builder), value) => builder.append_value(value_to_text(value)),
            // The types were determined by reading all rows; only queries with random values can differ in the second
            // pass.
            _ => {
                return Err(WarehouseError::query(
                    "the query gives other values each time it runs; give random values one type with CAST",
                ));
            }
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Null(count) => Arc::new(NullArray::new(std::mem::take(count))),
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Real(builder) => Arc::new(builder.finish()),
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Blob(builder) => Arc::new(builder.finish()),
        }
    }
}

fn value_to_text(value: ValueRef<'_>) -> String {
    let mut out = String::new();
    match value {
        ValueRef::Null => {}
        ValueRef::Integer(number) => out = number.to_string(),
        ValueRef::Real(number) => crate::scalars::write_float(&mut out, number),
        ValueRef::Text(bytes) => out = String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Blob(bytes) => out = bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
    out
}
