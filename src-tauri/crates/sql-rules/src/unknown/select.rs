//! Negated conditions in all parts of a query, and the queries that count the rows they exclude.

use super::conditions::{Changer, Kind, is_missing};
use super::evidence::{Evidence, Missing};
use super::{UNKNOWN_MEMBERS, UNKNOWN_ROWS};
use crate::RuleInput;
use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, FunctionArguments, JoinConstraint, JoinOperator, Select};
use vitrine_domain::RuleCode;
use vitrine_sql::ast::{
    branches_mut, build_and, build_or, collect_aggregate_names, each_own_expr, each_query, is_aggregate, last_part,
    parse_expr,
};
use vitrine_sql::{ReadOnlySql, bind_names, rewrite_query, rewrite_unformatted};
use vitrine_words::{join_with_and, plural, tr};

/// Functions other than aggregates whose arguments may be conditions.
const CONDITIONAL: [&str; 4] = ["if", "iif", "countif", "sumif"];

/// A variant of a query in which NULL values pass the negated conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRows {
    /// Code of the rule that made the variant.
    pub rule: RuleCode,
    /// Names of the columns with NULL values.
    pub columns: Vec<String>,
    /// SQL text of the variant.
    pub sql: ReadOnlySql,
    /// Queries that count the rows, or list members, that the change affects.
    pub counts: Vec<ReadOnlySql>,
    /// Number of NULL members written in the query itself.
    pub written: u64,
    /// True if the counting queries cover all changes.
    pub counted: bool,
    /// True if the profile confirms the NULL values.
    pub known: bool,
}

impl UnknownRows {
    /// Describes the change in a sentence. `rows` is the number of affected rows or members, if known.
    pub fn describe_change(&self, rows: Option<u64>) -> String {
        let column = join_with_and(&self.columns);
        match (self.rule == UNKNOWN_MEMBERS, rows) {
            (true, Some(rows)) => plural!(
                rows,
                "Leaves {n} missing value out of the list after NOT IN: with it no row is outside of the list",
                "Leaves {n} missing values out of the list after NOT IN: with them no row is outside of the list"
            ),
            (true, None) => {
                tr!("Leaves missing values out of the list after NOT IN: with them no row is outside of the list")
            }
            (false, Some(rows)) => plural!(
                rows,
                "Includes {n} row without a value in {column}: “not” in a condition leaves it out",
                "Includes {n} rows without a value in {column}: “not” in a condition leaves them out",
                column
            ),
            (false, None) => {
                tr!("Includes rows without a value in {column}: “not” in a condition leaves them out", column)
            }
        }
    }
}

/// Returns the variants that keep rows excluded by NULL, one of each kind. Empty if the query handles NULL values, or
/// if no value can be NULL.
pub fn unknown_rows(sql: &ReadOnlySql, input: &RuleInput<'_>) -> Vec<UnknownRows> {
    let evidence = Evidence::from_query(sql, input);
    let kinds = [(Kind::Rows, UNKNOWN_ROWS), (Kind::Members, UNKNOWN_MEMBERS)];
    let on = kinds.into_iter().filter(|(_, rule)| input.is_rule_enabled(rule));
    on.filter_map(|(kind, rule)| of_kind(sql, input, &evidence, kind, rule)).collect()
}

fn of_kind(
    sql: &ReadOnlySql,
    input: &RuleInput<'_>,
    evidence: &Evidence<'_>,
    kind: Kind,
    rule: RuleCode,
) -> Option<UnknownRows> {
    let mut changer = Changer::new(evidence, kind, sql.dialect());
    let (changed, ()) = rewrite_query(sql, |query| {
        changer.with.clone_from(&query.with);
        let mut changed = false;
        each_query(query, |query| {
            for select in branches_mut(&mut query.body) {
                changed |= change_select(select, &mut changer);
            }
        });
        changed.then_some(())
    })?;
    // SQLite reads a double-quoted string as a name first, so only additional problems are relevant.
    let binds = |sql: &ReadOnlySql| evidence.covers_problems_of(&bind_names(sql, input.catalog));
    let wanted = changer.counts.len();
    let proven = changer.counts.into_iter().filter_map(|count| {
        rewrite_unformatted(sql, |query| {
            *query = count;
            Some(())
        })
    });
    // A correlated subquery does not bind alone.
    let counts: Vec<ReadOnlySql> = proven.map(|(count, ())| count).filter(binds).collect();
    binds(&changed).then(|| UnknownRows {
        rule,
        columns: changer.columns,
        sql: changed,
        counted: counts.len() == wanted && !changer.uncounted,
        counts,
        written: changer.written,
        known: changer.missing == Some(Missing::Known),
    })
}

