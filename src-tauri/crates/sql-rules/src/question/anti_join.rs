//! "Countries that do not speak English" differs from "countries that speak something other than English": if one
//! entity has several rows in another table, a `<>` on that table keeps every entity that has any other row.

use super::anti_join_parent::with_referred;
use crate::RuleInput;
use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, OrderBy, Query, Select, SelectItem, SetExpr,
    TableWithJoins, UnaryOperator, Value, Visit, helpers::attached_token::AttachedToken,
};
use std::ops::ControlFlow;
use vitrine_domain::TableName;
use vitrine_sql::ast::{
    ColumnReferences, Edge, Grain, InScope, Matches, Relation, build_and, collect_conjuncts, collect_join_edges,
    is_star, iter_relations, query_of, visit_tree, walk_join_edges,
};
use vitrine_words::tr;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    let Some(before) = &input.facts.denied else { return Vec::new() };
    let (scope, order_by) = (InScope::from_query(query, input.catalog), query.order_by.clone());
    let SetExpr::Select(select) = query.body.as_mut() else { return Vec::new() };
    let joined = keep_those_without(select, &order_by, &scope, before);
    let note = joined.or_else(|| {
        let mut with = with_referred(select, &scope, before)?;
        let note = keep_those_without(&mut with, &order_by, &scope, before)?;
        **select = with;
        Some(note)
    });
    note.into_iter().collect()
}

/// Rewrites `FROM one JOIN many ... WHERE many.x <> 'a'` to select the rows of `one` for which no row of `many` has `x
/// = 'a'`. Applies only if the result contains only columns of `one`, one row of it may match several of `many`, and
/// the question does not mention `many` before its negation: "orders that did not ship" asks for rows of `many`.
fn keep_those_without(
    select: &mut Select,
    order_by: &Option<OrderBy>,
    catalog: &InScope<'_>,
    before: &[TableName],
) -> Option<String> {
    let [from] = select.from.as_slice() else { return None };
    if from.joins.is_empty() || select.projection.iter().any(is_star) || select.having.is_some() {
        return None;
    }
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let edges = collect_join_edges(from, &tables)?;
    let mut parts = Vec::new();
    collect_conjuncts(select.selection.as_ref()?, &mut parts);
    let shown = result_tables(select, order_by, &tables)?;
    let mut denied = parts.iter().enumerate().filter_map(|(at, part)| {
        let (column, is) = parse_negation(part)?;
        // A negation of a column of the result's own tables stays unchanged.
        match tables_of(column, &tables)?.as_slice() {
            [table] if !shown.contains(table) => Some((at, column, *table, is)),
            _ => None,
        }
    });
    let (Some((at, denied_column, table, is)), None) = (denied.next(), denied.next()) else { return None };
    let gone = find_branch(table, &shown, &edges, tables.len())?;
    if gone.iter().any(|&table| before.contains(&tables[table].table.name)) {
        return None;
    }
    let stays = |table: &usize| !gone.contains(table);
    // The only edge between the tables that stay and the removed ones.
    let gate = edges.iter().find(|edge| stays(&edge.one.0) != stays(&edge.other.0))?;
    // A condition on an optional table removes its unmatched rows; in other places unmatched rows may be intended.
    if edges.iter().any(|edge| edge.optional && stays(&edge.one.0) && stays(&edge.other.0)) {
        return None;
    }
    let first = if stays(&gate.one.0) { gate.other.0 } else { gate.one.0 };
    // One row of the staying tables may match several rows of the removed ones.
    let staying: Vec<usize> = (0..tables.len()).filter(stays).collect();
    if Grain::from_select(select, &tables).count_matches(&staying, &gone) != Matches::Several {
        return None;
    }

    let mut kept = Vec::new();
    let mut inside = vec![gate.condition.clone(), is.clone()];
    for (_, part) in parts.iter().enumerate().filter(|(other, _)| *other != at) {
        let of = tables_of(*part, &tables)?;
        match (of.iter().all(|table| gone.contains(table)), of.iter().all(stays)) {
            (true, false) => inside.push((*part).clone()),
            (false, true) => kept.push((*part).clone()),
            _ => return None,
        }
    }
    // "Has a dog but no cat": the required row differs from the excluded one.
    let besides = parts.iter().any(|part| is_other(part, denied_column));
    let (hidden, left) = if besides {
        kept.extend(inside.split_off(2));
        (inside, (0..tables.len()).collect())
    } else {
        (inside, staying)
    };
    let inner = Select {
        select_token: AttachedToken::empty(),
        distinct: None,
        projection: vec![SelectItem::UnnamedExpr(Expr::Value(Value::Number("1".into(), false).into()))],
        from: vec![build_join_tree(first, &gone, &edges, from)?],
        selection: hidden.into_iter().reduce(build_and),
        group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
        ..select.clone()
    };
    kept.push(Expr::Exists { subquery: Box::new(query_of(SetExpr::Select(Box::new(inner)))), negated: true });
    let from = build_join_tree(*left.first()?, &left, &edges, from)?;
    select.selection = kept.into_iter().reduce(build_and);
    select.from = vec![from];
    Some(tr!("Excluded everything with a row where {condition}", condition = is))
}

