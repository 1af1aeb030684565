//! Conditions as plain data: values and the constants they are compared with.

use crate::ast::{collect_conjuncts, is_column, last_part, parse_expr, visit_mut, visit_tree};
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Value, ValueWithSpan,
    Visitor, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// One operand of a conjunction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// SQL text of the condition.
    pub text: String,
    /// Its text without table qualifiers, for comparison with other conditions.
    pub bare: String,
    /// The comparison with constants, if the condition is one.
    pub comparison: Option<Comparison>,
    /// The `x NOT IN (SELECT ...)` test, if the condition is one.
    pub not_among: Option<Membership>,
    /// Columns whose NULL makes the condition fail, as written.
    pub needs: Vec<String>,
}

/// A value and the constants that it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// SQL text of the value.
    pub value: String,
    /// True if the value is just a column.
    pub is_column: bool,
    /// True if the value is the result of a function that returns text: `strftime`, `substr`.
    pub is_made_text: bool,
    /// `=` (also for IN), `<`, `<=`, `>`, `>=`; `between` has two constants.
    pub operator: &'static str,
    /// The constants in the order written.
    pub constants: Vec<Constant>,
}

/// A constant as it appears in the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// A string literal; holds its content without quotes.
    Text(String),
    /// A number; holds its digits as written.
    Number(String),
}

/// A `x NOT IN (SELECT ...)` test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The value that must not occur.
    pub value: String,
    /// The query that returns the list.
    pub query: String,
}

impl Constant {
    /// Returns the constant without quotes.
    pub fn as_text(&self) -> &str {
        match self {
            Constant::Text(text) | Constant::Number(text) => text,
        }
    }
}

impl Condition {
    /// Returns true if rows that meet this condition also meet the other, judged by the texts.
    pub fn implies(&self, other: &Condition) -> bool {
        let listed = |condition: &Condition| match &condition.comparison {
            Some(c) if c.operator == "=" => Some((without_qualifiers(&c.value), c.constants.clone())),
            _ => None,
        };
        self.bare == other.bare
            || matches!((listed(self), listed(other)), (Some((value, few)), Some((same, more)))
                if value == same && few.iter().all(|constant| more.contains(constant)))
    }
}

/// Parses a condition. `None` if the text cannot be parsed.
pub fn parse_condition(text: &str, dialect: Dialect) -> Option<Condition> {
    parse_expr(text, dialect).map(|expr| condition_from_expr(&expr))
}

/// Parses a text and returns the operands of its conjunction.
pub fn parse_conditions(text: &str, dialect: Dialect) -> Vec<Condition> {
    parse_expr(text, dialect).map(|expr| collect_conditions(&expr)).unwrap_or_default()
}

pub(super) fn collect_conditions(expr: &Expr) -> Vec<Condition> {
    let mut all = Vec::new();
    collect_conjuncts(expr, &mut all);
    all.into_iter().map(condition_from_expr).collect()
}

/// Returns the conditions under which an aggregate counts a row: of its one-branch CASE, of FILTER, and a summed
/// condition.
pub fn conditions_of(aggregate: &str, dialect: Dialect) -> Vec<Condition> {
    struct Finds(Vec<Condition>);
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Case { operand: None, conditions, .. } if conditions.len() == 1 => {
                    self.0.push(condition_from_expr(&conditions[0].condition));
                }
                Expr::Function(function) => {
                    self.0.extend(function.filter.iter().map(|filter| condition_from_expr(filter)));
                    let is_if = last_part(&function.name).is_some_and(|n| n.value.eq_ignore_ascii_case("iif"));
                    let first = argument_exprs(function).into_iter().next();
                    let tests = |first: &&Expr| is_if || matches!(first, Expr::BinaryOp { op: BinaryOperator::Eq, .. });
                    self.0.extend(first.filter(tests).map(condition_from_expr));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let mut found = Finds(Vec::new());
    parse_expr(aggregate, dialect).iter().for_each(|expr| {
        let _ = visit_tree(expr, &mut found);
    });
    found.0
}

pub(super) fn argument_exprs(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let expressions = list.args.iter().filter_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    });
    expressions.collect()
}

fn condition_from_expr(expr: &Expr) -> Condition {
    let expr = without_brackets(expr);
    let mut needs = Vec::new();
    collect_needed_columns(expr, &mut needs);
    Condition {
        text: expr.to_string(),
        bare: bare_of(expr.clone()),
        comparison: extract_comparison(expr),
        not_among: match expr {
            Expr::InSubquery { expr, subquery, negated: true } => {
                Some(Membership { value: expr.to_string(), query: subquery.to_string() })
            }
            _ => None,
        },
        needs,
    }
}

fn without_brackets(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => without_brackets(inner),
        other => other,
    }
}

fn extract_comparison(expr: &Expr) -> Option<Comparison> {
    let (value, operator, constants): (&Expr, _, Vec<&Expr>) = match expr {
        Expr::BinaryOp { left, op, right } => match (extract_constant(left), extract_constant(right)) {
            (None, Some(_)) => (left, operator_symbol(op)?, vec![right]),
            (Some(_), None) => (right, flip_operator(operator_symbol(op)?), vec![left]),
            _ => return None,
        },
        Expr::Between { expr, negated: false, low, high } => (expr, "between", vec![low, high]),
        Expr::InList { expr, list, negated: false } => (expr, "=", list.iter().collect()),
        _ => return None,
    };
    let constants: Option<Vec<Constant>> = constants.into_iter().map(extract_constant).collect();
    Some(Comparison {
        value: value.to_string(),
        is_column: is_column(value),
        is_made_text: is_made_text(value),
        operator,
        constants: constants?,
    })
}

