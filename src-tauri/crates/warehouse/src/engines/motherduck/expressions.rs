//! Expressions of the conformance suite with the texts that MotherDuck returns.

use crate::conformance::observer::Expression;
use vitrine_domain::CellType as C;

/// DuckDB's expressions with the texts that MotherDuck sends: its JSON writes decimals in lists and structs without
/// trailing zeros.
pub(super) const EXPRESSIONS: &[Expression] = &[
    ("9223372036854775807", "9223372036854775807", C::Integer),
    ("CAST('-9223372036854775808' AS BIGINT)", "-9223372036854775808", C::Integer),
    ("CAST(18446744073709551615 AS UBIGINT)", "18446744073709551615", C::Integer),
    (
        "CAST('170141183460469231731687303715884105727' AS HUGEINT)",
        "170141183460469231731687303715884105727",
        C::Integer,
    ),
    (
        "CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10))",
        "1234567890123456789012345678.0123456789",
        C::Decimal,
    ),
    ("CAST(1.50 AS DECIMAL(5,2))", "1.50", C::Decimal),
    ("CAST(0.1 AS DOUBLE)", "0.1", C::Float),
    ("CAST(0.1 AS FLOAT)", "0.1", C::Float),
    ("CAST('nan' AS DOUBLE)", "NaN", C::Float),
    ("CAST('-inf' AS DOUBLE)", "-inf", C::Float),
    ("true", "true", C::Boolean),
    ("DATE '2024-02-29'", "2024-02-29", C::Date),
    ("DATE '0001-01-01'", "0001-01-01", C::Date),
    ("TIME '12:34:56.789'", "12:34:56.789", C::Time),
    ("TIMESTAMP '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", C::Timestamp),
    ("CAST('2024-02-29 23:59:59.123456789' AS TIMESTAMP_NS)", "2024-02-29 23:59:59.123456789", C::Timestamp),
    ("CAST('2024-02-29 23:59:59+02:00' AS TIMESTAMPTZ)", "2024-02-29 21:59:59+00:00", C::Timestamp),
    ("CAST('infinity' AS TIMESTAMPTZ)", "infinity", C::Timestamp),
    ("INTERVAL '1 year 2 months 3 days'", "1 year 2 months 3 days", C::Text),
    ("CAST('\\x00\\xFF' AS BLOB)", "00ff", C::Binary),
    ("[1, NULL, 9223372036854775807]", "[1,null,9223372036854775807]", C::Nested),
    ("{'a': CAST(1.50 AS DECIMAL(5,2)), 'b': 'q\"'}", "{\"a\":1.5,\"b\":\"q\\\"\"}", C::Nested),
    ("map {'k': [1]}", "{\"k\":[1]}", C::Nested),
    ("CAST('{\"a\": 1}' AS JSON)", "{\"a\": 1}", C::Nested),
    ("CAST('9a3e6e4c-0000-4000-8000-0123456789ab' AS UUID)", "9a3e6e4c-0000-4000-8000-0123456789ab", C::Text),
];
