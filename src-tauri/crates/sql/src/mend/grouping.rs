//! A group that was forgotten: columns beside an aggregate, or an order by one, without GROUP BY. Some engines refuse it,
//! others give one row of no meaning.

use crate::functions::is_aggregate;
use sqlparser::ast::{Expr, Function, GroupByExpr, OrderBy, Query, Select, SelectItem, Visit, Visitor};
use std::ops::ControlFlow;

/// Groups a SELECT by its plain columns. The largest or smallest value beside columns of its own row is an idiom of
/// some engines and is left alone.
pub(super) fn group(select: &mut Select, order_by: &Option<OrderBy>) -> Option<String> {
    let grouped = !matches!(&select.group_by, GroupByExpr::Expressions(list, _) if list.is_empty());
    if grouped || select.having.is_some() || select.distinct.is_some() {
        return None;
    }
    let mut columns = Vec::new();
    let mut counts = false;
    for item in &select.projection {
        let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else { return None };
        match aggregates(expr).as_slice() {
            [] if matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => columns.push(expr.clone()),
            [] => return None,
            names => counts |= names.iter().any(|name| name != "max" && name != "min"),
        }
    }
    let sorted = order_by.as_ref().map(aggregates).unwrap_or_default();
    counts |= sorted.iter().any(|name| name != "max" && name != "min");
    if columns.is_empty() || !counts {
        return None;
    }
    let list: Vec<String> = columns.iter().map(ToString::to_string).collect();
    select.group_by = GroupByExpr::Expressions(columns, Vec::new());
    Some(format!("Grouped by {}", list.join(", ")))
}

/// The aggregates in an expression, lower case; those of nested queries and of windows are not its own.
fn aggregates(node: &impl Visit) -> Vec<String> {
    struct Finder {
        depth: usize,
        found: Vec<String>,
    }
    impl Visitor for Finder {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.depth += 1;
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.depth -= 1;
            ControlFlow::Continue(())
        }
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if let Expr::Function(Function { name, over: None, .. }) = expr
                && self.depth == 0
                && is_aggregate(&name.to_string().to_lowercase())
            {
                self.found.push(name.to_string().to_lowercase());
            }
            ControlFlow::Continue(())
        }
    }
    let mut finder = Finder { depth: 0, found: Vec::new() };
    let _ = node.visit(&mut finder);
    finder.found
}
