//! Trying one query of a model: prepares it, runs it, and checks it with rules, which may add variants or findings. All methods try their
//! queries here.

use crate::attempt::context::{AttemptContext, Trial};
use crate::attempt::declined::{Declined, parse_declined};
use crate::attempt::execute::execute_candidate;
use crate::attempt::other_reading::{OtherReading, other_reading};
use crate::attempt::prepare::{Prepared, prepare_query, repair_refused, rule_input};
use crate::attempt::reply::{is_same_query_text, sql_of};
use crate::attempt::value_hints::look_up;
use crate::attempt::variants::{self, Beside};
use crate::candidate::{Candidate, finds_nothing};
use crate::run::context::RunContext;
use crate::run::events::StageError;
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody};
use vitrine_sql_rules::RuleInput;
use vitrine_words::{in_english, tr};

/// Outcome of trying a final SQL.
pub enum Tried {
    /// The query returned a result.
    Ran(Box<Candidate>),
    /// The query did not run.
    Failed {
        /// Query text, repaired as far as possible.
        sql: String,
        /// Message of the binder or the database.
        error: String,
    },
    /// The model reported that the requested data is missing.
    Declined(Declined),
}

/// Tries one reply: checks if it declines; otherwise extracts its query, adds the views that it names, binds it, runs it, and checks it
/// with rules.
pub async fn try_sql(
    attempts: &AttemptContext<'_>,
    number: u32,
    attempt: u32,
    text: &str,
) -> Result<Tried, StageError> {
    let &AttemptContext { context, node, .. } = attempts;
    if let Some(declined) = parse_generator_declined(context, text) {
        declined.record_event(context, node, number);
        return Ok(Tried::Declined(declined));
    }
    let trial = attempts.to_trial();
    let written = sql_of(&context.ask, text).to_owned();
    let (sql, outcome) = match prepare_query(context, node, attempts.views, trial.rules, &written) {
        Err(error) => (written, Err(error)),
        Ok(prepared) => run_prepared(&trial, number, written, prepared, parse_other_reading(context, text)).await?,
    };
    let (error, row_count, digest) = match &outcome {
        Ok(candidate) => (None, Some(candidate.page.row_count), Some(candidate.digest.clone())),
        Err(error) => (Some(error.clone()), None, None),
    };
    let repairs: Vec<String> =
        outcome.iter().flat_map(|candidate| &candidate.changes).map(|change| change.note.clone()).collect();
    let tried = match outcome {
        Ok(candidate) => {
            context.remember_candidate(node, &candidate);
            Tried::Ran(Box::new(candidate))
        }
        Err(error) => Tried::Failed { sql: sql.clone(), error },
    };
    context.emit(EventBody::SqlAttempted {
        node: node.to_owned(),
        candidate: number,
        attempt,
        sql,
        repairs,
        error,
        row_count,
        digest,
    });
    Ok(tried)
}

/// Runs a prepared query, repaired if the database rejects it, and applies rules to its result. Both queries of the answer and queries that
/// check it use this function, so that the same rules apply. Returns the text that ran last.
///
/// # Errors
/// Fails if the run is stopped; the inner `Err` is the database's message.
pub async fn run_prepared(
    trial: &Trial<'_>,
    number: u32,
    written: String,
    prepared: Prepared,
    other: Option<OtherReading>,
) -> Result<(String, Result<Candidate, String>), StageError> {
    let &Trial { context, agent, node, rules, .. } = trial;
    let Prepared { mut sql, mut changes } = prepared;
    let mut outcome = execute_candidate(context, agent, node, sql.clone(), number).await?;
    if outcome.is_err()
        && rules.repair
        && let Some(repaired) = repair_refused(context, node, &sql)
    {
        let again = execute_candidate(context, agent, node, repaired.sql.clone(), number).await?;
        if again.is_ok() {
            (sql, outcome) = (repaired.sql, again);
            changes.extend(repaired.changes);
        }
    }
    let mut text = sql.as_str().to_owned();
    if let Ok(candidate) = &mut outcome {
        candidate.written = written;
        candidate.changes = changes;
        look_at(trial, candidate, other).await?;
        candidate.sql.as_str().clone_into(&mut text);
    }
    Ok((text, outcome))
}

