//! Negated comparisons in a condition, each changed so that a missing value passes it.

use super::evidence::{Evidence, Missing};
use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Query, Select, SelectItem, SetExpr, UnaryOperator, Value, ValueWithSpan, With,
};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{aggregates, and, branches_mut, grouped, or, parse_expr, query_of};

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
}

impl<'a> Changer<'a> {
    pub fn new(evidence: &'a Evidence<'a>, kind: Kind, dialect: Dialect) -> Self {
        let (columns, subjects, counts) = (Vec::new(), Vec::new(), Vec::new());
        let (with, missing) = (None, None);
        Self { evidence, kind, dialect, with, columns, subjects, counts, written: 0, uncounted: false, missing }
    }

    /// Adds the query that counts the rows of a SELECT that meet a condition; without one nothing can count them.
    pub fn count(&mut self, select: &Select, condition: Option<Expr>) {
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
    pub fn change(&mut self, condition: &mut Expr, holds: bool) -> bool {
        match condition {
            Expr::Nested(inner) => self.change(inner, holds),
            Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::BangNot, expr } => self.change(expr, !holds),
            // Below a NOT these say what happens to a missing value.
            Expr::IsTrue(inner) if holds => self.change(inner, holds),
            Expr::IsFalse(inner) if holds => self.change(inner, !holds),
            Expr::BinaryOp { left, op: BinaryOperator::And | BinaryOperator::Or, right } => {
                let changed = self.change(left, holds);
                self.change(right, holds) || changed
            }
            _ => match self.kind {
                Kind::Rows => self.keep_rows(condition, holds),
                Kind::Members => self.leave_out_members(condition, holds),
            },
        }
    }

    fn keep_rows(&mut self, condition: &mut Expr, holds: bool) -> bool {
        let Some(subject) = self.denied_subject(condition, holds).cloned() else { return false };
        if !self.takes(&subject) {
            return false;
        }
        let comparison = std::mem::replace(condition, subject.clone());
        let kept = match holds {
            true => or(comparison, is_missing(&subject)),
            false => and(comparison, Expr::IsNotNull(Box::new(whole(&subject)))),
        };
        *condition = Expr::Nested(Box::new(kept));
        self.subjects.push(subject);
        true
    }

    /// Notes the columns of a subject; false where no value of it is missing.
    fn takes(&mut self, subject: &Expr) -> bool {
        let names = self.evidence.names(subject);
        let Some(missing) = self.evidence.missing(&names) else { return false };
        self.missing = self.missing.max(Some(missing));
        for name in names {
            if !self.columns.contains(&name) {
                self.columns.push(name);
            }
        }
        true
    }

    /// What a negated comparison compares with constants.
    fn denied_subject<'e>(&self, condition: &'e Expr, holds: bool) -> Option<&'e Expr> {
        let denies = |negated: bool| negated == holds;
        let constant = |expr: &Expr| self.evidence.names(expr).is_empty();
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
            if !aggregates(&member).is_empty() || !self.takes(&member) {
                continue;
            }
            let before = select.clone();
            let with = |further: Expr| match before.selection.clone() {
                Some(condition) => and(condition, further),
                None => further,
            };
            select.selection = Some(with(Expr::IsNotNull(Box::new(whole(&member)))));
            let missing = (!grouped(&before)).then(|| with(is_missing(&member)));
            self.count(&before, missing);
            changed = true;
        }
        changed
    }
}

/// `expression IS NULL`.
pub(super) fn is_missing(expr: &Expr) -> Expr {
    Expr::IsNull(Box::new(whole(expr)))
}

/// An expression in brackets where it needs them.
fn whole(expr: &Expr) -> Expr {
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
            Value::Number(number, _) => number.to_string().parse::<f64>() == Ok(0.0),
            other => other.clone().into_string().is_some_and(|text| text.trim().is_empty()),
        },
        _ => false,
    }
}