fn operator_symbol(op: &BinaryOperator) -> Option<&'static str> {
    Some(match op {
        BinaryOperator::Eq => "=",
        BinaryOperator::Lt => "<",
        BinaryOperator::LtEq => "<=",
        BinaryOperator::Gt => ">",
        BinaryOperator::GtEq => ">=",
        _ => return None,
    })
}

/// Swaps the sides of a comparison: `5 < x` is `x > 5`.
fn flip_operator(sign: &'static str) -> &'static str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

fn extract_constant(expr: &Expr) -> Option<Constant> {
    let value = match without_brackets(expr) {
        Expr::Value(ValueWithSpan { value, .. }) => value,
        // A typed literal: DATE '2024-01-31'.
        Expr::TypedString(typed) => &typed.value.value,
        _ => return None,
    };
    match value {
        Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => Some(Constant::Text(text.clone())),
        Value::Number(number, _) => Some(Constant::Number(number.clone())),
        _ => None,
    }
}

/// SQLite functions that return text.
const MAKE_TEXT: [&str; 11] =
    ["strftime", "substr", "substring", "date", "time", "datetime", "upper", "lower", "trim", "replace", "printf"];

fn is_made_text(expr: &Expr) -> bool {
    let Expr::Function(function) = without_brackets(expr) else { return false };
    last_part(&function.name).is_some_and(|name| MAKE_TEXT.iter().any(|own| name.value.eq_ignore_ascii_case(own)))
}

/// Collects the columns that must not be NULL for a condition to hold. NULL tests need none.
fn collect_needed_columns(expr: &Expr, found: &mut Vec<String>) {
    match expr {
        Expr::Nested(inner) => collect_needed_columns(inner, found),
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => found.push(expr.to_string()),
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            collect_needed_columns(left, &mut one);
            collect_needed_columns(right, &mut other);
            found.extend(one.into_iter().filter(|column| other.contains(column)));
        }
        Expr::BinaryOp { left, op, right } if is_strict_operator(op) => {
            collect_needed_columns(left, found);
            collect_needed_columns(right, found);
        }
        Expr::Between { expr, .. } | Expr::InList { expr, .. } | Expr::Like { expr, .. } | Expr::Cast { expr, .. } => {
            collect_needed_columns(expr, found);
        }
        _ => {}
    }
}

/// Returns true for operators that yield NULL if an operand is NULL.
fn is_strict_operator(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        op,
        B::Eq | B::NotEq | B::Lt | B::LtEq | B::Gt | B::GtEq | B::And | B::Plus | B::Minus | B::Multiply | B::Divide
    )
}

/// Returns a text without table qualifiers, in lower case except within quotes.
pub(super) fn without_qualifiers(text: &str) -> String {
    match text.rsplit_once('.') {
        Some((_, name)) if !text.contains(['(', '\'', ' ']) => name.to_lowercase(),
        _ => text.to_lowercase(),
    }
}

fn bare_of(mut expr: Expr) -> String {
    struct Shortens;
    impl VisitorMut for Shortens {
        type Break = ();
        fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
        fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            if let Expr::CompoundIdentifier(parts) = expr
                && let Some(last) = parts.pop()
            {
                *expr = Expr::Identifier(last);
            }
            if let Expr::Identifier(name) = expr {
                name.value = name.value.to_lowercase();
                name.quote_style = None;
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_mut(&mut expr, &mut Shortens);
    expr.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_sqlite_condition(text: &str) -> Condition {
        parse_condition(text, Dialect::Sqlite).expect(text)
    }

    #[test]
    fn a_constant_may_stand_on_either_side() {
        let (one, other) = (
            parse_sqlite_condition("t.a >= 5").comparison.expect("one"),
            parse_sqlite_condition("5 <= t.a").comparison.expect("one"),
        );
        assert_eq!(one, other);
        assert_eq!((one.operator, one.is_column, one.constants), (">=", true, vec![Constant::Number("5".into())]));
        assert_eq!(parse_sqlite_condition("a = b").comparison, None);
        assert_eq!(parse_sqlite_condition("a NOT IN ('x')").comparison, None);
    }

    #[test]
    fn what_looks_at_missing_values_itself_needs_none() {
        assert_eq!(parse_sqlite_condition("t.a > 5").needs, ["t.a"]);
        assert_eq!(parse_sqlite_condition("t.a > 5 OR t.a < t.b").needs, ["t.a"]);
        assert!(parse_sqlite_condition("t.a > 5 OR t.a IS NULL").needs.is_empty());
        assert!(parse_sqlite_condition("COALESCE(t.a, 0) = 0").needs.is_empty());
    }

    #[test]
    fn fewer_values_imply_more() {
        let (few, more) =
            (parse_sqlite_condition("o.status = 'paid'"), parse_sqlite_condition("status IN ('paid', 'open')"));
        assert!(few.implies(&more) && few.implies(&few));
        assert!(!more.implies(&few) && !few.implies(&parse_sqlite_condition("status = 'Paid'")));
    }

    #[test]
    fn an_aggregate_counts_by_its_conditions() {
        let texts = |aggregate: &str| -> Vec<String> {
            conditions_of(aggregate, Dialect::Sqlite).into_iter().map(|condition| condition.text).collect()
        };
        assert_eq!(texts("SUM(CASE WHEN a = 1 THEN b END)"), ["a = 1"]);
        assert_eq!(texts("COUNT(*) FILTER (WHERE a = 1)"), ["a = 1"]);
        assert_eq!(texts("SUM(a = 1)"), ["a = 1"]);
        assert!(texts("SUM(b)").is_empty());
    }
}