/// Returns true if a reply to a correction makes progress: it contains another query than the failed one, or reports that the requested
/// data is missing.
pub fn goes_on(attempts: &AttemptContext<'_>, reply: &str, failed: &str) -> bool {
    let corrected = sql_of(&attempts.context.ask, reply);
    match corrected.is_empty() {
        true => parse_generator_declined(attempts.context, reply).is_some(),
        false => !is_same_query_text(corrected, failed),
    }
}

/// Reads from a generator's reply that data is missing; only models that deliberate are offered this reply.
pub fn parse_generator_declined(context: &RunContext, reply: &str) -> Option<Declined> {
    let offered = context.model(Agent::Generator).profile().deliberates;
    offered.then(|| parse_declined(reply, &context.ask.data.catalog)).flatten()
}

/// Reads from a generator's reply a second meaning of the question; only models that deliberate are offered this reply.
fn parse_other_reading(context: &RunContext, reply: &str) -> Option<OtherReading> {
    let offered = context.model(Agent::Generator).profile().deliberates;
    offered.then(|| other_reading(reply)).flatten()
}

/// Applies rules to a query that ran: findings and variants. If the result is uninformative, an informative variant replaces it, except for
/// a model that deliberates, which is asked again instead.
async fn look_at(trial: &Trial<'_>, candidate: &mut Candidate, other: Option<OtherReading>) -> Result<(), StageError> {
    let &Trial { context, node, contract, rules, .. } = trial;
    let knowledge = context.ask.knowledge.as_deref().unwrap_or_default();
    let input = RuleInput { values: trial.values, ..rule_input(context, &contract.facts, knowledge) };
    record_findings(trial, candidate, &input);
    if rules.fitting || rules.respelling || rules.readings {
        let found_nothing = finds_nothing(&candidate.page);
        let looked_up = match found_nothing && rules.respelling {
            true => Some(look_up(context, node, &candidate.sql).await),
            false => None,
        };
        let looked = looked_up.as_ref();
        let beside = Beside { input: &input, rules, known: &trial.views.values, looked_up: looked, other };
        variants::try_beside(trial, candidate, &beside).await?;
        let says_nothing = found_nothing || candidate.says_nothing();
        if says_nothing && !contract.deliberates && variants::take_what_says_more(candidate, &input) {
            record_findings(trial, candidate, &input);
            return Ok(());
        }
        if let Some(looked_up) = looked_up
            && candidate.warning.is_none()
            && !contract.deliberates
        {
            let missing = looked_up.describe_missing();
            candidate.warning = (!missing.is_empty()).then(|| format!("it finds nothing: {}", missing.join("; ")));
        }
    }
    Ok(())
}

/// Records the findings of rules about a candidate's query, if findings are enabled.
fn record_findings(trial: &Trial<'_>, candidate: &mut Candidate, input: &RuleInput<'_>) {
    if !trial.rules.findings {
        return;
    }
    candidate.findings = vitrine_sql_rules::collect_findings(&candidate.sql, input);
    // A model that deliberates is right more often than a finding: the finding is shown to the user but not returned to the model. Prompts
    // are in English, whatever the language of the window.
    let told = || in_english(|| vitrine_sql_rules::collect_findings(&candidate.sql, input)).into_iter().next();
    let is_told = !candidate.findings.is_empty() && !trial.contract.deliberates;
    candidate.warning = is_told.then(told).flatten().map(|finding| finding.note);
}

/// Returns the error of a method without any result.
pub fn nothing_ran(message: impl Into<String>) -> AppError {
    AppError::new(ErrorCode::Query, message)
        .with_hint(tr!("Rephrase the question, use the names of the tables, or choose a larger model"))
}
