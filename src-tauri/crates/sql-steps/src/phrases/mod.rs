//! Describes expressions in words. Expressions without words of their own are quoted as SQL in backticks, so that the
//! description is complete.

mod calls;
mod clauses;
mod nested;
mod periods;
mod plain;
mod queries;

pub use clauses::{column_of, largest_first, one_by_one, rows_where};
pub use plain::{DisplayNames, Rows};

use periods::{Bounds, merge_bounds};
use plain::Plain;
use sqlparser::ast::{BinaryOperator, DateTimeField, Expr, Ident, UnaryOperator, Value};
use std::cell::Cell;
use vitrine_domain::Dialect;
use vitrine_sql::ast::{collect_conjuncts, collect_constants, collect_disjuncts, parse_expr};
use vitrine_words::{join_with_and, join_with_nor, join_with_or, tr};

/// Maximum number of characters of quoted SQL.
const QUOTED: usize = 120;

/// Describes a value or a condition, given as SQL, in words.
pub fn describe_sql(text: &str, dialect: Dialect) -> String {
    describe_text(text, None, dialect)
}

/// Describes conditions that hold together, in order. Two bounds of a date that select a calendar period become one description. Columns
/// of the table `own` are not qualified.
pub fn describe_conditions(texts: &[&str], own: Option<&str>, dialect: Dialect) -> Vec<String> {
    let parsed: Option<Vec<Expr>> = texts.iter().map(|text| parse_expr(text, dialect)).collect();
    let Some(parsed) = parsed else { return texts.iter().map(|text| describe_text(text, own, dialect)).collect() };
    let parts: Vec<&Expr> = parsed.iter().collect();
    ExpressionDescriber { own, plain: None }.describe_together(&parts)
}

/// Describes a value or a condition without SQL and parentheses; `None` if that is not possible.
pub fn plain_phrase(text: &str, dialect: Dialect, names: &dyn DisplayNames) -> Option<String> {
    let unclear = Cell::new(false);
    let words = ExpressionDescriber { own: None, plain: Some(Plain { names, unclear: &unclear }) };
    let said = words.describe_expression(&parse_expr(text, dialect)?)?;
    (!unclear.get()).then_some(said)
}

/// Returns the texts and numbers in a value or a condition.
pub fn constants_of(text: &str, dialect: Dialect) -> Vec<String> {
    parse_expr(text, dialect).map(|expr| collect_constants(&expr)).unwrap_or_default()
}

/// Describes a condition that compares only columns of the same name, by these names; `None` for other conditions.
pub fn describe_shared_key(text: &str, dialect: Dialect) -> Option<String> {
    let condition = parse_expr(text, dialect)?;
    let mut parts = Vec::new();
    collect_conjuncts(&condition, &mut parts);
    let shared = |part: &&Expr| match part {
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => match (left.as_ref(), right.as_ref()) {
            (Expr::CompoundIdentifier(left), Expr::CompoundIdentifier(right)) => {
                let (left, right) = (left.last()?, right.last()?);
                left.value.eq_ignore_ascii_case(&right.value).then(|| name_of(left))
            }
            _ => None,
        },
        _ => None,
    };
    Some(join_with_and(&parts.iter().map(shared).collect::<Option<Vec<_>>>()?))
}

fn describe_text(text: &str, own: Option<&str>, dialect: Dialect) -> String {
    parse_expr(text, dialect)
        .map_or_else(|| quote_sql(text), |expr| ExpressionDescriber { own, plain: None }.describe_or_quote(&expr))
}

fn quote_sql(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &flat[..end]),
        None => format!("`{flat}`"),
    }
}

/// Describes expressions of a query, or of a part over one table (`own`), whose columns then need no qualifier.
struct ExpressionDescriber<'a> {
    own: Option<&'a str>,
    /// Set for descriptions without SQL and parentheses, which some expressions do not have.
    plain: Option<Plain<'a>>,
}

