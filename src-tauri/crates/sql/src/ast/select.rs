//! What a SELECT is made of, and the making of small parts.

use crate::ast::visit;
use crate::parse::{self, last_part};
use crate::read_only::is_aggregate;
use sqlparser::ast::{
    CastKind, DataType, DuplicateTreatment, Expr, Function, FunctionArguments, GroupByExpr, Join, Query, Select,
    SetExpr, Visit, Visitor,
};
use sqlparser::parser::Parser;
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// Whether queries stand inside of a SELECT.
pub fn has_queries(select: &Select) -> bool {
    struct Finds;
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    visit(select, &mut Finds).is_break()
}

/// Whether there is a GROUP BY.
pub fn grouped(select: &Select) -> bool {
    !matches!(&select.group_by, GroupByExpr::Expressions(keys, modifiers) if keys.is_empty() && modifiers.is_empty())
}

/// The aggregates in a part of a query, lower case; those of nested queries and of windows are not its own.
pub fn aggregates(part: &impl Visit) -> Vec<String> {
    let mut found = Aggregates::default();
    let _ = visit(part, &mut found);
    found.names
}

#[derive(Default)]
struct Aggregates {
    names: Vec<String>,
    inside: usize,
}

impl Visitor for Aggregates {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.inside += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.inside -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr
            && function.over.is_none()
            && self.inside == 0
            && let Some(name) = last_part(&function.name)
            && is_aggregate(&name.value)
        {
            let distinct = if distinct_argument(function) { " distinct" } else { "" };
            self.names.push(format!("{}{distinct}", name.value.to_ascii_lowercase()));
        }
        ControlFlow::Continue(())
    }
}

fn distinct_argument(function: &Function) -> bool {
    matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

/// An expression as another type.
pub fn cast(expr: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, format: None }
}

/// A query of nothing but a body.
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

/// An expression read from text.
pub fn parse_expr(text: &str, dialect: Dialect) -> Option<Expr> {
    Parser::new(parse::grammar(dialect)).try_with_sql(text).ok()?.parse_expr().ok()
}

/// A cross join with what a text says.
pub fn parse_join(factor: &str, dialect: Dialect) -> Option<Join> {
    let text = format!("SELECT 1 FROM x CROSS JOIN {factor}");
    let query = Parser::new(parse::grammar(dialect)).try_with_sql(&text).ok()?.parse_query().ok()?;
    let SetExpr::Select(mut select) = *query.body else { return None };
    select.from.pop()?.joins.pop()
}
