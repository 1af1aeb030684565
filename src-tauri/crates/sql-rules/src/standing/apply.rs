//! Adds standing conditions to each part of a query that reads their tables.

use super::{ConditionPlace, Form, StandingCondition, condition_columns, place, strip_qualifiers};
use crate::RuleInput;
use sqlparser::ast::{Expr, JoinConstraint, JoinOperator, Query, Select, TableFactor, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::{Catalog, Table};
use vitrine_sql::ast::{
    ColumnReferences, InScope, build_and, collect_conjuncts, each_own_expr, inner_join_condition, iter_relations,
    last_part, parse_join, qualified_column, visit_mut, visit_tree,
};
use vitrine_words::tr;

/// Adds the conditions whose columns the query does not test itself. Returns one sentence for each distinct condition.
pub(crate) fn apply_conditions(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let holding: Vec<&StandingCondition> =
        input.standing.holding.iter().filter(|condition| !condition.is_looked_at(query, input.catalog)).collect();
    insert_conditions(query, input.catalog, &holding).into_iter().map(StandingCondition::describe_condition).collect()
}

/// Adds conditions to a query. Returns the conditions that were missing in some place.
pub(super) fn insert_conditions<'s>(
    query: &mut Query,
    catalog: &Catalog,
    conditions: &[&'s StandingCondition],
) -> Vec<&'s StandingCondition> {
    let mut puts = Puts { scope: InScope::from_query(query, catalog), conditions, put: Vec::new() };
    let _ = visit_mut(query, &mut puts);
    puts.put
}

struct Puts<'a, 's> {
    scope: InScope<'a>,
    conditions: &'a [&'s StandingCondition],
    put: Vec<&'s StandingCondition>,
}

impl VisitorMut for Puts<'_, '_> {
    type Break = ();

    // A table that is wrapped in a subquery is visited again; it already has the condition.
    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for condition in self.conditions {
            if condition.put_into(select, &self.scope) && !self.put.contains(condition) {
                self.put.push(condition);
            }
        }
        ControlFlow::Continue(())
    }
}

impl StandingCondition {
    /// Adds the condition. Returns true if the SELECT was changed.
    fn put_into(&self, select: &mut Select, scope: &InScope<'_>) -> bool {
        let mine = iter_relations(select, scope).enumerate().filter_map(|(at, relation)| {
            let relation = relation.filter(|relation| relation.table.name == self.table)?;
            Some((at, relation.alias, relation.table))
        });
        let mut changed = false;
        for (at, alias, table) in mine.collect::<Vec<_>>() {
            let place = ConditionPlace::for_item(select, at);
            if self.stands_in(select, at, place, &alias) {
                continue;
            }
            let condition = match reads_single_table(select) {
                true => self.condition.clone(),
                false => self.condition_for_alias(&alias, table, scope),
            };
            changed |= match place {
                ConditionPlace::Where => {
                    select.selection = Some(match select.selection.take() {
                        Some(all) => build_and(all, condition),
                        None => condition,
                    });
                    true
                }
                ConditionPlace::On => {
                    place::left_join_condition(select, at).map(|on| *on = build_and(on.clone(), condition)).is_some()
                }
                ConditionPlace::Inside => {
                    let mut items = select.from.iter_mut().flat_map(place::from_items);
                    items.nth(at).is_some_and(|item| self.put_around(item, scope))
                }
            };
        }
        for item in select.from.iter_mut().flat_map(place::from_items) {
            if !matches!(item, TableFactor::Table { .. }) {
                changed |= self.put_around(item, scope);
            }
        }
        changed
    }

    /// Replaces the table, or each table within parentheses or a PIVOT, by its rows that meet the condition.
    fn put_around(&self, item: &mut TableFactor, scope: &InScope<'_>) -> bool {
        match item {
            TableFactor::Table { name, alias, args: None, .. } => {
                if scope.table_named(name).is_none_or(|table| table.name != self.table) {
                    return false;
                }
                let own = alias.as_ref().map(|alias| &alias.name).or_else(|| last_part(name)).cloned();
                let Some(own) = own else { return false };
                let mut bare = item.clone();
                let whole = match &mut bare {
                    TableFactor::Table { alias, .. } => alias.take(),
                    _ => None,
                };
                let rows = format!("CROSS JOIN (SELECT * FROM {bare} WHERE {}) AS {own}", self.condition);
                let Some(join) = parse_join(&rows, scope.dialect) else { return false };
                *item = join.relation;
                // Keeps column names that the query defines.
                if let (TableFactor::Derived { alias, .. }, Some(whole)) = (item, whole) {
                    *alias = Some(whole);
                }
                true
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                place::from_items(table_with_joins)
                    .filter_map(|item| self.put_around(item, scope).then_some(()))
                    .count()
                    > 0
            }
            TableFactor::Pivot { table, .. }
            | TableFactor::Unpivot { table, .. }
            | TableFactor::MatchRecognize { table, .. } => self.put_around(table, scope),
            _ => false,
        }
    }