/// Changes the conditions of one SELECT, and adds the queries that count the effect of each change.
fn change_select(select: &mut Select, changer: &mut Changer<'_>) -> bool {
    let before = select.clone();
    changer.enter_select(&before);
    let mut changed = false;
    if let Some(condition) = &mut select.selection
        && changer.change_condition(condition, true)
    {
        changed = true;
        if changer.kind == Kind::Rows {
            let left_out = before.selection.as_ref().and_then(|original| {
                parse_expr(&format!("CASE WHEN {original} THEN 0 ELSE 1 END = 1"), changer.dialect)
            });
            let kept = Expr::Nested(Box::new(condition.clone()));
            changer.add_count_query(&before, left_out.map(|left_out| build_and(kept, left_out)));
        }
    }
    changer.subjects.clear();
    changer.leave_where();
    changed |= change_shown(select, &before, changer);
    let mut others: Vec<&mut Expr> = Vec::new();
    for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
        others.extend(join_condition(&mut join.join_operator));
    }
    others.extend(select.having.as_mut());
    others.extend(select.qualify.as_mut());
    others.extend(select.prewhere.as_mut());
    for condition in others {
        if changer.change_condition(condition, true) {
            changed = true;
            changer.uncounted |= changer.kind == Kind::Rows;
        }
    }
    changer.subjects.clear();
    changed
}

/// Returns the condition of a join that filters rows.
fn join_condition(operator: &mut JoinOperator) -> Option<&mut Expr> {
    use JoinOperator as Op;
    match operator {
        Op::Join(JoinConstraint::On(condition))
        | Op::Inner(JoinConstraint::On(condition))
        | Op::Left(JoinConstraint::On(condition))
        | Op::LeftOuter(JoinConstraint::On(condition))
        | Op::Right(JoinConstraint::On(condition))
        | Op::RightOuter(JoinConstraint::On(condition))
        | Op::FullOuter(JoinConstraint::On(condition)) => Some(condition),
        _ => None,
    }
}

/// Changes conditions within CASE, FILTER and the arguments of aggregates.
fn change_shown(select: &mut Select, before: &Select, changer: &mut Changer<'_>) -> bool {
    let mut changed = false;
    each_own_expr(&mut select.projection, |expr| changed |= change_within(expr, changer));
    if changed && changer.kind == Kind::Rows {
        let subjects = std::mem::take(&mut changer.subjects);
        let of_rows = subjects.iter().all(|subject| collect_aggregate_names(subject).is_empty());
        let missing = subjects.iter().map(is_missing).reduce(build_or).filter(|_| of_rows);
        let condition = missing.map(|missing| match before.selection.clone() {
            Some(condition) => build_and(condition, Expr::Nested(Box::new(missing))),
            None => missing,
        });
        changer.add_count_query(before, condition);
    }
    changed
}

fn change_within(expr: &mut Expr, changer: &mut Changer<'_>) -> bool {
    let mut changed = false;
    match expr {
        Expr::Case { operand: None, conditions, .. } => {
            for when in conditions {
                changed |= changer.change_condition(&mut when.condition, true);
            }
        }
        Expr::Function(function) => {
            if let Some(filter) = &mut function.filter {
                changed |= changer.change_condition(filter, true);
            }
            let name = last_part(&function.name).map(|name| name.value.to_ascii_lowercase()).unwrap_or_default();
            let takes_conditions = CONDITIONAL.contains(&name.replace('_', "").as_str()) || is_aggregate(&name);
            if let (true, FunctionArguments::List(list)) = (takes_conditions, &mut function.args) {
                for argument in &mut list.args {
                    if let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument {
                        changed |= changer.change_condition(argument, true);
                    }
                }
            }
        }
        _ => {}
    }
    changed
}
