//! Row limits in the syntax of a dialect; the syntax tree prints them in a single form that some dialects reject.

use crate::dialect::{DialectExt, RowLimitForm};
use crate::visit::visit_mut;
use sqlparser::ast::{
    Expr, Fetch, LimitClause, Offset, OffsetRows, OrderBy, OrderByExpr, OrderByKind, OrderByOptions, Query, SetExpr,
    Top, TopQuantity, Value, VisitorMut,
};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// Converts every row limit of a query to the form of its dialect. Returns true if the query changed.
///
/// - [`RowLimitForm::FetchAfterOffset`]: a limit with an offset becomes `OFFSET n ROWS FETCH FIRST m ROWS ONLY`.
/// - [`RowLimitForm::Top`]: a limit becomes `SELECT TOP (m)`, and with an offset, `OFFSET n ROWS FETCH FIRST m ROWS ONLY`
///   after ORDER BY. An ORDER BY within another query is removed without one of these, where it is meaningless.
pub fn row_limits_of(query: &mut Query, dialect: Dialect) -> bool {
    let form = dialect.sql().row_limit_form();
    if form == RowLimitForm::Limit {
        return false;
    }
    let mut forms = Forms { form, depth: 0, changed: false };
    let _ = visit_mut(query, &mut forms);
    forms.changed
}

/// Converts `SELECT TOP (m)` with ORDER BY to `OFFSET 0 ROWS FETCH FIRST m ROWS ONLY`, so that the limit is at the end
/// of the query as in other dialects.
pub fn top_as_fetch(query: &mut Query) {
    struct Tops;
    impl VisitorMut for Tops {
        type Break = ();
        fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
            let ends = query.limit_clause.is_some() || query.fetch.is_some() || query.order_by.is_none();
            if let SetExpr::Select(select) = query.body.as_mut()
                && let Some(Top { with_ties: false, percent: false, quantity: Some(quantity) }) = &select.top
                && !ends
            {
                let limit = Some(match quantity {
                    TopQuantity::Expr(Expr::Nested(inner)) => (**inner).clone(),
                    TopQuantity::Expr(expr) => expr.clone(),
                    TopQuantity::Constant(rows) => number_literal(&rows.to_string()),
                });
                query.limit_clause = Some(LimitClause::LimitOffset { limit, offset: None, limit_by: Vec::new() });
                select.top = None;
                Forms { form: RowLimitForm::Top, depth: 0, changed: false }.use_fetch_clause(query);
            }
            ControlFlow::Continue(())
        }
    }
    let _ = visit_mut(query, &mut Tops);
}

struct Forms {
    form: RowLimitForm,
    depth: u32,
    changed: bool,
}

impl Forms {
    /// Converts LIMIT and OFFSET to the standard FETCH clause.
    fn use_fetch_clause(&mut self, query: &mut Query) {
        let Some(LimitClause::LimitOffset { limit, offset, limit_by }) = &mut query.limit_clause else { return };
        if !limit_by.is_empty() || query.fetch.is_some() {
            return;
        }
        let Some(quantity) = limit.take() else { return };
        let none = || Offset { value: number_literal("0"), rows: OffsetRows::Rows };
        offset.get_or_insert_with(none).rows = OffsetRows::Rows;
        query.fetch = Some(Fetch { with_ties: false, percent: false, quantity: Some(quantity) });
        self.changed = true;
    }

    fn use_top_clause(&mut self, query: &mut Query) {
        let offset = matches!(&query.limit_clause, Some(LimitClause::LimitOffset { offset: Some(_), .. }));
        if let Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, limit_by }) = &query.limit_clause
            && limit_by.is_empty()
            && let SetExpr::Select(select) = query.body.as_mut()
            && select.top.is_none()
        {
            let quantity = TopQuantity::Expr(limit.clone());
            select.top = Some(Top { with_ties: false, percent: false, quantity: Some(quantity) });
            query.limit_clause = None;
            self.changed = true;
        }
        self.use_fetch_clause(query);
        let counted = offset || query.fetch.is_some();
        if counted && query.order_by.is_none() {
            let options = OrderByOptions { sort: None, nulls_first: None };
            let key = OrderByExpr { expr: number_literal("1"), options, with_fill: None };
            query.order_by = Some(OrderBy { kind: OrderByKind::Expressions(vec![key]), interpolate: None });
            self.changed = true;
        }
        let has_top = matches!(query.body.as_ref(), SetExpr::Select(select) if select.top.is_some());
        if self.depth > 0 && query.order_by.is_some() && !counted && !has_top {
            query.order_by = None;
            self.changed = true;
        }
    }
}

fn number_literal(digits: &str) -> Expr {
    Expr::Value(Value::Number(digits.to_owned(), false).with_empty_span())
}

impl VisitorMut for Forms {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        match self.form {
            RowLimitForm::Top => self.use_top_clause(query),
            RowLimitForm::FetchAfterOffset
                if matches!(&query.limit_clause, Some(LimitClause::LimitOffset { offset: Some(_), .. })) =>
            {
                self.use_fetch_clause(query);
            }
            RowLimitForm::Limit | RowLimitForm::FetchAfterOffset => {}
        }
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }
}
