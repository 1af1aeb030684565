//! Readings: what a question may mean besides what its query takes it to mean, where the way that it is built leaves it open.
//! The other reading is run, and the person is asked only where it gives another result.

pub(crate) mod attachment;
pub(crate) mod each;
mod mentions;
#[cfg(test)]
mod tests;

use mentions::{Mention, QuestionWords};
use sqlparser::ast::{Expr, SelectItem};
use vitrine_sql::ast::is_column;

/// The two meanings of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meanings {
    /// What the query takes it to mean.
    pub(crate) as_written: String,
    /// What else it may mean.
    pub(crate) otherwise: String,
}

/// What an item of a SELECT gives, if it is a column.
fn selected_column(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => is_column(expr).then_some(expr),
        _ => None,
    }
}
