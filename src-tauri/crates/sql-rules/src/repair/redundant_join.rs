//! Joins that nobody needs. A table that is joined by a column that is not unique in it, and of which nothing else
//! is used, repeats the other rows; a sum or a mean over those counts them several times. The same holds for a table that was
//! joined for a column which another table has, and one that is joined by columns that are no keys.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, JoinConstraint, JoinOperator, OrderBy,
    Query, Select, TableWithJoins, Visit, Visitor,
};
use std::ops::ControlFlow;
use vitrine_domain::Table;
use vitrine_sql::ast::{Grain, InScope, Matches, Names, Relation, is_column, is_star, on, relations, sides};

pub(crate) fn apply(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, order_by, scope| {
        drop_join(select, order_by, scope, Needless::Repeats).into_iter().collect()
    })
}

/// The same for tables that a repair of names has left without a use.
pub(crate) fn apply_left(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    if input.wrong_qualifiers.is_empty() {
        return Vec::new();
    }
    each_select(query, input, |select, order_by, scope| {
        drop_join(select, order_by, scope, Needless::Left(input.wrong_qualifiers)).into_iter().collect()
    })
}

/// Why a join may be needless.
#[derive(Clone, Copy)]
enum Needless<'a> {
    /// It repeats rows that are added up, or links what no key links.
    Repeats,
    /// It was there for a column that the table does not have: its names.
    Left(&'a [String]),
}

/// Takes one such join out of a SELECT.
fn drop_join(
    select: &mut Select,
    order_by: &Option<OrderBy>,
    catalog: &InScope<'_>,
    why: Needless<'_>,
) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    if from.joins.is_empty() || !from.joins.iter().all(|join| on(join).is_some()) {
        return None;
    }
    let added_up = adds_up(select, order_by);
    let relations: Vec<Relation<'_>> = relations(select, catalog).collect::<Option<_>>()?;
    let used = uses(select, order_by, &relations)?;
    let grain = Grain::of(select, &relations);
    let repeats = |at: usize| {
        let others: Vec<usize> = (0..relations.len()).filter(|&other| other != at).collect();
        grain.matches(&others, &[at]) == Matches::Several
    };
    let leaf = (0..relations.len()).find(|&at| {
        let needless = || match why {
            Needless::Left(names) => names.iter().any(|name| name.eq_ignore_ascii_case(&relations[at].alias)),
            Needless::Repeats => (added_up && repeats(at)) || links_no_key(at, from, &relations),
        };
        !used[at] && is_leaf(&relations[at], from) && needless()
    })?;
    let name = relations[leaf].table.name.to_string();
    let from = &mut select.from[0];
    if leaf == 0 {
        // The first table's only link is the condition of one join, whose table takes its place.
        let link = from.joins.iter().position(|join| on(join).is_some_and(|c| mentions(c, &relations[0])))?;
        if link != 0 {
            return None;
        }
        from.relation = from.joins.remove(0).relation;
    } else {
        from.joins.remove(leaf - 1);
    }
    Some(format!("Left out {name}, of which nothing is used: joined, it only repeats rows or loses some"))
}

/// Whether a table is joined by columns that are keys on neither side, as `customer.country = store.country`: nothing says
/// that they belong together.
fn links_no_key(at: usize, from: &TableWithJoins, relations: &[Relation<'_>]) -> bool {
    let mut links = from.joins.iter().filter_map(on).filter_map(|on| sides(on, relations));
    let Some((left, right)) = links.find(|((a, _), (b, _))| *a == at || *b == at) else { return false };
    let is_key = |(table, column): (usize, &str)| {
        let of = |table: &Table| {
            let referring = table.foreign_keys.iter().flat_map(|key| key.columns.iter().chain(&key.ref_columns));
            let own = table.primary_key.iter().chain(table.unique_keys.iter().flatten());
            own.chain(referring).any(|key| key.eq_ignore_ascii_case(column))
        };
        of(relations[table].table)
    };
    let keyed = relations.iter().all(|relation| !relation.table.primary_key.is_empty());
    keyed && !is_key(left) && !is_key(right)
}

/// Whether a sum or a mean is asked for.
fn adds_up(select: &Select, order_by: &Option<OrderBy>) -> bool {
    struct Finder(bool);
    impl Visitor for Finder {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if let Expr::Function(function) = expr
                && matches!(function.name.to_string().to_lowercase().as_str(), "sum" | "avg" | "total")
                && let FunctionArguments::List(list) = &function.args
                && list.duplicate_treatment.is_none()
                && let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))) = list.args.first()
            {
                // SUM(1) and SUM(CASE ... THEN 1 ...) count rows: those of the joined table may be meant.
                self.0 |= is_column(argument);
            }
            ControlFlow::Continue(())
        }
    }
    let mut finder = Finder(false);
    let _ = select.projection.visit(&mut finder);
    let _ = select.having.visit(&mut finder);
    let _ = order_by.visit(&mut finder);
    finder.0
}

/// For each table, whether any column of it is used outside the conditions of joins. `None` where that cannot be told:
/// a `*`, or `COUNT(*)`, which uses the rows themselves.
fn uses(select: &Select, order_by: &Option<OrderBy>, relations: &[Relation<'_>]) -> Option<Vec<bool>> {
    let mut names = Names::default();
    let mut rest = select.clone();
    for join in rest.from.iter_mut().flat_map(|from| &mut from.joins) {
        join.join_operator = JoinOperator::CrossJoin(JoinConstraint::None);
    }
    let _ = rest.visit(&mut names);
    let _ = order_by.visit(&mut names);
    if names.whole_rows || select.projection.iter().any(is_star) {
        return None;
    }
    Some(
        relations
            .iter()
            .map(|relation| {
                names.columns.iter().any(|(q, _)| relation.is(q))
                    || names.bare.iter().any(|column| relation.table.column(column).is_some())
            })
            .collect(),
    )
}

/// Whether a table is linked by one condition alone, on one column of its own.
fn is_leaf(relation: &Relation<'_>, from: &TableWithJoins) -> bool {
    let mut links = from.joins.iter().filter_map(on).filter(|condition| mentions(condition, relation));
    let (Some(Expr::BinaryOp { left, op: BinaryOperator::Eq, right }), None) = (links.next(), links.next()) else {
        return false;
    };
    let own = |expr: &Expr| matches!(expr, Expr::CompoundIdentifier(parts) if parts.len() > 1 && relation.is(&parts[parts.len() - 2]));
    own(left) != own(right)
}

fn mentions(condition: &Expr, relation: &Relation<'_>) -> bool {
    let mut names = Names::default();
    let _ = condition.visit(&mut names);
    names.columns.iter().any(|(q, _)| relation.is(q)) || names.bare.iter().any(|c| relation.table.column(c).is_some())
}
