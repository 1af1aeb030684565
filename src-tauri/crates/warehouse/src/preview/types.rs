//! The types of columns in the copy, which is a DuckDB database.

use crate::cells;
use arrow::datatypes::{DataType, Field};

/// Maximum number of digits of DuckDB's decimals.
const DIGITS: u8 = 38;

/// Returns the type of a column in the copy. Decimals with more digits than DuckDB supports become floating point,
/// because a sample shows magnitudes, not exact values.
pub(super) fn in_copy(field: &Field, declared: &str) -> String {
    match field.metadata().get(cells::TYPE_NAME).map(String::as_str) {
        Some("JSON" | "VARIANT") => "JSON".to_owned(),
        Some(decimal) if decimal.starts_with("DECIMAL") => decimal_of(declared),
        Some(moment) if moment.starts_with("TIMESTAMP") => {
            let zone = if moment.ends_with("TIME ZONE") { " WITH TIME ZONE" } else { "" };
            format!("TIMESTAMP{zone}")
        }
        Some(own @ ("DATE" | "TIME" | "HUGEINT" | "UHUGEINT")) => own.to_owned(),
        _ => of_arrow(field.data_type()),
    }
}

fn of_arrow(data_type: &DataType) -> String {
    let text = match data_type {
        DataType::UInt64 => "UBIGINT",
        integer if integer.is_integer() => "BIGINT",
        DataType::Float16 | DataType::Float32 | DataType::Float64 => "DOUBLE",
        DataType::Decimal32(digits, scale)
        | DataType::Decimal64(digits, scale)
        | DataType::Decimal128(digits, scale)
            if *digits <= DIGITS && *scale >= 0 =>
        {
            return format!("DECIMAL({digits},{scale})");
        }
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            "DOUBLE"
        }
        DataType::Boolean => "BOOLEAN",
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => "BLOB",
        DataType::Date32 | DataType::Date64 => "DATE",
        DataType::Time32(_) | DataType::Time64(_) => "TIME",
        DataType::Timestamp(_, None) => "TIMESTAMP",
        DataType::Timestamp(_, Some(_)) => "TIMESTAMP WITH TIME ZONE",
        DataType::Dictionary(_, value) => return of_arrow(value),
        nested if nested.is_nested() => "JSON",
        _ => "VARCHAR",
    };
    text.to_owned()
}

/// Returns the decimal type of a declaration, which may be nested in another type: `Nullable(Decimal(18, 2))`.
fn decimal_of(declared: &str) -> String {
    let inside = declared.rsplit_once('(').map(|(_, rest)| rest.split(')').next().unwrap_or(rest));
    let numbers: Option<Vec<u8>> = inside.map(|text| text.split(',').filter_map(|n| n.trim().parse().ok()).collect());
    match numbers.as_deref() {
        // BigQuery's types: a precision without a scale means no fraction; NUMERIC without a precision has nine decimal
        // places.
        None if declared == "NUMERIC" => "DECIMAL(38,9)".to_owned(),
        Some([digits]) if *digits <= DIGITS && !declared.starts_with("BIG") => format!("DECIMAL({digits},0)"),
        Some([digits, scale]) if *digits <= DIGITS && scale <= digits => format!("DECIMAL({digits},{scale})"),
        _ => "DOUBLE".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::TimeUnit;

    #[test]
    fn types_of_all_engines_have_one_in_the_copy() {
        let labelled =
            |label: &str, declared: &str| in_copy(&cells::build_field("a", DataType::Utf8, Some(label)), declared);
        assert_eq!(labelled("DECIMAL", "NUMERIC"), "DECIMAL(38,9)");
        assert_eq!(labelled("DECIMAL", "BIGNUMERIC"), "DOUBLE");
        assert_eq!(labelled("DECIMAL", "Nullable(Decimal(18, 2))"), "DECIMAL(18,2)");
        assert_eq!(labelled("DECIMAL(38,0)", "Nullable(UInt256)"), "DOUBLE");
        assert_eq!(labelled("DECIMAL", "Decimal(76, 20)"), "DOUBLE");
        assert_eq!(labelled("DECIMAL(38,0)", "decimal(10,0)"), "DECIMAL(10,0)");
        assert_eq!(labelled("TIMESTAMP", "DateTime64(3)"), "TIMESTAMP");
        assert_eq!(labelled("TIMESTAMP WITH TIME ZONE", ""), "TIMESTAMP WITH TIME ZONE");
        assert_eq!(labelled("VARIANT", "VARIANT"), "JSON");
        assert_eq!(labelled("UUID", "UUID"), "VARCHAR");
        let plain = |data_type| in_copy(&cells::build_field("a", data_type, None), "");
        assert_eq!(plain(DataType::Int32), "BIGINT");
        assert_eq!(plain(DataType::Decimal128(10, 2)), "DECIMAL(10,2)");
        assert_eq!(plain(DataType::Float32), "DOUBLE");
        assert_eq!(plain(DataType::Timestamp(TimeUnit::Nanosecond, None)), "TIMESTAMP");
    }
}
