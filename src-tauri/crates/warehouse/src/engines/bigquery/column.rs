//! Conversion of BigQuery's types. Values arrive as text in JSON. Nested values are written as JSON with all digits;
//! values without an exact Arrow type (decimals of 77 digits, geographies, ranges) are text.

use super::fields::Field;
use super::moments;
use crate::WarehouseError;
use crate::arrow_column::{ArrowColumn, DecodeValue};
use crate::cells;
use arrow::array::ArrayRef;
use arrow::datatypes::{
    DataType, Date32Type, Field as ArrowField, Float64Type, Int64Type, IntervalMonthDayNanoType, IntervalUnit,
    Time64MicrosecondType, TimeUnit, TimestampMicrosecondType,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The form in which a value is transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Integer,
    Double,
    Decimal,
    /// A decimal without a fraction.
    Whole,
    Boolean,
    Text,
    Json,
    Bytes,
    Date,
    Time,
    Moment,
    Zoned,
    Interval,
    Nested,
}

/// The decoder of one column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnDecoder {
    field: Field,
    form: Form,
}

impl Form {
    fn from_field(field: &Field) -> Result<Self, WarehouseError> {
        Ok(match field.base_type() {
            _ if field.is_repeated() => Form::Nested,
            "STRUCT" => Form::Nested,
            "INT64" => Form::Integer,
            "FLOAT64" => Form::Double,
            "NUMERIC" | "BIGNUMERIC" if field.is_whole() => Form::Whole,
            "NUMERIC" | "BIGNUMERIC" => Form::Decimal,
            "BOOL" => Form::Boolean,
            "JSON" => Form::Json,
            "BYTES" => Form::Bytes,
            "DATE" => Form::Date,
            "TIME" => Form::Time,
            "DATETIME" => Form::Moment,
            "TIMESTAMP" if field.timestamp_precision.as_ref().is_some_and(|digits| !is_six(digits)) => {
                let message = format!("{} has more digits than microseconds: write CAST(... AS STRING)", field.name);
                return Err(WarehouseError::query(message));
            }
            "TIMESTAMP" => Form::Zoned,
            "INTERVAL" => Form::Interval,
            _ => Form::Text,
        })
    }

    fn data_type(self) -> DataType {
        match self {
            Form::Integer => DataType::Int64,
            Form::Double => DataType::Float64,
            Form::Boolean => DataType::Boolean,
            Form::Bytes => DataType::Binary,
            Form::Date => DataType::Date32,
            Form::Time => DataType::Time64(TimeUnit::Microsecond),
            Form::Moment => DataType::Timestamp(TimeUnit::Microsecond, None),
            Form::Zoned => DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into())),
            Form::Interval => DataType::Interval(IntervalUnit::MonthDayNano),
            Form::Decimal | Form::Whole | Form::Text | Form::Json | Form::Nested => DataType::Utf8,
        }
    }

    /// Returns the name of the type if the Arrow type does not identify it.
    fn type_label(self) -> Option<&'static str> {
        match self {
            Form::Decimal => Some("DECIMAL"),
            Form::Whole => Some("DECIMAL(38,0)"),
            Form::Json | Form::Nested => Some("JSON"),
            _ => None,
        }
    }
}

fn is_six(digits: &Value) -> bool {
    digits.as_str() == Some("6") || digits.as_u64() == Some(6)
}

/// Builds the decoders of a result.
pub(super) fn build_decoders(fields: Vec<Field>) -> Result<Vec<ColumnDecoder>, WarehouseError> {
    fields.into_iter().map(ColumnDecoder::from_field).collect()
}

impl ColumnDecoder {
    fn from_field(field: Field) -> Result<Self, WarehouseError> {
        Ok(Self { form: Form::from_field(&field)?, field })
    }

    pub(super) fn name(&self) -> &str {
        &self.field.name
    }

    /// Decodes the values of one column, in the order of the rows.
    pub(super) fn decode_array<'v>(&self, values: impl Iterator<Item = &'v Value>) -> Result<ArrayRef, WarehouseError> {
        let mut column = ArrowColumn::new(&self.form.data_type());
        for value in values {
            self.decode_optional(Some(value).filter(|value| !value.is_null()), &mut column).ok_or_else(|| {
                WarehouseError::query(format!(
                    "BigQuery sent a value of {} that cannot be shown exactly",
                    self.field.name
                ))
            })?;
        }
        Ok(column.finish())
    }
}

impl DecodeValue for ColumnDecoder {
    type Raw<'v> = &'v Value;

    fn field(&self) -> ArrowField {
        cells::build_field(&self.field.name, self.form.data_type(), self.form.type_label())
    }

    fn decode_value(&self, value: &Value, to: &mut ArrowColumn) -> Option<usize> {
        if self.form == Form::Nested {
            let mut text = String::new();
            write_json(&mut text, &self.field, value)?;
            return to.append_text(&text);
        }
        let text = value.as_str()?;
        match self.form {
            Form::Integer => to.parse_number::<Int64Type>(text),
            Form::Double => to.parse_number::<Float64Type>(text),
            Form::Boolean => to.append_boolean(text.parse().ok()?),
            Form::Bytes => to.append_bytes(&STANDARD.decode(text).ok()?),
            Form::Date => to.append_number::<Date32Type>(moments::parse_date(text)?),
            Form::Time => to.append_number::<Time64MicrosecondType>(moments::parse_time(text)?),
            Form::Moment => to.append_number::<TimestampMicrosecondType>(moments::parse_datetime(text)?),
            Form::Zoned => to.parse_number::<TimestampMicrosecondType>(text),
            Form::Interval => to.append_number::<IntervalMonthDayNanoType>(moments::parse_interval(text)?),
            Form::Decimal | Form::Whole | Form::Text | Form::Json | Form::Nested => to.append_text(text),
        }
    }
}