impl ExpressionDescriber<'_> {
    fn describe_or_quote(&self, expr: &Expr) -> String {
        self.describe_expression(expr).unwrap_or_else(|| self.quote_unclear(&expr.to_string()))
    }

    fn quote_unclear(&self, text: &str) -> String {
        self.plain.inspect(Plain::is_unclear);
        quote_sql(text)
    }

    fn describe_together(&self, parts: &[&Expr]) -> Vec<String> {
        let describe = |part| match part {
            Bounds::One(part) => self.describe_or_quote(part),
            Bounds::Period(column, period) => period.describe(&self.describe_or_quote(column)),
        };
        merge_bounds(parts).into_iter().map(describe).collect()
    }

    /// Describes an expression; `None` if it has no words.
    fn describe_expression(&self, expr: &Expr) -> Option<String> {
        Some(match expr {
            Expr::Identifier(name) => self.column_name(None, name),
            Expr::CompoundIdentifier(parts) => self.describe_column(parts)?,
            Expr::Value(value) => describe_constant(&value.value)?,
            Expr::Nested(inner) => match **inner {
                Expr::BinaryOp { op: BinaryOperator::Or | BinaryOperator::And, .. } => self.describe_nested(inner),
                _ => self.describe_expression(inner)?,
            },
            Expr::BinaryOp { op: BinaryOperator::And, .. } => {
                let mut parts = Vec::new();
                collect_conjuncts(expr, &mut parts);
                join_with_and(&self.describe_together(&parts))
            }
            Expr::BinaryOp { op: BinaryOperator::Or, .. } => {
                let mut parts = Vec::new();
                collect_disjuncts(expr, &mut parts);
                let part = |part: &Expr| match part {
                    Expr::BinaryOp { op: BinaryOperator::And, .. } => self.describe_nested(part),
                    part => self.describe_or_quote(part),
                };
                join_with_or(&parts.into_iter().map(part).collect::<Vec<_>>())
            }
            Expr::BinaryOp { left, op, right } => self.describe_binary(left, op, right)?,
            Expr::UnaryOp { op: UnaryOperator::Not, expr } if self.plain.is_some() => {
                tr!("it is not so that {condition}", condition = self.describe_expression(expr)?)
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                tr!("not ({condition})", condition = self.describe_or_quote(expr))
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                tr!("minus {value}", value = self.describe_expression(expr)?)
            }
            Expr::IsNull(value) => tr!("{value} is empty", value = self.describe_or_quote(value)),
            Expr::IsNotNull(value) => tr!("{value} is not empty", value = self.describe_or_quote(value)),
            Expr::IsTrue(value) => tr!("{value} is true", value = self.describe_or_quote(value)),
            Expr::IsFalse(value) => tr!("{value} is false", value = self.describe_or_quote(value)),
            Expr::Between { expr, negated, low, high } => {
                let (value, low, high) =
                    (self.describe_or_quote(expr), self.describe_or_quote(low), self.describe_or_quote(high));
                match negated {
                    true => tr!("{value} is not between {low} and {high}", value, low, high),
                    false => tr!("{value} is between {low} and {high}", value, low, high),
                }
            }
            Expr::InList { expr, list, negated } => {
                let of: Vec<String> = list.iter().map(|part| self.describe_or_quote(part)).collect();
                match (negated, of.as_slice()) {
                    (false, _) => equals_phrase(&self.describe_or_quote(expr), &join_with_or(&of)),
                    (true, [only]) => is_not(&self.describe_or_quote(expr), only),
                    (true, _) => tr!(
                        "{value} is neither {others}",
                        value = self.describe_or_quote(expr),
                        others = join_with_nor(&of)
                    ),
                }
            }
            Expr::InSubquery { expr, subquery, negated } => {
                let value = self.describe_or_quote(expr);
                match (self.values_of(subquery), negated) {
                    (Some(values), false) => tr!("{value} is one of the values of {values}", value, values),
                    (Some(values), true) => tr!("{value} is not one of the values of {values}", value, values),
                    (None, false) => {
                        let query = self.quote_unclear(&subquery.to_string());
                        tr!("{value} is one of those that {query} gives", value, query)
                    }
                    (None, true) => {
                        let query = self.quote_unclear(&subquery.to_string());
                        tr!("{value} is not one of those that {query} gives", value, query)
                    }
                }
            }
            Expr::Exists { subquery, negated } => {
                let rows = self.rows_of(subquery).unwrap_or_else(|| self.quote_unclear(&subquery.to_string()));
                match negated {
                    true => tr!("there is no row in {rows}", rows),
                    false => tr!("there is a row in {rows}", rows),
                }
            }
            Expr::Subquery(subquery) => tr!("the {value}", value = self.values_of(subquery)?),
            Expr::Like { negated, any: false, expr, pattern, escape_char: None }
            | Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                self.describe_like(expr, pattern, *negated)?
            }
            Expr::Cast { expr, .. } => self.describe_expression(expr)?,
            Expr::Extract { field, expr, .. } => {
                clauses::part_of_date(part_of_date(field)?, &self.describe_or_quote(expr))
            }
            Expr::TypedString(typed) => describe_constant(&typed.value.value)?,
            Expr::Function(function) => self.describe_call(function)?,
            Expr::Case { operand: None, conditions, else_result, .. } => {
                self.describe_case(conditions, else_result.as_deref())
            }
            _ => return None,
        })
    }

    /// Describes a qualified column: `region of store`.
    fn describe_column(&self, parts: &[Ident]) -> Option<String> {
        let [.., table, column] = parts else { return None };
        if self.plain.is_some() {
            return Some(self.column_name(Some(table), column));
        }
        if self.own.is_some_and(|own| own.eq_ignore_ascii_case(&table.value)) {
            return Some(name_of(column));
        }
        Some(column_of(&name_of(column), &name_of(table)))
    }

    fn describe_binary(&self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Option<String> {
        let dated = is_dated(right);
        // Sums in products keep their parentheses.
        let side = |side: &Expr| match side {
            Expr::Nested(inner) if matches!(**inner, Expr::BinaryOp { .. }) => self.describe_nested(inner),
            side => self.describe_or_quote(side),
        };
        let (left, right) = (side(left), side(right));
        Some(match op {
            BinaryOperator::Eq if dated => tr!("{left} is on {right}", left, right),
            BinaryOperator::Eq => equals_phrase(&left, &right),
            BinaryOperator::NotEq => is_not(&left, &right),
            BinaryOperator::Gt if dated => tr!("{left} is after {right}", left, right),
            BinaryOperator::GtEq if dated => tr!("{left} is from {right} on", left, right),
            BinaryOperator::Lt if dated => tr!("{left} is before {right}", left, right),
            BinaryOperator::LtEq if dated => tr!("{left} is up to {right}", left, right),
            BinaryOperator::Gt => tr!("{left} is more than {right}", left, right),
            BinaryOperator::GtEq => tr!("{left} is at least {right}", left, right),
            BinaryOperator::Lt => tr!("{left} is less than {right}", left, right),
            BinaryOperator::LtEq => tr!("{left} is at most {right}", left, right),
            BinaryOperator::Plus => tr!("{left} plus {right}", left, right),
            BinaryOperator::Minus => tr!("{left} minus {right}", left, right),
            BinaryOperator::Multiply => tr!("{left} times {right}", left, right),
            BinaryOperator::Divide | BinaryOperator::DuckIntegerDivide => {
                tr!("{left} divided by {right}", left, right)
            }
            BinaryOperator::StringConcat => tr!("{left} followed by {right}", left, right),
            _ => return None,
        })
    }

    fn describe_like(&self, expr: &Expr, pattern: &Expr, negated: bool) -> Option<String> {
        let Expr::Value(pattern) = pattern else { return None };
        let Value::SingleQuotedString(pattern) = &pattern.value else { return None };
        let (begins, ends) = (pattern.starts_with('%'), pattern.ends_with('%'));
        let bare = pattern.trim_matches('%');
        if bare.is_empty() || bare.contains(['%', '_']) {
            return None;
        }
        let (value, text) = (self.describe_or_quote(expr), vitrine_words::quote_text(bare));
        Some(match (begins, ends, negated) {
            (true, true, false) => tr!("{value} contains {text}", value, text),
            (true, true, true) => tr!("{value} does not contain {text}", value, text),
            (false, true, false) => tr!("{value} begins with {text}", value, text),
            (false, true, true) => tr!("{value} does not begin with {text}", value, text),
            (true, false, false) => tr!("{value} ends with {text}", value, text),
            (true, false, true) => tr!("{value} does not end with {text}", value, text),
            (false, false, false) => equals_phrase(&value, &text),
            (false, false, true) => is_not(&value, &text),
        })
    }
}

fn equals_phrase(left: &str, right: &str) -> String {
    tr!("{left} is {right}", left, right)
}

fn is_not(left: &str, right: &str) -> String {
    tr!("{left} is not {right}", left, right)
}

fn name_of(name: &Ident) -> String {
    identifier_words(&name.value)
}

/// Converts a name to words: `order_date` is "order date".
pub fn identifier_words(name: &str) -> String {
    name.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn describe_constant(value: &Value) -> Option<String> {
    match value {
        Value::Number(number, _) => Some(vitrine_words::localize_decimal_mark(&number.to_string())),
        Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) | Value::EscapedStringLiteral(text) => {
            Some(match text {
                day if vitrine_sql::is_date(day) => vitrine_words::format_date(day),
                month if is_date(month) => month.clone(),
                text => vitrine_words::quote_text(text),
            })
        }
        Value::Boolean(true) => Some(tr!("true")),
        Value::Boolean(false) => Some(tr!("false")),
        Value::Null => Some(tr!("nothing")),
        _ => None,
    }
}

/// Returns true if a text is a date in ISO format, possibly with a time.
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
