//! Conversion of DuckDB's types. The engine itself writes every value as text with all its digits, and nested values as
//! JSON.

use crate::WarehouseError;
use crate::arrow_column::{ArrowColumn, DecodeValue};
use crate::cells::build_field;
use crate::engines::postgres::{Prepared, Session};
use arrow::datatypes::{
    DataType, Field, Float32Type, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt64Type,
};
use tokio_postgres::Error;

/// The decoder of one column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnDecoder {
    name: String,
    form: Form,
    /// The name of the type, if the Arrow type does not identify it.
    label: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Truth,
    Integer,
    /// Unsigned integers up to 64 bits.
    Natural,
    Single,
    Double,
    /// A timestamp with time zone. It is transferred as a number, because its text depends on the session's time zone.
    Zoned,
    Bytes,
    Json,
    Text,
}

/// Returns the columns of a query, which is bound and not run.
pub(super) async fn describe_columns(session: &Session, sql: &str) -> Result<Vec<ColumnDecoder>, Error> {
    let described = format!("SELECT column_name, column_type FROM (DESCRIBE\n{sql}\n)");
    let rows = session.client.query(&described, &[]).await?;
    rows.iter().map(|row| Ok(ColumnDecoder::from_declared(row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Prepares a query with all columns cast to text.
pub(super) async fn prepare_query(
    session: &Session,
    sql: &str,
) -> Result<Result<Prepared<ColumnDecoder>, WarehouseError>, Error> {
    let readings = describe_columns(session, sql).await?;
    if readings.is_empty() {
        return Ok(Err(WarehouseError::Refused { message: "the statement is not a query".to_owned() }));
    }
    let statement = session.client.prepare(&with_casts(sql, &readings)).await?;
    Ok(Ok(Prepared { statement, columns: readings }))
}

/// Returns the query with all columns cast to text. Columns are referenced by number, because names may occur twice.
fn with_casts(sql: &str, readings: &[ColumnDecoder]) -> String {
    let name = |at: usize| format!("c{at}");
    let columns: Vec<String> =
        readings.iter().enumerate().map(|(at, reading)| reading.form.cast_to_text(&name(at))).collect();
    let names: Vec<String> = (0..readings.len()).map(name).collect();
    format!("SELECT {} FROM (\n{sql}\n) AS result({})", columns.join(", "), names.join(", "))
}

impl ColumnDecoder {
    fn from_declared(name: String, declared: String) -> Self {
        let form = Form::from_declared(&declared);
        let label = match form {
            Form::Json => Some("JSON".to_owned()),
            Form::Text if declared != "VARCHAR" => Some(declared),
            _ => None,
        };
        Self { name, form, label }
    }
}

impl Form {
    fn from_declared(declared: &str) -> Self {
        let head = declared.split('(').next().unwrap_or(declared);
        let holds_others = matches!(head, "STRUCT" | "MAP" | "UNION" | "TUPLE" | "VARIANT");
        if declared.ends_with(']') || holds_others {
            return Self::Json;
        }
        match head {
            "BOOLEAN" => Self::Truth,
            "TINYINT" | "SMALLINT" | "INTEGER" | "BIGINT" => Self::Integer,
            "UTINYINT" | "USMALLINT" | "UINTEGER" | "UBIGINT" => Self::Natural,
            "FLOAT" => Self::Single,
            "DOUBLE" => Self::Double,
            "TIMESTAMP WITH TIME ZONE" => Self::Zoned,
            "BLOB" => Self::Bytes,
            _ => Self::Text,
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Self::Truth => DataType::Boolean,
            Self::Integer => DataType::Int64,
            Self::Natural => DataType::UInt64,
            Self::Single => DataType::Float32,
            Self::Double => DataType::Float64,
            Self::Zoned => DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into())),
            Self::Bytes => DataType::Binary,
            Self::Json | Self::Text => DataType::Utf8,
        }
    }

    /// Returns the expression that converts a column to text.
    fn cast_to_text(self, column: &str) -> String {
        let text = format!("CAST({column} AS VARCHAR)");
        match self {
            // Infinity has no numeric value.
            Self::Zoned => {
                format!("CASE WHEN isfinite({column}) THEN CAST(epoch_us({column}) AS VARCHAR) ELSE {text} END")
            }
            Self::Bytes => format!("hex({column})"),
            Self::Json => format!("CAST(to_json({column}) AS VARCHAR)"),
            _ => text,
        }
    }
}

impl DecodeValue for ColumnDecoder {
    /// A value as text.
    type Raw<'v> = &'v [u8];

    const SENDER: &'static str = "MotherDuck";

    fn field(&self) -> Field {
        build_field(&self.name, self.form.data_type(), self.label.as_deref())
    }

    fn decode_value(&self, raw: &[u8], to: &mut ArrowColumn) -> Option<usize> {
        let text = std::str::from_utf8(raw).ok()?;
        match self.form {
            Form::Truth => to.append_boolean(text.parse().ok()?),
            Form::Integer => to.parse_number::<Int64Type>(text),
            Form::Natural => to.parse_number::<UInt64Type>(text),
            Form::Single => to.parse_number::<Float32Type>(text),
            Form::Double => to.parse_number::<Float64Type>(text),
            Form::Zoned => to.append_number::<TimestampMicrosecondType>(match text {
                "infinity" => i64::MAX,
                "-infinity" => -i64::MAX,
                text => text.parse().ok()?,
            }),
            Form::Bytes => to.append_bytes(&decode_hex(text)?),
            Form::Json | Form::Text => to.append_text(text),
        }
    }
}

fn decode_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrow_column::{ColumnBuilder, build_schema};
    use vitrine_domain::CellType;

    #[test]
    fn values_keep_all_their_digits() {
        let shown = |declared: &str, text: Option<&str>| {
            let decoder = ColumnDecoder::from_declared("a".to_owned(), declared.to_owned());
            let mut builder = ColumnBuilder::new(decoder);
            builder.push(text.map(str::as_bytes)).map(|_| crate::cells::format_cell(&builder.finish(), 0))
        };
        for (declared, sent, text) in [
            ("UBIGINT", "18446744073709551615", "18446744073709551615"),
            ("HUGEINT", "170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
            ("DECIMAL(38,2)", "123456789012345678901234567890123456.10", "123456789012345678901234567890123456.10"),
            ("DOUBLE", "1e+300", "1e300"),
            ("DOUBLE", "-inf", "-inf"),
            ("FLOAT", "nan", "NaN"),
            ("TIMESTAMP WITH TIME ZONE", "1709243999000001", "2024-02-29 21:59:59.000001+00:00"),
            ("TIMESTAMP WITH TIME ZONE", "-infinity", "-infinity"),
            ("BLOB", "00FF", "00ff"),
            ("BLOB", "", ""),
            ("ENUM('a', 'b]')", "a", "a"),
        ] {
            assert_eq!(shown(declared, Some(sent)).unwrap().as_deref(), Some(text), "{declared}");
        }
        assert_eq!(shown("VARCHAR", None), Ok(None));
        for (declared, wrong) in [("INTEGER", "1.5"), ("BLOB", "0"), ("BLOB", "zz"), ("BOOLEAN", "maybe")] {
            assert!(shown(declared, Some(wrong)).is_err(), "{declared}");
        }
    }

    #[test]
    fn columns_have_the_kind_that_duckdb_says() {
        let kind = |declared: &str| {
            let schema = build_schema(&[ColumnDecoder::from_declared("a".to_owned(), declared.to_owned())]);
            crate::cells::result_columns(&schema)[0].cell_type
        };
        for (declared, wanted) in [
            ("HUGEINT", CellType::Integer),
            ("DECIMAL(18,0)", CellType::Integer),
            ("DECIMAL(18,3)", CellType::Decimal),
            ("TIMESTAMP_NS", CellType::Timestamp),
            ("TIME", CellType::Time),
            ("STRUCT(a INTEGER)", CellType::Nested),
            ("TUPLE(INTEGER, VARCHAR)", CellType::Nested),
            ("INTEGER[3]", CellType::Nested),
            ("JSON", CellType::Nested),
            ("INTERVAL", CellType::Text),
            ("\"NULL\"", CellType::Null),
        ] {
            assert_eq!(kind(declared), wanted, "{declared}");
        }
    }
}
