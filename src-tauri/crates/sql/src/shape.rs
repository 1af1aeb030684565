//! What the result of a query will look like, read from its text alone.

use crate::ReadOnlySql;
use crate::functions::is_aggregate;
use crate::guard::{last_part, ordered, row_limit};
use sqlparser::ast::{
    Distinct, Expr, Function, GroupByExpr, Query, Select, SelectItem, SetExpr, SetOperator, SetQuantifier, TableFactor,
    Visit, Visitor,
};
use std::ops::ControlFlow;

/// The outward form of a query's result. Where the outermost query only passes a view on (`SELECT * FROM view`), it
/// is the form of that view.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueryShape {
    /// The number of columns; a `*` over a table counts as none, see `star`.
    pub columns: usize,
    /// Whether a `*` stands among the columns that only a catalog could count.
    pub star: bool,
    /// Whether the rows come in an order.
    pub ordered: bool,
    /// The largest number of rows, where a plain number says so.
    pub limit: Option<u64>,
    /// Whether there is a GROUP BY.
    pub grouped: bool,
    /// Aggregates among the columns, lower case, in order; `count distinct` for `COUNT(DISTINCT x)`.
    pub aggregates: Vec<String>,
    /// Whether equal rows are merged.
    pub distinct: bool,
}

/// Reads the outward form of a query.
pub fn shape(sql: &ReadOnlySql) -> QueryShape {
    sql.with_query(|query| query_shape(&query, &[])).unwrap_or_default()
}

type Views<'a> = Vec<(&'a str, &'a Query)>;

fn query_shape(query: &Query, outer: &[(&str, &Query)]) -> QueryShape {
    let mut views: Views<'_> = outer.to_vec();
    for cte in query.with.iter().flat_map(|with| &with.cte_tables) {
        views.push((&cte.alias.name.value, &cte.query));
    }
    let mut shape = body_shape(&query.body, &views);
    shape.ordered = ordered(query) || shape.ordered;
    shape.limit = [row_limit(query), shape.limit].into_iter().flatten().min();
    shape
}

fn body_shape(body: &SetExpr, views: &[(&str, &Query)]) -> QueryShape {
    match body {
        SetExpr::Select(select) => select_shape(select, views),
        SetExpr::Query(query) => query_shape(query, views),
        SetExpr::SetOperation { left, op, set_quantifier, .. } => {
            let left = body_shape(left, views);
            let keeps = matches!(set_quantifier, SetQuantifier::All | SetQuantifier::AllByName);
            let distinct = !keeps || (left.distinct && !matches!(op, SetOperator::Union));
            QueryShape {
                columns: left.columns,
                star: left.star,
                aggregates: left.aggregates,
                distinct,
                ..QueryShape::default()
            }
        }
        SetExpr::Values(values) => {
            QueryShape { columns: values.rows.first().map_or(0, |row| row.content.len()), ..QueryShape::default() }
        }
        _ => QueryShape::default(),
    }
}

fn select_shape(select: &Select, views: &[(&str, &Query)]) -> QueryShape {
    let passed = passed_on(select, views);
    let plain = select.selection.is_none() && select.distinct.is_none() && !grouped(select) && select.qualify.is_none();
    if let ([SelectItem::Wildcard(_)], Some(inner)) = (select.projection.as_slice(), &passed)
        && plain
    {
        return inner.clone();
    }
    let mut shape = QueryShape {
        grouped: grouped(select),
        distinct: matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_))),
        ..QueryShape::default()
    };
    for item in &select.projection {
        match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                shape.columns += 1;
                shape.aggregates.extend(aggregates(expr));
            }
            SelectItem::ExprWithAliases { aliases, .. } => shape.columns += aliases.len(),
            SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => match &passed {
                Some(inner) if !inner.star => shape.columns += inner.columns,
                _ => shape.star = true,
            },
        }
    }
    shape
}

