//! `runs`: returns earlier questions with their answers.

use crate::reply::{AnswerReply, NOTICE, RunReply, RunsReply};
use crate::request::RunsArguments;
use crate::session::Session;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use vitrine_domain::AppError;

/// Maximum number of runs in one reply.
const AT_ONCE: u32 = 20;

pub(crate) async fn read_runs(
    session: &Session,
    arguments: RunsArguments,
    context: &RequestContext<RoleServer>,
) -> Result<RunsReply, AppError> {
    let (_, outside) = session.resolve_warehouse(arguments.warehouse.as_deref(), "", context)?;
    let offset = arguments.offset.unwrap_or(0);
    if let Some(run_id) = arguments.run_id {
        let answer = outside.find_run(&run_id, &context.ct).await?;
        let run = AnswerReply::new(answer, offset.into(), session.limits.page_rows, session.limits.bytes)?;
        return Ok(RunsReply { notice: NOTICE, runs: None, next_offset: None, run: Some(Box::new(run)) });
    }
    // One additional run reveals if there are more.
    let mut found = outside.list_runs(&arguments.search.unwrap_or_default(), AT_ONCE + 1, offset).await?;
    let more = found.len() > AT_ONCE as usize;
    found.truncate(AT_ONCE as usize);
    Ok(RunsReply {
        notice: NOTICE,
        next_offset: more.then_some(u64::from(offset) + u64::from(AT_ONCE)),
        runs: Some(found.into_iter().map(RunReply::from).collect()),
        run: None,
    })
}
