//! Generates expressions that differ between dialects. The rest of a compiled view is common SQL.

use crate::model::plan::{Fixed, period_name};
use vitrine_domain::Dialect;
use vitrine_domain::views::{Comparison, Period};
use vitrine_sql::{ColumnType, DialectExt};

/// Formats a text constant as a string literal.
pub(crate) fn text_literal(value: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Bigquery => {
            let escaped = value.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
            format!("'{escaped}'")
        }
        Dialect::Snowflake | Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks => {
            format!("'{}'", value.replace('\\', "\\\\").replace('\'', "''"))
        }
        // Without N, characters outside of the server's code page are lost.
        Dialect::Mssql if !value.is_ascii() => format!("N'{}'", value.replace('\'', "''")),
        Dialect::Sqlite | Dialect::Duckdb | Dialect::Postgres | Dialect::Trino | Dialect::Mssql => {
            format!("'{}'", value.replace('\'', "''"))
        }
    }
}

/// Formats a constant as a literal.
pub(crate) fn constant_literal(value: &Fixed, dialect: Dialect) -> String {
    match (value, dialect) {
        (Fixed::Text(value), _) => text_literal(value, dialect),
        (Fixed::Number(value), _) => number_literal(value),
        // SQLite stores booleans as 1 and 0, days as text; SQL Server has bits.
        (Fixed::Boolean(value), Dialect::Sqlite | Dialect::Mssql) => u8::from(*value).to_string(),
        (Fixed::Boolean(value), _) => value.to_string().to_uppercase(),
        (Fixed::Day(day), Dialect::Sqlite) => format!("'{day}'"),
        // ClickHouse's DATE begins with 1970.
        (Fixed::Day(day), Dialect::Clickhouse) => format!("toDate32('{day}')"),
        (Fixed::Day(day), Dialect::Mssql) => format!("CAST('{day}' AS DATE)"),
        (Fixed::Day(day), _) => format!("DATE '{day}'"),
    }
}

/// Formats a number in parentheses if it is negative, since two minus signs would begin a comment.
pub(crate) fn number_literal(value: &str) -> String {
    if value.starts_with('-') { format!("({value})") } else { value.to_owned() }
}

/// Returns the day of a date, a timestamp or a text with either.
pub(crate) fn day_expr(expr: &str, family: ColumnType, dialect: Dialect) -> String {
    match (family, dialect) {
        (_, Dialect::Sqlite) => format!("DATE({expr})"),
        (ColumnType::Date, _) => expr.to_owned(),
        (_, Dialect::Clickhouse) => format!("toDate32({expr})"),
        // Other text would make the query fail.
        (ColumnType::Text | ColumnType::Unknown, Dialect::Databricks | Dialect::Trino | Dialect::Mssql) => {
            format!("TRY_CAST({expr} AS DATE)")
        }
        _ => format!("CAST({expr} AS DATE)"),
    }
}

/// Converts a date or timestamp for comparison: SQLite stores both as text in several formats.
pub(crate) fn moment_expr(expr: String, family: ColumnType, dialect: Dialect) -> String {
    match (family, dialect) {
        (ColumnType::Timestamp, Dialect::Sqlite) => format!("JULIANDAY({expr})"),
        _ => expr,
    }
}