/// Whether queries stand inside of a SELECT.
pub(crate) fn has_queries(select: &Select) -> bool {
    struct Finds;
    impl Visitor for Finds {
        type Break = ();
        fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    select.visit(&mut Finds).is_break()
}

/// Whether there is a GROUP BY.
pub(crate) fn grouped(select: &Select) -> bool {
    !matches!(&select.group_by, GroupByExpr::Expressions(keys, modifiers) if keys.is_empty() && modifiers.is_empty())
}

/// The form of the one view or subquery that a query reads, if it reads nothing else.
fn passed_on(select: &Select, views: &[(&str, &Query)]) -> Option<QueryShape> {
    let [from] = select.from.as_slice() else { return None };
    if !from.joins.is_empty() {
        return None;
    }
    match &from.relation {
        TableFactor::Derived { subquery, .. } => Some(query_shape(subquery, views)),
        TableFactor::Table { name, args: None, .. } => {
            let [only] = name.0.as_slice() else { return None };
            let wanted = &only.as_ident()?.value;
            let at = views.iter().rposition(|(view, _)| view.eq_ignore_ascii_case(wanted))?;
            // A view sees only those before it, so that a circle cannot be followed.
            Some(query_shape(views[at].1, &views[..at]))
        }
        _ => None,
    }
}

/// The aggregates in a part of a query, lower case; those of nested queries and of windows are not its own.
pub(crate) fn aggregates(part: &impl Visit) -> Vec<String> {
    let mut found = Aggregates::default();
    let _ = part.visit(&mut found);
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
    use sqlparser::ast::{DuplicateTreatment, FunctionArguments};
    matches!(&function.args, FunctionArguments::List(list) if list.duplicate_treatment == Some(DuplicateTreatment::Distinct))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn of(sql: &str) -> QueryShape {
        shape(&ReadOnlySql::parse(sql, Dialect::Duckdb).expect(sql))
    }

    #[test]
    fn columns_order_and_limit_are_seen() {
        let s = of("SELECT a, count(DISTINCT b), max(c) + 1 FROM t GROUP BY a ORDER BY 2 DESC LIMIT 5");
        assert_eq!(
            (s.columns, s.ordered, s.limit, s.grouped, s.distinct, s.star),
            (3, true, Some(5), true, false, false)
        );
        assert_eq!(s.aggregates, ["count distinct", "max"]);
    }

    #[test]
    fn a_view_passed_on_keeps_its_form() {
        let s = of(
            "WITH a AS (SELECT x, sum(y) s FROM t GROUP BY x ORDER BY s LIMIT 3), b AS (SELECT * FROM a) SELECT * FROM b",
        );
        assert_eq!((s.columns, s.ordered, s.limit, s.grouped), (2, true, Some(3), true));
        let s = of("WITH a AS (SELECT x, y FROM t) SELECT a.*, 1 FROM a LIMIT 7");
        assert_eq!((s.columns, s.star, s.limit), (3, false, Some(7)));
    }

    #[test]
    fn stars_over_tables_are_not_counted() {
        let s = of("SELECT *, 1 FROM t");
        assert_eq!((s.columns, s.star), (1, true));
    }

    #[test]
    fn inner_and_windowed_aggregates_do_not_count() {
        let s = of("SELECT (SELECT max(x) FROM u), sum(a) OVER (ORDER BY b) FROM t");
        assert!(s.aggregates.is_empty() && s.columns == 2);
        assert!(of("SELECT a FROM t UNION SELECT a FROM u").distinct);
        assert!(!of("SELECT a FROM t UNION ALL SELECT a FROM u").distinct);
        assert!(of("SELECT DISTINCT a FROM t").distinct);
    }

    #[test]
    fn a_view_named_like_its_table_does_not_loop() {
        let s = of("WITH t AS (SELECT * FROM t) SELECT * FROM t");
        assert!(s.star);
    }
}
