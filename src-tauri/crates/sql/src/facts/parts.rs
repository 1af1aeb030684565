//! The parts of a simple SELECT: its FROM clause, its conditions, the two sides of its join.

use super::conditions::{Condition, parts};
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator, Select, SetExpr, TableFactor};
use vitrine_domain::Dialect;

/// A SELECT that filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filtered {
    /// What it reads, as FROM says it.
    pub from: String,
    /// What is asked of the rows.
    pub conditions: Vec<Condition>,
}

/// A SELECT that joins two things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// What stands left, as FROM says it.
    pub left: String,
    /// What stands right.
    pub right: String,
    /// When two rows belong together.
    pub on: String,
    /// The columns set equal: of the left side, of the right.
    pub keys: Vec<(String, String)>,
    /// Whether these are all that is asked for.
    pub by_keys_alone: bool,
}

/// Reads a SELECT that filters.
pub fn filtered(sql: &str, dialect: Dialect) -> Option<Filtered> {
    simple(sql, dialect, |select| {
        let from: Vec<String> = select.from.iter().map(ToString::to_string).collect();
        Some(Filtered { from: from.join(", "), conditions: parts(select.selection.as_ref()?) })
    })
}

/// Reads a SELECT whose FROM is one join.
pub fn joined(sql: &str, dialect: Dialect) -> Option<Joined> {
    simple(sql, dialect, |select| {
        let [from] = select.from.as_slice() else { return None };
        let [join] = from.joins.as_slice() else { return None };
        let (JoinOperator::Join(JoinConstraint::On(on))
        | JoinOperator::Inner(JoinConstraint::On(on))
        | JoinOperator::Left(JoinConstraint::On(on))
        | JoinOperator::LeftOuter(JoinConstraint::On(on))) = &join.join_operator
        else {
            return None;
        };
        let (left, right) = (name(&from.relation)?, name(&join.relation)?);
        let (keys, by_keys_alone) = keys(on, &left, &right);
        Some(Joined {
            left: from.relation.to_string(),
            right: join.relation.to_string(),
            on: on.to_string(),
            keys,
            by_keys_alone,
        })
    })
}

fn simple<T>(sql: &str, dialect: Dialect, read: impl Fn(&Select) -> Option<T>) -> Option<T> {
    ReadOnlySql::parse(sql, dialect).ok()?.with_query(|query| match query.body.as_ref() {
        SetExpr::Select(select) if query.with.is_none() => read(select),
        _ => None,
    })?
}

/// The name that a table goes by.
pub(super) fn name(factor: &TableFactor) -> Option<String> {
    let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
    let own = crate::ast::last_part(name)?;
    Some(alias.as_ref().map_or(&own.value, |alias| &alias.name.value).clone())
}

/// Columns of two tables that a condition sets equal, and whether it asks for nothing else.
fn keys(on: &Expr, left: &str, right: &str) -> (Vec<(String, String)>, bool) {
    let mut all = Vec::new();
    crate::ast::conjuncts(on, &mut all);
    let side = |expr: &Expr| match expr {
        Expr::CompoundIdentifier(names) => {
            let of = &names.get(names.len().checked_sub(2)?)?.value;
            Some((expr.to_string(), of.eq_ignore_ascii_case(left), of.eq_ignore_ascii_case(right)))
        }
        _ => None,
    };
    let pair = |part: &Expr| {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = part else { return None };
        match (side(left)?, side(right)?) {
            ((a, true, false), (b, false, true)) | ((b, false, true), (a, true, false)) => Some((a, b)),
            _ => None,
        }
    };
    let keys: Vec<(String, String)> = all.iter().copied().filter_map(pair).collect();
    let alone = keys.len() == all.len();
    (keys, alone)
}
