//! Row limits as a dialect writes them: the tree holds them in one form, which is not everybody's.

use super::visit::visit_mut;
use sqlparser::ast::{Fetch, LimitClause, OffsetRows, Query, VisitorMut};
use std::ops::ControlFlow;
use vitrine_domain::Dialect;

/// Gives every row limit of a query the form that its dialect has; whether one had another.
///
/// Trino takes `OFFSET n LIMIT m` and not the other order, which is the only one that a tree is written out in:
/// `OFFSET n ROWS FETCH FIRST m ROWS ONLY` is the same.
pub fn row_limits_of(query: &mut Query, dialect: Dialect) -> bool {
    if dialect != Dialect::Trino {
        return false;
    }
    let mut forms = Forms { changed: false };
    let _ = visit_mut(query, &mut forms);
    forms.changed
}

struct Forms {
    changed: bool,
}

impl VisitorMut for Forms {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let Some(LimitClause::LimitOffset { limit, offset: Some(offset), limit_by }) = &mut query.limit_clause
            && limit_by.is_empty()
            && query.fetch.is_none()
            && let Some(limit) = limit.take()
        {
            offset.rows = OffsetRows::Rows;
            query.fetch = Some(Fetch { with_ties: false, percent: false, quantity: Some(limit) });
            self.changed = true;
        }
        ControlFlow::Continue(())
    }
}
