//! Redirects a query to another relation under the same name.

use crate::parse::{last_part, visit_mut};
use crate::read_only::{ReadOnlySql, rewrite_unformatted};
use crate::text::build_identifier;
use sqlparser::ast::{ObjectName, ObjectNamePart, Query, TableAlias, TableFactor, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// Replaces reads of the view `from` by the view `to`, with the old name as its alias. `None` if the query does not
/// read `from`, or if only its engine can parse it.
pub fn read_instead(sql: &ReadOnlySql, from: &str, to: &str) -> Option<ReadOnlySql> {
    struct Renamer<'n> {
        from: &'n str,
        to: ObjectNamePart,
        hidden: Vec<bool>,
        changed: bool,
        dialect: Dialect,
    }
    impl VisitorMut for Renamer<'_> {
        type Break = ();
        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            let mut ctes = query.with.iter().flat_map(|with| &with.cte_tables);
            self.hidden.push(ctes.any(|cte| cte.alias.name.value.eq_ignore_ascii_case(self.from)));
            ControlFlow::Continue(())
        }
        fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
            self.hidden.pop();
            ControlFlow::Continue(())
        }
        fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
            if let TableFactor::Table { name, alias, args: None, .. } = factor
                && name.0.len() == 1
                && last_part(name).is_some_and(|last| last.value.eq_ignore_ascii_case(self.from))
                && !self.hidden.contains(&true)
            {
                *name = ObjectName(vec![self.to.clone()]);
                alias.get_or_insert_with(|| TableAlias {
                    explicit: true,
                    name: build_identifier(self.from, self.dialect),
                    columns: Vec::new(),
                    at: None,
                });
                self.changed = true;
            }
            ControlFlow::Continue(())
        }
    }
    let dialect = sql.dialect();
    let (renamed, ()) = rewrite_unformatted(sql, |query| {
        let to = ObjectNamePart::Identifier(build_identifier(to, dialect));
        let mut renamer = Renamer { from, to, hidden: Vec::new(), changed: false, dialect };
        let _ = visit_mut(query, &mut renamer);
        renamer.changed.then_some(())
    })?;
    Some(renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirect_sales(sql: &str) -> Option<String> {
        let sql = ReadOnlySql::parse(sql, Dialect::Sqlite).unwrap();
        read_instead(&sql, "sales", "sales_2").map(|sql| sql.as_str().to_owned())
    }

    #[test]
    fn a_query_goes_on_calling_what_it_reads_by_its_name() {
        assert_eq!(
            redirect_sales("SELECT sales.a FROM sales JOIN t ON t.a = sales.a").as_deref(),
            Some("SELECT sales.a FROM sales_2 AS sales JOIN t ON t.a = sales.a")
        );
        assert_eq!(
            redirect_sales("SELECT s.a FROM Sales AS s WHERE EXISTS (SELECT 1 FROM sales)").as_deref(),
            Some("SELECT s.a FROM sales_2 AS s WHERE EXISTS (SELECT 1 FROM sales_2 AS sales)")
        );
    }

    #[test]
    fn what_is_called_so_within_the_query_is_another() {
        assert_eq!(redirect_sales("WITH sales AS (SELECT 1 AS a) SELECT a FROM sales"), None);
        assert_eq!(redirect_sales("SELECT a FROM t"), None);
    }
}
