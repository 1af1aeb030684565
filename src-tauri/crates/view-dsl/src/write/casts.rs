//! Converts values to another type in each dialect. Values that cannot be converted become NULL.

use super::{reading, terms};
use vitrine_domain::Dialect;
use vitrine_domain::views::CastType;
use vitrine_sql::{ColumnType, DialectExt};

/// Converts an expression from one type to another.
pub(crate) fn cast_expr(expr: &str, from: ColumnType, to: CastType, dialect: Dialect) -> String {
    match (to, from) {
        (CastType::Whole, ColumnType::Whole) => expr.to_owned(),
        (CastType::Whole, ColumnType::Boolean) => boolean_case(expr, "1", "0", dialect),
        (CastType::Whole, ColumnType::Decimal | ColumnType::Float) => truncate_number(expr, dialect),
        (CastType::Whole, _) => truncate_number(&cast_to_number(expr, from, dialect), dialect),
        (CastType::Number, ColumnType::Boolean) => boolean_case(expr, "1", "0", dialect),
        (CastType::Number, _) => cast_to_number(expr, from, dialect),
        (CastType::Text, ColumnType::Text) => expr.to_owned(),
        (CastType::Text, ColumnType::Boolean) => boolean_case(expr, "'true'", "'false'", dialect),
        (CastType::Text, ColumnType::Date) => match dialect {
            Dialect::Sqlite => format!("DATE({expr})"),
            Dialect::Postgres | Dialect::Snowflake => format!("TO_CHAR({expr}, 'YYYY-MM-DD')"),
            Dialect::Mysql => format!("DATE_FORMAT({expr}, '%Y-%m-%d')"),
            Dialect::Duckdb
            | Dialect::Bigquery
            | Dialect::Clickhouse
            | Dialect::Databricks
            | Dialect::Trino
            | Dialect::Mssql => cast_to_text(expr, dialect),
        },
        (CastType::Text, _) => cast_to_text(expr, dialect),
        (CastType::Date, ColumnType::Date | ColumnType::Timestamp) => terms::day_expr(expr, from, dialect),
        (CastType::Date, ColumnType::Text) => text_to_day(expr, dialect),
        (CastType::Date, _) => text_to_day(&cast_to_text(expr, dialect), dialect),
    }
}

fn boolean_case(expr: &str, yes: &str, no: &str, dialect: Dialect) -> String {
    if dialect == Dialect::Mssql {
        return format!("CASE {expr} WHEN 1 THEN {yes} WHEN 0 THEN {no} END");
    }
    format!("CASE WHEN {expr} THEN {yes} WHEN NOT {expr} THEN {no} END")
}

fn cast_to_text(expr: &str, dialect: Dialect) -> String {
    format!("CAST({expr} AS {})", dialect.sql().text_type())
}

fn cast_to_number(expr: &str, from: ColumnType, dialect: Dialect) -> String {
    match from {
        ColumnType::Text => of_text(expr, dialect),
        ColumnType::Unknown => of_text(&cast_to_text(expr, dialect), dialect),
        _ => expr.to_owned(),
    }
}

/// Converts arbitrary text to a number: SQLite alone would take the beginning of a day for a number.
fn of_text(expr: &str, dialect: Dialect) -> String {
    let number = reading::read_number(expr, dialect);
    if dialect != Dialect::Sqlite {
        return number;
    }
    let odd = ["*[0-9.][-+]*", "*.*.*", "*[eE]*[eE]*", "*[eE]", "*[-+]"];
    let odd = odd.map(|shape| format!("TRIM({expr}) GLOB '{shape}'"));
    format!("CASE WHEN NOT ({}) THEN {number} END", odd.join(" OR "))
}

/// Truncates a number to its whole part.
fn truncate_number(expr: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Sqlite => format!("CAST({expr} AS INTEGER)"),
        Dialect::Duckdb => format!("TRY_CAST(TRUNC({expr}) AS BIGINT)"),
        Dialect::Postgres => format!("TRUNC(CAST({expr} AS NUMERIC))"),
        Dialect::Clickhouse => format!("accurateCastOrNull(trunc({expr}), 'Int64')"),
        Dialect::Snowflake => format!("TRUNC({expr})"),
        Dialect::Mysql => format!("TRUNCATE({expr}, 0)"),
        Dialect::Databricks => format!("TRY_CAST({expr} AS BIGINT)"),
        Dialect::Mssql => {
            format!("TRY_CAST(CASE WHEN {expr} < 0 THEN CEILING({expr}) ELSE FLOOR({expr}) END AS BIGINT)")
        }
        // A plain cast would round.
        Dialect::Trino => format!("TRY_CAST(TRUNCATE({expr}) AS BIGINT)"),
        Dialect::Bigquery => format!("SAFE_CAST(TRUNC({expr}) AS INT64)"),
    }
}

/// Converts text that begins with a day. For the 31st of February, SQLite and ClickHouse return a day in March,
/// PostgreSQL fails, and MariaDB keeps it.
fn text_to_day(expr: &str, dialect: Dialect) -> String {
    let part = if dialect == Dialect::Mssql { "SUBSTRING" } else { "SUBSTR" };
    let begins = format!("{part}(TRIM({expr}), 1, 10)");
    match dialect {
        Dialect::Sqlite => format!("CASE WHEN DATE({begins}) = {begins} THEN {begins} END"),
        Dialect::Duckdb => format!("CAST(TRY_STRPTIME({begins}, '%Y-%m-%d') AS DATE)"),
        Dialect::Postgres => {
            let first = format!("TO_DATE(SUBSTR({begins}, 1, 7) || '-01', 'YYYY-MM-DD')");
            let rolled = format!("{first} + CAST(SUBSTR({begins}, 9, 2) AS INTEGER) - 1");
            let shape = "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
            format!(
                "CASE WHEN {begins} ~ '{shape}' THEN CASE WHEN TO_CHAR({rolled}, 'YYYY-MM-DD') = {begins} THEN {rolled} END END"
            )
        }
        Dialect::Mysql => {
            let shape = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
            format!(
                "CASE WHEN {begins} REGEXP '{shape}' AND {begins} >= '0001' THEN STR_TO_DATE({begins}, '%Y-%m-%d') + INTERVAL 0 DAY END"
            )
        }
        Dialect::Clickhouse => {
            let read = format!("toDate32OrNull({begins})");
            format!("CASE WHEN toString({read}) = {begins} THEN {read} END")
        }
        // These accept more than whole days; Spark reads a year as its first day.
        Dialect::Databricks | Dialect::Trino | Dialect::Mssql => {
            let read = format!("TRY_CAST({begins} AS DATE)");
            format!("CASE WHEN {} = {begins} THEN {read} END", cast_to_text(&read, dialect))
        }
        Dialect::Snowflake => format!("TRY_TO_DATE({begins}, 'YYYY-MM-DD')"),
        Dialect::Bigquery => format!("SAFE.PARSE_DATE('%Y-%m-%d', {begins})"),
    }
}