/// Returns the first day of a date's period; weeks begin on Monday.
pub(crate) fn first_day(expr: &str, period: Period, family: ColumnType, dialect: Dialect) -> String {
    if period == Period::Day {
        return day_expr(expr, family, dialect);
    }
    let name = period_name(period).to_uppercase();
    let exact = if matches!(family, ColumnType::Date | ColumnType::Timestamp) { ColumnType::Date } else { family };
    match (dialect, period) {
        (Dialect::Sqlite, Period::Year | Period::Month) => format!("DATE({expr}, 'start of {}')", period_name(period)),
        (Dialect::Sqlite, Period::Week) => format!("DATE({expr}, 'weekday 0', '-6 days')"),
        (Dialect::Sqlite, _) => {
            let back = format!("(CAST(STRFTIME('%m', {expr}) AS INTEGER) - 1) % 3");
            format!("DATE({expr}, 'start of month', '-' || ({back}) || ' months')")
        }
        (Dialect::Mysql, period) => {
            // MySQL's day functions keep the time of a timestamp.
            let day = day_expr(expr, family, dialect);
            match period {
                Period::Week => format!("DATE_SUB({day}, INTERVAL WEEKDAY({day}) DAY)"),
                Period::Month => format!("DATE_SUB({day}, INTERVAL DAYOFMONTH({day}) - 1 DAY)"),
                Period::Quarter => {
                    format!("DATE_ADD(MAKEDATE(YEAR({day}), 1), INTERVAL 3 * (QUARTER({day}) - 1) MONTH)")
                }
                Period::Year | Period::Day => format!("MAKEDATE(YEAR({day}), 1)"),
            }
        }
        // ClickHouse's own functions return a DATE, which begins with 1970.
        (Dialect::Clickhouse, period) => {
            let day = day_expr(expr, family, dialect);
            match period {
                Period::Week => format!("subtractDays(toDate32({day}), toDayOfWeek({day}) - 1)"),
                Period::Month => format!("makeDate32(toYear({day}), toMonth({day}), 1)"),
                Period::Quarter => format!("makeDate32(toYear({day}), 3 * toQuarter({day}) - 2, 1)"),
                Period::Year | Period::Day => format!("makeDate32(toYear({day}), 1, 1)"),
            }
        }
        (Dialect::Databricks, _) => format!("TRUNC({}, '{name}')", day_expr(expr, family, dialect)),
        // The first of January 1900 was a Monday.
        (Dialect::Mssql, period) => {
            let day = day_expr(expr, family, dialect);
            match period {
                Period::Week => {
                    format!("DATEADD(day, -((DATEDIFF(day, '1900-01-01', {day}) % 7 + 7) % 7), {day})")
                }
                Period::Month => format!("DATEFROMPARTS(YEAR({day}), MONTH({day}), 1)"),
                Period::Quarter => format!("DATEFROMPARTS(YEAR({day}), 3 * DATEPART(quarter, {day}) - 2, 1)"),
                Period::Year | Period::Day => format!("DATEFROMPARTS(YEAR({day}), 1, 1)"),
            }
        }
        (Dialect::Duckdb | Dialect::Postgres | Dialect::Trino, _) => {
            format!("CAST(DATE_TRUNC('{}', {}) AS DATE)", period_name(period), day_expr(expr, exact, dialect))
        }
        // The first day of the week in DATE_TRUNC depends on the account's settings.
        (Dialect::Snowflake, Period::Week) => {
            let day = day_expr(expr, family, dialect);
            format!("DATEADD('day', 1 - DAYOFWEEKISO({day}), {day})")
        }
        (Dialect::Snowflake, _) => format!("DATE_TRUNC('{name}', {})", day_expr(expr, family, dialect)),
        (Dialect::Bigquery, _) => {
            let name = if period == Period::Week { "ISOWEEK" } else { name.as_str() };
            format!("DATE_TRUNC({}, {name})", day_expr(expr, family, dialect))
        }
    }
}

