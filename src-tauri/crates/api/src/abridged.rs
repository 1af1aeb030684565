//! Run logs without rows: they keep only the events from which an answer is computed and that name the nodes of the graph.

use std::collections::BTreeSet;
use vitrine_agents::run::egress::without_values_of;
use vitrine_domain::{AppError, EventBody, Page, RunEvent};

/// Returns the event if an answer is computed from it or if it names a node of the graph; the answer's rows are replaced by `page`. Returns
/// `None` for all other events, because their prompts, replies and rows may contain data that was sent to a model.
pub(crate) fn answer_alone(event: &RunEvent, page: &Page, line: &dyn Fn(&str) -> String) -> Option<RunEvent> {
    let body = match event.body.clone() {
        EventBody::RunStarted { question, warehouse, dialect, settings, models, egress, started_at, .. } => {
            EventBody::RunStarted {
                question,
                knowledge: None,
                warehouse,
                dialect,
                settings,
                models,
                egress,
                follows: None,
                steered: None,
                guided_by: Vec::new(),
                started_at,
            }
        }
        EventBody::RunFinished { error, usage, usage_by_agent } => {
            let error = error.map(|error| AppError::new(error.code, line(&error.message)));
            EventBody::RunFinished { error, usage, usage_by_agent }
        }
        EventBody::StageStarted { node, kind, title, inputs } => {
            let inputs = inputs.iter().map(|input| line(input).into()).collect();
            EventBody::StageStarted { node: line(&node).into(), kind, title: line(&title), inputs }
        }
        EventBody::StageFinished { node, summary } => {
            EventBody::StageFinished { node: line(&node).into(), summary: line(&summary) }
        }
        EventBody::ResultReady { node, sql, code, .. } => EventBody::ResultReady {
            node,
            sql,
            code,
            page: page.clone(),
            headline: None,
            written: None,
            changes: Vec::new(),
            variants: Vec::new(),
            findings: Vec::new(),
        },
        _ => return None,
    };
    Some(RunEvent { body, ..event.clone() })
}

/// Returns the texts of database errors in a log, unchanged.
pub(crate) fn errors_of(events: &[RunEvent]) -> Vec<String> {
    let error = |event: &RunEvent| match &event.body {
        EventBody::QueryExecuted { error, .. } => error.clone(),
        EventBody::RunFinished { error, .. } => error.as_ref().and_then(|error| error.detail.clone()),
        _ => None,
    };
    events.iter().filter_map(error).filter(|error| !error.trim().is_empty()).collect()
}

/// Cuts a text before the first place where it repeats one of these errors; an error may be repeated only in part.
pub(crate) fn without_errors(text: &str, errors: &[String]) -> String {
    /// Number of leading characters by which an error is recognized.
    const BEGINNING: usize = 16;
    let place = |error: &String| {
        let beginning: String = error.trim_start().chars().take(BEGINNING).collect();
        text.find(beginning.trim_end())
    };
    match errors.iter().filter_map(place).min() {
        Some(at) => format!("{}[an error of the database]", &text[..at]),
        None => text.to_owned(),
    }
}

/// Returns a log without rows and without anything that may repeat their values: prompts, replies, views and database messages. The
/// question and the query are unchanged.
pub(crate) fn without_results(events: &[RunEvent]) -> Vec<RunEvent> {
    let known: String =
        events.iter().map(|event| told_anyway(&event.body)).collect::<Vec<_>>().join("\n").to_lowercase();
    let words: BTreeSet<&str> = known.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let line = |text: &str| without_values_of(text, |part| words.contains(part.to_lowercase().as_str()));
    let kept = events.iter().filter_map(|event| {
        let page = match &event.body {
            EventBody::ResultReady { page, .. } => Page { rows: Vec::new(), ..page.clone() },
            _ => Page::default(),
        };
        let mut kept = answer_alone(event, &page, &line)?;
        // Node names come from the program or from views and identify the nodes; the summary of a stage may repeat values.
        match (&event.body, &mut kept.body) {
            (EventBody::StageStarted { .. }, body) => body.clone_from(&event.body),
            (EventBody::StageFinished { node: own, .. }, EventBody::StageFinished { node, summary }) => {
                node.clone_from(own);
                summary.clear();
            }
            _ => {}
        }
        Some(kept)
    });
    (1..).zip(kept).map(|(seq, event)| RunEvent { seq, ..event }).collect()
}

/// Returns the texts of an event that the log keeps unchanged.
fn told_anyway(body: &EventBody) -> String {
    match body {
        EventBody::RunStarted { question, .. } => question.clone(),
        EventBody::ResultReady { sql, .. } => sql.clone(),
        _ => String::new(),
    }
}
