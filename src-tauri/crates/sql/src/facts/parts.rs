//! The parts of a simple SELECT: its FROM clause, its conditions, the two sides of its join.

use super::conditions::{Condition, collect_conditions};
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{BinaryOperator, Expr, JoinConstraint, JoinOperator, Select, SetExpr, TableFactor};
use vitrine_domain::Dialect;

/// A SELECT that has a WHERE clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filtered {
    /// The FROM clause, as written.
    pub from: String,
    /// The conditions of the WHERE clause.
    pub conditions: Vec<Condition>,
}

/// A SELECT that joins two tables or subqueries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The left side, as written in FROM.
    pub left: String,
    /// The right side, as written in FROM.
    pub right: String,
    /// SQL text of the join condition.
    pub on: String,
    /// Pairs of columns that the condition sets equal: left side, right side.
    pub keys: Vec<(String, String)>,
    /// True if the join condition consists only of these pairs.
    pub by_keys_alone: bool,
}

/// Parses a SELECT with a WHERE clause.
pub fn parse_filtered(sql: &str, dialect: Dialect) -> Option<Filtered> {
    with_simple_select(sql, dialect, |select| {
        let from: Vec<String> = select.from.iter().map(ToString::to_string).collect();
        Some(Filtered { from: from.join(", "), conditions: collect_conditions(select.selection.as_ref()?) })
    })
}

/// Parses a SELECT whose FROM clause is a single join.
pub fn parse_joined(sql: &str, dialect: Dialect) -> Option<Joined> {
    with_simple_select(sql, dialect, |select| {
        let [from] = select.from.as_slice() else { return None };
        let [join] = from.joins.as_slice() else { return None };
        let (JoinOperator::Join(JoinConstraint::On(on))
        | JoinOperator::Inner(JoinConstraint::On(on))
        | JoinOperator::Left(JoinConstraint::On(on))
        | JoinOperator::LeftOuter(JoinConstraint::On(on))) = &join.join_operator
        else {
            return None;
        };
        let (left, right) = (factor_name(&from.relation)?, factor_name(&join.relation)?);
        let (keys, by_keys_alone) = collect_key_pairs(on, &left, &right);
        Some(Joined {
            left: from.relation.to_string(),
            right: join.relation.to_string(),
            on: on.to_string(),
            keys,
            by_keys_alone,
        })
    })
}

fn with_simple_select<T>(sql: &str, dialect: Dialect, read: impl Fn(&Select) -> Option<T>) -> Option<T> {
    ReadOnlySql::parse(sql, dialect).ok()?.with_query(|query| match query.body.as_ref() {
        SetExpr::Select(select) if query.with.is_none() => read(select),
        _ => None,
    })?
}

/// Returns the name or alias of a table.
pub(super) fn factor_name(factor: &TableFactor) -> Option<String> {
    let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
    let own = crate::ast::last_part(name)?;
    Some(alias.as_ref().map_or(&own.value, |alias| &alias.name.value).clone())
}

/// Returns pairs of columns of two tables that a condition sets equal, and true if it contains nothing else.
fn collect_key_pairs(on: &Expr, left: &str, right: &str) -> (Vec<(String, String)>, bool) {
    let mut all = Vec::new();
    crate::ast::collect_conjuncts(on, &mut all);
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
