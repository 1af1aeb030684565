//! "Which stores have no cancelled order", read only from the orders: `SELECT store_id FROM orders WHERE status <>
//! 'cancelled'`. After the stores are joined, the anti-join rule can identify the negated entity.

use sqlparser::ast::{
    BinaryOperator, Distinct, Expr, Ident, Join, JoinConstraint, JoinOperator, Select, SelectItem, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::{Dialect, TableName};
use vitrine_sql::ast::{
    Counted, InScope, Relation, classify_count, has_group_by, has_queries, iter_relations, qualified_column,
    rewrite_count, table_factor, visit_mut,
};

/// Joins the table that the only output of a SELECT refers to. Applies only if the output is a foreign key, or the
/// number of its distinct values, to a table of `before`: the entities that the question mentions before its negation.
pub(super) fn with_referred(select: &Select, catalog: &InScope<'_>, before: &[TableName]) -> Option<Select> {
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).collect::<Option<_>>()?;
    let [rows] = tables.as_slice() else { return None };
    if has_group_by(select)
        || select.having.is_some()
        || matches!(select.distinct, Some(Distinct::On(_)))
        || has_queries(select)
    {
        return None;
    }
    let mut select = select.clone();
    let [SelectItem::UnnamedExpr(output) | SelectItem::ExprWithAlias { expr: output, .. }] =
        select.projection.as_mut_slice()
    else {
        return None;
    };
    let column = match &*output {
        Expr::Function(function) => match classify_count(function)? {
            Counted::Different(column) => column,
            _ => return None,
        },
        column => column,
    };
    let own = match column {
        Expr::Identifier(name) => &name.value,
        Expr::CompoundIdentifier(parts) => &parts.last()?.value,
        _ => return None,
    };
    let key = rows
        .table
        .foreign_keys
        .iter()
        .find(|key| matches!(key.columns.as_slice(), [only] if only.eq_ignore_ascii_case(own)))?;
    let ([own], [referred]) = (key.columns.as_slice(), key.ref_columns.as_slice()) else { return None };
    let things = catalog.tables.iter().find(|table| table.name == key.ref_table)?;
    let name = &things.name.name;
    if !before.contains(&things.name) || things.name == rows.table.name || name.eq_ignore_ascii_case(&rows.alias) {
        return None;
    }
    let dialect = catalog.dialect;
    match output {
        Expr::Function(function) => rewrite_count(function, Some(qualified_column(name, referred, dialect))),
        output => *output = qualified_column(name, referred, dialect),
    }
    let condition = Expr::BinaryOp {
        left: Box::new(qualified_column(name, referred, dialect)),
        op: BinaryOperator::Eq,
        right: Box::new(qualified_column(&rows.alias, own, dialect)),
    };
    let _ = visit_mut(&mut select.selection, &mut Qualifier { rows, dialect });
    let [from] = select.from.as_mut_slice() else { return None };
    let relation = std::mem::replace(&mut from.relation, table_factor(&things.name, dialect));
    from.joins =
        vec![Join { relation, global: false, join_operator: JoinOperator::Join(JoinConstraint::On(condition)) }];
    // Rows of the parent table are already unique.
    select.distinct = None;
    Some(select)
}

/// Qualifies the columns of the conditions with their table.
struct Qualifier<'a> {
    rows: &'a Relation<'a>,
    dialect: Dialect,
}

impl VisitorMut for Qualifier<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Identifier(Ident { value, .. }) = expr
            && self.rows.table.find_column(value).is_some()
        {
            *expr = qualified_column(&self.rows.alias, value, self.dialect);
        }
        ControlFlow::Continue(())
    }
}
