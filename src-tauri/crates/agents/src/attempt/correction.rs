//! Requests for a correction after a query that failed or has a warning.

use crate::attempt::context::AttemptContext;
use crate::prompt::reply::sql_alone;
use crate::prompt::{Prompt, SqlFeedback};
use crate::run::context::RunContext;
use crate::run::events::StageError;
use vitrine_domain::Agent;
use vitrine_llm::Request;

/// Feedback for a query that ran and returned no value.
pub const FINDS_NOTHING: &str = "it gives no value";

/// Number of partial matches in a prompt.
const SEARCHES: usize = 3;

/// Returns an agent's request to correct a failed query, over a schema that shows the missing names.
///
/// # Errors
/// Fails if tokens cannot be counted.
pub async fn correction_request(
    attempts: &AttemptContext<'_>,
    agent: Agent,
    request: &Request,
    sql: &str,
    error: &str,
) -> Result<Request, StageError> {
    build_retry_request(attempts, agent, request, sql, Feedback { text: error, ran: false }).await
}

/// Returns an agent's request to reconsider a query that ran with a warning; the query may be correct.
///
/// # Errors
/// Fails if tokens cannot be counted.
pub async fn second_look(
    attempts: &AttemptContext<'_>,
    agent: Agent,
    request: &Request,
    sql: &str,
    warning: &str,
) -> Result<Request, StageError> {
    build_retry_request(attempts, agent, request, sql, Feedback { text: warning, ran: true }).await
}

/// Feedback for a query: its error, or the warning about a query that ran.
#[derive(Clone, Copy)]
struct Feedback<'a> {
    text: &'a str,
    ran: bool,
}

async fn build_retry_request(
    attempts: &AttemptContext<'_>,
    agent: Agent,
    request: &Request,
    sql: &str,
    Feedback { text: error, ran }: Feedback<'_>,
) -> Result<Request, StageError> {
    attempts.visible.bring_back(attempts.context, sql, error).await?;
    let nested = attempts.visible.nested_page(attempts.context, sql);
    let searches = if error == FINDS_NOTHING { part_searches(attempts.context, sql) } else { Vec::new() };
    let nested: Vec<&str> = nested.iter().map(String::as_str).collect();
    let profile = attempts.context.model(agent).profile();
    let feedback = SqlFeedback { error, ran, searches: &searches, nested: &nested, values: attempts.values };
    let feedback = feedback.render_for(&profile);
    let again = Request {
        turns: vec![(format!("```sql\n{sql}\n```"), feedback)],
        samples: 1,
        first_greedy: false,
        ..attempts.visible.renew_request(attempts.context, agent, request.clone())
    };
    Ok(sql_alone(&again, &profile))
}

/// Returns partial matches derived from the query's own conditions, for text columns. Small models would copy a general example.
pub fn part_searches(context: &RunContext, sql: &str) -> Vec<String> {
    let ask = &context.ask;
    let Ok(sql) = ask.prove_query(sql) else { return Vec::new() };
    let bound = vitrine_sql::bind_names(&sql, &ask.data.catalog).columns;
    let holds_words = |(table, column): &(String, String)| {
        let table = ask.data.catalog.find_table(table).and_then(|table| ask.data.profile.find_table(&table.name));
        let Some(known) = table.and_then(|table| table.find_column(column)) else { return true };
        known.hidden.is_none()
            && known.top.iter().map(|(value, _)| value).chain(&known.samples).any(|v| v.contains(char::is_alphabetic))
    };
    let in_words = |name: &str| bound.iter().filter(|(_, column)| column.eq_ignore_ascii_case(name)).any(holds_words);
    let searches = vitrine_sql_rules::partial_matches(&sql).into_iter().filter(|search| in_words(&search.column));
    searches.map(|search| search.condition).take(SEARCHES).collect()
}