    /// Returns true if the SELECT already has the condition for this table, or a more restrictive one.
    fn stands_in(&self, select: &Select, at: usize, place: ConditionPlace, alias: &str) -> bool {
        let mut parts = Vec::new();
        let joined = place::item_joins(select).enumerate().filter_map(|(here, join)| {
            let join = join?;
            match &join.join_operator {
                JoinOperator::Left(JoinConstraint::On(own)) | JoinOperator::LeftOuter(JoinConstraint::On(own)) => {
                    (here == at).then_some(own)
                }
                _ => inner_join_condition(join).filter(|_| place == ConditionPlace::Where),
            }
        });
        for condition in select.selection.iter().chain(joined) {
            collect_conjuncts(condition, &mut parts);
        }
        let mut wanted = Vec::new();
        collect_conjuncts(&self.condition, &mut wanted);
        wanted.into_iter().all(|wanted| parts.iter().any(|part| condition_implies(part, alias, wanted)))
    }

    /// Returns the condition with the table's alias as qualifier.
    fn condition_for_alias(&self, alias: &str, table: &Table, scope: &InScope<'_>) -> Expr {
        let mut condition = self.condition.clone();
        each_own_expr(&mut condition, |expr| {
            if let Expr::Identifier(name) = expr
                && let Some(column) = table.find_column(&name.value)
            {
                *expr = qualified_column(alias, &column.name, scope.dialect);
            }
        });
        condition
    }

    fn describe_condition(&self) -> String {
        let (table, condition, reason) = (&self.table, &self.condition, &self.reason);
        match reason.is_empty() {
            true => tr!("Only rows of {table} with {condition}, as defined for every answer", table, condition),
            false => {
                tr!(
                    "Only rows of {table} with {condition}, as defined for every answer (“{reason}”)",
                    table,
                    condition,
                    reason
                )
            }
        }
    }
}

/// Returns true if an operand of a query's condition on this alias verifiably excludes all rows that do not meet
/// `wanted`.
pub(super) fn condition_implies(part: &Expr, alias: &str, wanted: &Expr) -> bool {
    let (part, wanted) = (strip_parentheses(part), strip_parentheses(wanted));
    let mut names = ColumnReferences::default();
    let _ = visit_tree(part, &mut names);
    if names.columns.iter().any(|(qualifier, _)| !qualifier.value.eq_ignore_ascii_case(alias)) {
        return false;
    }
    let (own, of) = (condition_columns(part), condition_columns(wanted));
    let same = |one: &String, other: &String| one.eq_ignore_ascii_case(other);
    strip_qualifiers(part).to_string().eq_ignore_ascii_case(&strip_qualifiers(wanted).to_string())
        || own.first().zip(of.first()).is_some_and(|(own, of)| same(own, of))
            && Form::classify_condition(part, &own).implies(&Form::classify_condition(wanted, &of))
}

impl Form {
    /// Returns true if all rows that meet one condition meet the other. Both are about the same column.
    fn implies(&self, other: &Self) -> bool {
        let within = |few: &[String], many: &[String]| {
            few.iter().all(|one| many.iter().any(|other| one.to_lowercase() == other.to_lowercase()))
        };
        match (self, other) {
            (Self::Without(own), Self::Without(values)) => within(values, own),
            (Self::Only(own), Self::Only(values)) => within(own, values),
            (Self::Only(own), without @ Self::Without(_)) => !own.iter().any(|value| without.leaves_out(value)),
            _ => false,
        }
    }
}

/// Returns true if a SELECT reads a single table, so that its columns need no qualifier.
fn reads_single_table(select: &Select) -> bool {
    matches!(select.from.as_slice(), [from] if from.joins.is_empty())
}

/// Removes the parentheses around an expression.
fn strip_parentheses(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => inner,
        expr => expr,
    }
}
