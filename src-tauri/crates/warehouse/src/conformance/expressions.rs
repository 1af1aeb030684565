//! Expressions of every type, each with its exact text and its type family.

use super::observer::Expression;
use vitrine_domain::{CellType as C, Dialect};

const POSTGRES: &[Expression] = &[
    ("CAST(32767 AS smallint)", "32767", C::Integer),
    ("CAST('-9223372036854775808' AS bigint)", "-9223372036854775808", C::Integer),
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("CAST('1234567890123456789012345678.09' AS numeric(30,2))", "1234567890123456789012345678.09", C::Decimal),
    ("-0.00000000000000000000000000001", "-0.00000000000000000000000000001", C::Decimal),
    ("CAST(0.1 AS double precision)", "0.1", C::Float),
    ("CAST('NaN' AS double precision)", "NaN", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("DATE '0001-01-01'", "0001-01-01", C::Date),
    ("TIME '12:34:56.789'", "12:34:56.789", C::Time),
    ("TIMESTAMP '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("TIMESTAMP WITH TIME ZONE '2024-02-29 23:59:59+02'", "2024-02-29 21:59:59+00:00", C::Timestamp),
    ("INTERVAL '1 year 2 months 3 days'", "1 year 2 months 3 days", C::Text),
    ("CAST('\\x00ff' AS bytea)", "00ff", C::Binary),
    ("ARRAY[1, NULL, 9223372036854775807]", "[1,null,9223372036854775807]", C::Nested),
    ("CAST('{\"a\": 1.10}' AS json)", "{\"a\": 1.10}", C::Nested),
    ("ROW(1, 'x')", "{\"f1\":1,\"f2\":\"x\"}", C::Nested),
    ("CAST('9a3e6e4c-0000-4000-8000-0123456789ab' AS uuid)", "9a3e6e4c-0000-4000-8000-0123456789ab", C::Text),
];

const DUCKDB: &[Expression] = &[
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("CAST('-9223372036854775808' AS BIGINT)", "-9223372036854775808", C::Integer),
    ("CAST(18446744073709551615 AS UBIGINT)", "18446744073709551615", C::Integer),
    (
        "CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10))",
        "1234567890123456789012345678.0123456789",
        C::Decimal,
    ),
    ("CAST(0.1 AS DOUBLE)", "0.1", C::Float),
    ("CAST('nan' AS DOUBLE)", "NaN", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("TIME '12:34:56.789'", "12:34:56.789", C::Time),
    ("TIMESTAMP '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("CAST('2024-02-29 23:59:59+02:00' AS TIMESTAMPTZ)", "2024-02-29 21:59:59+00:00", C::Timestamp),
    ("INTERVAL '1 year 2 months 3 days'", "1 year 2 months 3 days", C::Text),
    ("CAST('\\x00\\xFF' AS BLOB)", "00ff", C::Binary),
    ("[1, NULL, 9223372036854775807]", "[1,null,9223372036854775807]", C::Nested),
    ("{'a': CAST(1.50 AS DECIMAL(5,2)), 'b': 'q\"'}", "{\"a\":1.50,\"b\":\"q\\\"\"}", C::Nested),
    ("CAST('{\"a\": 1}' AS JSON)", "{\"a\": 1}", C::Nested),
    ("CAST('9a3e6e4c-0000-4000-8000-0123456789ab' AS UUID)", "9a3e6e4c-0000-4000-8000-0123456789ab", C::Text),
];

const SQLITE: &[Expression] = &[
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("-9223372036854775808", "-9223372036854775808", C::Integer),
    ("0.1", "0.1", C::Float),
    ("1e300", "1e300", C::Float),
    ("'0000-00-00'", "0000-00-00", C::Text),
    ("'007'", "007", C::Text),
    ("x'00ff'", "00ff", C::Binary),
];

const MYSQL: &[Expression] = &[
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("CAST(18446744073709551615 AS UNSIGNED)", "18446744073709551615", C::Integer),
    ("CAST('1234567890123456789012345678.09' AS DECIMAL(30,2))", "1234567890123456789012345678.09", C::Decimal),
    ("CAST('2024-02-29' AS DATE)", "2024-02-29", C::Date),
    ("CAST('2024-02-29 23:59:59.000001' AS DATETIME(6))", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("'0000-00-00'", "0000-00-00", C::Text),
    ("CAST('0000-00-00' AS DATE)", "0000-00-00", C::Date),
    ("CAST('2024-00-31' AS DATE)", "2024-00-31", C::Date),
    ("CAST('0000-00-00 00:00:00' AS DATETIME)", "0000-00-00 00:00:00", C::Timestamp),
    ("CAST('0.1' AS DOUBLE)", "0.1", C::Float),
    ("1.5e300", "1.5e300", C::Float),
    ("CAST('12:34:56.789' AS TIME(3))", "12:34:56.789", C::Time),
    ("CAST('-838:59:59' AS TIME)", "-838:59:59", C::Time),
    // In the session's time zone, which is UTC independent of the server's setting.
    ("FROM_UNIXTIME(1709251199)", "2024-02-29 23:59:59", C::Timestamp),
    ("b'1000000001'", "0201", C::Binary),
    ("x'00ff'", "00ff", C::Binary),
    ("JSON_UNQUOTE(JSON_EXTRACT('{\"a\": 1.10}', '$.a'))", "1.10", C::Text),
];

/// Contains no NULL array, because BigQuery returns an empty array instead.
const BIGQUERY: &[Expression] = &[
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("-9223372036854775808", "-9223372036854775808", C::Integer),
    (
        "CAST('12345678901234567890123456789.012345678' AS NUMERIC)",
        "12345678901234567890123456789.012345678",
        C::Decimal,
    ),
    ("CAST('-12345678901234567890.5' AS BIGNUMERIC)", "-12345678901234567890.5", C::Decimal),
    ("CAST(0.1 AS FLOAT64)", "0.1", C::Float),
    ("CAST('nan' AS FLOAT64)", "NaN", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("DATE '0001-01-01'", "0001-01-01", C::Date),
    ("TIME '12:34:56.789'", "12:34:56.789", C::Time),
    ("DATETIME '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("TIMESTAMP '2024-02-29 23:59:59+02:00'", "2024-02-29 21:59:59+00:00", C::Timestamp),
    ("FROM_HEX('00ff')", "00ff", C::Binary),
    (
        "STRUCT(1 AS a, 'q\"' AS b, [1, 9223372036854775807] AS c)",
        "{\"a\":1,\"b\":\"q\\\"\",\"c\":[1,9223372036854775807]}",
        C::Nested,
    ),
    ("PARSE_JSON('{\"a\":1}')", "{\"a\":1}", C::Nested),
];

/// Timestamps with a time zone are omitted, because the emulator does not support them.
const SNOWFLAKE: &[Expression] = &[
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("-9223372036854775808", "-9223372036854775808", C::Integer),
    (
        "CAST('1234567890123456789012345678.0123456789' AS NUMBER(38,10))",
        "1234567890123456789012345678.0123456789",
        C::Decimal,
    ),
    ("CAST(0.1 AS FLOAT)", "0.1", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("DATE '0001-01-01'", "0001-01-01", C::Date),
    ("CAST('12:34:56.789' AS TIME)", "12:34:56.789", C::Time),
    ("CAST('2024-02-29 23:59:59.000001' AS TIMESTAMP_NTZ)", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("TO_BINARY('00ff', 'HEX')", "00ff", C::Binary),
];

const CLICKHOUSE: &[Expression] = &[
    ("toInt64('-9223372036854775808')", "-9223372036854775808", C::Integer),
    ("18446744073709551615", "18446744073709551615", C::Integer),
    (
        "toInt256('-12345678901234567890123456789012345678901234567890')",
        "-12345678901234567890123456789012345678901234567890",
        C::Integer,
    ),
    ("toDecimal128('1234567890123456789012345678.09', 2)", "1234567890123456789012345678.09", C::Decimal),
    ("toDecimal64('1.50', 2)", "1.50", C::Decimal),
    ("toFloat64(0.1)", "0.1", C::Float),
    ("toFloat64('nan')", "NaN", C::Float),
    ("1.5e300", "1.5e300", C::Float),
    ("true", "true", C::Boolean),
    ("toDate('2024-02-29')", "2024-02-29", C::Date),
    ("toDate32('1900-01-01')", "1900-01-01", C::Date),
    ("toDateTime64('2024-02-29 23:59:59.000001', 6, 'UTC')", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("toDateTime('2024-02-29 23:59:59', 'Asia/Tokyo')", "2024-02-29 23:59:59", C::Timestamp),
    ("[1, NULL, 9223372036854775807]", "[1,null,9223372036854775807]", C::Nested),
    ("tuple(1, 'q\"')", "[1,\"q\\\"\"]", C::Nested),
    ("map('k', toDecimal64('1.50', 2))", "{\"k\":1.50}", C::Nested),
    ("toUUID('9a3e6e4c-0000-4000-8000-0123456789ab')", "9a3e6e4c-0000-4000-8000-0123456789ab", C::Text),
    ("toIPv4('10.0.0.1')", "10.0.0.1", C::Text),
    ("toLowCardinality('x')", "x", C::Text),
    ("toFixedString('ab', 4)", "ab", C::Text),
    ("'a\\tb\\\\c'", "a\tb\\c", C::Text),
];

const DATABRICKS: &[Expression] = &[
    ("CAST('-9223372036854775808' AS BIGINT)", "-9223372036854775808", C::Integer),
    (
        "CAST('12345678901234567890123456789012345678' AS DECIMAL(38,0))",
        "12345678901234567890123456789012345678",
        C::Integer,
    ),
    ("CAST('1234567890123456789012345678.09' AS DECIMAL(38,2))", "1234567890123456789012345678.09", C::Decimal),
    ("CAST(0.1 AS DOUBLE)", "0.1", C::Float),
    ("CAST('NaN' AS DOUBLE)", "NaN", C::Float),
    ("CAST(1.5 AS FLOAT)", "1.5", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("DATE '0001-01-01'", "0001-01-01", C::Date),
    ("TIMESTAMP '2024-02-29 23:59:59.000001+02:00'", "2024-02-29 21:59:59.000001+00:00", C::Timestamp),
    ("CAST('2024-02-29 23:59:59' AS TIMESTAMP_NTZ)", "2024-02-29 23:59:59", C::Timestamp),
    ("array(1, NULL, 9223372036854775807)", "[1,null,9223372036854775807]", C::Nested),
    ("named_struct('a', 1, 'b', 'q\"')", "{\"a\":1,\"b\":\"q\\\"\"}", C::Nested),
    ("map('k', CAST(1.5 AS DECIMAL(4,2)))", "{\"k\":1.50}", C::Nested),
    ("parse_json('{\"a\":[1]}')", "{\"a\":[1]}", C::Nested),
    ("'it''s a\\tb\\\\c'", "it's a\tb\\c", C::Text),
];

const TRINO: &[Expression] = &[
    ("BIGINT '9223372036854775807'", "9223372036854775807", C::Integer),
    (
        "CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10))",
        "1234567890123456789012345678.0123456789",
        C::Decimal,
    ),
    ("CAST('1.50' AS DECIMAL(4,2))", "1.50", C::Decimal),
    ("CAST(0.1 AS DOUBLE)", "0.1", C::Float),
    ("CAST(1.5 AS REAL)", "1.5", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("DATE '0001-01-01'", "0001-01-01", C::Date),
    ("TIMESTAMP '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("ARRAY[1, NULL, 3]", "[1,null,3]", C::Nested),
    ("'it''s a\tb'", "it's a\tb", C::Text),
];

const MSSQL: &[Expression] = &[
    ("CAST(9223372036854775807 AS BIGINT)", "9223372036854775807", C::Integer),
    (
        "CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10))",
        "1234567890123456789012345678.0123456789",
        C::Decimal,
    ),
    ("CAST('1.50' AS DECIMAL(4,2))", "1.50", C::Decimal),
    ("CAST(0.1 AS FLOAT)", "0.1", C::Float),
    ("CAST(1.5 AS REAL)", "1.5", C::Float),
    ("CAST(1 AS BIT)", "true", C::Boolean),
    ("CAST('2024-02-29' AS DATE)", "2024-02-29", C::Date),
    ("CAST('0001-01-01' AS DATE)", "0001-01-01", C::Date),
    ("CAST('2024-02-29 23:59:59.000001' AS DATETIME2)", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("'it''s a\tb'", "it's a\tb", C::Text),
];

/// Returns the expressions of a dialect with the values that an engine returns.
pub(super) fn find_expressions(dialect: Dialect) -> Option<&'static [Expression]> {
    match dialect {
        Dialect::Postgres => Some(POSTGRES),
        Dialect::Duckdb => Some(DUCKDB),
        Dialect::Sqlite => Some(SQLITE),
        Dialect::Mysql => Some(MYSQL),
        Dialect::Bigquery => Some(BIGQUERY),
        Dialect::Snowflake => Some(SNOWFLAKE),
        Dialect::Clickhouse => Some(CLICKHOUSE),
        Dialect::Databricks => Some(DATABRICKS),
        Dialect::Trino => Some(TRINO),
        Dialect::Mssql => Some(MSSQL),
    }
}
