//! Runs as an external program may read them: question, answer and rows.

use super::{Opened, Outside, OutsideRows};
use crate::abridged::{errors_of, without_errors};
use crate::runs::check_run_id;
use crate::types::RunSummary;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Certainty, ErrorCode, EventBody, RunEvent, RunReport, RunStatus, Usage};

/// Number of run headers that are read at a time.
const AT_ONCE: u32 = 200;

/// A run without the data that the program may not read.
pub struct OutsideAnswer {
    /// Id by which the run is read again.
    pub run_id: String,
    /// The question as the user or program wrote it.
    pub question: String,
    /// Status of the run when it was read.
    pub status: RunStatus,
    /// Query of the answer. Its literals are removed if a model of the run received more than the program may read.
    pub sql: Option<String>,
    /// Rows of the answer; `None` without an answer.
    pub rows: Option<OutsideRows>,
    /// True if the answer is only the best one before a limit or a stop.
    pub best_so_far: bool,
    /// Certainty of the answer; `None` without an answer.
    pub certainty: Option<Certainty>,
    /// Notes for the user, and changes and findings of rules.
    pub notes: Vec<String>,
    /// Nodes of the run's graph, in the order in which they started.
    pub stages: Vec<OutsideStage>,
    /// Total cost of the run so far.
    pub usage: Usage,
    /// Error of the run, if it has no answer.
    pub error: Option<AppError>,
}

/// A node of a run's graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideStage {
    /// Name of the node, unique within the run.
    pub node: String,
    /// Description of the node's task for users.
    pub title: String,
    /// Nodes whose outputs it read.
    pub inputs: Vec<String>,
    /// Outcome in one line; `None` if the node did not end.
    pub summary: Option<String>,
}

impl Outside {
    /// Returns the runs on this warehouse whose question contains every word of `search`, the latest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub async fn list_runs(&self, search: &str, limit: u32, offset: u32) -> Result<Vec<RunSummary>, AppError> {
        let address = self.app.resolve_address(&self.uri).await?.to_string();
        let (mut found, mut at) = (Vec::new(), 0);
        loop {
            let runs = self.app.runs(search.to_owned(), AT_ONCE, at).await?;
            let read = runs.len() as u32;
            found.extend(runs.into_iter().filter(|run| run.warehouse == address));
            at += read;
            if read < AT_ONCE || found.len() >= (offset + limit) as usize {
                break;
            }
        }
        Ok(found.into_iter().skip(offset as usize).take(limit as usize).collect())
    }

    /// Returns a run on this warehouse.
    ///
    /// # Errors
    /// When the run does not exist, or is on another warehouse; the error is the same in both cases.
    pub async fn find_run(&self, run_id: &str, cancel: &CancellationToken) -> Result<OutsideAnswer, AppError> {
        check_run_id(run_id)?;
        let missing = || {
            AppError::new(ErrorCode::NotFound, format!("There is no run {run_id} on this warehouse"))
                .with_hint("List the runs first")
        };
        let events = self.app.run_events(run_id.to_owned(), 0).await.map_err(|error| match error.code {
            ErrorCode::NotFound => missing(),
            _ => error,
        })?;
        let report = RunReport::from_events(&events);
        if report.warehouse != self.app.resolve_address(&self.uri).await?.to_string() {
            return Err(missing());
        }
        let opened = self.open_prepared(cancel).await?;
        Ok(self.build_answer(&opened, report, &events).await)
    }

    async fn build_answer(&self, opened: &Opened, report: RunReport, events: &[RunEvent]) -> OutsideAnswer {
        let question = report.question.clone();
        // No model of the run received more than the program may read now.
        let told_no_more = events.iter().any(
            |event| matches!(&event.body, EventBody::RunStarted { egress: Some(policy), .. } if *policy == opened.policy),
        );
        let errors = if opened.egress.leaves_out() { errors_of(events) } else { Vec::new() };
        let told = |text: &str, known: &str| {
            if told_no_more { text.to_owned() } else { opened.egress.redact_text(without_errors(text, &errors), known) }
        };
        let sql = report.sql.as_deref().map(|sql| told(sql, &question));
        let known = format!("{question}\n{}", sql.as_deref().unwrap_or_default());
        let line = |text: &str| told(text, &known);
        let rows = match (&report.page, &report.sql) {
            (Some(page), Some(text)) => {
                // Rows that code returned have no query.
                let proven = match report.code {
                    Some(_) => None,
                    None => self.app.prove_read_only(&opened.open, text.clone()).await.ok(),
                };
                let run = Some((question.clone(), report.run_id.clone()));
                let shown = sql.as_deref().unwrap_or_default();
                Some(self.redact_page(opened, page.clone(), proven.as_ref(), shown, run))
            }
            _ => None,
        };
        let rules = report.changes.iter().chain(&report.findings).map(|note| note.note.as_str());
        let notes = report.warnings.iter().map(String::as_str).chain(rules).map(line).collect();
        let certainty = report.certainty.clone().map(|mut certainty| {
            certainty.reasons.iter_mut().for_each(|reason| reason.text = line(&reason.text));
            certainty
        });
        OutsideAnswer {
            status: report.status(),
            best_so_far: report.best_so_far,
            usage: report.total_usage(),
            // Details of the error about the data come from models and the database.
            error: report.finished.clone().flatten().map(|error| AppError {
                message: told(&error.message, &known),
                hint: error.hint.as_deref().map(|hint| told(hint, &known)),
                detail: error.detail.map(|detail| opened.egress.redact_error(&detail, &known)),
                code: error.code,
            }),
            run_id: report.run_id,
            question,
            sql,
            rows,
            certainty,
            notes,
            stages: collect_stages(events, line),
        }
    }
}

fn collect_stages(events: &[RunEvent], line: impl Fn(&str) -> String) -> Vec<OutsideStage> {
    let mut stages: Vec<OutsideStage> = Vec::new();
    for event in events {
        match &event.body {
            EventBody::StageStarted { node, title, inputs, .. } => stages.push(OutsideStage {
                node: line(node),
                title: line(title),
                inputs: inputs.iter().map(|input| line(input)).collect(),
                summary: None,
            }),
            EventBody::StageFinished { node, summary } => {
                let node = line(node);
                if let Some(stage) = stages.iter_mut().rev().find(|stage| stage.node == node) {
                    stage.summary = Some(line(summary));
                }
            }
            _ => {}
        }
    }
    stages
}
