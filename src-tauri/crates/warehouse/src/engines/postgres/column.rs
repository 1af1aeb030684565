//! Conversion of PostgreSQL's types. Simple types are decoded from the server's binary format; the server converts all
//! others to text, or to JSON if they are nested.

use super::admission;
use super::numeric;
use super::pool::Session;
use super::query::{Prepared, Values};
use crate::WarehouseError;
use crate::batch_writer::ColumnBuilder;
use crate::cells::build_field;
use arrow::array::*;
use arrow::datatypes::{DataType, IntervalMonthDayNano, IntervalUnit, Schema, TimeUnit};
use std::sync::Arc;
use tokio_postgres::Statement;
use tokio_postgres::types::{Kind, Type};
use vitrine_sql::AllowedFunctions;

/// Days and microseconds between the epochs of Arrow (1970) and PostgreSQL (2000).
const DAYS: i32 = 10_957;
const MICROSECONDS: i64 = 86_400_000_000 * DAYS as i64;

/// The decoder of one column of a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnDecoder {
    name: String,
    form: Form,
    /// The name of the type, if the Arrow type does not identify it.
    label: Option<String>,
    /// The text before and after a column of this type that makes the server cast it.
    cast: Option<&'static [&'static str; 2]>,
}

/// The form in which a value is transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Boolean,
    Small,
    Integer,
    Big,
    Oid,
    Single,
    Double,
    Numeric,
    Text,
    Jsonb,
    Uuid,
    Date,
    Time,
    Timestamp,
    Zoned,
    Interval,
    Bytes,
}

/// Builds the decoders of a statement's columns.
pub(super) fn column_decoders(statement: &Statement) -> Result<Vec<ColumnDecoder>, WarehouseError> {
    if statement.columns().is_empty() {
        return Err(WarehouseError::Refused { message: "the statement is not a query".to_owned() });
    }
    let reading = |column: &tokio_postgres::Column| {
        let reading = ColumnDecoder::from_type(column.type_());
        // The type modifier of a decimal holds precision and scale; with scale 0 the values are integers.
        let whole =
            reading.form == Form::Numeric && column.type_modifier() >= 4 && (column.type_modifier() - 4) & 0x7ff == 0;
        let label = if whole { Some("DECIMAL(38,0)".to_owned()) } else { reading.label };
        ColumnDecoder { name: column.name().to_owned(), label, ..reading }
    };
    Ok(statement.columns().iter().map(reading).collect())
}

/// Returns the statement with casts for the columns that cannot be decoded directly; `None` if no column needs one.
fn with_casts(sql: &str, readings: &[ColumnDecoder]) -> Option<String> {
    readings.iter().find(|reading| reading.cast.is_some())?;
    // By number, because names may occur twice.
    let names: Vec<String> = (0..readings.len()).map(|index| format!("c{index}")).collect();
    let columns: Vec<String> = names
        .iter()
        .zip(readings)
        .map(|(name, reading)| {
            reading.cast.map_or_else(|| name.clone(), |[before, after]| format!("{before}{name}{after}"))
        })
        .collect();
    Some(format!("SELECT {} FROM (\n{sql}\n) AS result({})", columns.join(", "), names.join(", ")))
}

/// Prepares a query with the casts that its columns need.
pub(super) async fn prepare_query(
    session: &Session,
    sql: &str,
    allowed: &AllowedFunctions,
) -> Result<Result<Prepared<Builder>, WarehouseError>, tokio_postgres::Error> {
    let statement = match admission::prepare_admitted(session, sql, allowed).await? {
        Ok(statement) => statement,
        Err(refused) => return Ok(Err(refused)),
    };
    let readings = match column_decoders(&statement) {
        Ok(readings) => readings,
        Err(error) => return Ok(Err(error)),
    };
    let statement = match with_casts(sql, &readings) {
        Some(sql) => session.client.prepare(&sql).await?,
        None => statement,
    };
    let builders = readings.iter().map(ColumnDecoder::new_builder).collect();
    Ok(Ok(Prepared { statement, schema: arrow_schema(&readings), builders }))
}

/// Builds the Arrow schema of the columns.
pub(super) fn arrow_schema(readings: &[ColumnDecoder]) -> Schema {
    let field =
        |reading: &ColumnDecoder| build_field(&reading.name, reading.form.data_type(), reading.label.as_deref());
    Schema::new(readings.iter().map(field).collect::<Vec<_>>())
}

