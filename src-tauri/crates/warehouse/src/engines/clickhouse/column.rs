//! Conversion of the server's types. Values without an exact Arrow type (256-bit integers, decimals of 76 digits, dates
//! after 2262) are text, labelled with their type. Nested values are JSON, as the server writes them.

use super::rows::decode_cell;
use crate::arrow_column::{ArrowColumn, DecodeValue};
use crate::cells::build_field;
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Int64Type, UInt64Type};
use std::borrow::Cow;

/// The decoder of one column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnDecoder {
    name: String,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Integer,
    /// Unsigned integers of 64 bits.
    Large,
    Single,
    Double,
    Truth,
    Decimal,
    /// Integers of more than 64 bits, or decimals without a fraction.
    Whole,
    Date,
    Moment,
    Time,
    Json,
    /// Strings padded with zero bytes to a fixed length.
    Padded,
    Text,
    Nothing,
}

/// Removes the wrappers `Nullable` and `LowCardinality` from a type, and returns whether it is nullable.
pub(super) fn strip_type_wrappers(declared: &str) -> (&str, bool) {
    let (mut bare, mut nullable) = (declared.trim(), false);
    loop {
        let inner = |name: &str| bare.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')');
        if let Some(inner) = inner("Nullable") {
            (bare, nullable) = (inner, true);
        } else if let Some(inner) = inner("LowCardinality") {
            bare = inner;
        } else {
            return (bare, nullable);
        }
    }
}

pub(super) fn build_decoders(names: Vec<String>, types: &[String]) -> Vec<ColumnDecoder> {
    names
        .into_iter()
        .zip(types)
        .map(|(name, declared)| ColumnDecoder { name, form: Form::from_declared(declared) })
        .collect()
}

impl Form {
    fn from_declared(declared: &str) -> Self {
        let (bare, _) = strip_type_wrappers(declared);
        let word = bare.split('(').next().unwrap_or(bare);
        match word {
            "Int8" | "Int16" | "Int32" | "Int64" | "UInt8" | "UInt16" | "UInt32" => Form::Integer,
            "UInt64" => Form::Large,
            "Int128" | "Int256" | "UInt128" | "UInt256" => Form::Whole,
            "Float32" | "BFloat16" => Form::Single,
            "Float64" => Form::Double,
            "Bool" => Form::Truth,
            "Decimal" | "Decimal32" | "Decimal64" | "Decimal128" | "Decimal256" => {
                let scale = bare.trim_end_matches(')').rsplit(',').next().map(str::trim);
                if scale == Some("0") { Form::Whole } else { Form::Decimal }
            }
            "Date" | "Date32" => Form::Date,
            "DateTime" | "DateTime64" => Form::Moment,
            "Time" | "Time64" => Form::Time,
            "Array" | "Tuple" | "Map" | "Nested" | "JSON" | "Object" | "Variant" | "Dynamic" | "Point" | "Ring"
            | "LineString" | "MultiLineString" | "Polygon" | "MultiPolygon" | "Geometry" => Form::Json,
            "FixedString" => Form::Padded,
            "Nothing" => Form::Nothing,
            _ => Form::Text,
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Form::Integer => DataType::Int64,
            Form::Large => DataType::UInt64,
            Form::Single => DataType::Float32,
            Form::Double => DataType::Float64,
            Form::Truth => DataType::Boolean,
            _ => DataType::Utf8,
        }
    }

    /// Returns the name of the type if the Arrow type does not identify it.
    fn type_label(self) -> Option<&'static str> {
        match self {
            Form::Decimal => Some("DECIMAL"),
            Form::Whole => Some("DECIMAL(38,0)"),
            Form::Date => Some("DATE"),
            Form::Moment => Some("TIMESTAMP"),
            Form::Time => Some("TIME"),
            Form::Json => Some("JSON"),
            Form::Nothing => Some("NULL"),
            _ => None,
        }
    }
}

impl DecodeValue for ColumnDecoder {
    /// A value in its JSON form.
    type Raw<'v> = &'v str;

