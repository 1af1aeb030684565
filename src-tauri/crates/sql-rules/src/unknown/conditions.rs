//! Negated comparisons in a condition, changed so that NULL values pass them.

use super::evidence::{Evidence, Missing};
use super::scope::SelectScope;
use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Query, Select, SelectItem, SetExpr, UnaryOperator, Value, ValueWithSpan, With,
};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{
    branches_mut, build_and, build_or, collect_aggregate_names, has_group_by, is_column, parse_expr, query_of,
};

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Keeps rows whose compared value is NULL.
    Rows,
    /// Removes NULL members from lists of NOT IN.
    Members,
}

/// Changes conditions, and records the changes.
pub(super) struct Changer<'a> {
    evidence: &'a Evidence<'a>,
    pub kind: Kind,
    pub dialect: Dialect,
    /// The WITH clause of the whole query.
    pub with: Option<With>,
    /// The distinct compared columns, or columns of the lists.
    pub columns: Vec<String>,
    /// Compared expressions since the last read of this field.
    pub subjects: Vec<Expr>,
    /// Queries that count the affected rows.
    pub counts: Vec<Query>,
    /// Number of NULL members written in the query itself.
    pub written: u64,
    /// True if a change is in a place where no query can count its effect.
    pub uncounted: bool,
    pub missing: Option<Missing>,
    /// The tables of the SELECT whose conditions are changed.
    scope: SelectScope<'a>,
}

impl<'a> Changer<'a> {
    pub fn new(evidence: &'a Evidence<'a>, kind: Kind, dialect: Dialect) -> Self {
        let (columns, subjects, counts) = (Vec::new(), Vec::new(), Vec::new());
        let (with, missing, scope) = (None, None, SelectScope::default());
        Self { evidence, kind, dialect, with, columns, subjects, counts, written: 0, uncounted: false, missing, scope }
    }

    /// Starts to change the conditions of a SELECT.
    pub fn enter_select(&mut self, select: &Select) {
        self.scope = self.evidence.select_scope(select);
    }

    /// Continues with conditions that see no rows added by an outer join.
    pub fn leave_where(&mut self) {
        self.scope.require_rows();
    }

    /// Adds the query that counts the rows of a SELECT that meet a condition. Without one, the effect cannot be
    /// counted.
    pub fn add_count_query(&mut self, select: &Select, condition: Option<Expr>) {
        let count = condition.and_then(|condition| {
            let counting = Select {
                projection: vec![SelectItem::UnnamedExpr(parse_expr("COUNT(*)", self.dialect)?)],
                distinct: None,
                top: None,
                group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
                having: None,
                qualify: None,
                named_window: Vec::new(),
                selection: Some(condition),
                ..select.clone()
            };
            Some(Query { with: self.with.clone(), ..query_of(SetExpr::Select(Box::new(counting))) })
        });
        self.uncounted |= count.is_none();
        self.counts.extend(count);
    }

