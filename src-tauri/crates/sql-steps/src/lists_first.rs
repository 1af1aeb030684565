//! Reorders a FROM clause so that a table is next to the members of its own lists.

use crate::chain::Chain;
use crate::members::{is_function, reads_members, table_and_alias};
use crate::names::same_name;
use sqlparser::ast::{
    Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, Query, Select, SetExpr, TableFactor, TableWithJoins,
};
use std::ops::ControlFlow;
use vitrine_sql::ast::visit_exprs;

impl Chain<'_> {
    /// Returns the query with the members of a list after their own table, if a second table is joined before them:
    /// `FROM customers AS c JOIN orders AS o ON ... CROSS JOIN UNNEST(o.items) AS item`. `None` if no reordering is
    /// needed.
    pub fn lists_first(&self, query: &Query, select: &Select) -> Option<Query> {
        let (first, later) = select.from.split_first()?;
        let (second, behind) = first.joins.split_first()?;
        use JoinOperator as J;
        if !matches!(second.join_operator, J::Join(JoinConstraint::On(_)) | J::Inner(JoinConstraint::On(_))) {
            return None;
        }
        let joined = behind.iter().take_while(|join| reads_members(join)).count();
        let listed = match later.first().filter(|item| behind.is_empty() && is_function(&item.relation)) {
            Some(item) => &item.relation,
            None => &behind.get(..joined)?.first()?.relation,
        };
        let of_first = self.is_list_of(listed, &first.relation, &second.relation)?;
        let (own, other) = match of_first {
            true => (&first.relation, &second.relation),
            false => (&second.relation, &first.relation),
        };
        let moved = Join { relation: other.clone(), ..second.clone() };
        let mut from = select.from.clone();
        from[0] = TableWithJoins { relation: own.clone(), joins: behind.to_vec() };
        match joined {
            0 => from[1].joins.insert(0, moved),
            _ => from[0].joins.insert(joined, moved),
        }
        let mut query = query.clone();
        let SetExpr::Select(select) = query.body.as_mut() else { return None };
        select.from = from;
        Some(query)
    }

    /// Returns true if a list belongs to the first of two tables; `None` if it belongs to neither or both.
    fn is_list_of(&self, listed: &TableFactor, first: &TableFactor, second: &TableFactor) -> Option<bool> {
        let sides = [table_and_alias(first)?, table_and_alias(second)?];
        let mut of = Vec::new();
        let mut note = |path: &[Ident]| {
            let [start, ..] = path else { return };
            let has = |(name, _): &(&ObjectName, &Ident)| {
                self.find_table(name).is_some_and(|table| table.find_column(&start.value).is_some())
            };
            let named = sides.iter().position(|(_, name)| path.len() > 1 && same_name(&name.value, &start.value));
            match named {
                Some(side) => of.push(side),
                None => of.extend(sides.iter().enumerate().filter(|(_, side)| has(side)).map(|(at, _)| at)),
            }
        };
        if let TableFactor::Table { name, args: None, .. } = listed {
            let parts: Vec<Ident> = name.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
            note(&parts);
        }
        let _ = visit_exprs(listed, |expr| {
            match expr {
                Expr::Identifier(one) => note(std::slice::from_ref(one)),
                Expr::CompoundIdentifier(parts) => note(parts),
                _ => {}
            }
            ControlFlow::<()>::Continue(())
        });
        of.dedup();
        if let [side] = of.as_slice() { Some(*side == 0) } else { None }
    }
}
