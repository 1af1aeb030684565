//! Conversion of MySQL's types. Values without an exact Arrow type (decimals of 65 digits, dates such as 0000-00-00,
//! times beyond a day) are text, labelled with their type. `TINYINT(1)` is a number, because it may hold other values
//! than 0 and 1.

use crate::WarehouseError;
use crate::batch_writer::ColumnBuilder;
use crate::cells::build_field;
use arrow::array::*;
use arrow::datatypes::{DataType, Schema};
use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Column, Value};
use std::fmt::Write;
use std::sync::Arc;

/// The character set of binary data.
const BINARY: u16 = 63;

/// The decoder of one column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnDecoder {
    name: String,
    form: Form,
}

/// The form in which a value is transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Integer,
    /// Unsigned integers of 64 bits.
    Large,
    Bits,
    Single,
    Double,
    Decimal,
    /// A decimal without a fraction.
    Whole,
    Text,
    Json,
    Date,
    Moment,
    Time,
    Bytes,
    Nothing,
}

/// Builds the decoders of a statement's columns.
pub(super) fn build_decoders(columns: &[Column]) -> Result<Vec<ColumnDecoder>, WarehouseError> {
    if columns.is_empty() {
        return Err(WarehouseError::Refused { message: "the statement is not a query".to_owned() });
    }
    Ok(columns
        .iter()
        .map(|column| ColumnDecoder { name: column.name_str().into_owned(), form: Form::from_column(column) })
        .collect())
}

/// Builds the Arrow schema of the columns.
pub(super) fn build_schema(readings: &[ColumnDecoder]) -> Schema {
    let field =
        |reading: &ColumnDecoder| build_field(&reading.name, reading.form.data_type(), reading.form.type_label());
    Schema::new(readings.iter().map(field).collect::<Vec<_>>())
}

impl Form {
    fn from_column(column: &Column) -> Self {
        use ColumnType as T;
        let is_unsigned = column.flags().contains(ColumnFlags::UNSIGNED_FLAG);
        let is_binary = column.character_set() == BINARY;
        match column.column_type() {
            T::MYSQL_TYPE_LONGLONG if is_unsigned => Form::Large,
            T::MYSQL_TYPE_TINY
            | T::MYSQL_TYPE_SHORT
            | T::MYSQL_TYPE_INT24
            | T::MYSQL_TYPE_LONG
            | T::MYSQL_TYPE_LONGLONG
            | T::MYSQL_TYPE_YEAR => Form::Integer,
            T::MYSQL_TYPE_BIT => Form::Bits,
            T::MYSQL_TYPE_FLOAT => Form::Single,
            T::MYSQL_TYPE_DOUBLE => Form::Double,
            T::MYSQL_TYPE_DECIMAL | T::MYSQL_TYPE_NEWDECIMAL if column.decimals() == 0 => Form::Whole,
            T::MYSQL_TYPE_DECIMAL | T::MYSQL_TYPE_NEWDECIMAL => Form::Decimal,
            T::MYSQL_TYPE_DATE | T::MYSQL_TYPE_NEWDATE => Form::Date,
            T::MYSQL_TYPE_DATETIME | T::MYSQL_TYPE_DATETIME2 | T::MYSQL_TYPE_TIMESTAMP | T::MYSQL_TYPE_TIMESTAMP2 => {
                Form::Moment
            }
            T::MYSQL_TYPE_TIME | T::MYSQL_TYPE_TIME2 => Form::Time,
            T::MYSQL_TYPE_JSON => Form::Json,
            T::MYSQL_TYPE_NULL => Form::Nothing,
            T::MYSQL_TYPE_GEOMETRY | T::MYSQL_TYPE_VECTOR => Form::Bytes,
            _ if is_binary => Form::Bytes,
            _ => Form::Text,
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Form::Integer => DataType::Int64,
            Form::Large | Form::Bits => DataType::UInt64,
            Form::Single => DataType::Float32,
            Form::Double => DataType::Float64,
            Form::Bytes => DataType::Binary,
            _ => DataType::Utf8,
        }
    }

    /// Returns the name of the type if the Arrow type does not identify it.
    fn type_label(self) -> Option<&'static str> {
        match self {
            Form::Decimal => Some("DECIMAL"),
            Form::Whole => Some("DECIMAL(38,0)"),
            Form::Json => Some("JSON"),
            Form::Date => Some("DATE"),
            Form::Moment => Some("TIMESTAMP"),
            Form::Time => Some("TIME"),
            Form::Nothing => Some("NULL"),
            _ => None,
        }
    }
}

