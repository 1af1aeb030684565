//! Walks over a query's tree. All visitors share one walk per kind of result: sqlparser instantiates about a thousand
//! functions for each visitor type, and with sixty of them these dominated the compile time of the SQL crates.

use sqlparser::ast::{
    Expr, GroupByExpr, Ident, ObjectName, OrderBy, OrderByExpr, Query, Select, Statement, TableFactor, ValueWithSpan,
    Visit, VisitMut, Visitor, VisitorMut,
};
use std::ops::ControlFlow;

/// Passes every part of a tree to a visitor, outer parts first, until it breaks.
pub fn visit_tree<B>(tree: &impl Visit, visitor: &mut dyn Visitor<Break = B>) -> ControlFlow<B> {
    tree.visit(&mut Walk(visitor))
}

/// Same as [`visit_tree`], for a visitor that changes the tree.
pub fn visit_mut<B>(tree: &mut impl VisitMut, visitor: &mut dyn VisitorMut<Break = B>) -> ControlFlow<B> {
    tree.visit(&mut WalkMut(visitor))
}

/// Calls `look` with every expression of a tree, outer ones first, until it breaks.
pub fn visit_exprs<B>(tree: &impl Visit, mut look: impl FnMut(&Expr) -> ControlFlow<B>) -> ControlFlow<B> {
    visit_tree(tree, &mut Exprs(&mut look))
}

/// Calls `change` with every expression of a tree, inner ones first, until it breaks.
pub fn visit_exprs_mut<B>(
    tree: &mut impl VisitMut,
    mut change: impl FnMut(&mut Expr) -> ControlFlow<B>,
) -> ControlFlow<B> {
    visit_mut(tree, &mut ExprsMut(&mut change))
}

/// Calls `look` with every name of a table or view in a tree, until it breaks.
pub fn visit_table_names<B>(tree: &impl Visit, mut look: impl FnMut(&ObjectName) -> ControlFlow<B>) -> ControlFlow<B> {
    visit_tree(tree, &mut TableNames(&mut look))
}

struct Exprs<F>(F);

impl<B, F: FnMut(&Expr) -> ControlFlow<B>> Visitor for Exprs<F> {
    type Break = B;

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<B> {
        (self.0)(expr)
    }
}

struct TableNames<F>(F);

impl<B, F: FnMut(&ObjectName) -> ControlFlow<B>> Visitor for TableNames<F> {
    type Break = B;

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<B> {
        (self.0)(name)
    }
}

struct ExprsMut<F>(F);

impl<B, F: FnMut(&mut Expr) -> ControlFlow<B>> VisitorMut for ExprsMut<F> {
    type Break = B;

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<B> {
        (self.0)(expr)
    }
}

struct Walk<'v, B>(&'v mut (dyn Visitor<Break = B> + 'v));
struct WalkMut<'v, B>(&'v mut (dyn VisitorMut<Break = B> + 'v));

macro_rules! forward {
    ($($method:ident: $node:ty;)*) => {
        impl<B> Visitor for Walk<'_, B> {
            type Break = B;
            $(fn $method(&mut self, node: &$node) -> ControlFlow<B> {
                self.0.$method(node)
            })*
        }

        impl<B> VisitorMut for WalkMut<'_, B> {
            type Break = B;
            $(fn $method(&mut self, node: &mut $node) -> ControlFlow<B> {
                self.0.$method(node)
            })*
        }
    };
}

forward! {
    pre_visit_query: Query;
    post_visit_query: Query;
    pre_visit_select: Select;
    post_visit_select: Select;
    pre_visit_relation: ObjectName;
    post_visit_relation: ObjectName;
    pre_visit_table_factor: TableFactor;
    post_visit_table_factor: TableFactor;
    pre_visit_expr: Expr;
    post_visit_expr: Expr;
    pre_visit_statement: Statement;
    post_visit_statement: Statement;
    pre_visit_value: ValueWithSpan;
    post_visit_value: ValueWithSpan;
    pre_visit_ident: Ident;
    post_visit_ident: Ident;
    pre_visit_order_by: OrderBy;
    post_visit_order_by: OrderBy;
    pre_visit_order_by_expr: OrderByExpr;
    post_visit_order_by_expr: OrderByExpr;
    pre_visit_group_by: GroupByExpr;
    post_visit_group_by: GroupByExpr;
}
