//! Execution of a prepared query, for an answer or as a probe.

use crate::attempt::context::AttemptContext;
use crate::attempt::prepare::{RuleUse, prepare_query};
use crate::candidate::Candidate;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use vitrine_domain::{Agent, NodeId, Page};
use vitrine_sql::ReadOnlySql;

/// Runs a prepared statement; the inner `Err` is the database's message.
pub async fn execute_candidate(
    context: &RunContext,
    agent: Agent,
    node: &NodeId,
    sql: ReadOnlySql,
    number: u32,
) -> Result<Result<Candidate, String>, StageError> {
    let page = context.try_query(agent, node, &sql, context.ask.options.settings.row_limit).await?;
    Ok(page.map(|page| {
        let digest = vitrine_warehouse::digest_rows(&page, sql.is_ordered());
        Candidate::new(number, sql, page, digest)
    }))
}

/// Number of rows of one probe (ReFoRCE, appendix C).
pub const PROBE_ROWS: u64 = 20;

/// Runs a text as a probe: repaired like any query, and limited to [`PROBE_ROWS`]. Returns the query as it ran.
///
/// # Errors
/// Fails if the run is stopped.
pub async fn execute_probe(
    attempts: &AttemptContext<'_>,
    agent: Agent,
    text: &str,
) -> Result<Result<(String, Page), String>, StageError> {
    // A probe reads the data without the user's definitions.
    let rules = RuleUse { standing: false, ..attempts.limits.rules };
    let sql = match prepare_query(attempts.context, attempts.node, attempts.views, rules, text) {
        Ok(prepared) => prepared.sql,
        Err(error) => return Ok(Err(error)),
    };
    let page = attempts.context.try_query(agent, attempts.node, &sql, PROBE_ROWS).await?;
    Ok(page.map(|page| (sql.as_str().to_owned(), page)))
}
