//! Conversion of the server's types. Values without an exact Arrow type (256-bit integers, decimals of 76 digits, dates
//! after 2262) are text, labelled with their type. Nested values are JSON, as the server writes them.

use super::rows::decode_cell;
use crate::WarehouseError;
use crate::batch_writer::ColumnBuilder;
use crate::cells::build_field;
use arrow::array::*;
use arrow::datatypes::{DataType, Schema};
use std::borrow::Cow;
use std::sync::Arc;

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

/// Builds the Arrow schema of the columns.
pub(super) fn build_schema(readings: &[ColumnDecoder]) -> Schema {
    let field =
        |reading: &ColumnDecoder| build_field(&reading.name, reading.form.data_type(), reading.form.type_label());
    Schema::new(readings.iter().map(field).collect::<Vec<_>>())
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

impl ColumnDecoder {
    pub(super) fn new_builder(&self) -> Builder {
        let values = match self.form {
            Form::Integer => Values::Integer(Int64Builder::new()),
            Form::Large => Values::Large(UInt64Builder::new()),
            Form::Single => Values::Single(Float32Builder::new()),
            Form::Double => Values::Double(Float64Builder::new()),
            Form::Truth => Values::Truth(BooleanBuilder::new()),
            _ => Values::Text(StringBuilder::new()),
        };
        Builder { form: self.form, values }
    }
}

/// Collects the values of one column.
pub(super) struct Builder {
    form: Form,
    values: Values,
}

enum Values {
    Integer(Int64Builder),
    Large(UInt64Builder),
    Single(Float32Builder),
    Double(Float64Builder),
    Truth(BooleanBuilder),
    Text(StringBuilder),
}

impl Builder {
    /// Appends a value in its JSON form and returns its size in bytes.
    pub(super) fn push(&mut self, cell: &str) -> Result<usize, WarehouseError> {
        self.try_push(cell).ok_or_else(|| WarehouseError::query("the server sent a value that cannot be shown exactly"))
    }

    fn try_push(&mut self, cell: &str) -> Option<usize> {
        if cell == "null" {
            match &mut self.values {
                Values::Integer(to) => to.append_null(),
                Values::Large(to) => to.append_null(),
                Values::Single(to) => to.append_null(),
                Values::Double(to) => to.append_null(),
                Values::Truth(to) => to.append_null(),
                Values::Text(to) => to.append_null(),
            }
            return Some(1);
        }
        // Numbers may be quoted.
        let bare = cell.trim_matches('"');
        match &mut self.values {
            Values::Integer(to) => to.append_value(bare.parse().ok()?),
            Values::Large(to) => to.append_value(bare.parse().ok()?),
            Values::Single(to) => to.append_value(bare.parse().ok()?),
            Values::Double(to) => to.append_value(bare.parse().ok()?),
            Values::Truth(to) => to.append_value(parse_boolean(bare)?),
            Values::Text(to) => {
                let text: Cow<'_, str> = format_value(self.form, cell)?;
                to.append_value(&text);
                return Some(text.len());
            }
        }
        Some(8)
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

impl ColumnBuilder for Builder {
    fn finish(&mut self) -> ArrayRef {
        match &mut self.values {
            Values::Integer(to) => Arc::new(to.finish()),
            Values::Large(to) => Arc::new(to.finish()),
            Values::Single(to) => Arc::new(to.finish()),
            Values::Double(to) => Arc::new(to.finish()),
            Values::Truth(to) => Arc::new(to.finish()),
            Values::Text(to) => Arc::new(to.finish()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_known_without_what_stands_around_it() {
        assert_eq!(strip_type_wrappers("LowCardinality(Nullable(String))"), ("String", true));
        assert_eq!(strip_type_wrappers("Array(Nullable(String))"), ("Array(Nullable(String))", false));
        assert_eq!(Form::from_declared("Nullable(Decimal(38, 0))"), Form::Whole);
        assert_eq!(Form::from_declared("DateTime64(3, 'UTC')"), Form::Moment);
    }

    #[test]
    fn values_keep_all_their_digits() {
        let shown = |declared: &str, cell: &str| {
            let reading = &build_decoders(vec!["a".to_owned()], &[declared.to_owned()])[0];
            let mut builder = reading.new_builder();
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
            assert_eq!(shown(declared, cell).unwrap().as_deref(), Some(text), "{declared}");
        }
        assert_eq!(shown("Nullable(String)", "null"), Ok(None));
        assert!(shown("Int64", "1.5").is_err() && shown("Int64", "9223372036854775808").is_err());
    }
}
