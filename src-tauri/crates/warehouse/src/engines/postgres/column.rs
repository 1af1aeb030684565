//! Conversion of PostgreSQL's types. Simple types are decoded from the server's binary format; the server converts all
//! others to text, or to JSON if they are nested.

use super::admission;
use super::numeric;
use super::pool::Session;
use super::query::Prepared;
use crate::WarehouseError;
use crate::arrow_column::{ArrowColumn, DecodeValue};
use crate::cells::build_field;
use arrow::datatypes::*;
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
) -> Result<Result<Prepared<ColumnDecoder>, WarehouseError>, tokio_postgres::Error> {
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
    Ok(Ok(Prepared { statement, columns: readings }))
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

fn write_uuid(out: &mut String, bytes: &[u8]) -> Option<()> {
    let bytes: [u8; 16] = bytes.try_into().ok()?;
    for (place, byte) in bytes.iter().enumerate() {
        out.push_str(if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" });
        out.push_str(&format!("{byte:02x}"));
    }
    Some(())
}

impl DecodeValue for ColumnDecoder {
    type Raw<'v> = &'v [u8];

    fn field(&self) -> Field {
        build_field(&self.name, self.form.data_type(), self.label.as_deref())
    }

    fn decode_value(&self, raw: &[u8], to: &mut ArrowColumn) -> Option<usize> {
        let text = |write: fn(&mut String, &[u8]) -> Option<()>| {
            let mut text = String::with_capacity(raw.len());
            write(&mut text, raw).map(|()| text)
        };
        match self.form {
            Form::Boolean => {
                let [byte]: [u8; 1] = raw.try_into().ok()?;
                to.append_boolean(byte != 0)
            }
            Form::Small => to.append_number::<Int16Type>(i16::from_be_bytes(raw.try_into().ok()?)),
            Form::Integer => to.append_number::<Int32Type>(i32::from_be_bytes(raw.try_into().ok()?)),
            Form::Big => to.append_number::<Int64Type>(i64::from_be_bytes(raw.try_into().ok()?)),
            Form::Oid => to.append_number::<UInt32Type>(u32::from_be_bytes(raw.try_into().ok()?)),
            Form::Single => to.append_number::<Float32Type>(f32::from_be_bytes(raw.try_into().ok()?)),
            Form::Double => to.append_number::<Float64Type>(f64::from_be_bytes(raw.try_into().ok()?)),
            Form::Time => to.append_number::<Time64MicrosecondType>(i64::from_be_bytes(raw.try_into().ok()?)),
            Form::Bytes => to.append_bytes(raw),
            Form::Numeric => to.append_text(&text(numeric::write_numeric)?),
            Form::Text => to.append_text(std::str::from_utf8(raw).ok()?),
            // The JSON text follows the format version 1.
            Form::Jsonb => to.append_text(std::str::from_utf8(raw.strip_prefix(&[1])?).ok()?),
            Form::Uuid => to.append_text(&text(write_uuid)?),
            // The minimum and the maximum represent infinity; the display code expects the negated maximum for negative
            // infinity.
            Form::Date => to.append_number::<Date32Type>(match i32::from_be_bytes(raw.try_into().ok()?) {
                i32::MIN => -i32::MAX,
                i32::MAX => i32::MAX,
                days => days.checked_add(DAYS)?,
            }),
            Form::Timestamp | Form::Zoned => {
                to.append_number::<TimestampMicrosecondType>(match i64::from_be_bytes(raw.try_into().ok()?) {
                    i64::MIN => -i64::MAX,
                    i64::MAX => i64::MAX,
                    moment => moment.checked_add(MICROSECONDS)?,
                })
            }
            Form::Interval => {
                let parts = i128::from_be_bytes(raw.try_into().ok()?);
                let (time, days, months) = ((parts >> 64) as i64, (parts >> 32) as i32, parts as i32);
                let interval = IntervalMonthDayNano::new(months, days, time.checked_mul(1_000)?);
                to.append_number::<IntervalMonthDayNanoType>(interval)
            }
        }
    }
}
