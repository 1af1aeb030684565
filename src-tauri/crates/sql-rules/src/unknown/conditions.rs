//! Negated comparisons in a condition, each changed so that a missing value passes it.

use super::evidence::{Evidence, Missing};
use super::scope::SelectScope;
use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Query, Select, SelectItem, SetExpr, UnaryOperator, Value, ValueWithSpan, With,
};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{
    branches_mut, build_and, build_or, collect_aggregate_names, has_group_by, is_column, parse_expr, query_of,
};

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rows whose compared value is missing are kept.
    Rows,
    /// Missing values are left out of lists that rows must not be in.
    Members,
}

/// Changes conditions, and collects what was changed.
pub(super) struct Changer<'a> {
    evidence: &'a Evidence<'a>,
    pub kind: Kind,
    pub dialect: Dialect,
    /// The views that the whole query defines.
    pub with: Option<With>,
    /// The compared columns, or those of the lists, each once.
    pub columns: Vec<String>,
    /// What was compared, since it was last taken.
    pub subjects: Vec<Expr>,
    /// Queries that count what changes do.
    pub counts: Vec<Query>,
    /// Missing members that the query writes itself.
    pub written: u64,
    /// Changes in places where no query can count what they do.
    pub uncounted: bool,
    pub missing: Option<Missing>,
    /// What the SELECT whose conditions are changed reads.
    scope: SelectScope<'a>,
}

impl<'a> Changer<'a> {
    pub fn new(evidence: &'a Evidence<'a>, kind: Kind, dialect: Dialect) -> Self {
        let (columns, subjects, counts) = (Vec::new(), Vec::new(), Vec::new());
        let (with, missing, scope) = (None, None, SelectScope::default());
        Self { evidence, kind, dialect, with, columns, subjects, counts, written: 0, uncounted: false, missing, scope }
    }

    /// Takes a SELECT as the one whose conditions are changed.
    pub fn enter_select(&mut self, select: &Select) {
        self.scope = self.evidence.select_scope(select);
    }

    /// Goes on to conditions that see no rows that an outer join adds.
    pub fn leave_where(&mut self) {
        self.scope.require_rows();
    }

    /// Adds the query that counts the rows of a SELECT that meet a condition; without one nothing can count them.
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

    /// Changes a condition. `holds` is false below an odd number of NOTs. Returns whether anything was changed.
    pub fn change_condition(&mut self, condition: &mut Expr, holds: bool) -> bool {
        if let Some((inner, value)) = compared_truth(condition) {
            return self.change_condition(inner, holds == value);
        }
        match condition {
            Expr::Nested(inner) => self.change_condition(inner, holds),
            Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => {
                self.change_condition(expr, !holds)
            }
            // Below a NOT these say what happens to a missing value.
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
        // That a flag is false, people also say where it is empty, so that only values known to be missing count.
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

    /// Notes the columns of a subject; false where it is less clear than `least` that a value of it is missing.
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

    /// The flag that a condition compares with false or 0.
    fn denied_flag<'e>(&self, condition: &'e Expr) -> Option<&'e Expr> {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
        [(left, right), (right, left)].into_iter().find_map(|(flag, value)| {
            let is_false =
                boolean_value(value) == Some(false) || is_zero(value) && self.evidence.is_flag(&self.scope, flag);
            (is_column(flag) && is_false).then_some(flag.as_ref())
        })
    }

    /// What a negated comparison compares with constants.
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
            // A column of truth values, and a function that gives one.
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

    /// Adds IS NOT NULL to each part of the query that gives a list.
    fn leave_out_of(&mut self, list: &mut Query) -> bool {
        // A view of the list's own, or rows that are cut off, would need the whole list around it.
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

/// A condition that is compared with a truth value, and the value that it has to have.
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

/// `expression IS NULL`.
pub(super) fn is_missing(expr: &Expr) -> Expr {
    Expr::IsNull(Box::new(add_parentheses(expr)))
}

/// An expression in brackets where it needs them.
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

/// Whether a comparison is a negative one; `None` for what is no comparison or compares missing values, too.
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

/// Whether a constant stands for "nothing": a blank text or a zero. A row without a value has nothing, too, so that leaving
/// it out is what such a condition is for.
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