    /// Changes a condition. `holds` is false within an odd number of NOTs. Returns true if anything changed.
    pub fn change_condition(&mut self, condition: &mut Expr, holds: bool) -> bool {
        if let Some((inner, value)) = compared_truth(condition) {
            return self.change_condition(inner, holds == value);
        }
        match condition {
            Expr::Nested(inner) => self.change_condition(inner, holds),
            Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
                self.change_condition(expr, !holds)
            }
            // Within a NOT, these define the treatment of NULL.
            Expr::IsTrue(inner) if holds => self.change_condition(inner, holds),
            Expr::IsFalse(inner) if holds => self.change_condition(inner, !holds),
            Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
                let changed = self.change_condition(left, holds);
                self.change_condition(right, holds) || changed
            }
            _ => match self.kind {
                Kind::Rows => self.keep_rows(condition, holds),
                Kind::Members => self.leave_out_members(condition, holds),
            },
        }
    }

    fn keep_rows(&mut self, condition: &mut Expr, holds: bool) -> bool {
        let denied = self.denied_subject(condition, holds).map(|subject| (subject, Missing::Possible));
        // An empty flag usually means false as well, so only known NULL values are relevant.
        let denied = denied.or_else(|| Some((self.denied_flag(condition).filter(|_| holds)?, Missing::Known)));
        let Some((subject, least)) = denied.map(|(subject, least)| (subject.clone(), least)) else { return false };
        if !self.record_subject(&subject, least) {
            return false;
        }
        let comparison = std::mem::replace(condition, subject.clone());
        let kept = match holds {
            true => build_or(comparison, is_missing(&subject)),
            false => build_and(comparison, Expr::IsNotNull(Box::new(add_parentheses(&subject)))),
        };
        *condition = Expr::Nested(Box::new(kept));
        self.subjects.push(subject);
        true
    }

    /// Records the columns of a subject. Returns false if the evidence for NULL values is weaker than `least`.
    fn record_subject(&mut self, subject: &Expr, least: Missing) -> bool {
        let missing = self.evidence.assess_missing(&self.scope, subject);
        if missing < Some(least) {
            return false;
        }
        self.missing = self.missing.max(missing);
        for name in self.evidence.column_names(subject) {
            if !self.columns.contains(&name) {
                self.columns.push(name);
            }
        }
        true
    }

    /// Returns the flag that a condition compares with false or 0.
    fn denied_flag<'e>(&self, condition: &'e Expr) -> Option<&'e Expr> {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
        [(left, right), (right, left)].into_iter().find_map(|(flag, value)| {
            let is_false =
                boolean_value(value) == Some(false) || is_zero(value) && self.evidence.is_flag(&self.scope, flag);
            (is_column(flag) && is_false).then_some(flag.as_ref())
        })
    }

    /// Returns the expression that a negated comparison compares with constants.
    fn denied_subject<'e>(&self, condition: &'e Expr, holds: bool) -> Option<&'e Expr> {
        let denies = |negated: bool| negated == holds;
        let constant = |expr: &Expr| self.evidence.is_constant(expr);
        match condition {
            Expr::BinaryOp { left, op, right } => {
                let negated = is_negative(op)?;
                let (subject, value) = if constant(right) { (left, right) } else { (right, left) };
                (denies(negated) && constant(value) && !constant(subject) && !is_absence(value)).then_some(subject)
            }
            Expr::InList { expr, list, negated } => {
                let says = list.iter().all(constant) && !list.iter().all(is_absence);
                (denies(*negated) && says).then_some(expr)
            }
            Expr::Between { expr, negated, low, high } => {
                (denies(*negated) && constant(low) && constant(high)).then_some(expr)
            }
            Expr::Like { negated, expr, pattern, .. }
            | Expr::ILike { negated, expr, pattern, .. }
            | Expr::SimilarTo { negated, expr, pattern, .. }
            | Expr::RLike { negated, expr, pattern, .. } => (denies(*negated) && constant(pattern)).then_some(expr),
            Expr::InSubquery { expr, negated, .. } => denies(*negated).then_some(expr),
            Expr::AllOp { left, compare_op: BinaryOperator::NotEq, right } => {
                (denies(true) && constant(right)).then_some(left)
            }
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
                (denies(false) && constant(right)).then_some(left)
            }
            // A Boolean column, and a function that returns a Boolean value.
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Function(_) => (!holds).then_some(condition),
            _ => None,
        }
    }

    fn leave_out_members(&mut self, condition: &mut Expr, holds: bool) -> bool {
        match condition {
            Expr::InSubquery { subquery, negated, .. } if *negated == holds => self.leave_out_of(subquery),
            Expr::AllOp { compare_op: BinaryOperator::NotEq, right, .. } if holds => match right.as_mut() {
                Expr::Subquery(subquery) => self.leave_out_of(subquery),
                _ => false,
            },
            Expr::InList { list, negated, .. } if *negated == holds && list.iter().any(|one| !is_null(one)) => {
                let before = list.len();
                list.retain(|one| !is_null(one));
                self.written += (before - list.len()) as u64;
                if list.len() < before {
                    self.missing = self.missing.max(Some(Missing::Known));
                }
                list.len() < before
            }
            _ => false,
        }
    }

    /// Adds IS NOT NULL to each SELECT that returns a list.
    fn leave_out_of(&mut self, list: &mut Query) -> bool {
        // A CTE of the list, or a row limit, would require a subquery around the whole list.
        if list.with.is_some() || list.limit_clause.is_some() || list.fetch.is_some() {
            return false;
        }
        let mut changed = false;
        for select in branches_mut(&mut list.body) {
            let Some(member) = only_expression(&select.projection).cloned() else { continue };
            let inner = self.evidence.select_scope(select);
            let outer = std::mem::replace(&mut self.scope, inner);
            let takes = collect_aggregate_names(&member).is_empty() && self.record_subject(&member, Missing::Possible);
            self.scope = outer;
            if !takes {
                continue;
            }
            let before = select.clone();
            let with = |further: Expr| match before.selection.clone() {
                Some(condition) => build_and(condition, further),
                None => further,
            };
            select.selection = Some(with(Expr::IsNotNull(Box::new(add_parentheses(&member)))));
            let missing = (!has_group_by(&before)).then(|| with(is_missing(&member)));
            self.add_count_query(&before, missing);
            changed = true;
        }
        changed
    }
}

