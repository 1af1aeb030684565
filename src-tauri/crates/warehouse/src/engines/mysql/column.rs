//! Conversion of MySQL's types. Values without an exact Arrow type (decimals of 65 digits, dates such as 0000-00-00,
//! times beyond a day) are text, labelled with their type. `TINYINT(1)` is a number, because it may hold other values
//! than 0 and 1.

use crate::WarehouseError;
use crate::arrow_column::{ArrowColumn, DecodeValue};
use crate::cells::build_field;
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Int64Type, UInt64Type};
use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Column, Value};
use std::fmt::Write;

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

impl DecodeValue for ColumnDecoder {
    type Raw<'v> = Value;

    fn field(&self) -> Field {
        build_field(&self.name, self.form.data_type(), self.form.type_label())
    }

    fn decode_value(&self, value: Value, to: &mut ArrowColumn) -> Option<usize> {
        match (self.form, value) {
            (Form::Integer, Value::Int(number)) => to.append_number::<Int64Type>(number),
            (Form::Integer, Value::UInt(number)) => to.append_number::<Int64Type>(number.try_into().ok()?),
            (Form::Large | Form::Bits, Value::UInt(number)) => to.append_number::<UInt64Type>(number),
            (Form::Large | Form::Bits, Value::Int(number)) => to.append_number::<UInt64Type>(number.try_into().ok()?),
            (Form::Large | Form::Bits, Value::Bytes(bits)) if bits.len() <= 8 => {
                to.append_number::<UInt64Type>(bits.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
            }
            (Form::Single, Value::Float(number)) => to.append_number::<Float32Type>(number),
            (Form::Double, Value::Double(number)) => to.append_number::<Float64Type>(number),
            (Form::Double, Value::Float(number)) => to.append_number::<Float64Type>(f64::from(number)),
            (Form::Bytes, Value::Bytes(bytes)) => to.append_bytes(&bytes),
            (Form::Date, Value::Date(year, month, day, ..)) => {
                to.append_text(&format!("{year:04}-{month:02}-{day:02}"))
            }
            (Form::Date, _) => None,
            (_, Value::Bytes(bytes)) => to.append_text(std::str::from_utf8(&bytes).ok()?),
            (_, Value::Date(year, month, day, hour, minute, second, fraction)) => {
                let mut text = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
                write_fraction(&mut text, fraction);
                to.append_text(&text)
            }
            (_, Value::Time(negative, days, hours, minutes, seconds, fraction)) => {
                let hours = u64::from(days) * 24 + u64::from(hours);
                let sign = if negative { "-" } else { "" };
                let mut text = format!("{sign}{hours:02}:{minutes:02}:{seconds:02}");
                write_fraction(&mut text, fraction);
                to.append_text(&text)
            }
            _ => None,
        }
    }
}

fn write_fraction(text: &mut String, microseconds: u32) {
    if microseconds > 0 {
        let digits = format!("{microseconds:06}");
        let _ = write!(text, ".{}", digits.trim_end_matches('0'));
    }
}
