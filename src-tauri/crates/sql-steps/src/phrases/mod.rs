//! Expressions in words. Anything without words of its own stays as SQL, in backticks: nothing is withheld from the
//! reader.

mod calls;
mod nested;
mod plain;
mod queries;

pub use plain::Names;

use plain::Plain;
use sqlparser::ast::{BinaryOperator, DateTimeField, Expr, Ident, UnaryOperator, Value};
use std::cell::Cell;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{conjuncts, constants, disjuncts, parse_expr};

/// Longest quotation of SQL, in characters.
const QUOTED: usize = 120;

/// A value or a condition in words, from its text.
pub fn phrase(text: &str, dialect: Dialect) -> String {
    worded(text, None, dialect)
}

/// The same for the rows of one table: its columns are named without it.
pub fn phrase_of(table: &str, text: &str, dialect: Dialect) -> String {
    worded(text, Some(table), dialect)
}

/// A value or a condition without SQL and brackets; `None` where it takes some.
pub fn plain_phrase(text: &str, dialect: Dialect, names: &dyn Names) -> Option<String> {
    let unclear = Cell::new(false);
    let words = Words { own: None, plain: Some(Plain { names, unclear: &unclear }) };
    let said = words.words(&parse_expr(text, dialect)?)?;
    (!unclear.get()).then_some(said)
}

/// The texts and numbers in a value or a condition.
pub fn constants_of(text: &str, dialect: Dialect) -> Vec<String> {
    parse_expr(text, dialect).map(|expr| constants(&expr)).unwrap_or_default()
}

fn worded(text: &str, own: Option<&str>, dialect: Dialect) -> String {
    parse_expr(text, dialect).map_or_else(|| quoted(text), |expr| Words { own, plain: None }.said(&expr))
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(parts: &[String]) -> String {
    joined(parts, "and")
}

fn joined(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

fn quoted(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &flat[..end]),
        None => format!("`{flat}`"),
    }
}

/// Words for a query, or for a part of it over one table, whose columns then need no qualifier.
struct Words<'a> {
    own: Option<&'a str>,
    /// Words without SQL and brackets, for which some expressions are not clear enough.
    plain: Option<Plain<'a>>,
}

