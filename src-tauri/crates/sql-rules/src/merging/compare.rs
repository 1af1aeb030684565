//! Comparisons of a column with texts, and the values that they match.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value, ValueWithSpan,
};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{build_and, build_or, collect_conjuncts, collect_disjuncts, last_part};
use vitrine_sql::text_value;

/// A comparison of a column with texts.
pub(super) struct Comparison<'e> {
    /// The column, without functions around it.
    pub column: &'e Expr,
    /// The texts that it is compared with.
    pub texts: Vec<&'e str>,
    around: Around,
    /// For patterns, true if the match is case-sensitive; `None` for other comparisons.
    pattern: Option<bool>,
    negated: bool,
}

/// The function that is applied to a column before the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    Lower,
    Upper,
    Trim,
}

impl Around {
    fn split_transform(expr: &Expr) -> (Self, &Expr) {
        match expr {
            Expr::Function(Function { name, args: FunctionArguments::List(list), .. }) => {
                let around = match last_part(name).map(|name| name.value.to_lowercase()).as_deref() {
                    Some("lower" | "lcase") => Self::Lower,
                    Some("upper" | "ucase") => Self::Upper,
                    Some("trim") => Self::Trim,
                    _ => return (Self::Nothing, expr),
                };
                match list.args.as_slice() {
                    [FunctionArg::Unnamed(FunctionArgExpr::Expr(only))] => (around, only),
                    _ => (Self::Nothing, expr),
                }
            }
            Expr::Trim { expr: inner, trim_where: None, trim_what: None, trim_characters: None } => (Self::Trim, inner),
            Expr::Nested(inner) => Self::split_transform(inner),
            _ => (Self::Nothing, expr),
        }
    }

    fn apply_to(self, value: &str) -> String {
        match self {
            Self::Nothing => value.to_owned(),
            Self::Lower => value.to_lowercase(),
            Self::Upper => value.to_uppercase(),
            Self::Trim => value.trim_matches(' ').to_owned(),
        }
    }
}

/// Returns the text of a string literal.
pub(super) fn text_literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(ValueWithSpan {
            value: Value::SingleQuotedString(text) | Value::DoubleQuotedString(text), ..
        }) => Some(text),
        _ => None,
    }
}

impl<'e> Comparison<'e> {
    /// Parses a comparison of an expression with texts only.
    pub(super) fn from_expr(expr: &'e Expr) -> Option<Self> {
        let (subject, texts, pattern, negated) = match expr {
            Expr::BinaryOp { left, op: op @ (BinaryOperator::Eq | BinaryOperator::NotEq), right } => {
                let (subject, text) =
                    text_literal(right).map(|text| (left, text)).or_else(|| Some((right, text_literal(left)?)))?;
                (subject, vec![text], None, *op == BinaryOperator::NotEq)
            }
            Expr::InList { expr, list, negated } => {
                (expr, list.iter().map(text_literal).collect::<Option<Vec<&str>>>()?, None, *negated)
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
                (expr, vec![text_literal(pattern)?], Some(true), *negated)
            }
            Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                (expr, vec![text_literal(pattern)?], Some(false), *negated)
            }
            _ => return None,
        };
        let (around, column) = Around::split_transform(subject);
        Some(Self { column, texts, around, pattern, negated })
    }

    /// Returns true if the comparison matches a value.
    pub(super) fn matches_value(&self, value: &str) -> bool {
        let value = self.around.apply_to(value);
        match self.pattern {
            None => self.texts.contains(&value.as_str()),
            Some(true) => self.texts.iter().any(|text| is_like(&value, text)),
            Some(false) => self.texts.iter().any(|text| is_like(&value.to_lowercase(), &text.to_lowercase())),
        }
    }

    /// Returns the values that it does not match although it matches others of the group.
    pub(super) fn missing_values<'v>(&self, values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
        let (named, missing): (Vec<&str>, Vec<&str>) = values.partition(|value| self.matches_value(value));
        if named.is_empty() { Vec::new() } else { missing }
    }

    /// Returns the comparison `whole` with additional values.
    pub(super) fn with_values(&self, whole: &Expr, more: &[&str], dialect: Dialect) -> Expr {
        let value = |text: &&str| Expr::Value(text_value(text, dialect).with_empty_span());
        let list =
            |texts: Vec<Expr>| Expr::InList { expr: Box::new(self.column.clone()), list: texts, negated: self.negated };
        if self.pattern.is_none() && self.around == Around::Nothing {
            return list(self.texts.iter().chain(more).map(value).collect());
        }
        let more = list(more.iter().map(value).collect());
        let both = if self.negated { build_and(whole.clone(), more) } else { build_or(whole.clone(), more) };
        Expr::Nested(Box::new(both))
    }
}

/// Returns pairs of comparisons of one column that are joined by OR or AND: one may match values that the other misses.
pub(super) fn beside_each_other(expr: &Expr) -> Vec<(Expr, Expr)> {
    let mut parts = Vec::new();
    match expr {
        Expr::BinaryOp { op: BinaryOperator::Or, .. } => collect_disjuncts(expr, &mut parts),
        Expr::BinaryOp { op: BinaryOperator::And, .. } => collect_conjuncts(expr, &mut parts),
        _ => return Vec::new(),
    }
    let compared: Vec<(&Expr, Comparison<'_>)> =
        parts.into_iter().filter_map(|part| Some((part, Comparison::from_expr(part)?))).collect();
    let mut pairs = Vec::new();
    for (one, of_one) in &compared {
        let same = compared.iter().filter(|(other, of)| other != one && of.column == of_one.column);
        pairs.extend(same.map(|(other, _)| ((*one).clone(), (*other).clone())));
    }
    pairs
}

/// Returns true if a text matches a pattern with `%` and `_`.
fn is_like(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut at, mut place, mut last) = (0, 0, None);
    while at < text.len() {
        match pattern.get(place) {
            Some('%') => {
                last = Some((place, at));
                place += 1;
            }
            Some(&c) if c == '_' || c == text[at] => (at, place) = (at + 1, place + 1),
            _ => match last {
                Some((percent, from)) => {
                    (place, at) = (percent + 1, from + 1);
                    last = Some((percent, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[place..].iter().all(|c| *c == '%')
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns_are_read_as_databases_do() {
        for (text, pattern) in
            [("USA", "US%"), ("USA", "U_A"), ("United States", "%State%"), ("", "%"), ("aXbXc", "a%X%c")]
        {
            assert!(is_like(text, pattern), "{text} {pattern}");
        }
        for (text, pattern) in [("US", "US_"), ("usa", "US%"), ("Canada", "%x%")] {
            assert!(!is_like(text, pattern), "{text} {pattern}");
        }
    }
}
