//! Converts values to another type. Values that cannot be converted become NULL.

use vitrine_domain::Dialect;
use vitrine_domain::views::CastType;
use vitrine_sql::{ColumnType, DialectExt, SqlDialect};

/// Converts an expression from one type to another.
pub(crate) fn cast_expr(expr: &str, from: ColumnType, to: CastType, dialect: Dialect) -> String {
    let sql = dialect.sql();
    match (to, from) {
        (CastType::Whole, ColumnType::Whole) => expr.to_owned(),
        (CastType::Whole, ColumnType::Boolean) => sql.boolean_case(expr, "1", "0"),
        (CastType::Whole, ColumnType::Decimal | ColumnType::Float) => sql.truncate_number(expr),
        (CastType::Whole, _) => sql.truncate_number(&cast_to_number(expr, from, sql)),
        (CastType::Number, ColumnType::Boolean) => sql.boolean_case(expr, "1", "0"),
        (CastType::Number, _) => cast_to_number(expr, from, sql),
        (CastType::Text, ColumnType::Text) => expr.to_owned(),
        (CastType::Text, ColumnType::Boolean) => sql.boolean_case(expr, "'true'", "'false'"),
        (CastType::Text, ColumnType::Date) => sql.day_to_text(expr),
        (CastType::Text, _) => sql.cast_to_text(expr),
        (CastType::Date, ColumnType::Date | ColumnType::Timestamp) => sql.day_of(expr, from),
        (CastType::Date, ColumnType::Text) => sql.text_to_day(expr),
        (CastType::Date, _) => sql.text_to_day(&sql.cast_to_text(expr)),
    }
}

fn cast_to_number(expr: &str, from: ColumnType, sql: &dyn SqlDialect) -> String {
    match from {
        ColumnType::Text => sql.cast_text_to_number(expr),
        ColumnType::Unknown => sql.cast_text_to_number(&sql.cast_to_text(expr)),
        _ => expr.to_owned(),
    }
}
