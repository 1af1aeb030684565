//! Answers a question by metrics if they cover it: every word of the question names a metric, a dimension, a stored value, a time or an
//! order. No model is called. Otherwise, and if the metrics' query cannot be used, the method continues.

use crate::attempt::execute::execute_candidate;
use crate::attempt::prepare::{Prepared, RuleUse, prepare_query, without_question};
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use vitrine_domain::{Agent, EventBody, StageKind, Switch};
use vitrine_metric_questions::{
    AskedQuestion, Coverage, CoveredQuestion, NameCheck, StoredValue, cover_question, list_definitions,
    list_name_checks, list_phrases,
};
use vitrine_metrics::{CompiledQuery, MetricQuery, MetricsFile, compile_query};
use vitrine_sql_rules::apply_standing_rules;
use vitrine_values::{SearchOptions, SearchTerm};
use vitrine_words::{join_with_and, tr};

/// Number of the only candidate.
const CANDIDATE: u32 = 1;
/// Maximum number of columns in which a phrase is looked up; more than a phrase without ambiguity can have.
const MOST_PLACES: usize = 64;
/// Minimum similarity of values that are compared exactly afterwards.
const NEARLY_EQUAL: f64 = 0.9;

/// Outcome of the test if metrics cover the question.
pub enum ByMetric {
    /// The query ran; its result is to be delivered as the answer.
    Covered(Box<Candidate>),
    /// Another method answers the question. It contains the definitions of the metrics that the question mentions, one line each.
    Mentioned(Vec<String>),
}

/// Runs the query of metrics that cover the question, unless it cannot be used.
///
/// # Errors
/// Fails if the run is stopped.
pub async fn try_metrics(context: &RunContext) -> Result<ByMetric, StageError> {
    let ask = &context.ask;
    // A run that continues an earlier one has changes that the metrics do not know.
    if !ask.options.settings.is_enabled(Switch::Metrics) || ask.history.earlier.is_some() {
        return Ok(ByMetric::Mentioned(Vec::new()));
    }
    if let Some(problem) = &ask.data.metrics_problem {
        context.warn_aside(None, tr!("The metrics of this connection cannot be used: {problem}", problem));
    }
    let Some(file) = ask.data.metrics.clone().filter(|file| !file.metrics.is_empty()) else {
        return Ok(ByMetric::Mentioned(Vec::new()));
    };
    let node = nodes::METRICS;
    context.begin_stage(node, StageKind::Choice, tr!("Look for metrics"), &[nodes::SCHEMA]);
    let values = find_stored_values(context).await;
    let asked = AskedQuestion {
        text: ask.question.trim(),
        file: &file,
        catalog: &ask.data.catalog,
        values: &values,
        today: ask.options.today.as_deref().unwrap_or_default(),
    };
    let covered = match cover_question(&asked) {
        Coverage::Complete(covered) => *covered,
        Coverage::Ambiguous { text, meanings, metrics } => {
            let meanings = join_with_and(&meanings);
            context.finish_stage(node, tr!("Not by metrics: “{text}” may mean {meanings}", text, meanings));
            return Ok(ByMetric::Mentioned(list_definitions(&file, &metrics)));
        }
        Coverage::Incomplete { unused, metrics } => {
            let parts: Vec<String> = unused.iter().map(|part| format!("“{part}”")).collect();
            context.finish_stage(
                node,
                match parts.is_empty() {
                    true => tr!("Not by metrics"),
                    false => tr!("Not by metrics: they do not cover {parts}", parts = join_with_and(&parts)),
                },
            );
            return Ok(ByMetric::Mentioned(list_definitions(&file, &metrics)));
        }
    };
    match run_covered(context, &file, &covered).await? {
        Ok(candidate) => {
            record_covered(context, &candidate, covered);
            Ok(ByMetric::Covered(Box::new(candidate)))
        }
        Err(problem) => {
            context.warn_aside(Some(node), tr!("Metrics cover the question, but were not used: {problem}", problem));
            context.finish_stage(node, tr!("Not by metrics"));
            Ok(ByMetric::Mentioned(list_definitions(&file, &covered.query.metrics)))
        }
    }
}

/// Finds the stored values that are equal to phrases of the question. Finds none while the index is incomplete, because the same value may
/// be in a column that was not read yet.
async fn find_stored_values(context: &RunContext) -> Vec<StoredValue> {
    let (Some(index), true) = (context.stored.values.clone(), context.ask.options.settings.is_enabled(Switch::Values))
    else {
        return Vec::new();
    };
    let fingerprint = context.whole_catalog.fingerprint.clone();
    let terms: Vec<SearchTerm> = list_phrases(context.ask.question.trim()).into_iter().map(SearchTerm::new).collect();
    let options = SearchOptions { edit_threshold: NEARLY_EQUAL, limit: MOST_PLACES, ..SearchOptions::default() };
    let search = move || match index.is_built(&fingerprint) {
        Ok(true) => index.search(&terms, options, None),
        Ok(false) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let found = match tokio::task::spawn_blocking(search).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            tracing::debug!(%error, "no values for metrics");
            Vec::new()
        }
        Err(error) => {
            tracing::debug!(%error, "the search for metrics stopped");
            Vec::new()
        }
    };
    let value = |found: vitrine_domain::ValueMatch| StoredValue {
        table: found.table,
        column: found.column,
        value: found.value,
    };
    let mut values: Vec<StoredValue> = Vec::new();
    for one in found.into_iter().map(value) {
        if !values.contains(&one) {
            values.push(one);
        }
    }
    values
}

