//! The expressions that constants are compared with: their kinds and names.

use crate::parse::last_part;
use sqlparser::ast::{BinaryOperator, Expr};

/// The expression that a constant is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A column, by its name.
    Column(String),
    /// A number: a count, a computed value, or the row limit.
    Number,
    /// A string that a function returns.
    Text,
    /// Any other kind of expression.
    Other,
}

/// Classifies an expression that a constant is compared with.
pub(super) fn subject_of(expr: &Expr) -> Subject {
    use BinaryOperator as B;
    const NUMBERS: [&str; 12] =
        ["count", "sum", "avg", "round", "abs", "length", "char_length", "year", "quarter", "month", "week", "day"];
    const TEXTS: [&str; 13] = [
        "strftime",
        "to_char",
        "date_format",
        "format_date",
        "lower",
        "upper",
        "trim",
        "ltrim",
        "rtrim",
        "substr",
        "substring",
        "left",
        "right",
    ];
    match expr {
        Expr::Identifier(column) => Subject::Column(column.value.clone()),
        Expr::CompoundIdentifier(parts) => parts.last().map_or(Subject::Other, |it| Subject::Column(it.value.clone())),
        Expr::Nested(inner) => subject_of(inner),
        Expr::Extract { .. } => Subject::Number,
        Expr::Trim { .. } | Expr::Substring { .. } => Subject::Text,
        Expr::BinaryOp { op: B::Multiply | B::Divide | B::Modulo, .. } => Subject::Number,
        Expr::Function(function) => match last_part(&function.name) {
            Some(name) if NUMBERS.iter().any(|known| name.value.eq_ignore_ascii_case(known)) => Subject::Number,
            Some(name) if TEXTS.iter().any(|known| name.value.eq_ignore_ascii_case(known)) => Subject::Text,
            _ => Subject::Other,
        },
        _ => Subject::Other,
    }
}

/// Returns the part of a date that an expression extracts: `EXTRACT(year FROM d)`, `year(d)`, `strftime('%Y', d)`.
pub(super) fn part_of_date(expr: &Expr) -> Option<&'static str> {
    const PARTS: [&str; 5] = ["year", "quarter", "month", "week", "day"];
    let part = |name: &str| PARTS.into_iter().find(|part| name.eq_ignore_ascii_case(part));
    match expr {
        Expr::Extract { field, .. } => part(&field.to_string()),
        Expr::Cast { expr, .. } | Expr::Nested(expr) => part_of_date(expr),
        Expr::Function(function) => {
            let name = &last_part(&function.name)?.value;
            let written = function.args.to_string();
            match name.to_lowercase().as_str() {
                "strftime" => match written {
                    written if written.contains("'%Y'") => Some("year"),
                    written if written.contains("'%m'") => Some("month"),
                    _ => None,
                },
                "date_part" => PARTS.into_iter().find(|part| written.to_lowercase().contains(&format!("'{part}'"))),
                other => part(other),
            }
        }
        _ => None,
    }
}

/// Converts a column name to a parameter name of letters, digits and underscores.
pub(super) fn to_parameter_name(column: &str) -> String {
    let mut name = String::new();
    for letter in column.to_lowercase().chars() {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    if name.is_empty() { "value".to_owned() } else { name.to_owned() }
}
