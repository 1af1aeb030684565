//! Arrow values as exact text, for display, CSV files and comparisons.

use crate::nested::write_cell;
use arrow::array::Array;
use arrow::datatypes::*;
use arrow::record_batch::RecordBatch;
use vitrine_domain::{CellType, ResultColumn};

/// Returns the columns of a result.
pub fn result_columns(schema: &Schema) -> Vec<ResultColumn> {
    schema.fields().iter().map(|field| ResultColumn::new(field.name(), field_type(field))).collect()
}

fn field_type(field: &Field) -> CellType {
    field.metadata().get(TYPE_NAME).map_or_else(|| cell_type(field.data_type()), |name| declared_type(name))
}

/// The field metadata key for the engine's own type name, if Arrow has no name for it.
pub(crate) const TYPE_NAME: &str = "vitrine:type";

/// Creates a column of a result, with the engine's own type name if Arrow has no name for it.
pub(crate) fn build_field(name: &str, data_type: DataType, label: Option<&str>) -> Field {
    let field = Field::new(name, data_type, true);
    match label {
        Some(label) => field.with_metadata([(TYPE_NAME.to_owned(), label.to_owned())].into()),
        None => field,
    }
}

/// Returns the type family of an Arrow type.
pub fn cell_type(data_type: &DataType) -> CellType {
    use DataType as T;
    match data_type {
        T::Null => CellType::Null,
        T::Boolean => CellType::Boolean,
        data_type if data_type.is_integer() => CellType::Integer,
        // Sums of integers arrive as decimals with scale 0.
        T::Decimal32(_, scale) | T::Decimal64(_, scale) | T::Decimal128(_, scale) | T::Decimal256(_, scale)
            if *scale <= 0 =>
        {
            CellType::Integer
        }
        T::Decimal32(..) | T::Decimal64(..) | T::Decimal128(..) | T::Decimal256(..) => CellType::Decimal,
        T::Float16 | T::Float32 | T::Float64 => CellType::Float,
        T::Date32 | T::Date64 => CellType::Date,
        T::Time32(_) | T::Time64(_) => CellType::Time,
        T::Timestamp(..) => CellType::Timestamp,
        T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_) => CellType::Binary,
        T::Dictionary(_, value) => cell_type(value),
        T::RunEndEncoded(_, value) => cell_type(value.data_type()),
        data_type if data_type.is_nested() => CellType::Nested,
        _ => CellType::Text,
    }
}

/// Returns the type family of a DuckDB type name.
pub(crate) fn declared_type(name: &str) -> CellType {
    let head = name.split('(').next().unwrap_or(name);
    if name.ends_with(']') || matches!(head, "STRUCT" | "MAP" | "UNION" | "JSON" | "VARIANT") {
        return CellType::Nested;
    }
    match head {
        "BOOLEAN" => CellType::Boolean,
        "TINYINT" | "SMALLINT" | "INTEGER" | "BIGINT" | "HUGEINT" | "UTINYINT" | "USMALLINT" | "UINTEGER"
        | "UBIGINT" | "UHUGEINT" | "BIGNUM" => CellType::Integer,
        "DECIMAL" if name.ends_with(",0)") => CellType::Integer,
        "DECIMAL" => CellType::Decimal,
        "FLOAT" | "DOUBLE" => CellType::Float,
        "DATE" => cell_type(&DataType::Date32),
        "TIME" | "TIME_NS" => cell_type(&DataType::Time64(TimeUnit::Microsecond)),
        "BLOB" => CellType::Binary,
        "\"NULL\"" | "NULL" => CellType::Null,
        _ if head.starts_with("TIMESTAMP") => CellType::Timestamp,
        _ => CellType::Text,
    }
}

/// Formats one value as text; `None` is NULL.
pub fn format_cell(array: &dyn Array, row: usize) -> Option<String> {
    let mut text = String::new();
    write_cell(&mut text, array, row).then_some(text)
}

/// Formats all rows of a batch as text.
pub fn format_rows(batch: &RecordBatch) -> Vec<Vec<Option<String>>> {
    (0..batch.num_rows()).map(|row| batch.columns().iter().map(|column| format_cell(column, row)).collect()).collect()
}

#[cfg(test)]
mod tests;