impl Words<'_> {
    fn said(&self, expr: &Expr) -> String {
        self.words(expr).unwrap_or_else(|| self.quoted(&expr.to_string()))
    }

    fn quoted(&self, text: &str) -> String {
        self.plain.inspect(Plain::is_unclear);
        quoted(text)
    }

    /// Words for an expression; `None` where there are none.
    fn words(&self, expr: &Expr) -> Option<String> {
        Some(match expr {
            Expr::Identifier(name) => self.column_name(None, name),
            Expr::CompoundIdentifier(parts) => self.column(parts)?,
            Expr::Value(value) => constant(&value.value)?,
            Expr::Nested(inner) => match **inner {
                Expr::BinaryOp { op: BinaryOperator::Or | BinaryOperator::And, .. } => self.nested(inner),
                _ => self.words(inner)?,
            },
            Expr::BinaryOp { op: BinaryOperator::And, .. } => {
                let mut parts = Vec::new();
                conjuncts(expr, &mut parts);
                joined(&parts.into_iter().map(|part| self.said(part)).collect::<Vec<_>>(), "and")
            }
            Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
                let mut parts = Vec::new();
                disjuncts(expr, &mut parts);
                let part = |part: &Expr| match part {
                    Expr::BinaryOp { op: BinaryOperator::And, .. } => self.nested(part),
                    part => self.said(part),
                };
                joined(&parts.into_iter().map(part).collect::<Vec<_>>(), "or")
            }
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right)?,
            Expr::UnaryOp { op: UnaryOperator::Not, expr } if self.plain.is_some() => {
                format!("it is not so that {}", self.words(expr)?)
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => format!("not ({})", self.said(expr)),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => format!("minus {}", self.words(expr)?),
            Expr::IsNull(value) => format!("{} is empty", self.said(value)),
            Expr::IsNotNull(value) => format!("{} is not empty", self.said(value)),
            Expr::IsTrue(value) => format!("{} is true", self.said(value)),
            Expr::IsFalse(value) => format!("{} is false", self.said(value)),
            Expr::Between { expr, negated, low, high } => {
                let not = if *negated { "not " } else { "" };
                format!("{} is {not}between {} and {}", self.said(expr), self.said(low), self.said(high))
            }
            Expr::InList { expr, list, negated } => {
                let of: Vec<String> = list.iter().map(|part| self.said(part)).collect();
                match (negated, of.as_slice()) {
                    (false, [only]) => format!("{} is {only}", self.said(expr)),
                    (true, [only]) => format!("{} is not {only}", self.said(expr)),
                    (false, _) => format!("{} is {}", self.said(expr), joined(&of, "or")),
                    (true, _) => format!("{} is neither {}", self.said(expr), joined(&of, "nor")),
                }
            }
            Expr::InSubquery { expr, subquery, negated } => {
                let is = if *negated { "is not one of" } else { "is one of" };
                match self.values_of(subquery) {
                    Some(values) => format!("{} {is} the values of {values}", self.said(expr)),
                    None => format!("{} {is} those that {} gives", self.said(expr), self.quoted(&subquery.to_string())),
                }
            }
            Expr::Exists { subquery, negated } => {
                let is = if *negated { "there is no row in" } else { "there is a row in" };
                format!("{is} {}", self.rows_of(subquery).unwrap_or_else(|| self.quoted(&subquery.to_string())))
            }
            Expr::Subquery(subquery) => format!("the {}", self.values_of(subquery)?),
            Expr::Like { negated, any: false, expr, pattern, escape_char: None }
            | Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                self.like(expr, pattern, *negated)?
            }
            Expr::Cast { expr, .. } => self.words(expr)?,
            Expr::Extract { field, expr, .. } => format!("{} of {}", part_of_date(field)?, self.said(expr)),
            Expr::TypedString(typed) => constant(&typed.value.value)?,
            Expr::Function(function) => self.call(function)?,
            Expr::Case { operand: None, conditions, else_result, .. } => self.case(conditions, else_result.as_deref()),
            _ => return None,
        })
    }

    /// `region of store`.
    fn column(&self, parts: &[Ident]) -> Option<String> {
        let [.., table, column] = parts else { return None };
        if self.plain.is_some() {
            return Some(self.column_name(Some(table), column));
        }
        if self.own.is_some_and(|own| own.eq_ignore_ascii_case(&table.value)) {
            return Some(name_of(column));
        }
        Some(format!("{} of {}", name_of(column), name_of(table)))
    }

    fn binary(&self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Option<String> {
        let dated = is_dated(right);
        let between = match op {
            BinaryOperator::Eq if dated => "is on",
            BinaryOperator::Eq => "is",
            BinaryOperator::NotEq => "is not",
            BinaryOperator::Gt if dated => "is after",
            BinaryOperator::GtEq if dated => "is from",
            BinaryOperator::Lt if dated => "is before",
            BinaryOperator::LtEq if dated => "is up to",
            BinaryOperator::Gt => "is more than",
            BinaryOperator::GtEq => "is at least",
            BinaryOperator::Lt => "is less than",
            BinaryOperator::LtEq => "is at most",
            BinaryOperator::Plus => "plus",
            BinaryOperator::Minus => "minus",
            BinaryOperator::Multiply => "times",
            BinaryOperator::Divide | BinaryOperator::DuckIntegerDivide => "divided by",
            BinaryOperator::StringConcat => "followed by",
            _ => return None,
        };
        let onwards = if dated && *op == BinaryOperator::GtEq { " on" } else { "" };
        // Sums in products keep their brackets.
        let side = |side: &Expr| match side {
            Expr::Nested(inner) if matches!(**inner, Expr::BinaryOp { .. }) => self.nested(inner),
            side => self.said(side),
        };
        Some(format!("{} {between} {}{onwards}", side(left), side(right)))
    }

    fn like(&self, expr: &Expr, pattern: &Expr, negated: bool) -> Option<String> {
        let Expr::Value(pattern) = pattern else { return None };
        let Value::SingleQuotedString(pattern) = &pattern.value else { return None };
        let not = if negated { "does not " } else { "" };
        let (begins, ends) = (pattern.starts_with('%'), pattern.ends_with('%'));
        let bare = pattern.trim_matches('%');
        if bare.is_empty() || bare.contains(['%', '_']) {
            return None;
        }
        let verb = |plain: &str, third: &str| if negated { plain.to_owned() } else { third.to_owned() };
        let verb = match (begins, ends) {
            (true, true) => verb("contain", "contains"),
            (false, true) => verb("begin with", "begins with"),
            (true, false) => verb("end with", "ends with"),
            (false, false) => {
                return Some(format!("{} is {}“{bare}”", self.said(expr), if negated { "not " } else { "" }));
            }
        };
        Some(format!("{} {not}{verb} “{bare}”", self.said(expr)))
    }
}

fn name_of(name: &Ident) -> String {
    spaced(&name.value)
}

/// A name as words: `order_date` is "order date".
pub fn spaced(name: &str) -> String {
    name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn constant(value: &Value) -> Option<String> {
    match value {
        Value::Number(number, _) => Some(number.to_string()),
        Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) | Value::EscapedStringLiteral(text) => {
            Some(if is_date(text) { text.clone() } else { format!("“{text}”") })
        }
        Value::Boolean(true) => Some("true".to_owned()),
        Value::Boolean(false) => Some("false".to_owned()),
        Value::Null => Some("nothing".to_owned()),
        _ => None,
    }
}

/// Whether a text is a date as databases write it, perhaps with a time.
fn is_date(text: &str) -> bool {
    let digits = |part: Option<&str>, length: usize| {
        part.is_some_and(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut parts = text.split(['T', ' ']).next().unwrap_or_default().split('-');
    digits(parts.next(), 4) && digits(parts.next(), 2) && parts.next().is_none_or(|day| digits(Some(day), 2))
}

fn is_dated(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => is_date(text),
            _ => false,
        },
        Expr::TypedString(_) => true,
        Expr::Cast { expr, .. } => is_dated(expr),
        _ => false,
    }
}

fn part_of_date(field: &DateTimeField) -> Option<&'static str> {
    Some(match field {
        DateTimeField::Year | DateTimeField::Years => "year",
        DateTimeField::Quarter => "quarter",
        DateTimeField::Month | DateTimeField::Months => "month",
        DateTimeField::Week(_) | DateTimeField::Weeks => "week",
        DateTimeField::Day | DateTimeField::Days => "day",
        DateTimeField::Hour | DateTimeField::Hours => "hour",
        _ => return None,
    })
}
