//! The last node: the chosen SQL and its rows.

use super::schema::count;
use crate::candidates::{Candidate, is_void};
use crate::context::RunContext;
use vitrine_domain::{EventBody, StageKind};

/// The graph node of this stage.
pub const NODE: &str = "result";

/// Hands over the answer. The rows are those the candidate already gave; nothing runs again.
pub fn answer(context: &RunContext, candidate: Candidate, input: &str) {
    context.begin(NODE, StageKind::Result, "Answer", &[input]);
    if is_void(&candidate.page) {
        context.warn(Some(NODE), "The query gave no value: check its conditions before relying on it");
    }
    let sql = vitrine_sql::format(candidate.sql.as_str(), context.ask.catalog.dialect);
    let rows = count(candidate.page.row_count as usize, "row");
    context.emit(EventBody::ResultReady { node: NODE.to_owned(), sql, page: candidate.page });
    context.finish(NODE, rows);
}