/// Returns a condition that is compared with a Boolean value, and the required value.
fn compared_truth(condition: &mut Expr) -> Option<(&mut Expr, bool)> {
    let Expr::BinaryOp { left, op, right } = condition else { return None };
    let is_equal = match op {
        BinaryOperator::Eq => true,
        BinaryOperator::NotEq => false,
        _ => return None,
    };
    match (boolean_value(left), boolean_value(right)) {
        (None, Some(value)) if is_condition(left) => Some((left.as_mut(), value == is_equal)),
        (Some(value), None) if is_condition(right) => Some((right.as_mut(), value == is_equal)),
        _ => None,
    }
}

fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_condition(inner),
        Expr::BinaryOp { op, .. } => {
            is_negative(op).is_some() || matches!(op, BinaryOperator::And | BinaryOperator::Or)
        }
        Expr::InList { .. } | Expr::InSubquery { .. } | Expr::Between { .. } => true,
        Expr::Like { .. } | Expr::ILike { .. } | Expr::SimilarTo { .. } | Expr::RLike { .. } => true,
        _ => false,
    }
}

fn boolean_value(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Nested(inner) => boolean_value(inner),
        Expr::Value(ValueWithSpan { value: Value::Boolean(value), .. }) => Some(*value),
        _ => None,
    }
}

fn is_zero(expr: &Expr) -> bool {
    let Expr::Value(ValueWithSpan { value: Value::Number(number, _), .. }) = expr else { return false };
    number.to_string().parse::<f64>() == Ok(0.0)
}

/// Builds an `IS NULL` test for an expression.
pub(super) fn is_missing(expr: &Expr) -> Expr {
    Expr::IsNull(Box::new(add_parentheses(expr)))
}

/// Adds parentheses around an expression that needs them.
fn add_parentheses(expr: &Expr) -> Expr {
    match expr {
        Expr::BinaryOp { .. } | Expr::UnaryOp { .. } => Expr::Nested(Box::new(expr.clone())),
        _ => expr.clone(),
    }
}

fn only_expression(projection: &[SelectItem]) -> Option<&Expr> {
    match projection {
        [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] => Some(expr),
        _ => None,
    }
}

/// Returns true if a comparison is negative. `None` if it is not a comparison, or also compares NULL values.
fn is_negative(op: &BinaryOperator) -> Option<bool> {
    use BinaryOperator as Op;
    match op {
        Op::NotEq | Op::PGRegexNotMatch | Op::PGRegexNotIMatch | Op::PGNotLikeMatch | Op::PGNotILikeMatch => Some(true),
        Op::Eq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq | Op::Regexp => Some(false),
        Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGLikeMatch | Op::PGILikeMatch => Some(false),
        _ => None,
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(ValueWithSpan { value: Value::Null, .. }))
}

/// Returns true if a constant represents "nothing": an empty text or a zero. A row without a value has nothing as well,
/// and such a condition is meant to exclude it.
fn is_absence(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_absence(inner),
        Expr::Value(ValueWithSpan { value, .. }) => match value {
            Value::Null => true,
            Value::Number(..) => is_zero(expr),
            other => other.clone().into_string().is_some_and(|text| text.trim().is_empty()),
        },
        _ => false,
    }
}
