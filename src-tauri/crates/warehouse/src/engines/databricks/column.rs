//! Conversion of the warehouse's types. All values of a JSON result are text; decimals, dates and times remain text,
//! labelled with their type, so that no digit is lost. Nested values are JSON, as they were sent.

use crate::arrow_column::{ArrowColumn, DecodeValue};
use crate::cells::build_field;
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Int64Type};

/// The decoder of one column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnDecoder {
    name: String,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Integer,
    Single,
    Double,
    Truth,
    Decimal,
    /// A decimal without a fraction.
    Whole,
    Date,
    /// A timestamp, transferred in UTC.
    Moment,
    /// A timestamp without time zone.
    Clock,
    Json,
    Text,
    Nothing,
}

/// Builds the decoders from the names and types of the columns.
pub(super) fn build_decoders(columns: impl IntoIterator<Item = (String, String)>) -> Vec<ColumnDecoder> {
    columns.into_iter().map(|(name, declared)| ColumnDecoder { name, form: Form::from_declared(&declared) }).collect()
}

impl Form {
    fn from_declared(declared: &str) -> Self {
        let upper = declared.trim().to_ascii_uppercase();
        let word: String = upper.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        match word.as_str() {
            "TINYINT" | "SMALLINT" | "INT" | "INTEGER" | "BIGINT" | "BYTE" | "SHORT" | "LONG" => Form::Integer,
            "FLOAT" | "REAL" => Form::Single,
            "DOUBLE" => Form::Double,
            "BOOLEAN" => Form::Truth,
            "DECIMAL" | "DEC" | "NUMERIC" => {
                let scale = upper.trim_end_matches(')').rsplit(',').next().map(str::trim);
                if scale == Some("0") { Form::Whole } else { Form::Decimal }
            }
            "DATE" => Form::Date,
            "TIMESTAMP" => Form::Moment,
            "TIMESTAMP_NTZ" => Form::Clock,
            "ARRAY" | "STRUCT" | "MAP" | "VARIANT" | "OBJECT" => Form::Json,
            "VOID" | "NULL" => Form::Nothing,
            _ => Form::Text,
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Form::Integer => DataType::Int64,
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
            Form::Moment | Form::Clock => Some("TIMESTAMP"),
            Form::Json => Some("JSON"),
            Form::Nothing => Some("NULL"),
            _ => None,
        }
    }
}

impl DecodeValue for ColumnDecoder {
    /// A value in its text form.
    type Raw<'v> = &'v str;

    const SENDER: &'static str = "Databricks";

    fn field(&self) -> Field {
        build_field(&self.name, self.form.data_type(), self.form.type_label())
    }

    fn decode_value(&self, cell: &str, to: &mut ArrowColumn) -> Option<usize> {
        match self.form {
            Form::Integer => to.parse_number::<Int64Type>(cell),
            Form::Single => to.parse_number::<Float32Type>(cell),
            Form::Double => to.parse_number::<Float64Type>(cell),
            Form::Truth => to.append_boolean(cell.to_ascii_lowercase().parse().ok()?),
            Form::Moment | Form::Clock => to.append_text(&format_timestamp(cell)),
            _ => to.append_text(cell),
        }
    }
}

/// Converts `2024-02-29T23:59:59.500Z` to `2024-02-29 23:59:59.5+00:00`, the form in which timestamps of other engines
/// are displayed.
fn format_timestamp(cell: &str) -> String {
    let (plain, zone) = match cell.strip_suffix('Z') {
        Some(plain) => (plain, "+00:00"),
        None => (cell, ""),
    };
    let text = plain.replacen('T', " ", 1);
    let text = match text.split_once('.') {
        // Trailing zeros of the fraction are removed.
        Some((_, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => text,
    };
    format!("{text}{zone}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow_column::ColumnBuilder;

    #[test]
    fn values_keep_all_their_digits() {
        let shown = |declared: &str, cell: Option<&str>| {
            let mut builder = ColumnBuilder::new(build_decoders([("a".to_owned(), declared.to_owned())]).remove(0));
            builder.push(cell).map(|_| crate::cells::format_cell(&builder.finish(), 0))
        };
        for (declared, cell, text) in [
            ("BIGINT", "-9223372036854775808", "-9223372036854775808"),
            ("DECIMAL(38,2)", "123456789012345678901234567890123456.10", "123456789012345678901234567890123456.10"),
            ("DOUBLE", "-Infinity", "-inf"),
            ("TIMESTAMP", "2024-02-29T23:59:59.500000Z", "2024-02-29 23:59:59.5+00:00"),
            ("TIMESTAMP_NTZ", "2024-02-29T23:59:00.000", "2024-02-29 23:59:00"),
            ("TIMESTAMP", "2024-02-29 20:00:00", "2024-02-29 20:00:00"),
            ("boolean", "true", "true"),
            ("STRING", "null", "null"),
            ("ARRAY<INT>", "[1,2]", "[1,2]"),
            ("INTERVAL DAY TO SECOND", "1 00:00:00.000000000", "1 00:00:00.000000000"),
        ] {
            assert_eq!(shown(declared, Some(cell)).unwrap().as_deref(), Some(text), "{declared}");
        }
        assert_eq!(shown("STRING", None), Ok(None));
        assert!(shown("INT", Some("1.5")).is_err() && shown("BIGINT", Some("9223372036854775808")).is_err());
    }
}