impl ColumnDecoder {
    fn from_type(column: &Type) -> Self {
        const TEXT: &[&str; 2] = &["", "::pg_catalog.text"];
        const JSON: &[&str; 2] = &["pg_catalog.to_json(", ")::pg_catalog.text"];
        const MONEY: &[&str; 2] = &["", "::pg_catalog.numeric"];
        let plain = |form| (form, None, None);
        let (form, label, cast) = match *column {
            Type::BOOL => plain(Form::Boolean),
            Type::INT2 => plain(Form::Small),
            Type::INT4 => plain(Form::Integer),
            Type::INT8 => plain(Form::Big),
            Type::OID => plain(Form::Oid),
            Type::FLOAT4 => plain(Form::Single),
            Type::FLOAT8 => plain(Form::Double),
            // As text even if the precision is declared: such a column may hold NaN, for which Arrow has no decimal.
            Type::NUMERIC => (Form::Numeric, Some("DECIMAL"), None),
            Type::MONEY => (Form::Numeric, Some("DECIMAL"), Some(MONEY)),
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN | Type::VOID => plain(Form::Text),
            Type::JSON => (Form::Text, Some("JSON"), None),
            Type::JSONB => (Form::Jsonb, Some("JSON"), None),
            Type::UUID => plain(Form::Uuid),
            Type::DATE => plain(Form::Date),
            Type::TIME => plain(Form::Time),
            Type::TIMESTAMP => plain(Form::Timestamp),
            Type::TIMESTAMPTZ => plain(Form::Zoned),
            Type::INTERVAL => plain(Form::Interval),
            Type::BYTEA => plain(Form::Bytes),
            Type::RECORD => (Form::Text, Some("JSON"), Some(JSON)),
            _ => match column.kind() {
                Kind::Enum(_) => plain(Form::Text),
                Kind::Array(_) | Kind::Composite(_) => (Form::Text, Some("JSON"), Some(JSON)),
                Kind::Domain(base) => return Self::from_type(base),
                _ => (Form::Text, None, Some(TEXT)),
            },
        };
        Self { name: String::new(), form, label: label.map(str::to_owned), cast }
    }

    pub(super) fn new_builder(&self) -> Builder {
        match self.form {
            Form::Boolean => Builder::Boolean(BooleanBuilder::new()),
            Form::Small => Builder::Small(Int16Builder::new()),
            Form::Integer => Builder::Integer(Int32Builder::new()),
            Form::Big => Builder::Big(Int64Builder::new()),
            Form::Oid => Builder::Oid(UInt32Builder::new()),
            Form::Single => Builder::Single(Float32Builder::new()),
            Form::Double => Builder::Double(Float64Builder::new()),
            Form::Numeric => Builder::Text(StringBuilder::new(), numeric::write_numeric),
            Form::Text => Builder::Text(StringBuilder::new(), write_text),
            Form::Jsonb => Builder::Text(StringBuilder::new(), write_jsonb),
            Form::Uuid => Builder::Text(StringBuilder::new(), write_uuid),
            Form::Date => Builder::Date(Date32Builder::new()),
            Form::Time => Builder::Time(Time64MicrosecondBuilder::new()),
            Form::Timestamp | Form::Zoned => {
                Builder::Timestamp(TimestampMicrosecondBuilder::new().with_data_type(self.form.data_type()))
            }
            Form::Interval => Builder::Interval(IntervalMonthDayNanoBuilder::new()),
            Form::Bytes => Builder::Bytes(BinaryBuilder::new()),
        }
    }
}

impl Form {
    fn data_type(self) -> DataType {
        match self {
            Form::Boolean => DataType::Boolean,
            Form::Small => DataType::Int16,
            Form::Integer => DataType::Int32,
            Form::Big => DataType::Int64,
            Form::Oid => DataType::UInt32,
            Form::Single => DataType::Float32,
            Form::Double => DataType::Float64,
            Form::Numeric | Form::Text | Form::Jsonb | Form::Uuid => DataType::Utf8,
            Form::Date => DataType::Date32,
            Form::Time => DataType::Time64(TimeUnit::Microsecond),
            Form::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
            Form::Zoned => DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into())),
            Form::Interval => DataType::Interval(IntervalUnit::MonthDayNano),
            Form::Bytes => DataType::Binary,
        }
    }
}

fn write_text(out: &mut String, bytes: &[u8]) -> Option<()> {
    out.push_str(std::str::from_utf8(bytes).ok()?);
    Some(())
}

/// Appends the JSON text, which follows the format version 1.
fn write_jsonb(out: &mut String, bytes: &[u8]) -> Option<()> {
    write_text(out, bytes.strip_prefix(&[1])?)
}

