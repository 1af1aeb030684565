//! Composes expressions of views from the dialect's functions and literals.

use crate::model::plan::Fixed;
use vitrine_domain::Dialect;
use vitrine_domain::views::Comparison;
use vitrine_sql::{ColumnType, DialectExt};

/// Formats a constant as a literal.
pub(crate) fn constant_literal(value: &Fixed, dialect: Dialect) -> String {
    match value {
        Fixed::Text(value) => dialect.sql().text_literal(value),
        Fixed::Number(value) => number_literal(value),
        Fixed::Boolean(value) => dialect.sql().boolean_literal(*value).to_owned(),
        Fixed::Day(day) => dialect.sql().day_literal(day),
    }
}

/// Formats a number in parentheses if it is negative, since two minus signs would begin a comment.
pub(crate) fn number_literal(value: &str) -> String {
    if value.starts_with('-') { format!("({value})") } else { value.to_owned() }
}

/// Converts a date or timestamp for comparison.
pub(crate) fn moment_expr(expr: String, family: ColumnType, dialect: Dialect) -> String {
    if family == ColumnType::Timestamp { dialect.sql().comparable_timestamp(expr) } else { expr }
}

/// Returns a quotient that keeps its fraction and is NULL if the divisor is 0. `family` is the type of the dividend.
pub(crate) fn quotient_expr(left: &str, right: &str, family: ColumnType, dialect: Dialect) -> String {
    format!("{} / NULLIF({right}, 0)", dialect.sql().dividend(left, family))
}

/// Returns a case-insensitive text search. SQLite folds the case of ASCII letters only.
pub(crate) fn search_condition(
    expr: &str,
    op: Comparison,
    wanted: &str,
    family: ColumnType,
    dialect: Dialect,
) -> String {
    let sql = dialect.sql();
    let lower = sql.lower_function();
    let expr = match family {
        ColumnType::Text => format!("{lower}({expr})"),
        _ => format!("{lower}({})", sql.cast_to_text(expr)),
    };
    let lower_literal = |text: &str| format!("{lower}({})", sql.text_literal(text));
    match op {
        Comparison::Like => format!("{expr} LIKE {}", lower_literal(&sql.like_pattern(wanted))),
        _ => sql.contains_condition(&expr, &lower_literal(wanted)),
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
