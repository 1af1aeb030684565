//! Runs as a program outside may read them: what was asked, how it was answered, and the rows.

use super::{Opened, Outside, OutsideRows};
use crate::abridged::{errors_of, without_errors};
use crate::runs::check_run_id;
use crate::types::RunSummary;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Certainty, ErrorCode, EventBody, RunEvent, RunReport, RunStatus, Usage};

/// Headers of runs that are read at once.
const AT_ONCE: u32 = 200;

/// A run as far as it may be told.
pub struct OutsideAnswer {
    /// The run.
    pub run_id: String,
    /// As asked.
    pub question: String,
    /// How it stands.
    pub status: RunStatus,
    /// The answer's query. Of a run in which a model was told more than may leave, without its literals.
    pub sql: Option<String>,
    /// The answer's rows.
    pub rows: Option<OutsideRows>,
    /// Whether these are only the best so far.
    pub best_so_far: bool,
    /// How sure the answer is.
    pub certainty: Option<Certainty>,
    /// What the user should know, and what rules changed or found worth a look.
    pub notes: Vec<String>,
    /// The nodes of the run's graph, in the order in which they began.
    pub stages: Vec<OutsideStage>,
    /// What it cost.
    pub usage: Usage,
    /// Why there is no answer.
    pub error: Option<AppError>,
}

/// A node of a run's graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsideStage {
    /// Its name within the run.
    pub node: String,
    /// What it does, for people.
    pub title: String,
    /// Nodes whose outputs it read.
    pub inputs: Vec<String>,
    /// What came of it, in one line; `None` where it did not end.
    pub summary: Option<String>,
}

impl Outside {
    /// Runs on this warehouse whose question holds every word of `search`, the latest first.
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

    /// A run on this warehouse.
    ///
    /// # Errors
    /// When there is no such run, or it is about other data: the two are not told apart.
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
        // No model of it knew more than may leave now.
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
                // Rows that code gave come from no query.
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
            // What is said in it of the data comes from models and the database.
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
