//! A summary of a query in short phrases that a user can compare: tables, conditions, groups, order.

use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, GroupByExpr, Ident, OrderByKind, OrderBySort, Query, Select, SelectItem, SetExpr,
    SetOperator, TableFactor, Visitor,
};
use std::ops::ControlFlow;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{collect_conjuncts, is_column, last_part, own_name, row_limit, visit_exprs_mut, visit_tree};

/// Maximum length of a quoted expression, in characters.
const QUOTED: usize = 60;

/// Summarizes a query in phrases, in the order of a SELECT: `gives sum(amount)`, `uses orders`, `only status = 'paid'`,
/// `per country`, `sorted by total DESC`, `first 10`. Aliases and join conditions are excluded because they are
/// irrelevant to the question.
pub fn query_summary(sql: &ReadOnlySql) -> Vec<String> {
    sql.with_query(|query| {
        let mut summary = Summary::default();
        summary.add_outputs(&query.body);
        let _ = visit_tree(&query, &mut summary);
        summary.add_order_and_limit(&query);
        summary.phrases
    })
    .unwrap_or_default()
}

#[derive(Default)]
struct Summary {
    phrases: Vec<String>,
    /// CTE names of the query.
    views: Vec<String>,
}

impl Summary {
    fn add_phrase(&mut self, phrase: String) {
        if !self.phrases.contains(&phrase) {
            self.phrases.push(phrase);
        }
    }

    /// Adds the columns of the result.
    fn add_outputs(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Select(select) => {
                for item in &select.projection {
                    let expr = match item {
                        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => expr_text(expr),
                        SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => "every column".to_owned(),
                        SelectItem::ExprWithAliases { .. } => continue,
                    };
                    self.add_phrase(format!("gives {expr}"));
                }
            }
            SetExpr::Query(query) => self.add_outputs(&query.body),
            SetExpr::SetOperation { left, .. } => self.add_outputs(left),
            _ => {}
        }
    }

    /// Adds order and limit of the result.
    fn add_order_and_limit(&mut self, query: &Query) {
        if let Some(OrderByKind::Expressions(keys)) = query.order_by.as_ref().map(|order| &order.kind) {
            let keys: Vec<String> = keys
                .iter()
                .map(|key| {
                    let down = if key.options.sort == Some(OrderBySort::Desc) { " DESC" } else { "" };
                    format!("{}{down}", expr_text(&key.expr))
                })
                .collect();
            self.add_phrase(format!("sorted by {}", keys.join(", ")));
        }
        if let Some(limit) = row_limit(query) {
            self.add_phrase(format!("first {limit}"));
        }
    }

    fn add_conditions(&mut self, condition: Option<&Expr>) {
        condition.into_iter().flat_map(non_join_conjuncts).for_each(|part| self.add_phrase(only_phrase(part)));
    }
}

/// Returns the row conditions of a query and its views, each with its phrase.
pub(crate) fn row_conditions(sql: &ReadOnlySql) -> Vec<(String, Expr)> {
    struct Conditions(Vec<(String, Expr)>);
    impl Visitor for Conditions {
        type Break = ();
        fn post_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
            self.0.extend(
                select.selection.iter().flat_map(non_join_conjuncts).map(|part| (only_phrase(part), part.clone())),
            );
            ControlFlow::Continue(())
        }
    }
    let mut found = Conditions(Vec::new());
    let _ = sql.with_query(|query| visit_tree(&query, &mut found));
    found.0
}

/// Returns the operands of a conjunction, without join conditions.
fn non_join_conjuncts(condition: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    collect_conjuncts(condition, &mut parts);
    parts.retain(|part| !is_link(part));
    parts
}

fn only_phrase(condition: &Expr) -> String {
    format!("only {}", expr_text(condition))
}

impl Visitor for Summary {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let views = query.with.iter().flat_map(|with| &with.cte_tables).map(|cte| cte.alias.name.value.to_lowercase());
        self.views.extend(views);
        let mut body = query.body.as_ref();
        while let SetExpr::SetOperation { op, left, .. } = body {
            self.add_phrase(
                match op {
                    SetOperator::Union => "rows of several queries together",
                    SetOperator::Intersect => "only rows that several queries share",
                    _ => "without the rows of another query",
                }
                .to_owned(),
            );
            body = left;
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, .. } = factor
            && let Some(last) = last_part(name)
            && !self.views.contains(&last.value.to_lowercase())
        {
            self.add_phrase(format!("uses {}", last.value));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        if matches!(select.distinct, Some(Distinct::Distinct | Distinct::On(_))) {
            self.add_phrase("each once".to_owned());
        }
        self.add_conditions(select.selection.as_ref());
        if let GroupByExpr::Expressions(keys, _) = &select.group_by
            && !keys.is_empty()
        {
            let keys: Vec<String> = keys.iter().map(expr_text).collect();
            self.add_phrase(format!("per {}", keys.join(", ")));
        }
        self.add_conditions(select.having.as_ref());
        ControlFlow::Continue(())
    }
}

/// Returns true for a join condition: `a.x = b.y`.
fn is_link(expr: &Expr) -> bool {
    matches!(expr, Expr::BinaryOp { left, op: BinaryOperator::Eq, right } if is_column(left) && is_column(right))
}

/// Formats an expression without qualifiers and without quotes around names, truncated if it is long.
fn expr_text(expr: &Expr) -> String {
    let mut expr = expr.clone();
    let _ = visit_exprs_mut(&mut expr, |part| {
        if let Some(name) = own_name(part) {
            *part = Expr::Identifier(Ident::new(name));
        }
        ControlFlow::<()>::Continue(())
    });
    let text = expr.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn summarize(sql: &str) -> Vec<String> {
        query_summary(&ReadOnlySql::parse(sql, Dialect::Duckdb).expect(sql))
    }

    #[test]
    fn what_a_query_does_is_said_without_aliases_and_links() {
        let said = summarize(
            "SELECT c.\"country\", sum(o.amount) AS total FROM orders o JOIN customers c ON o.customer_id = c.id \
             WHERE o.status = 'paid' AND o.year >= 2023 AND o.a = c.b GROUP BY c.country HAVING count(*) > 3 \
             ORDER BY total DESC LIMIT 10",
        );
        assert_eq!(
            said,
            [
                "gives country",
                "gives sum(amount)",
                "uses orders",
                "uses customers",
                "only status = 'paid'",
                "only year >= 2023",
                "per country",
                "only count(*) > 3",
                "sorted by total DESC",
                "first 10",
            ]
        );
    }

    #[test]
    fn views_are_no_tables_and_inner_conditions_count() {
        let said =
            summarize("WITH paid AS (SELECT * FROM orders WHERE status = 'paid') SELECT count(DISTINCT id) FROM paid");
        assert_eq!(said, ["gives count(DISTINCT id)", "uses orders", "only status = 'paid'"]);
        let said = summarize("SELECT name FROM a EXCEPT SELECT name FROM b WHERE x IN (SELECT y FROM c WHERE z)");
        assert!(said.contains(&"without the rows of another query".to_owned()), "{said:?}");
        assert!(said.contains(&"uses c".to_owned()) && said.contains(&"only z".to_owned()), "{said:?}");
    }

    #[test]
    fn long_expressions_are_cut() {
        let said = summarize(&format!("SELECT 1 FROM t WHERE x = '{}'", "é".repeat(200)));
        assert!(said.iter().all(|phrase| phrase.chars().count() < 80), "{said:?}");
    }
}
