//! The last node: the chosen SQL and its rows.

use crate::attempt::prepare::without_question;
use crate::attempt::views::Fetched;
use crate::candidate::{Candidate, is_void};
use crate::run::context::RunContext;
use crate::run::nodes;
use crate::run::sandbox::Analysis;
use vitrine_domain::{Agent, EventBody, StageKind};
use vitrine_sql_rules::values::described_conditions;
use vitrine_words::{plural, tr};

/// Returns the answer. The rows are those the candidate already read. A ranking is also queried beyond its limit: a tie
/// for its last place is not an error of the query, but the user has to know.
pub async fn answer(context: &RunContext, candidate: Candidate, input: &str) {
    context.begin(nodes::RESULT, StageKind::Result, tr!("Answer"), &[input]);
    if is_void(&candidate.page) {
        context.warn(Some(nodes::RESULT), tr!("The query gave no value: check its conditions before relying on it"));
    }
    if let Some(note) = shared_last_place(context, &candidate).await {
        context.warn(Some(nodes::RESULT), note);
    }
    let left_aside = vitrine_sql_rules::left_aside(&candidate.sql, &without_question(context));
    let sql = vitrine_sql::format(candidate.sql.as_str(), context.ask.catalog.dialect);
    let rows = plural!(candidate.page.row_count, "{n} row", "{n} rows");
    let written =
        (!candidate.changes.is_empty()).then(|| vitrine_sql::format(&candidate.written, context.ask.catalog.dialect));
    let mut variants = candidate.told_variants();
    for variant in variants.iter_mut().filter(|variant| vitrine_sql_rules::reads_description(&variant.rule)) {
        variant.always = described_conditions(&candidate.sql, &without_question(context));
    }
    let Candidate { page, changes, findings, .. } = candidate;
    let headline = vitrine_explain::headline(Some(&candidate.sql), &page, &context.ask.catalog);
    // Reformatting changes the names of unnamed columns in some engines: the text that is shown is the one explained.
    if let Ok(query) = context.ask.prove(&sql) {
        context.note(|told| told.answer = Some((query, page.clone())));
    }
    context.emit(EventBody::ResultReady {
        node: nodes::RESULT.to_owned(),
        sql,
        code: None,
        page,
        headline: Some(headline),
        written,
        changes,
        variants,
        findings,
    });
    tell_left_aside(context, left_aside);
    context.finish(nodes::RESULT, rows);
}

/// After the answer: what the user wants always is no doubt about the query.
fn tell_left_aside(context: &RunContext, notes: Vec<String>) {
    notes.into_iter().for_each(|note| context.warn(Some(nodes::RESULT), note));
}

/// Returns the table of an analysis, with its code and the queries of the views that the code reads.
pub fn of_analysis(context: &RunContext, analysis: Analysis, views: &[Fetched]) {
    context.begin(nodes::RESULT, StageKind::Result, tr!("Answer"), &[nodes::ANALYSIS]);
    if is_void(&analysis.page) {
        context.warn(Some(nodes::RESULT), tr!("The analysis gave no value: check it before relying on it"));
    }
    for view in views.iter().filter(|view| analysis.code.contains(&view.name)) {
        if view.page.truncated {
            let message = plural!(
                view.page.row_count,
                "{view} was cut off at {n} row: what the analysis counts or adds up over it lacks the rest",
                "{view} was cut off at {n} rows: what the analysis counts or adds up over it lacks the rest",
                view = view.name
            );
            context.warn(Some(nodes::RESULT), message);
        }
    }
    let dialect = context.ask.catalog.dialect;
    let view = |view: &Fetched| format!("-- {}\n{}", view.name, vitrine_sql::format(view.sql.as_str(), dialect));
    let sql = views.iter().map(view).collect::<Vec<_>>().join(";\n\n");
    let rows = plural!(analysis.page.row_count, "{n} row", "{n} rows");
    let (code, page) = (Some(analysis.code), analysis.page);
    let headline = vitrine_explain::headline(None, &page, &context.ask.catalog);
    let (mut changes, mut left_aside) = (Vec::new(), Vec::new());
    for view in views {
        let notes = vitrine_sql_rules::left_aside(&view.sql, &without_question(context));
        take_new(&mut changes, view.changes.iter().cloned());
        take_new(&mut left_aside, notes);
    }
    context.emit(EventBody::ResultReady {
        node: nodes::RESULT.to_owned(),
        sql,
        code,
        page,
        headline: Some(headline),
        written: None,
        changes,
        variants: Vec::new(),
        findings: Vec::new(),
    });
    tell_left_aside(context, left_aside);
    context.finish(nodes::RESULT, rows);
}

fn take_new<T: PartialEq>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// Reports how many rows that are not shown tie with the last one that is.
async fn shared_last_place(context: &RunContext, candidate: &Candidate) -> Option<String> {
    let beyond = vitrine_sql_rules::beyond_limit(&candidate.sql).filter(|b| b.limit == candidate.page.row_count)?;
    if context.ask.approver.is_some() {
        // The user would be asked about it, and it does not change the answer.
        return None;
    }
    // A failure of this query does not affect the answer.
    let page = context.query(Agent::Generator, nodes::RESULT, &beyond.sql, beyond.rows).await.ok()?;
    let keys = |row: &[Option<String>]| row[row.len() - beyond.keys..].to_vec();
    let (shown, left) = page.rows.split_at_checked(beyond.limit as usize)?;
    let last = keys(shown.last()?);
    let tied = left.iter().take_while(|row| keys(row) == last).count();
    let more = plural!(tied, "{n} more row", "{n} more rows");
    let more = if tied == left.len() && page.row_count == beyond.rows { tr!("at least {more}", more) } else { more };
    (tied > 0).then(|| match beyond.limit {
        1 => tr!("The first place is shared: {more} with the same value left out", more),
        place => tr!("Place {place} is shared: {more} with the same value left out", place, more),
    })
}