fn write_uuid(out: &mut String, bytes: &[u8]) -> Option<()> {
    let bytes: [u8; 16] = bytes.try_into().ok()?;
    for (place, byte) in bytes.iter().enumerate() {
        out.push_str(if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" });
        out.push_str(&format!("{byte:02x}"));
    }
    Some(())
}

/// Collects the values of one column.
pub(super) enum Builder {
    Boolean(BooleanBuilder),
    Small(Int16Builder),
    Integer(Int32Builder),
    Big(Int64Builder),
    Oid(UInt32Builder),
    Single(Float32Builder),
    Double(Float64Builder),
    Text(StringBuilder, fn(&mut String, &[u8]) -> Option<()>),
    Date(Date32Builder),
    Time(Time64MicrosecondBuilder),
    Timestamp(TimestampMicrosecondBuilder),
    Interval(IntervalMonthDayNanoBuilder),
    Bytes(BinaryBuilder),
}

impl Values for Builder {
    fn push(&mut self, raw: Option<&[u8]>) -> Result<(), WarehouseError> {
        self.try_push(raw).ok_or_else(|| WarehouseError::query("the server sent a value that cannot be shown exactly"))
    }
}

impl Builder {
    fn try_push(&mut self, raw: Option<&[u8]>) -> Option<()> {
        match self {
            Self::Boolean(to) => to.append_option(fixed_bytes(raw)?.map(|[byte]| byte != 0)),
            Self::Small(to) => to.append_option(fixed_bytes(raw)?.map(i16::from_be_bytes)),
            Self::Integer(to) => to.append_option(fixed_bytes(raw)?.map(i32::from_be_bytes)),
            Self::Big(to) => to.append_option(fixed_bytes(raw)?.map(i64::from_be_bytes)),
            Self::Oid(to) => to.append_option(fixed_bytes(raw)?.map(u32::from_be_bytes)),
            Self::Single(to) => to.append_option(fixed_bytes(raw)?.map(f32::from_be_bytes)),
            Self::Double(to) => to.append_option(fixed_bytes(raw)?.map(f64::from_be_bytes)),
            Self::Time(to) => to.append_option(fixed_bytes(raw)?.map(i64::from_be_bytes)),
            Self::Bytes(to) => to.append_option(raw),
            Self::Text(to, write) => match raw {
                None => to.append_null(),
                Some(bytes) => {
                    let mut text = String::with_capacity(bytes.len());
                    write(&mut text, bytes)?;
                    to.append_value(text);
                }
            },
            Self::Date(to) => match fixed_bytes(raw)?.map(i32::from_be_bytes) {
                // The minimum and the maximum represent infinity; the display code expects the negated maximum for
                // negative infinity.
                Some(i32::MIN) => to.append_value(-i32::MAX),
                Some(i32::MAX) => to.append_value(i32::MAX),
                Some(days) => to.append_value(days.checked_add(DAYS)?),
                None => to.append_null(),
            },
            Self::Timestamp(to) => match fixed_bytes(raw)?.map(i64::from_be_bytes) {
                Some(i64::MIN) => to.append_value(-i64::MAX),
                Some(i64::MAX) => to.append_value(i64::MAX),
                Some(moment) => to.append_value(moment.checked_add(MICROSECONDS)?),
                None => to.append_null(),
            },
            Self::Interval(to) => match fixed_bytes::<16>(raw)?.map(i128::from_be_bytes) {
                Some(parts) => {
                    let (time, days, months) = ((parts >> 64) as i64, (parts >> 32) as i32, parts as i32);
                    to.append_value(IntervalMonthDayNano::new(months, days, time.checked_mul(1_000)?));
                }
                None => to.append_null(),
            },
        }
        Some(())
    }
}

impl ColumnBuilder for Builder {
    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Boolean(to) => Arc::new(to.finish()),
            Self::Small(to) => Arc::new(to.finish()),
            Self::Integer(to) => Arc::new(to.finish()),
            Self::Big(to) => Arc::new(to.finish()),
            Self::Oid(to) => Arc::new(to.finish()),
            Self::Single(to) => Arc::new(to.finish()),
            Self::Double(to) => Arc::new(to.finish()),
            Self::Text(to, _) => Arc::new(to.finish()),
            Self::Date(to) => Arc::new(to.finish()),
            Self::Time(to) => Arc::new(to.finish()),
            Self::Timestamp(to) => Arc::new(to.finish()),
            Self::Interval(to) => Arc::new(to.finish()),
            Self::Bytes(to) => Arc::new(to.finish()),
        }
    }
}

/// Returns a value of fixed length; `None` if its length differs.
fn fixed_bytes<const N: usize>(raw: Option<&[u8]>) -> Option<Option<[u8; N]>> {
    match raw {
        None => Some(None),
        Some(bytes) => bytes.try_into().ok().map(Some),
    }
}
