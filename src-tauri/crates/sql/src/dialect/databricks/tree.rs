//! Converts syntax that only Spark has into its standard form in the tree.

use crate::visit::visit_mut;
use sqlparser::ast::{
    Expr, FunctionArguments, Join, JoinConstraint, JoinOperator, JsonPathElem, LateralView, ObjectNamePart, OrderBy,
    OrderByExpr, OrderByKind, Query, Select, Statement, TableAlias, TableAliasColumnDef, TableFactor, Value,
    VisitorMut,
};
use std::ops::ControlFlow;

/// Converts syntax that only Spark has into its standard form in the tree, so that other code does not have to handle
/// it:
///
/// - `FROM t LATERAL VIEW explode(t.list) e AS item` becomes the equivalent join, `FROM t CROSS JOIN LATERAL
///   explode(t.list) AS e(item)`.
/// - `ORDER BY ALL` is not a column.
/// - ``data:`zip code` `` becomes `data:['zip code']`, because the tree would print double quotes there.
pub(super) fn standardize_tree(statements: &mut Vec<Statement>) {
    struct Forms;
    impl VisitorMut for Forms {
        type Break = ();
        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            if let Some(OrderBy { kind, .. }) = &mut query.order_by
                && let OrderByKind::Expressions(keys) = kind
                && let [OrderByExpr { expr: Expr::Identifier(word), options, with_fill: None }] = keys.as_slice()
                && word.quote_style.is_none()
                && word.value.eq_ignore_ascii_case("all")
            {
                *kind = OrderByKind::All(options.clone());
            }
            ControlFlow::Continue(())
        }
        fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
            let Expr::JsonAccess { path, .. } = expr else { return ControlFlow::Continue(()) };
            for (at, element) in path.path.iter_mut().enumerate() {
                if let JsonPathElem::Dot { key, quoted: true } = element {
                    let escaped = key.replace('\\', "\\\\");
                    let key = Expr::Value(Value::SingleQuotedString(escaped).with_empty_span());
                    *element = if at == 0 { JsonPathElem::ColonBracket { key } } else { JsonPathElem::Bracket { key } };
                }
            }
            ControlFlow::Continue(())
        }
        fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
            if let Some(last) = select.from.last_mut()
                && let Some(joins) = select.lateral_views.iter().map(lateral_view_join).collect::<Option<Vec<_>>>()
            {
                last.joins.extend(joins);
                select.lateral_views.clear();
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_mut(statements, &mut Forms);
}

/// Returns the join that a lateral view represents. `None` unless the view is a plain function call.
fn lateral_view_join(view: &LateralView) -> Option<Join> {
    let Expr::Function(function) = &view.lateral_view else { return None };
    let FunctionArguments::List(list) = &function.args else { return None };
    let plain = function.over.is_none()
        && function.filter.is_none()
        && function.within_group.is_empty()
        && list.clauses.is_empty()
        && list.duplicate_treatment.is_none();
    let [ObjectNamePart::Identifier(name)] = view.lateral_view_name.0.as_slice() else { return None };
    let columns = view.lateral_col_alias.iter().map(|name| TableAliasColumnDef { name: name.clone(), data_type: None });
    let always = || JoinConstraint::On(Expr::Value(Value::Boolean(true).with_empty_span()));
    plain.then(|| Join {
        relation: TableFactor::Function {
            lateral: true,
            name: function.name.clone(),
            args: list.args.clone(),
            with_ordinality: false,
            alias: Some(TableAlias { explicit: true, name: name.clone(), columns: columns.collect(), at: None }),
        },
        global: false,
        join_operator: if view.outer {
            JoinOperator::LeftOuter(always())
        } else {
            JoinOperator::CrossJoin(JoinConstraint::None)
        },
    })
}
