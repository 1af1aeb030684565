//! Types of columns on their transfer from a source through a Parquet file to the local engine.

use arrow::array::{ArrayRef, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, TimeUnit};
use std::sync::Arc;
use vitrine_domain::CellType;
use vitrine_domain::Dialect;
use vitrine_sql::ColumnType;
use vitrine_sql::DialectExt;
use vitrine_warehouse::{JoinedForm, cells};

/// The transfer of a column: its type in the file, and the conversion by the local engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColumnTransfer {
    pub file_type: DataType,
    pub form: JoinedForm,
}

/// Chooses the transfer of a column; `declared` is the type in the source's catalog. `None` if its values cannot be carried
/// unchanged.
pub(crate) fn choose_transfer(field: &Field, declared: &str, dialect: Dialect) -> Option<ColumnTransfer> {
    use DataType as T;
    let stored = |file_type: T| Some(ColumnTransfer { file_type, form: JoinedForm::Stored });
    match field.data_type() {
        // Without values, the declared type decides.
        T::Null => {
            let form = match dialect.sql().column_type(declared) {
                ColumnType::Whole => JoinedForm::Own("BIGINT".to_owned()),
                ColumnType::Decimal | ColumnType::Float => JoinedForm::Own("DOUBLE".to_owned()),
                ColumnType::Boolean => JoinedForm::Own("BOOLEAN".to_owned()),
                ColumnType::Date => JoinedForm::Day,
                ColumnType::Timestamp => JoinedForm::Moment,
                ColumnType::Text | ColumnType::Other | ColumnType::Unknown => JoinedForm::Stored,
            };
            Some(ColumnTransfer { file_type: T::Utf8, form })
        }
        T::Utf8 | T::LargeUtf8 | T::Utf8View => {
            let form = match JoinedForm::of_text(field) {
                // SQLite has no types for dates.
                JoinedForm::Stored => match dialect.sql().column_type(declared) {
                    ColumnType::Date => JoinedForm::Day,
                    ColumnType::Timestamp => JoinedForm::Moment,
                    _ => JoinedForm::Stored,
                },
                form => form,
            };
            Some(ColumnTransfer { file_type: T::Utf8, form })
        }
        T::Dictionary(_, value) if matches!(value.as_ref(), T::Utf8 | T::LargeUtf8) => stored(T::Utf8),
        T::Timestamp(TimeUnit::Second, zone) => stored(T::Timestamp(TimeUnit::Millisecond, zone.clone())),
        T::Time32(_) => stored(T::Time64(TimeUnit::Microsecond)),
        T::Date64 => stored(T::Date32),
        T::Float16 => stored(T::Float32),
        T::Interval(_) | T::Duration(_) => Some(ColumnTransfer { file_type: T::Utf8, form: JoinedForm::Interval }),
        T::Decimal256(..) => None,
        other if is_carried(other) => stored(other.clone()),
        _ => None,
    }
}

/// Returns true if a type is the same after a Parquet file.
fn is_carried(data_type: &DataType) -> bool {
    use DataType as T;
    match data_type {
        T::Null
        | T::Interval(_)
        | T::Duration(_)
        | T::Union(..)
        | T::Decimal256(..)
        | T::Timestamp(TimeUnit::Second, _)
        | T::Float16
        | T::Date64
        | T::RunEndEncoded(..)
        | T::Dictionary(..) => false,
        T::List(inner) | T::LargeList(inner) | T::FixedSizeList(inner, _) | T::Map(inner, _) => {
            is_carried(inner.data_type())
        }
        T::Struct(fields) => !fields.is_empty() && fields.iter().all(|field| is_carried(field.data_type())),
        _ => true,
    }
}

/// Converts a column to its type in the file. `None` if a value would change.
pub(crate) fn to_file(column: &ArrayRef, transfer: &ColumnTransfer) -> Option<ArrayRef> {
    if *column.data_type() == transfer.file_type {
        return Some(Arc::clone(column));
    }
    if transfer.form == JoinedForm::Interval {
        let texts = (0..column.len()).map(|row| cells::format_cell(column, row));
        return Some(Arc::new(texts.collect::<StringArray>()));
    }
    let converted = cast(column, &transfer.file_type).ok()?;
    (converted.null_count() == column.null_count() || *column.data_type() == DataType::Null).then_some(converted)
}

/// Returns the type of a column of an empty table, which serves to check a query.
pub(crate) fn empty_form(cell_type: CellType, declared: &str, dialect: Dialect) -> JoinedForm {
    let own = |name: &str| JoinedForm::Own(name.to_owned());
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | ',' | '(' | ')' | '[' | ']');
    if dialect == vitrine_warehouse::JOIN_DIALECT && !declared.is_empty() && declared.chars().all(plain) {
        return match declared.starts_with("ENUM") {
            true => own("VARCHAR"),
            false => own(declared),
        };
    }
    match (cell_type, dialect.sql().column_type(declared)) {
        (CellType::Text | CellType::Null, ColumnType::Date) => JoinedForm::Day,
        (CellType::Text | CellType::Null, ColumnType::Timestamp) => JoinedForm::Moment,
        (CellType::Boolean, _) => own("BOOLEAN"),
        (CellType::Integer, _) => own("BIGINT"),
        (CellType::Decimal, _) => JoinedForm::Decimal,
        (CellType::Float, _) => own("DOUBLE"),
        (CellType::Date, _) => JoinedForm::Day,
        (CellType::Time, _) => JoinedForm::Clock,
        (CellType::Timestamp, _) => JoinedForm::Moment,
        (CellType::Binary, _) => own("BLOB"),
        (CellType::Nested, _) => JoinedForm::Json,
        (CellType::Text | CellType::Null, _) => JoinedForm::Stored,
    }
}
