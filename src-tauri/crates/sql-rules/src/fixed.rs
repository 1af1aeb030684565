//! Numbers that are determined by the form of a query, independent of the data: a difference or quotient of equal
//! operands, a share of rows that WHERE already restricts, an aggregate over rows that WHERE excludes, and the number
//! of distinct values of a group key.

use sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr,
    Ident, Select, SelectItem, Value, ValueWithSpan,
};
use vitrine_sql::ast::{
    Relation, collect_columns, collect_conjuncts, each_own_expr, is_aggregate, last_part, plain_arguments,
    resolve_column_index,
};

/// The reason why a number is fixed.
#[derive(Debug, PartialEq)]
pub(crate) enum Fixed {
    /// Both sides of a difference or quotient are equal; the expression as written.
    SameTwice(String),
    /// Rows with a condition are counted or summed relative to themselves, because WHERE keeps no others.
    OwnShare(Condition),
    /// No row can meet the condition of an aggregate, because of a condition in WHERE.
    LeftOut {
        /// The aggregate's condition, as written.
        asked: String,
        /// The contradicting condition in WHERE.
        kept: Condition,
    },
    /// The number of distinct values of a group key, which is one in each group; as written.
    GroupKey(String),
}

/// An operand of a WHERE conjunction.
#[derive(Debug, PartialEq)]
pub(crate) struct Condition {
    /// Index among the operands of the conjunction.
    pub place: usize,
    /// SQL text of the condition, as written.
    pub text: String,
}

/// Returns the first fixed number among a SELECT's columns.
pub(crate) fn find_fixed_number(select: &Select, tables: &[Relation<'_>]) -> Option<Fixed> {
    let mut parts = Vec::new();
    if let Some(selection) = &select.selection {
        collect_conjuncts(selection, &mut parts);
    }
    let kept = parts.into_iter().map(|part| (normalize_expr(part, tables), part)).collect();
    let looker = Looker { tables, kept, keys: group_keys(select, tables) };
    select.projection.iter().find_map(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => looker.find_fixed_in(expr),
        _ => None,
    })
}