/// Compiles and runs the query of a covered question. The inner error is the reason why it cannot be used.
async fn run_covered(
    context: &RunContext,
    file: &MetricsFile,
    covered: &CoveredQuestion,
) -> Result<Result<Candidate, String>, StageError> {
    let node = nodes::METRICS;
    let CompiledQuery { sql, key_checks } = match compile_query(file, &context.ask.data.catalog, &with_titles(covered))
    {
        Ok(compiled) => compiled,
        Err(error) => return Ok(Err(error.message)),
    };
    // A condition for every answer would change what the owner of the metric has defined.
    if apply_standing_rules(&sql, &without_question(context)).is_some() {
        return Ok(Err(tr!("a condition defined for every answer would change them")));
    }
    for check in key_checks {
        match context.try_query_composed(Agent::Generator, node, &check.sql, 1).await? {
            Ok(page) if page.rows.is_empty() => {}
            Ok(_) => {
                let (table, key) = (check.table, check.key);
                return Ok(Err(tr!("table {table} has several rows with the same {key}", table, key)));
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    for check in list_name_checks(file, &context.ask.data.catalog, &covered.query) {
        match are_repeated(context, &check).await? {
            Ok(false) => {}
            Ok(true) => {
                let (table, key) = (check.table.to_string(), check.column);
                return Ok(Err(tr!("table {table} has several rows with the same {key}", table, key)));
            }
            Err(error) => return Ok(Err(error)),
        }
    }
    let prepared = prepare_query(context, node, &Views::default(), RuleUse::AS_WRITTEN, sql.as_str());
    let Prepared { sql, .. } = match prepared {
        Ok(prepared) => prepared,
        Err(problem) => return Ok(Err(problem)),
    };
    let ran = execute_candidate(context, Agent::Generator, node, sql, CANDIDATE).await?;
    if ran.is_ok()
        && let Err(error) = warn_of_ties(context, file, covered).await?
    {
        return Ok(Err(error));
    }
    Ok(ran)
}

/// Returns true if several things have the same name, so that a group by their names would add them. The profile may be older than the
/// data, so that it proves only that names repeat.
async fn are_repeated(context: &RunContext, check: &NameCheck) -> Result<Result<bool, String>, StageError> {
    let profile = context.stored.profile.find_table(&check.table);
    let profiled = profile.and_then(|table| table.find_column(&check.column));
    if profiled.is_some_and(|column| column.top.iter().any(|(_, count)| *count > 1)) {
        return Ok(Ok(true));
    }
    let page = context.try_query_composed(Agent::Generator, nodes::METRICS, &check.sql, 1).await?;
    Ok(page.map(|page| !page.rows.is_empty()))
}

/// Warns if groups that a limit leaves out have the same value as the last one shown. The inner error is the reason why this is unknown.
async fn warn_of_ties(
    context: &RunContext,
    file: &MetricsFile,
    covered: &CoveredQuestion,
) -> Result<Result<(), String>, StageError> {
    let Some(limit) = covered.query.limit else { return Ok(Ok(())) };
    let longer = MetricQuery { limit: Some(limit.saturating_add(1)), ..covered.query.clone() };
    let sql = match compile_query(file, &context.ask.data.catalog, &longer) {
        Ok(compiled) => compiled.sql,
        Err(error) => return Ok(Err(error.message)),
    };
    let rows = u64::from(limit).saturating_add(1);
    let page = match context.try_query_composed(Agent::Generator, nodes::METRICS, &sql, rows).await? {
        Ok(page) => page,
        Err(error) => return Ok(Err(error)),
    };
    let last = usize::try_from(limit).unwrap_or(usize::MAX);
    // The metric that orders the groups is the last column.
    let value = |row: usize| page.rows.get(row).and_then(|row| row.last());
    if let (Some(shown), Some(left_out)) = (last.checked_sub(1).and_then(value), value(last))
        && shown == left_out
    {
        let metric = covered.answer.metrics.first().map_or_else(String::new, |metric| metric.label.clone());
        context.warn(Some(nodes::METRICS), tr!("Other groups have the same {metric} as the last one shown", metric));
    }
    Ok(Ok(()))
}

/// Returns the query with the labels of its metrics and dimensions as titles of the columns.
fn with_titles(covered: &CoveredQuestion) -> MetricQuery {
    let CoveredQuestion { query, answer } = covered;
    let groups = query.by.iter().cloned().zip(answer.by.iter().cloned());
    let metrics = answer.metrics.iter().map(|metric| (metric.name.clone(), metric.label.clone()));
    MetricQuery { titles: groups.chain(metrics).collect(), ..query.clone() }
}

/// Records that the result of a covered question becomes the answer.
fn record_covered(context: &RunContext, candidate: &Candidate, covered: CoveredQuestion) {
    let node = nodes::METRICS;
    let title = covered.answer.title();
    context.emit(EventBody::SqlAttempted {
        node: node.to_owned(),
        candidate: candidate.number,
        attempt: 0,
        sql: candidate.sql.as_str().to_owned(),
        repairs: Vec::new(),
        error: None,
        row_count: Some(candidate.page.row_count),
        digest: Some(candidate.digest.clone()),
    });
    context.remember_candidate(node, candidate);
    context.emit(EventBody::MetricsApplied { node: node.to_owned(), answer: Box::new(covered.answer) });
    context.emit(EventBody::CandidateChosen {
        node: node.to_owned(),
        candidate: candidate.number,
        votes: 1,
        of: 1,
        sql: candidate.sql.as_str().to_owned(),
        reason: title.clone(),
        others: Vec::new(),
    });
    context.record_material(|told| told.is_covered = true);
    context.finish_stage(node, title);
}