/// Counts calendar steps between two days.
pub(crate) fn count_steps(from: &str, to: &str, unit: Period, dialect: Dialect) -> String {
    let name = period_name(unit);
    let begins = |day: &str| first_day(day, unit, ColumnType::Date, dialect);
    let number = |part: &str, day: &str| match (dialect, part) {
        (Dialect::Sqlite, "year") => format!("CAST(STRFTIME('%Y', {day}) AS INTEGER)"),
        (Dialect::Sqlite, "quarter") => format!("(CAST(STRFTIME('%m', {day}) AS INTEGER) + 2) / 3"),
        (Dialect::Sqlite, _) => format!("CAST(STRFTIME('%m', {day}) AS INTEGER)"),
        (Dialect::Mysql, _) => format!("EXTRACT({} FROM {day})", part.to_uppercase()),
        _ => format!("CAST(EXTRACT({} FROM {day}) AS INTEGER)", part.to_uppercase()),
    };
    let of_year = |many: u32| {
        let years = format!("({} - {}) * {many}", number("year", to), number("year", from));
        format!("{years} + {} - {}", number(name, to), number(name, from))
    };
    match (dialect, unit) {
        (Dialect::Clickhouse, Period::Week) => {
            format!("intDiv(dateDiff('day', {}, {}), 7)", begins(from), begins(to))
        }
        (Dialect::Clickhouse, _) => format!("dateDiff('{name}', {from}, {to})"),
        // DuckDB's weeks are off by one before 1970, where it rounds negative numbers towards zero.
        (Dialect::Duckdb, Period::Week) => {
            format!("CAST(DATE_DIFF('day', {}, {}) / 7 AS BIGINT)", begins(from), begins(to))
        }
        (Dialect::Duckdb, _) => format!("DATE_DIFF('{name}', {from}, {to})"),
        // The first day of the week depends on the account's settings, so that only weeks from Monday to Monday are
        // reliable.
        (Dialect::Snowflake, Period::Week) => format!("DATEDIFF('{name}', {}, {})", begins(from), begins(to)),
        (Dialect::Snowflake, _) => format!("DATEDIFF('{name}', {from}, {to})"),
        (Dialect::Bigquery, Period::Week) => format!("DATE_DIFF({to}, {from}, ISOWEEK)"),
        (Dialect::Bigquery, _) => format!("DATE_DIFF({to}, {from}, {})", name.to_uppercase()),
        (Dialect::Sqlite, Period::Day) => format!("CAST(JULIANDAY({to}) - JULIANDAY({from}) AS INTEGER)"),
        (Dialect::Sqlite, Period::Week) => {
            format!("CAST(JULIANDAY({}) - JULIANDAY({}) AS INTEGER) / 7", begins(to), begins(from))
        }
        (Dialect::Databricks, Period::Day) => format!("DATEDIFF({to}, {from})"),
        (Dialect::Databricks, Period::Week) => {
            format!("CAST(DATEDIFF({}, {}) / 7 AS BIGINT)", begins(to), begins(from))
        }
        (Dialect::Mssql, Period::Week) => format!("DATEDIFF(day, {}, {}) / 7", begins(from), begins(to)),
        (Dialect::Mssql, _) => format!("DATEDIFF({name}, {from}, {to})"),
        // For longer units, Trino counts only complete ones.
        (Dialect::Trino, Period::Day) => format!("DATE_DIFF('day', {from}, {to})"),
        (Dialect::Trino, Period::Week) => format!("DATE_DIFF('day', {}, {}) / 7", begins(from), begins(to)),
        (Dialect::Mysql, Period::Day) => format!("DATEDIFF({to}, {from})"),
        (Dialect::Mysql, Period::Week) => format!("DATEDIFF({}, {}) DIV 7", begins(to), begins(from)),
        (Dialect::Postgres, Period::Day) => format!("{to} - {from}"),
        (Dialect::Postgres, Period::Week) => format!("({} - {}) / 7", begins(to), begins(from)),
        (_, Period::Year) => format!("{} - {}", number("year", to), number("year", from)),
        (_, Period::Quarter) => of_year(4),
        (_, Period::Month) => of_year(12),
    }
}

/// Returns a quotient that keeps its fraction and is NULL if the divisor is 0. `family` is the type of the dividend.
pub(crate) fn quotient_expr(left: &str, right: &str, family: ColumnType, dialect: Dialect) -> String {
    let left = match dialect {
        Dialect::Sqlite => format!("CAST({left} AS REAL)"),
        // A dividend that is not a float stays as exact as possible and can be rounded.
        Dialect::Postgres if family != ColumnType::Float => format!("CAST({left} AS NUMERIC)"),
        // Their quotients of decimals have only six decimals, or four more than the dividend, or no more than it.
        Dialect::Snowflake | Dialect::Mysql | Dialect::Databricks | Dialect::Trino => {
            format!("CAST({left} AS DOUBLE)")
        }
        Dialect::Mssql => format!("CAST({left} AS DOUBLE PRECISION)"),
        Dialect::Clickhouse => format!("toFloat64({left})"),
        Dialect::Duckdb | Dialect::Bigquery | Dialect::Postgres => left.to_owned(),
    };
    format!("{left} / NULLIF({right}, 0)")
}

/// Returns a mean. Means of MySQL and Spark have only four more decimals than their values, so that a third would be
/// 0.3333; Trino's means of decimals have no more.
pub(crate) fn mean_expr(of: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Mysql | Dialect::Databricks | Dialect::Trino => format!("AVG(CAST({of} AS DOUBLE))"),
        // SQL Server's mean of integers is an integer.
        Dialect::Mssql => format!("AVG(CAST({of} AS DOUBLE PRECISION))"),
        _ => format!("AVG({of})"),
    }
}