/// Returns the negated column or expression, and the condition without the negation.
fn parse_negation(part: &Expr) -> Option<(&Expr, Expr)> {
    let constant = |expr: &Expr| matches!(expr, Expr::Value(_));
    match part {
        Expr::BinaryOp { left, op: BinaryOperator::NotEq, right } if constant(right) => {
            Some((left, Expr::BinaryOp { left: left.clone(), op: BinaryOperator::Eq, right: right.clone() }))
        }
        Expr::InList { expr, list, negated: true } if list.iter().all(constant) => {
            Some((expr, Expr::InList { expr: expr.clone(), list: list.clone(), negated: false }))
        }
        Expr::Like { negated: true, expr: column, .. } => {
            let mut is = part.clone();
            if let Expr::Like { negated, .. } = &mut is {
                *negated = false;
            }
            Some((column, is))
        }
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => match expr.as_ref() {
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if constant(right) => Some((left, (**expr).clone())),
            _ => None,
        },
        Expr::Nested(inner) => parse_negation(inner),
        _ => None,
    }
}

/// Returns true if a condition sets the column to a value, which then differs from the excluded one.
fn is_other(part: &Expr, column: &Expr) -> bool {
    let same = |expr: &Expr| expr.to_string().eq_ignore_ascii_case(&column.to_string());
    match part {
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => same(left) && matches!(**right, Expr::Value(_)),
        Expr::InList { expr, negated: false, .. } => same(expr),
        Expr::Nested(inner) => is_other(inner, column),
        _ => false,
    }
}

/// Returns the tables whose columns a part of the query uses. `None` if it counts rows, which makes this ambiguous.
fn tables_of(part: &impl Visit, tables: &[Relation<'_>]) -> Option<Vec<usize>> {
    let mut names = ColumnReferences::default();
    let _: ControlFlow<()> = visit_tree(part, &mut names);
    let of = |at: &usize| {
        let table: &Relation<'_> = &tables[*at];
        names.columns.iter().any(|(qualifier, _)| table.matches_qualifier(qualifier))
            || names.bare.iter().any(|column| table.table.find_column(column).is_some())
    };
    (!names.whole_rows).then(|| (0..tables.len()).filter(of).collect())
}

/// Returns the tables that contribute to the result.
fn result_tables(select: &Select, order_by: &Option<OrderBy>, tables: &[Relation<'_>]) -> Option<Vec<usize>> {
    let mut all = tables_of(&select.projection, tables)?;
    all.extend(tables_of(&select.group_by, tables)?);
    all.extend(tables_of(order_by, tables)?);
    (!all.is_empty()).then_some(all)
}

/// Returns the branch that contains the table `at` and is connected to the tables of the result, or to the tables that
/// link them.
fn find_branch(at: usize, shown: &[usize], edges: &[Edge], tables: usize) -> Option<Vec<usize>> {
    let mut gone: Vec<usize> = Vec::new();
    let links = |table: usize, gone: &[usize]| {
        let left = edges.iter().filter(|edge| !gone.contains(&edge.one.0) && !gone.contains(&edge.other.0));
        left.filter(|edge| edge.one.0 == table || edge.other.0 == table).count()
    };
    while let Some(leaf) = (0..tables).find(|t| !gone.contains(t) && !shown.contains(t) && links(*t, &gone) < 2) {
        gone.push(leaf);
    }
    gone.contains(&at)
        .then(|| std::iter::once(at).chain(walk_join_edges(at, &gone, edges).map(|(_, next)| next)).collect())
}

/// Builds a FROM clause of some of the tables, each joined to a previous one.
fn build_join_tree(root: usize, of: &[usize], edges: &[Edge], from: &TableWithJoins) -> Option<TableWithJoins> {
    let factor = |table: usize| match table {
        0 => from.relation.clone(),
        at => from.joins[at - 1].relation.clone(),
    };
    let join = |(edge, next): (&Edge, usize)| {
        let join_operator = JoinOperator::Join(JoinConstraint::On(edge.condition.clone()));
        Join { relation: factor(next), global: false, join_operator }
    };
    let joins: Vec<Join> = walk_join_edges(root, of, edges).map(join).collect();
    (joins.len() + 1 == of.len()).then(|| TableWithJoins { relation: factor(root), joins })
}