/// Appends a value as JSON: numbers with all their digits, timestamps in the same form as in a column of their own.
fn write_json(out: &mut String, field: &Field, value: &Value) -> Option<()> {
    if value.is_null() {
        out.push_str("null");
        return Some(());
    }
    if field.is_repeated() {
        let element = Field { mode: None, ..field.clone() };
        out.push('[');
        for (at, item) in value.as_array()?.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            write_json(out, &element, item.get("v")?)?;
        }
        out.push(']');
        return Some(());
    }
    if field.base_type() == "STRUCT" {
        let values = value.get("f")?.as_array()?;
        out.push('{');
        for (at, (part, item)) in field.fields.iter().zip(values).enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            out.push_str(&quote_json(&part.name));
            out.push(':');
            write_json(out, part, item.get("v")?)?;
        }
        out.push('}');
        return (values.len() == field.fields.len()).then_some(());
    }
    let decoder = ColumnDecoder::from_field(field.clone()).ok()?;
    let mut column = ArrowColumn::new(&decoder.form.data_type());
    decoder.decode_value(value, &mut column)?;
    let text = cells::format_cell(column.finish().as_ref(), 0)?;
    // NaN and the infinities cannot be written as JSON numbers.
    let bare = match decoder.form {
        Form::Double => !text.contains(['N', 'i']),
        form => matches!(form, Form::Integer | Form::Decimal | Form::Whole | Form::Boolean | Form::Json),
    };
    out.push_str(&if bare { text } else { quote_json(&text) });
    Some(())
}

fn quote_json(text: &str) -> String {
    // Serializing a text as JSON cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::Array;
    use serde_json::json;

    fn decode_cell(kind: Value, value: Value) -> Option<String> {
        let field: Field = serde_json::from_value(kind).unwrap();
        let reading = &build_decoders(vec![field]).unwrap()[0];
        let array = reading.decode_array([&value, &Value::Null].into_iter()).ok()?;
        assert!(array.is_null(1) && *array.data_type() == reading.form.data_type());
        cells::format_cell(array.as_ref(), 0)
    }

    #[test]
    fn values_come_out_exactly() {
        for (kind, value, text) in [
            ("INTEGER", "-9223372036854775808", "-9223372036854775808"),
            ("FLOAT", "0.1", "0.1"),
            ("FLOAT64", "-Infinity", "-inf"),
            ("NUMERIC", "1.5", "1.5"),
            ("BIGNUMERIC", "0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
            ("BOOLEAN", "true", "true"),
            ("BYTES", "AP8=", "00ff"),
            ("DATE", "0001-01-01", "0001-01-01"),
            ("TIME", "12:34:56.789000", "12:34:56.789"),
            ("DATETIME", "9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"),
            ("TIMESTAMP", "-62135596800000000", "0001-01-01 00:00:00+00:00"),
            ("INTERVAL", "1-2 3 0:0:0", "1 year 2 months 3 days"),
            ("GEOGRAPHY", "POINT(1 2)", "POINT(1 2)"),
            ("JSON", "{\"a\":1.10}", "{\"a\":1.10}"),
        ] {
            assert_eq!(decode_cell(json!({"name": "a", "type": kind}), json!(value)).as_deref(), Some(text), "{kind}");
        }
    }

    #[test]
    fn parts_keep_their_digits() {
        let kind = json!({"name": "a", "type": "RECORD", "mode": "REPEATED", "fields": [
            {"name": "n", "type": "NUMERIC"}, {"name": "when", "type": "TIMESTAMP"},
            {"name": "tags", "type": "STRING", "mode": "REPEATED"}, {"name": "f", "type": "FLOAT"}]});
        let value = json!([{"v": {"f": [
            {"v": "12345678901234567890.123456789"}, {"v": "0"}, {"v": [{"v": "q\""}, {"v": "r"}]}, {"v": null}]}}]);
        assert_eq!(
            decode_cell(kind, value).as_deref(),
            Some(
                r#"[{"n":12345678901234567890.123456789,"when":"1970-01-01 00:00:00+00:00","tags":["q\"","r"],"f":null}]"#
            )
        );
    }

    #[test]
    fn what_is_not_understood_is_an_error_and_not_another_value() {
        for (kind, value) in [("INTEGER", "1.5"), ("DATE", "29.2.2024"), ("TIMESTAMP", "1.7E9"), ("BYTES", "?")] {
            assert_eq!(decode_cell(json!({"name": "a", "type": kind}), json!(value)), None, "{kind}");
        }
        let fine = json!({"name": "a", "type": "TIMESTAMP", "timestampPrecision": "12"});
        assert!(build_decoders(vec![serde_json::from_value(fine).unwrap()]).is_err());
    }
}
