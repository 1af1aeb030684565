//! Parts of a SELECT, and constructors of small parts.

use crate::ast::visit_tree;
use crate::dialect::DialectExt;
use crate::parse::last_part;
use crate::read_only::is_aggregate;
use sqlparser::ast::{
    CastKind, DataType, DuplicateTreatment, Expr, Function, FunctionArguments, GroupByExpr, Join, Query, Select,
    SetExpr, Visit, Visitor,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// Returns true if a part of a query contains nested queries.
pub fn has_queries(part: &impl Visit) -> bool {
    struct Finds;
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    visit_tree(part, &mut Finds).is_break()
}

/// Returns true if there is a GROUP BY.
pub fn has_group_by(select: &Select) -> bool {
    !matches!(&select.group_by, GroupByExpr::Expressions(keys, modifiers) if keys.is_empty() && modifiers.is_empty())
}

/// Returns the SELECTs of a query's body: the SELECT itself, or the branches of a set operation. A branch in
/// parentheses is a separate query and not included.
pub fn select_branches(body: &SetExpr) -> Vec<&Select> {
    match body {
        SetExpr::Select(select) => vec![select],
        SetExpr::SetOperation { left, right, .. } => [select_branches(left), select_branches(right)].concat(),
        _ => Vec::new(),
    }
}

/// Same as [`select_branches`], with mutable references.
pub fn branches_mut(body: &mut SetExpr) -> Vec<&mut Select> {
    match body {
        SetExpr::Select(select) => vec![select],
        SetExpr::SetOperation { left, right, .. } => {
            branches_mut(left).into_iter().chain(branches_mut(right)).collect()
        }
        _ => Vec::new(),
    }
}

/// Collects the lower-case names of aggregates in a part of a query, without nested queries and windows.
pub fn collect_aggregate_names(part: &impl Visit) -> Vec<String> {
    let mut names = Vec::new();
    each_own_function(part, |function| {
        if function.over.is_none()
            && let Some(name) = last_part(&function.name)
            && is_aggregate(&name.value)
        {
            let distinct = if distinct_argument(function) { " distinct" } else { "" };
            names.push(format!("{}{distinct}", name.value.to_ascii_lowercase()));
        }
    });
    names
}

/// Visits the function calls of a part of a query, outer ones first, without nested queries.
pub fn each_own_function(part: &impl Visit, look: impl FnMut(&Function)) {
    struct Own<F> {
        look: F,
        queries_around: usize,
    }
    impl<F: FnMut(&Function)> Visitor for Own<F> {
        type Break = ();

        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries_around += 1;
            ControlFlow::Continue(())
        }

        fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            self.queries_around -= 1;
            ControlFlow::Continue(())
        }

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Function(function) if self.queries_around == 0 => (self.look)(function),
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_tree(part, &mut Own { look, queries_around: 0 });
}

fn distinct_argument(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

/// Builds a cast of an expression.
pub fn build_cast(expr: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, format: None }
}

/// Builds a query that consists only of a body.
pub fn query_of(body: SetExpr) -> Query {
    Query {
        with: None,
        body: Box::new(body),
        order_by: None,
        limit_clause: None,
        fetch: None,
        locks: Vec::new(),
        for_clause: None,
        settings: None,
        format_clause: None,
        pipe_operators: Vec::new(),
    }
}

/// Parses an expression. `None` if text remains after it.
pub fn parse_expr(text: &str, dialect: Dialect) -> Option<Expr> {
    let mut parser = Parser::new(dialect.sql().grammar()).try_with_sql(text).ok()?;
    let expr = parser.parse_expr().ok()?;
    (parser.peek_token_ref().token == Token::EOF).then_some(expr)
}

/// Parses a join: `CROSS JOIN t`.
pub fn parse_join(join: &str, dialect: Dialect) -> Option<Join> {
    let text = format!("SELECT 1 FROM x {join}");
    let query = Parser::new(dialect.sql().grammar()).try_with_sql(&text).ok()?.parse_query().ok()?;
    let SetExpr::Select(mut select) = *query.body else { return None };
    select.from.pop()?.joins.pop()
}
