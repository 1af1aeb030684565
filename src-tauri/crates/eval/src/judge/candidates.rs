//! Judging of all queries of a run by the rules that judge the answer.

use super::attempts::Attempt;
use super::database::PreparedDatabase;
use super::gold::{Gold, fetch_rows_within, is_over_limit};
use super::judgement::confirm_on_suite;
use crate::metrics::Verdict;
use crate::metrics::candidates::JudgedQuery;
use crate::pack::Question;
use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Maximum number of distinct queries of a question that are executed.
const MOST_QUERIES: usize = 64;
/// Time after which no further query starts, in timeouts of a query.
const MOST_TIMEOUTS: u32 = 5;
const NOT_AGAIN: &str = "it did not run when it was judged";

/// A question with everything its queries are judged by.
#[derive(Clone, Copy)]
pub(crate) struct JudgedQuestion<'a> {
    pub(crate) question: &'a Question,
    pub(crate) database: &'a PreparedDatabase,
    pub(crate) golds: &'a [Gold],
}

/// Executes each distinct query once and judges it. `answer` is the answer's query with its verdict, and is not
/// executed again; `timeout` is that of the run's queries. Queries that failed in the run are wrong and keep their
/// error. Queries beyond the limits remain without a verdict.
pub(crate) async fn judge_attempts(
    case: JudgedQuestion<'_>,
    attempts: Vec<Attempt>,
    answer: Option<(&str, Verdict)>,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Vec<JudgedQuery> {
    let until = Instant::now() + timeout * MOST_TIMEOUTS;
    let dialect = case.database.catalog.dialect;
    // The answer's text is formatted.
    let key = |sql: &str| vitrine_sql::format_sql(sql.trim().trim_end_matches(';'), dialect);
    let mut known: HashMap<String, Judged> = HashMap::new();
    known.extend(answer.map(|(sql, verdict)| (key(sql), Judged::Verdict(verdict))));
    let mut executed = 0;
    let mut judged = Vec::new();
    for Attempt { mut query, sql } in attempts {
        let key = key(&sql);
        let over = executed == MOST_QUERIES || Instant::now() >= until || cancel.is_cancelled();
        query.verdict = match known.get(&key) {
            _ if query.error.is_some() => Some(Verdict::default()),
            None if over => None,
            None => {
                executed += 1;
                let judged = case.judge_sql(&sql, timeout).await;
                known.insert(key, judged);
                note_failure(&mut query, judged)
            }
            Some(judged) => note_failure(&mut query, *judged),
        };
        judged.push(query);
    }
    judged
}

/// The result of executing a query.
#[derive(Clone, Copy)]
enum Judged {
    Verdict(Verdict),
    /// It does not run.
    Fails,
    /// A byte limit refused it.
    OverLimit,
}

/// Returns the verdict on an executed query; one that did not run is wrong, and gets an error.
fn note_failure(query: &mut JudgedQuery, judged: Judged) -> Option<Verdict> {
    query.error = matches!(judged, Judged::Fails).then(|| NOT_AGAIN.to_owned());
    match judged {
        Judged::Verdict(verdict) => Some(verdict),
        Judged::Fails => Some(Verdict::default()),
        Judged::OverLimit => None,
    }
}

impl JudgedQuestion<'_> {
    /// Executes a query and compares its result with every gold.
    async fn judge_sql(&self, sql: &str, timeout: Duration) -> Judged {
        let Ok(query) = &self.database.prove_read_only(sql) else { return Judged::Fails };
        let page = match fetch_rows_within(self.database.warehouse.as_ref(), query, timeout).await {
            Ok(page) => page,
            Err(error) if is_over_limit(&error) => return Judged::OverLimit,
            Err(_) => return Judged::Fails,
        };
        let mut all = Verdict::default();
        for gold in self.golds {
            let Some(result) = &gold.result else { continue };
            let verdict = Verdict::from_results(&page, result);
            all = all.combine_with(confirm_on_suite(verdict, Some(query), gold, self.question).await);
        }
        Judged::Verdict(all)
    }
}
