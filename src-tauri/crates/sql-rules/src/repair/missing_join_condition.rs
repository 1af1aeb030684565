//! Tables joined without a condition, which combines every row of one with every row of the other.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{BinaryOperator, Expr, Join, JoinConstraint, JoinOperator, Query, Select, Visitor};
use std::ops::ControlFlow;
use vitrine_sql::ast::{
    InScope, Relation, build_and, collect_columns, foreign_key_links, iter_relations, qualified_column, visit_tree,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, _, scope| add_join_condition(select, scope).into_iter().collect())
}

/// Adds the condition to a SELECT whose tables consist of two unlinked parts, if one foreign key links them. An
/// explicit CROSS JOIN is intended.
fn add_join_condition(select: &mut Select, catalog: &InScope<'_>) -> Option<String> {
    let joins = || select.from.iter().flat_map(|from| &from.joins);
    if !joins().all(is_inner) {
        return None;
    }
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let mut parts = LinkedTables { tables: &tables, part: (0..tables.len()).collect() };
    let _ = visit_tree(&select.selection, &mut parts);
    for join in joins() {
        let _ = visit_tree(&join.join_operator, &mut parts);
    }
    let part = parts.part;
    let second = *part.iter().find(|p| **p != part[0])?;
    if part.iter().any(|p| *p != part[0] && *p != second) {
        return None;
    }
    let mut found = Vec::new();
    for (one, a) in tables.iter().zip(&part).filter(|(_, p)| **p == part[0]) {
        for (other, _) in tables.iter().zip(&part).filter(|(_, p)| *p != a) {
            found.extend(foreign_key_links(one.table, other.table).into_iter().map(|link| (one, other, link)));
        }
    }
    let [(one, other, (own, target))] = found.as_slice() else { return None };
    let condition = Expr::BinaryOp {
        left: Box::new(qualified_column(&one.alias, own, catalog.dialect)),
        op: BinaryOperator::Eq,
        right: Box::new(qualified_column(&other.alias, target, catalog.dialect)),
    };
    let note = tr!(
        "{one} and {other} were listed without a join condition: joined along their key",
        one = one.alias,
        other = other.alias
    );
    select.selection = Some(match select.selection.take() {
        None => condition,
        Some(all) => build_and(condition, all),
    });
    Some(note)
}

fn is_inner(join: &Join) -> bool {
    matches!(
        &join.join_operator,
        JoinOperator::Join(JoinConstraint::On(_) | JoinConstraint::None)
            | JoinOperator::Inner(JoinConstraint::On(_) | JoinConstraint::None)
    )
}

/// The tables that are linked by a comparison or an expression with columns of both.
struct LinkedTables<'a, 'c> {
    tables: &'a [Relation<'c>],
    /// For each table, the number of its linked part.
    part: Vec<usize>,
}

impl LinkedTables<'_, '_> {
    fn table_of_column(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::CompoundIdentifier(parts) => {
                let [.., qualifier, _] = parts.as_slice() else { return None };
                self.tables.iter().position(|t| t.matches_qualifier(qualifier))
            }
            Expr::Identifier(name) => self.tables.iter().position(|t| t.table.find_column(&name.value).is_some()),
            _ => None,
        }
    }

    fn merge_parts(&mut self, one: usize, other: usize) {
        let (from, to) = (self.part[one], self.part[other]);
        self.part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
    }
}

impl Visitor for LinkedTables<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. } | Expr::Nested(_) = expr {
            return ControlFlow::Continue(());
        }
        // Any expression over columns of two tables links them.
        let mut tables =
            collect_columns(expr).iter().filter_map(|column| self.table_of_column(column)).collect::<Vec<_>>();
        tables.dedup();
        for pair in tables.windows(2) {
            self.merge_parts(pair[0], pair[1]);
        }
        ControlFlow::Continue(())
    }
}