/// Returns a median, in dialects that have one.
pub(crate) fn median_expr(of: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Postgres => format!("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {of})"),
        // The mean of two decimals needs one more decimal than they have.
        Dialect::Duckdb => format!("MEDIAN(CAST({of} AS DOUBLE))"),
        Dialect::Clickhouse => format!("quantileExactInclusive(0.5)(toFloat64({of}))"),
        _ => format!("MEDIAN({of})"),
    }
}

/// Returns a case-insensitive text search. SQLite folds the case of ASCII letters only.
pub(crate) fn search_condition(
    expr: &str,
    op: Comparison,
    wanted: &str,
    family: ColumnType,
    dialect: Dialect,
) -> String {
    // ClickHouse's plain function folds the case of ASCII letters only.
    let lower = if dialect == Dialect::Clickhouse { "lowerUTF8" } else { "LOWER" };
    let expr = match family {
        ColumnType::Text => format!("{lower}({expr})"),
        _ => format!("{lower}(CAST({expr} AS {}))", dialect.sql().text_type()),
    };
    // In SQL Server, brackets in patterns enclose a set of characters.
    let pattern = match (op, dialect) {
        (Comparison::Like, Dialect::Mssql) => wanted.replace('[', "[[]"),
        _ => wanted.to_owned(),
    };
    let wanted = format!("{lower}({})", text_literal(&pattern, dialect));
    match (op, dialect) {
        (Comparison::Contains, Dialect::Mssql) => format!("CHARINDEX({wanted}, {expr}) > 0"),
        (Comparison::Like, _) => format!("{expr} LIKE {wanted}"),
        (_, Dialect::Sqlite | Dialect::Mysql) => format!("INSTR({expr}, {wanted}) > 0"),
        (_, Dialect::Clickhouse) => format!("positionUTF8({expr}, {wanted}) > 0"),
        (_, Dialect::Snowflake | Dialect::Databricks) => format!("CONTAINS({expr}, {wanted})"),
        _ => format!("STRPOS({expr}, {wanted}) > 0"),
    }
}

/// Returns a standard deviation, in dialects that have one. ClickHouse returns NaN for a single value.
pub(crate) fn deviation_expr(of: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Mssql => format!("STDEV({of})"),
        Dialect::Clickhouse => format!("CASE WHEN COUNT({of}) > 1 THEN STDDEV_SAMP({of}) END"),
        _ => format!("STDDEV_SAMP({of})"),
    }
}

/// Returns the value of an earlier row. ClickHouse returns 0 if there is none, unless the type is nullable.
pub(crate) fn lag_expr(of: &str, rows: u32, over: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Clickhouse => format!("LAG(toNullable({of}), {rows}) OVER ({over})"),
        _ => format!("LAG({of}, {rows}) OVER ({over})"),
    }
}

/// Returns a sort key with NULL at the end. MySQL treats NULL as the smallest value and lacks NULLS LAST.
pub(crate) fn nulls_last(key: &str, descending: bool, dialect: Dialect) -> String {
    match (dialect, descending) {
        (Dialect::Mysql | Dialect::Mssql, true) => format!("{key} DESC"),
        (Dialect::Mssql, false) => format!("CASE WHEN {key} IS NULL THEN 1 ELSE 0 END, {key}"),
        (Dialect::Mysql, false) => format!("{key} IS NULL, {key}"),
        (_, true) => format!("{key} DESC NULLS LAST"),
        (_, false) => format!("{key} NULLS LAST"),
    }
}

/// Returns a row number for each row of a table; Snowflake and Spark require an order, even a constant one.
pub(crate) fn row_numbers(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Snowflake | Dialect::Databricks => "ROW_NUMBER() OVER (ORDER BY NULL)",
        Dialect::Mssql => "ROW_NUMBER() OVER (ORDER BY (SELECT NULL))",
        _ => "ROW_NUMBER() OVER ()",
    }
}

/// Returns an unused name, with a number appended if necessary.
pub(crate) fn unused_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut found = name.to_owned();
    let mut next = 2;
    while taken(&found) {
        found = format!("{name}_{next}");
        next += 1;
    }
    found
}
