//! `query`: runs one SQL query, and returns further rows of its result.

use crate::open_results::OpenResults;
use crate::reply::{NOTICE, QueryReply, RowsReply};
use crate::request::QueryArguments;
use crate::session::Session;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};

pub(crate) async fn run_query(
    session: &Session,
    arguments: QueryArguments,
    context: &RequestContext<RoleServer>,
) -> Result<QueryReply, AppError> {
    let limits = session.limits;
    let count = arguments.max_rows.unwrap_or(limits.page_rows).clamp(1, limits.page_rows);
    let (number, rows, from) = match (&arguments.cursor, &arguments.sql) {
        (Some(cursor), None) => session.results.resolve_cursor(cursor)?,
        (None, Some(sql)) => {
            let (_, outside) = session.resolve_warehouse(arguments.warehouse.as_deref(), sql, context)?;
            let rows = Arc::new(outside.run_query(sql, limits.query_rows.into(), context.ct.clone()).await?);
            (session.results.add_result(Arc::clone(&rows)), rows, 0)
        }
        _ => {
            return Err(AppError::new(ErrorCode::Usage, "Either `sql` or `cursor` has to be set, and not both")
                .with_hint("Set `sql` for a new query, `cursor` for further rows of an earlier one"));
        }
    };
    let part = rows.read_part(from, count, limits.bytes)?;
    let next_cursor = part.next.map(|row| OpenResults::format_cursor(number, row));
    Ok(QueryReply { notice: NOTICE, rows: RowsReply::new(&rows, part), next_cursor })
}
