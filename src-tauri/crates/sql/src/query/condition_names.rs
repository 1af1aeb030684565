//! Names that a query's conditions use.

use crate::ast::visit_tree;
use crate::parse::last_part;
use crate::read_only::ReadOnlySql;
use sqlparser::ast::{
    Expr, Ident, Join, JoinConstraint, JoinOperator, Select, SelectItem, TableAlias, TableFactor, Visit, Visitor,
};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Returns the lower-case names of all columns in WHERE, ON, USING, HAVING and QUALIFY of a query, and of the columns
/// from which the aliases there are computed. `None` if columns are renamed or joined implicitly, so that a condition
/// may use any column.
pub fn condition_names(sql: &ReadOnlySql) -> Option<Vec<String>> {
    sql.with_query(|query| {
        let mut finder = Finder::default();
        match visit_tree(&query, &mut finder) {
            ControlFlow::Continue(()) => Some(finder.into_names()),
            ControlFlow::Break(()) => None,
        }
    })?
}

#[derive(Default)]
struct Finder {
    named: HashSet<String>,
    /// For each alias, the names in its expression.
    behind: HashMap<String, HashSet<String>>,
}

impl Finder {
    fn into_names(mut self) -> Vec<String> {
        let mut open: Vec<String> = self.named.iter().cloned().collect();
        while let Some(name) = open.pop() {
            for inner in self.behind.remove(&name).into_iter().flatten() {
                if self.named.insert(inner.clone()) {
                    open.push(inner);
                }
            }
        }
        self.named.into_iter().collect()
    }

    fn add_join(&mut self, join: &Join) -> ControlFlow<()> {
        use JoinOperator as J;
        let constraint = match &join.join_operator {
            J::Join(c)
            | J::Inner(c)
            | J::Left(c)
            | J::LeftOuter(c)
            | J::Right(c)
            | J::RightOuter(c)
            | J::FullOuter(c) => c,
            J::CrossJoin(c) => c,
            _ => return ControlFlow::Break(()),
        };
        match constraint {
            JoinConstraint::On(on) => collect_names(on, &mut self.named),
            JoinConstraint::Using(names) => {
                self.named.extend(names.iter().filter_map(last_part).map(|name| name.value.to_lowercase()));
            }
            JoinConstraint::Natural => return ControlFlow::Break(()),
            JoinConstraint::None => {}
        }
        ControlFlow::Continue(())
    }
}

impl Visitor for Finder {
    type Break = ();

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        for condition in [&select.selection, &select.having, &select.qualify].into_iter().flatten() {
            collect_names(condition, &mut self.named);
        }
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { expr, alias } = item {
                collect_names(expr, self.behind.entry(alias.value.to_lowercase()).or_default());
            }
        }
        for join in select.from.iter().flat_map(|from| &from.joins) {
            self.add_join(join)?;
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &sqlparser::ast::Query) -> ControlFlow<()> {
        let ctes = query.with.iter().flat_map(|with| &with.cte_tables);
        if ctes.into_iter().any(|cte| !cte.alias.columns.is_empty()) || !query.pipe_operators.is_empty() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let renames = |alias: &Option<TableAlias>| alias.as_ref().is_some_and(|alias| !alias.columns.is_empty());
        match factor {
            TableFactor::Table { alias, .. } | TableFactor::Derived { alias, .. } if !renames(alias) => {
                ControlFlow::Continue(())
            }
            TableFactor::UNNEST { .. } => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

/// Collects the lower-case parts of all names in a part of a query.
fn collect_names(part: &impl Visit, found: &mut HashSet<String>) {
    struct NameCollector<'f>(&'f mut HashSet<String>);
    impl Visitor for NameCollector<'_> {
        type Break = ();
        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            let lower = |ident: &Ident| ident.value.to_lowercase();
            match expr {
                Expr::Identifier(name) => self.0.extend([lower(name)]),
                // Any part may be the column; the others are a table or fields of a STRUCT.
                Expr::CompoundIdentifier(parts) => self.0.extend(parts.iter().map(lower)),
                _ => {}
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_tree(part, &mut NameCollector(found));
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    fn sorted_condition_names(sql: &str) -> Option<Vec<String>> {
        let sql = ReadOnlySql::parse(sql, Dialect::Bigquery).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let mut names = condition_names(&sql)?;
        names.sort();
        Some(names)
    }

    #[test]
    fn conditions_are_found_wherever_they_stand() {
        let sql = "WITH a AS (SELECT x AS y, z FROM t WHERE t.p.q = 1) SELECT a.y, count(*) AS n FROM a JOIN b ON a.k = b.k \
                   WHERE y > 1 AND a.z IN (SELECT w FROM u WHERE v = 2) GROUP BY a.y HAVING count(*) > 3";
        // Columns selected in a subquery of a condition are included: a superfluous name only leaves more work to the
        // engine.
        assert_eq!(sorted_condition_names(sql).unwrap(), ["a", "b", "k", "p", "q", "t", "v", "w", "x", "y", "z"]);
        assert_eq!(sorted_condition_names("SELECT a, b AS c FROM t ORDER BY a").unwrap(), [""; 0]);
        assert_eq!(sorted_condition_names("SELECT t.a FROM t JOIN u USING (K)").unwrap(), ["k"]);
    }

    #[test]
    fn where_columns_are_renamed_by_their_place_nothing_is_said() {
        assert_eq!(sorted_condition_names("WITH a(x) AS (SELECT y FROM t) SELECT x FROM a"), None);
        assert_eq!(sorted_condition_names("SELECT t.a FROM t NATURAL JOIN u"), None);
    }
}
