//! Merged values of one column: a query shows `USA`, `US` and `United States` in one group, and each comparison with
//! one of them matches all.
//!
//! ```text
//! value_merge  merged values, as a definition and as a note
//! columns      the catalog column of an expression, through views of the query
//! compare      comparisons with texts: the values that they match
//! put          columns of a part, and their replacement by the merged value
//! walk         a query, view by view: groups and comparisons, found or changed
//! ```

mod columns;
mod compare;
mod put;
#[cfg(test)]
mod tests;
mod value_merge;
mod walk;

pub use value_merge::{Category, ValueMerge};

use sqlparser::ast::{GroupByExpr, Query, SelectItem, SetExpr};
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::ast::parse_expr;
use vitrine_sql::{ReadOnlySql, bind_names, rewrite_query};
use walk::Walk;

/// The result of merging values in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merging {
    /// The query neither groups by the column, nor matches only some of the values.
    Unneeded,
    /// The query uses the column in a way that cannot be changed safely.
    Unfit,
    /// The changed query, and the merges that it needs.
    Changed(ReadOnlySql, Vec<ValueMerge>),
}

/// Returns the columns by which a query groups, or whose values it compares with texts.
pub fn find_categories(sql: &ReadOnlySql, catalog: &Catalog) -> Vec<Category> {
    let found = sql.with_query(|mut query| {
        let mut walk = Walk::new(&query, catalog, sql.dialect(), &[]);
        walk.walk_statement(&mut query);
        walk.found
    });
    found.unwrap_or_default()
}

/// Merges values in each place where a query groups by their column or matches only some of them.
pub fn merge_values(sql: &ReadOnlySql, catalog: &Catalog, merges: &[ValueMerge]) -> Merging {
    let mut is_unfit = false;
    let changed = rewrite_query(sql, |query| match merge_in_query(query, catalog, sql.dialect(), merges) {
        Some(used) => (!used.is_empty()).then_some(used),
        None => {
            is_unfit = true;
            None
        }
    });
    match changed {
        Some((sql, used)) if bind_names(&sql, catalog).problems.is_empty() => Merging::Changed(sql, used),
        None if !is_unfit => Merging::Unneeded,
        _ => Merging::Unfit,
    }
}

/// Returns a query that counts the rows of a query before grouping and limiting. `None` if it consists of more than one
/// SELECT.
pub fn count_of_rows(sql: &ReadOnlySql) -> Option<ReadOnlySql> {
    let (counting, ()) = rewrite_query(sql, |query| {
        let SetExpr::Select(select) = query.body.as_mut() else { return None };
        let count = parse_expr("COUNT(*)", sql.dialect())?;
        select.projection = vec![SelectItem::UnnamedExpr(count)];
        (select.distinct, select.having, select.qualify, select.top) = (None, None, None, None);
        select.group_by = GroupByExpr::Expressions(Vec::new(), Vec::new());
        (query.order_by, query.limit_clause, query.fetch) = (None, None, None);
        Some(())
    })?;
    Some(counting)
}

/// Merges values within a tree. Returns the merges that were needed. `None` if the query cannot be changed safely.
pub(crate) fn merge_in_query(
    query: &mut Query,
    catalog: &Catalog,
    dialect: Dialect,
    merges: &[ValueMerge],
) -> Option<Vec<ValueMerge>> {
    let mut walk = Walk::new(query, catalog, dialect, merges);
    walk.walk_statement(query);
    (!walk.unfit).then(|| walk.used.iter().map(|&at| merges[at].clone()).collect())
}
