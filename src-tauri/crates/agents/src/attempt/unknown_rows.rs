//! Rows that an answer's query omits because of NULL (`sql-rules`, `unknown`): they are counted, and the query that keeps them runs beside
//! the answer and is reported if its result differs.

use crate::attempt::prepare::without_question;
use crate::candidate::{Candidate, CandidateVariant};
use crate::run::context::RunContext;
use crate::run::nodes;
use vitrine_domain::{Agent, Switch};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{UnknownRows, unknown_rows};

/// Returns the queries that keep such rows, if they give another result than the answer. Queries of the user are not checked.
pub async fn find_unknown_variants(context: &RunContext, candidate: &Candidate) -> Vec<CandidateVariant> {
    let settings = &context.ask.options.settings;
    if context.ask.has_user_sql() || !settings.is_enabled(Switch::Variants) || !settings.is_enabled(Switch::Fitting) {
        return Vec::new();
    }
    let mut kept = Vec::new();
    for unknown in unknown_rows(&candidate.sql, &without_question(context)) {
        kept.extend(try_unknown(context, candidate, unknown).await);
    }
    kept
}

/// Runs one of them. A query that would need the user's approval is offered without being run, if the profile shows that values are
/// missing.
async fn try_unknown(context: &RunContext, candidate: &Candidate, unknown: UnknownRows) -> Option<CandidateVariant> {
    let variant = |rows: Option<u64>, ran| CandidateVariant {
        rule: unknown.rule.clone(),
        note: unknown.describe_change(rows),
        as_written: None,
        sql: unknown.sql.clone(),
        ran,
    };
    if context.ask.user.approver.is_some() {
        return (unknown.known || unknown.written > 0).then(|| variant(None, None));
    }
    let mut rows = Some(unknown.written);
    for count in &unknown.counts {
        // If one of the counts is unknown, so is the sum.
        rows = rows.zip(query_count(context, count).await).map(|(sum, more)| sum + more);
    }
    let rows = rows.filter(|_| unknown.counted);
    if rows == Some(0) {
        return None;
    }
    // A failure of this query does not affect the answer.
    let limit = context.ask.options.settings.row_limit;
    let page = context.query(Agent::Generator, nodes::RESULT, &unknown.sql, limit).await.ok()?;
    let digest = vitrine_warehouse::digest_rows(&page, unknown.sql.is_ordered());
    let is_cut_off = page.truncated && candidate.page.truncated && rows.is_some();
    (digest != candidate.digest || is_cut_off).then(|| variant(rows, Some((page, digest))))
}

/// Returns the single number that a query returns.
async fn query_count(context: &RunContext, sql: &ReadOnlySql) -> Option<u64> {
    let page = context.query_composed(Agent::Generator, nodes::RESULT, sql, 1).await.ok()?;
    page.rows.first()?.first()?.as_deref()?.parse().ok()
}