    fn field(&self) -> Field {
        build_field(&self.name, self.form.data_type(), self.form.type_label())
    }

    fn decode_value(&self, cell: &str, to: &mut ArrowColumn) -> Option<usize> {
        // Numbers may be quoted.
        let bare = cell.trim_matches('"');
        match self.form {
            Form::Integer => to.parse_number::<Int64Type>(bare),
            Form::Large => to.parse_number::<UInt64Type>(bare),
            Form::Single => to.parse_number::<Float32Type>(bare),
            Form::Double => to.parse_number::<Float64Type>(bare),
            Form::Truth => to.append_boolean(parse_boolean(bare)?),
            form => to.append_text(&format_value(form, cell)?),
        }
    }
}

fn parse_boolean(word: &str) -> Option<bool> {
    match word {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Returns the displayed text of a value.
fn format_value(form: Form, cell: &str) -> Option<Cow<'_, str>> {
    match form {
        Form::Json => Some(Cow::Borrowed(cell)),
        Form::Decimal | Form::Whole => Some(Cow::Borrowed(cell.trim_matches('"'))),
        Form::Moment | Form::Time => {
            let text = cell.trim_matches('"');
            // Trailing zeros of the fraction are removed.
            let whole = |(before, fraction): (&str, &str)| {
                let fraction = fraction.trim_end_matches('0').len();
                before.len() + if fraction == 0 { 0 } else { 1 + fraction }
            };
            let length = text.split_once('.').map_or(text.len(), whole);
            Some(Cow::Owned(text[..length].to_owned()))
        }
        Form::Padded => decode_cell(cell).map(|text| Cow::Owned(text.trim_end_matches('\0').to_owned())),
        _ if cell.starts_with('"') => decode_cell(cell).map(Cow::Owned),
        _ => Some(Cow::Borrowed(cell)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow_column::ColumnBuilder;

    #[test]
    fn a_type_is_known_without_what_stands_around_it() {
        assert_eq!(strip_type_wrappers("LowCardinality(Nullable(String))"), ("String", true));
        assert_eq!(strip_type_wrappers("Array(Nullable(String))"), ("Array(Nullable(String))", false));
        assert_eq!(Form::from_declared("Nullable(Decimal(38, 0))"), Form::Whole);
        assert_eq!(Form::from_declared("DateTime64(3, 'UTC')"), Form::Moment);
    }

    #[test]
    fn values_keep_all_their_digits() {
        let shown = |declared: &str, cell: Option<&str>| {
            let decoder = build_decoders(vec!["a".to_owned()], &[declared.to_owned()]).remove(0);
            let mut builder = ColumnBuilder::new(decoder);
            builder.push(cell).map(|_| crate::cells::format_cell(&builder.finish(), 0))
        };
        for (declared, cell, text) in [
            ("Int64", "-9223372036854775808", "-9223372036854775808"),
            ("UInt64", "\"18446744073709551615\"", "18446744073709551615"),
            (
                "Decimal(40, 2)",
                "12345678901234567890123456789012345678.10",
                "12345678901234567890123456789012345678.10",
            ),
            ("Float64", "\"-inf\"", "-inf"),
            ("DateTime64(6)", "\"2024-02-29 23:59:59.500000\"", "2024-02-29 23:59:59.5"),
            ("DateTime64(3)", "\"2024-02-29 23:59:59.000\"", "2024-02-29 23:59:59"),
            ("FixedString(4)", "\"ab\\u0000\\u0000\"", "ab"),
            ("Bool", "true", "true"),
            ("String", "\"null\"", "null"),
            ("IntervalDay", "3", "3"),
        ] {
            assert_eq!(shown(declared, Some(cell)).unwrap().as_deref(), Some(text), "{declared}");
        }
        assert_eq!(shown("Nullable(String)", None), Ok(None));
        assert!(shown("Int64", Some("1.5")).is_err() && shown("Int64", Some("9223372036854775808")).is_err());
    }
}
