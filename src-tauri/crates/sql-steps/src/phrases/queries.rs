//! Describes nested queries that read one table.

use super::ExpressionDescriber;
use super::clauses::{column_of, rows_where};
use sqlparser::ast::{Expr, GroupByExpr, Ident, Query, Select, SelectItem, SetExpr, TableFactor};
use vitrine_sql::ast::{collect_aggregate_names, last_part};

impl ExpressionDescriber<'_> {
    /// Describes values: `product id of returns where reason is “late”`; `None` for a more complex query.
    pub(super) fn values_of(&self, query: &Query) -> Option<String> {
        let (select, table) = single_table_select(query)?;
        let [SelectItem::UnnamedExpr(value) | SelectItem::ExprWithAlias { expr: value, .. }] =
            select.projection.as_slice()
        else {
            return None;
        };
        let own = ExpressionDescriber { own: Some(&table.value), ..*self };
        if let Some(value) = self.single_value(table, value) {
            return Some(value);
        }
        let rows = own.describe_rows(select, table)?;
        let rows = if select.selection.is_some() && self.plain.is_none() { format!("({rows})") } else { rows };
        Some(column_of(&own.describe_expression(value)?, &rows))
    }

    /// Describes rows: `returns where order id is order id of orders`.
    pub(super) fn rows_of(&self, query: &Query) -> Option<String> {
        let (select, table) = single_table_select(query)?;
        if !collect_aggregate_names(&select.projection).is_empty() {
            return None;
        }
        ExpressionDescriber { own: Some(&table.value), ..*self }.describe_rows(select, table)
    }

    fn describe_rows(&self, select: &Select, table: &Ident) -> Option<String> {
        match &select.selection {
            None => self.table_name(table),
            // Queries nested more deeply are quoted.
            Some(Expr::InSubquery { .. } | Expr::Exists { .. }) => None,
            Some(condition) => Some(rows_where(&self.table_name(table)?, &self.describe_expression(condition)?)),
        }
    }
}

/// Returns the SELECT of a query that reads one table, and that table.
fn single_table_select(query: &Query) -> Option<(&Select, &Ident)> {
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty());
    let whole = query.with.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
    let [from] = select.from.as_slice() else { return None };
    let TableFactor::Table { name, alias, args: None, .. } = &from.relation else { return None };
    // Columns would use the alias of the table.
    let same_name = alias.is_none();
    let plain = whole && ungrouped && select.having.is_none() && from.joins.is_empty() && same_name;
    plain.then_some((select.as_ref(), last_part(name)?))
}