/// Returns the normalized GROUP BY keys. Empty if the groups include totals.
pub(crate) fn group_keys(select: &Select, tables: &[Relation<'_>]) -> Vec<Expr> {
    match &select.group_by {
        GroupByExpr::Expressions(keys, modifiers) if modifiers.is_empty() => {
            keys.iter().filter(|key| !collect_columns(*key).is_empty()).map(|key| normalize_expr(key, tables)).collect()
        }
        _ => Vec::new(),
    }
}

/// Normalizes an expression: without parentheses and casts, columns qualified by the alias of their table, lower case.
/// Expressions with the same text then have the same meaning.
pub(crate) fn normalize_expr(expr: &Expr, tables: &[Relation<'_>]) -> Expr {
    let mut plain = expr.clone();
    each_own_expr(&mut plain, |expr| {
        while let Expr::Nested(inner) | Expr::Cast { expr: inner, .. } = expr {
            *expr = std::mem::replace(inner.as_mut(), Expr::Value(Value::Null.with_empty_span()));
        }
        if let Some((at, name)) = resolve_column_index(expr, tables) {
            *expr = Expr::Identifier(Ident::new(in_table(&tables[at], name)));
        }
    });
    plain
}

fn in_table(table: &Relation<'_>, column: &str) -> String {
    format!("{}.{column}", table.alias).to_lowercase()
}

/// Returns the side of `side = constant` that is computed from columns, and the constant.
pub(crate) fn split_constant_equality(condition: &Expr) -> Option<(&Expr, &Value)> {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
    let (side, constant) = match (left.as_ref(), right.as_ref()) {
        (Expr::Value(constant), side) | (side, Expr::Value(constant)) => (side, &constant.value),
        _ => return None,
    };
    (!collect_columns(side).is_empty()).then_some((side, constant))
}

struct Looker<'a, 'c> {
    tables: &'a [Relation<'c>],
    /// The operands of WHERE: normalized, and as written.
    kept: Vec<(Expr, &'a Expr)>,
    /// The GROUP BY keys, normalized.
    keys: Vec<Expr>,
}

impl Looker<'_, '_> {
    /// Returns the first fixed number in an expression and its parts, outer ones first.
    fn find_fixed_in(&self, expr: &Expr) -> Option<Fixed> {
        let mut found = None;
        each_own_expr(&mut expr.clone(), |part| {
            if found.is_none() {
                found = self.of_sides(part).or_else(|| self.of_aggregate(part));
            }
        });
        found
    }

    fn of_sides(&self, expr: &Expr) -> Option<Fixed> {
        let Expr::BinaryOp { left, op, right } = expr else { return None };
        let side = |side| match op {
            BinaryOperator::Minus => Some(normalize_expr(side, self.tables)),
            BinaryOperator::Divide => Some(strip_factors(normalize_expr(side, self.tables))),
            _ => None,
        };
        let (left, right) = (side(left)?, side(right)?);
        let (one, other) = (Aggregate::from_expr(&left), Aggregate::from_expr(&right));
        if let (Some(one), Some(other)) = (&one, &other)
            && let ((measure, own), (same, others)) = (self.aggregate_measure(one)?, self.aggregate_measure(other)?)
            && let Some(place) = own.or(others)
            && measure == same
        {
            return Some(Fixed::OwnShare(self.condition_at(place)));
        }
        let of_data = one.is_some() || !collect_columns(&left).is_empty();
        (of_data && left.to_string() == right.to_string()).then(|| Fixed::SameTwice(expr.to_string()))
    }

    /// Returns the measure that an aggregate computes over the rows that WHERE keeps, and the operand of WHERE that the
    /// aggregate repeats.
    fn aggregate_measure(&self, aggregate: &Aggregate<'_>) -> Option<(String, Option<usize>)> {
        let Some((condition, of)) = aggregate.split_condition() else {
            return Some((aggregate.describe_measure(aggregate.argument, self.tables), None));
        };
        let own = self.kept.iter().position(|(kept, _)| kept.to_string() == condition.to_string());
        let of = if own.is_some() { of } else { aggregate.argument };
        Some((aggregate.describe_measure(of, self.tables), own))
    }

    fn of_aggregate(&self, expr: &Expr) -> Option<Fixed> {
        let plain = normalize_expr(expr, self.tables);
        let aggregate = Aggregate::from_expr(&plain)?;
        if aggregate.counts_one_of(&self.keys) {
            return Some(Fixed::GroupKey(expr.to_string()));
        }
        let (condition, of) = aggregate.split_condition()?;
        // The mean of a condition is already a share.
        let is_share = aggregate.name == "avg" && of.is_none_or(is_number);
        if is_share && let Some(place) = self.aggregate_measure(&aggregate)?.1 {
            return Some(Fixed::OwnShare(self.condition_at(place)));
        }
        let (side, value) = split_constant_equality(condition)?;
        let leaves_out = |(kept, _): &(Expr, &Expr)| {
            split_constant_equality(kept)
                .is_some_and(|(own, other)| own.to_string() == side.to_string() && are_distinct(value, other))
        };
        let place = self.kept.iter().position(leaves_out)?;
        let as_written = Aggregate::from_expr(expr)?.split_condition()?.0.to_string();
        Some(Fixed::LeftOut { asked: as_written, kept: self.condition_at(place) })
    }

    fn condition_at(&self, place: usize) -> Condition {
        Condition { place, text: self.kept[place].1.to_string() }
    }
}

/// An aggregate over the rows of a group, outside of windows.
pub(crate) struct Aggregate<'e> {
    /// Name of the function, in lower case.
    pub name: String,
    /// True for an aggregate with DISTINCT.
    pub distinct: bool,
    filter: Option<&'e Expr>,
    /// The aggregated expression, or `None` for `*`.
    pub argument: Option<&'e Expr>,
}

impl<'e> Aggregate<'e> {
    /// Returns the aggregate if the expression is one. `None` if it has several arguments.
    pub fn from_expr(expr: &'e Expr) -> Option<Self> {
        let Expr::Function(Function { name, args: FunctionArguments::List(list), over: None, filter, .. }) = expr
        else {
            return None;
        };
        let name = last_part(name)?.value.to_lowercase();
        let argument = match list.args.as_slice() {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] => Some(argument),
            [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => None,
            _ => return None,
        };
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        is_aggregate(&name).then_some(Self { name, distinct, filter: filter.as_deref(), argument })
    }

    /// Returns the condition for the aggregated rows, and the aggregated expression, or `None` if rows are counted. The
    /// condition may be in CASE, IF or FILTER, or be the argument itself.
    pub fn split_condition(&self) -> Option<(&'e Expr, Option<&'e Expr>)> {
        if let Some(filter) = self.filter {
            return Some((filter, self.argument));
        }
        match self.argument? {
            Expr::Case { operand: None, conditions, else_result, .. } => match conditions.as_slice() {
                [only] if else_result.as_deref().is_none_or(is_nothing) => Some((&only.condition, Some(&only.result))),
                _ => None,
            },
            Expr::Function(inner) => {
                let name = last_part(&inner.name)?.value.to_lowercase();
                match plain_arguments(inner)?.as_slice() {
                    [condition, of, otherwise] if is_nothing(otherwise) => {
                        matches!(name.as_str(), "if" | "iif" | "iff").then_some((condition, Some(of)))
                    }
                    _ => None,
                }
            }
            itself @ Expr::BinaryOp { op: BinaryOperator::Eq, .. } if self.name != "count" => Some((itself, None)),
            _ => None,
        }
    }

    /// Returns true if it counts the distinct values of one of these normalized keys.
    pub fn counts_one_of(&self, keys: &[Expr]) -> bool {
        let counts = self.name == "count" && self.distinct && self.filter.is_none();
        counts && self.argument.is_some_and(|counted| keys.contains(counted))
    }

    /// Returns the text of the aggregated expression; `rows` if it counts every row.
    fn describe_measure(&self, of: Option<&Expr>, tables: &[Relation<'_>]) -> String {
        let counts_each = match self.name.as_str() {
            "count" => of.is_none_or(|of| is_in_every_row(of, tables)),
            "sum" => of.is_none_or(is_one),
            _ => false,
        };
        match of {
            Some(of) if self.distinct || !counts_each => format!("{} {} {of}", self.name, self.distinct),
            _ => "rows".to_owned(),
        }
    }
}

/// Returns true if a normalized expression is never NULL: a number, or a column that is a key or not nullable.
fn is_in_every_row(expr: &Expr, tables: &[Relation<'_>]) -> bool {
    let Expr::Identifier(name) = expr else { return is_number(expr) };
    tables.iter().any(|relation| {
        let is_filled = |column: &str| relation.table.primary_key.iter().any(|key| key.eq_ignore_ascii_case(column));
        let mut columns = relation.table.columns.iter().filter(|column| !column.nullable || is_filled(&column.name));
        columns.any(|column| in_table(relation, &column.name) == name.value)
    })
}

/// Removes constant factors and NULLIF, which do not change whether a quotient of equal operands is fixed.
fn strip_factors(expr: Expr) -> Expr {
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } if is_number(&right) => strip_factors(*left),
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } if is_number(&left) => strip_factors(*right),
        Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("nullif") => {
            let first = plain_arguments(&function).and_then(|all| all.first().map(|first| (*first).clone()));
            first.map_or(Expr::Function(function), strip_factors)
        }
        expr => expr,
    }
}

fn number_value(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Value(ValueWithSpan { value: Value::Number(number, _), .. }) => number.parse().ok(),
        _ => None,
    }
}

fn is_number(expr: &Expr) -> bool {
    number_value(expr).is_some()
}

fn is_one(expr: &Expr) -> bool {
    number_value(expr) == Some(1.0)
}

/// Returns true for NULL or 0, the value of a row that is not counted.
fn is_nothing(expr: &Expr) -> bool {
    number_value(expr) == Some(0.0) || matches!(expr, Expr::Value(ValueWithSpan { value: Value::Null, .. }))
}

/// Returns true if no value equals both constants. Excludes texts that an engine may treat as equal: other case, or a
/// date with a time after it.
fn are_distinct(one: &Value, other: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::Number(number, _) => Some(number.clone()),
        Value::SingleQuotedString(text) => Some(text.trim().to_lowercase()),
        _ => None,
    };
    let (Some(one), Some(other)) = (text(one), text(other)) else { return false };
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one != other,
        (Err(_), Err(_)) => !one.starts_with(&other) && !other.starts_with(&one),
        _ => false,
    }
}
