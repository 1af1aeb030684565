//! Readings: other possible meanings of a question, if its structure is ambiguous. The query of the other reading is
//! executed, and the user is asked only if its result differs.

pub(crate) mod attachment;
pub(crate) mod each;
mod mentions;
#[cfg(test)]
mod tests;

use mentions::{Mention, QuestionWords};
use sqlparser::ast::{Expr, SelectItem};
use vitrine_sql::ast::is_column;

/// Two meanings of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meanings {
    /// The meaning that the query implements.
    pub(crate) as_written: String,
    /// The other meaning of the question.
    pub(crate) otherwise: String,
}

/// Returns the column that a select item shows.
fn selected_column(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => is_column(expr).then_some(expr),
        _ => None,
    }
}