impl ColumnDecoder {
    pub(super) fn new_builder(&self) -> Builder {
        match self.form {
            Form::Integer => Builder::Integer(Int64Builder::new()),
            Form::Large | Form::Bits => Builder::Large(UInt64Builder::new()),
            Form::Single => Builder::Single(Float32Builder::new()),
            Form::Double => Builder::Double(Float64Builder::new()),
            Form::Bytes => Builder::Bytes(BinaryBuilder::new()),
            Form::Date => Builder::Day(StringBuilder::new()),
            _ => Builder::Text(StringBuilder::new()),
        }
    }
}

/// Collects the values of one column.
pub(super) enum Builder {
    Integer(Int64Builder),
    Large(UInt64Builder),
    Single(Float32Builder),
    Double(Float64Builder),
    Text(StringBuilder),
    Day(StringBuilder),
    Bytes(BinaryBuilder),
}

impl Builder {
    /// Appends a value and returns its size in bytes.
    pub(super) fn push_value(&mut self, value: Value) -> Result<usize, WarehouseError> {
        self.try_push(value)
            .ok_or_else(|| WarehouseError::query("the server sent a value that cannot be shown exactly"))
    }

    fn try_push(&mut self, value: Value) -> Option<usize> {
        if value == Value::NULL {
            match self {
                Self::Integer(to) => to.append_null(),
                Self::Large(to) => to.append_null(),
                Self::Single(to) => to.append_null(),
                Self::Double(to) => to.append_null(),
                Self::Text(to) | Self::Day(to) => to.append_null(),
                Self::Bytes(to) => to.append_null(),
            }
            return Some(1);
        }
        match (self, value) {
            (Self::Integer(to), Value::Int(number)) => to.append_value(number),
            (Self::Integer(to), Value::UInt(number)) => to.append_value(i64::try_from(number).ok()?),
            (Self::Large(to), Value::UInt(number)) => to.append_value(number),
            (Self::Large(to), Value::Int(number)) => to.append_value(u64::try_from(number).ok()?),
            (Self::Large(to), Value::Bytes(bits)) if bits.len() <= 8 => {
                to.append_value(bits.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)));
            }
            (Self::Single(to), Value::Float(number)) => to.append_value(number),
            (Self::Double(to), Value::Double(number)) => to.append_value(number),
            (Self::Double(to), Value::Float(number)) => to.append_value(f64::from(number)),
            (Self::Bytes(to), Value::Bytes(bytes)) => {
                to.append_value(&bytes);
                return Some(bytes.len());
            }
            (Self::Text(to), Value::Bytes(bytes)) => {
                to.append_value(std::str::from_utf8(&bytes).ok()?);
                return Some(bytes.len());
            }
            (Self::Day(to), Value::Date(year, month, day, ..)) => {
                to.append_value(format!("{year:04}-{month:02}-{day:02}"));
            }
            (Self::Text(to), Value::Date(year, month, day, hour, minute, second, fraction)) => {
                let mut text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
                write_fraction(&mut text, fraction);
                to.append_value(text);
            }
            (Self::Text(to), Value::Time(negative, days, hours, minutes, seconds, fraction)) => {
                let hours = u64::from(days) * 24 + u64::from(hours);
                let sign = if negative { "-" } else { "" };
                let mut text = format!("{sign}{hours:02}:{minutes:02}:{seconds:02}");
                write_fraction(&mut text, fraction);
                to.append_value(text);
            }
            _ => return None,
        }
        Some(8)
    }
}

impl ColumnBuilder for Builder {
    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Integer(to) => Arc::new(to.finish()),
            Self::Large(to) => Arc::new(to.finish()),
            Self::Single(to) => Arc::new(to.finish()),
            Self::Double(to) => Arc::new(to.finish()),
            Self::Text(to) | Self::Day(to) => Arc::new(to.finish()),
            Self::Bytes(to) => Arc::new(to.finish()),
        }
    }
}

fn write_fraction(text: &mut String, microseconds: u32) {
    if microseconds > 0 {
        let digits = format!("{microseconds:06}");
        let _ = write!(text, ".{}", digits.trim_end_matches('0'));
    }
}
