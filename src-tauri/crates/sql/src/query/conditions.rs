//! The conditions of a query that a user may remove one by one.

use super::literals::only_column;
use super::parameters::{Parameter, constant_ranges, parameters_in};
use crate::ast::{build_and, collect_conjuncts, visit_exprs_mut};
use crate::read_only::{ReadOnlySql, rewrite_query};
use sqlparser::ast::{BinaryOperator, Expr, Query, Select, SetExpr};
use std::ops::{ControlFlow, Range};

/// A condition on one column in WHERE.
#[derive(Debug, Clone)]
pub struct RemovableCondition {
    /// The condition as SQL without qualifiers: one text, or the two bounds of a range.
    pub texts: Vec<String>,
    /// The parameters whose constants are only in this condition.
    pub parameters: Vec<Parameter>,
    /// The query without the condition.
    pub without: ReadOnlySql,
}

/// Returns the conditions on single columns in WHERE of the outermost SELECT and of its CTEs, in the order of the text. A condition that
/// occurs several times is removed everywhere. Conditions whose constants would also remain at other positions are omitted, because a query
/// with half of them would compare different rows.
pub fn list_conditions(sql: &ReadOnlySql) -> Vec<RemovableCondition> {
    let found = sql.with_query(|mut query| collect_conditions(&mut query, sql.as_str())).unwrap_or_default();
    found.into_iter().filter_map(|condition| condition.remove_from(sql)).collect()
}

/// The operands of AND that make one condition.
struct FoundCondition {
    /// The column of a bound; empty for other conditions.
    column: String,
    texts: Vec<String>,
    /// The position of each operand: its SELECT, and its number there.
    operands: Vec<(usize, usize)>,
    ranges: Vec<Range<usize>>,
}

impl FoundCondition {
    /// Returns true if it is a single bound, to which another bound of its column can be added.
    fn is_open_range(&self) -> bool {
        !self.column.is_empty() && self.texts.len() == 1
    }

    fn remove_from(self, sql: &ReadOnlySql) -> Option<RemovableCondition> {
        let parameters = parameters_in(sql, &self.ranges)?;
        let (without, ()) = rewrite_query(sql, |query| {
            remove_operands(query, &self.operands);
            Some(())
        })?;
        Some(RemovableCondition { texts: self.texts, parameters, without })
    }
}

fn collect_conditions(query: &mut Query, text: &str) -> Vec<FoundCondition> {
    let mut found: Vec<FoundCondition> = Vec::new();
    for (select_at, select) in filtered_selects(query).into_iter().enumerate() {
        let mut own: Vec<FoundCondition> = Vec::new();
        let mut operands = Vec::new();
        select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut operands));
        for (at, operand) in operands.into_iter().enumerate() {
            let Some((qualifier, name)) = only_column(operand) else { continue };
            let column = format!("{}.{name}", qualifier.unwrap_or_default()).to_lowercase();
            let (printed, ranges) = (print_unqualified(operand), constant_ranges(text, operand));
            let bound = is_bound(operand);
            let range = own.iter_mut().find(|one| bound && one.column == column && one.is_open_range());
            match range {
                Some(range) => {
                    range.texts.push(printed);
                    range.operands.push((select_at, at));
                    range.ranges.extend(ranges);
                }
                None => own.push(FoundCondition {
                    column: if bound { column } else { String::new() },
                    texts: vec![printed],
                    operands: vec![(select_at, at)],
                    ranges,
                }),
            }
        }
        for condition in own {
            match found.iter_mut().find(|known| known.texts == condition.texts) {
                Some(known) => {
                    known.operands.extend(condition.operands);
                    known.ranges.extend(condition.ranges);
                }
                None => found.push(condition),
            }
        }
    }
    found
}

/// Returns the SELECTs whose conditions apply to the rows of the answer: those of the CTEs, then the outermost one.
fn filtered_selects(query: &mut Query) -> Vec<&mut Select> {
    let Query { with, body, .. } = query;
    let mut found: Vec<&mut Select> = Vec::new();
    for cte in with.iter_mut().filter(|with| !with.recursive).flat_map(|with| &mut with.cte_tables) {
        if let SetExpr::Select(select) = cte.query.body.as_mut() {
            found.push(select);
        }
    }
    if let SetExpr::Select(select) = body.as_mut() {
        found.push(select);
    }
    found
}

fn remove_operands(query: &mut Query, operands: &[(usize, usize)]) {
    for (select_at, select) in filtered_selects(query).into_iter().enumerate() {
        if operands.iter().all(|(other, _)| *other != select_at) {
            continue;
        }
        let mut parts = Vec::new();
        select.selection.iter().for_each(|condition| collect_conjuncts(condition, &mut parts));
        let kept = parts.into_iter().enumerate().filter(|(at, _)| !operands.contains(&(select_at, *at)));
        let kept = kept.map(|(_, part)| part.clone()).reduce(build_and);
        select.selection = kept;
    }
}

/// Returns true for a comparison with a lower or an upper bound.
fn is_bound(condition: &Expr) -> bool {
    use BinaryOperator as B;
    matches!(condition, Expr::BinaryOp { op: B::Gt | B::GtEq | B::Lt | B::LtEq, .. })
}

/// Prints a condition with the names of columns only.
fn print_unqualified(condition: &Expr) -> String {
    let mut condition = condition.clone();
    let _ = visit_exprs_mut(&mut condition, |expr| {
        if let Expr::CompoundIdentifier(parts) = expr
            && let Some(name) = parts.pop()
        {
            *expr = Expr::Identifier(name);
        }
        ControlFlow::<()>::Continue(())
    });
    condition.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    /// Returns the texts, parameter names and remaining query of each condition.
    fn conditions(text: &str) -> Vec<(String, Vec<String>, String)> {
        let sql = ReadOnlySql::parse(text, Dialect::Duckdb).expect(text);
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        list_conditions(&sql)
            .into_iter()
            .map(|condition| {
                let names = condition.parameters.into_iter().map(|parameter| parameter.name).collect();
                (condition.texts.join(" AND "), names, one_line(condition.without.as_str()))
            })
            .collect()
    }

    fn found(texts: &str, names: &[&str], without: &str) -> (String, Vec<String>, String) {
        (texts.to_owned(), names.iter().map(|&name| name.to_owned()).collect(), without.to_owned())
    }

    #[test]
    fn each_condition_is_removed_alone() {
        assert_eq!(
            conditions("SELECT a FROM t WHERE b = 'x' AND c IS NULL"),
            [
                found("b = 'x'", &["b"], "SELECT a FROM t WHERE c IS NULL"),
                found("c IS NULL", &[], "SELECT a FROM t WHERE b = 'x'"),
            ]
        );
        assert_eq!(conditions("SELECT a FROM t WHERE b = 1"), [found("b = 1", &["b"], "SELECT a FROM t")]);
    }

    #[test]
    fn two_bounds_of_a_column_are_one_condition() {
        assert_eq!(
            conditions("SELECT o.a FROM t AS o WHERE o.d >= '2025-01-01' AND o.b = 1 AND o.d < '2026-01-01'"),
            [
                found(
                    "d >= '2025-01-01' AND d < '2026-01-01'",
                    &["d_from", "d_to"],
                    "SELECT o.a FROM t AS o WHERE o.b = 1"
                ),
                found("b = 1", &["b"], "SELECT o.a FROM t AS o WHERE o.d >= '2025-01-01' AND o.d < '2026-01-01'"),
            ]
        );
    }

    #[test]
    fn the_same_condition_of_two_views_is_removed_from_both() {
        let text = "WITH v AS (SELECT a FROM t WHERE y = 2025), w AS (SELECT a FROM u WHERE y = 2025) \
                    SELECT v.a FROM v JOIN w ON v.a = w.a";
        let without = "WITH v AS ( SELECT a FROM t ), w AS ( SELECT a FROM u ) SELECT v.a FROM v JOIN w ON v.a = w.a";
        let found = conditions(text);
        let [(texts, names, remaining)] = found.as_slice() else { panic!("one condition") };
        assert_eq!((texts.as_str(), names.as_slice()), ("y = 2025", &["y".to_owned()][..]));
        assert_eq!(remaining.replace("( ", "(").replace(" )", ")"), without.replace("( ", "(").replace(" )", ")"));
    }

    #[test]
    fn what_joins_tables_and_what_would_remain_elsewhere_is_not_removed() {
        let none = |text: &str| conditions(text).is_empty();
        assert!(none("SELECT t.a FROM t, u WHERE t.i = u.i"));
        assert!(none("SELECT a FROM t WHERE b = 1 OR c = 2"));
        assert!(none("SELECT a FROM t WHERE y = 2025 AND a > (SELECT avg(a) FROM t WHERE y = 2025)"));
    }
}
