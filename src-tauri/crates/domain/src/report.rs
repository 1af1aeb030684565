//! The report of a run: a pure fold over its events. `vitrine ask --json` prints it, and evaluation reads it.

use crate::metric_answer::MetricAnswer;
use crate::{
    Agent, AppError, Certainty, Dialect, ErrorCode, EventBody, ExplainedStep, Explanation, Headline, MethodName,
    ModelId, Page, PhaseTimes, QueryVariant, Reading, RewrittenQuestion, RuleNote, RunEvent, SchemaSelection, Usage,
    ViewAttempt, ViewStatus,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RunStatus {
    /// The run has not finished, or its log is incomplete.
    Running,
    /// The run finished with an answer.
    Answered,
    /// The run finished without an answer.
    Failed,
    /// The user stopped the run.
    Cancelled,
}

impl RunStatus {
    /// Returns the name in JSON and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            RunStatus::Running => "running",
            RunStatus::Answered => "answered",
            RunStatus::Failed => "failed",
            RunStatus::Cancelled => "cancelled",
        }
    }
}

/// A view with all its attempts.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewReport {
    /// The 1-based number of the chunk.
    pub chunk: u32,
    /// The last attempt that contains the view, or the kept one.
    pub last: ViewAttempt,
    /// Number of attempts that contain a view with this name.
    pub attempts: u32,
    /// True if the view was passed on to the generator.
    pub kept: bool,
}

/// The state of a run, computed from its events.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunReport {
    /// The id of the run.
    pub run_id: String,
    /// The question as the user asked it.
    pub question: String,
    /// The method; `None` before the first event.
    pub strategy: Option<MethodName>,
    /// The model of each agent.
    pub models: BTreeMap<Agent, ModelId>,
    /// The SQL dialect; `None` before the first event.
    pub dialect: Option<Dialect>,
    /// The address of the warehouse.
    pub warehouse: String,
    /// The start time; RFC 3339, UTC.
    pub started_at: String,
    /// The outcome: `None` while running or if the log is incomplete, `Some(None)` with an answer, otherwise the error.
    pub finished: Option<Option<AppError>>,
    /// The question in explicit form.
    pub rewritten: Option<RewrittenQuestion>,
    /// The selected tables and columns.
    pub selection: SchemaSelection,
    /// Views in order of first appearance.
    pub views: Vec<ViewReport>,
    /// The plan of the final query.
    pub plan: Option<String>,
    /// The final SQL, or the SQL of the best result so far.
    pub sql: Option<String>,
    /// The analysis code that computed the answer, unless the SQL alone did.
    pub code: Option<String>,
    /// True if the SQL and its rows are only the best result so far: the run is still searching, or was stopped.
    pub best_so_far: bool,
    /// True if the revisor's edit became the answer.
    pub revised: bool,
    /// The first rows of the answer.
    pub page: Option<Page>,
    /// The headline of the answer.
    pub headline: Option<Headline>,
    /// Total usage: from the last event if finished, otherwise the sum over the events so far.
    pub usage: Usage,
    /// Times by phase.
    pub phases: PhaseTimes,
    /// Total usage of each agent.
    pub usage_by_agent: BTreeMap<Agent, Usage>,
    /// The final query as the model wrote it, if rules changed it.
    pub written: Option<String>,
    /// Changes of rules to the final query.
    pub changes: Vec<RuleNote>,
    /// Variants by rules that were not applied.
    pub variants: Vec<QueryVariant>,
    /// Findings of rules about the final query.
    pub findings: Vec<RuleNote>,
    /// The explanation of the answer, computed from its query.
    pub explanation: Option<Explanation>,
    /// The certainty of the answer, once estimated.
    pub certainty: Option<Certainty>,
    /// The interpretation that was used, if the question has several.
    pub reading: Option<ChosenReading>,
    /// The metrics whose query is the answer, if metrics cover the question.
    pub metrics: Option<MetricAnswer>,
    /// Warnings about the run, for users.
    pub warnings: Vec<String>,
    /// The interpretations that were offered last.
    pub readings: Vec<Reading>,
}

/// The interpretation of an ambiguous question that a run used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenReading {
    /// The meaning in plain words.
    pub meaning: String,
    /// The time of the choice, if the user made it before this run: RFC 3339, UTC.
    pub chosen_at: Option<String>,
}

impl RunReport {
    /// Folds the events of one run, in order.
    pub fn from_events<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> Self {
        let mut report = Self::default();
        for event in events {
            report.apply_event(event);
        }
        report
    }

    /// Returns the status of the run.
    pub fn status(&self) -> RunStatus {
        match &self.finished {
            None => RunStatus::Running,
            Some(None) => RunStatus::Answered,
            Some(Some(error)) if error.code == ErrorCode::Cancelled => RunStatus::Cancelled,
            Some(Some(_)) => RunStatus::Failed,
        }
    }

    /// Returns the total usage, including work after the answer.
    pub fn total_usage(&self) -> Usage {
        let mut paid = Usage::default();
        self.usage_by_agent.values().for_each(|usage| paid += *usage);
        paid
    }

    /// Updates the report with the next event.
    pub fn apply_event(&mut self, event: &RunEvent) {
        self.run_id.clone_from(&event.run_id);
        self.phases.apply_event(event);
        match &event.body {
            EventBody::RunStarted { question, warehouse, dialect, settings, models, started_at, .. } => {
                self.question.clone_from(question);
                self.warehouse.clone_from(warehouse);
                self.dialect = Some(*dialect);
                self.strategy = Some(settings.strategy.clone());
                self.models.clone_from(models);
                self.started_at.clone_from(started_at);
            }
            EventBody::Rewritten { rewritten, .. } => self.rewritten = Some(rewritten.clone()),
            EventBody::ViewsAttempted { chunk, views, .. } => self.apply_views(*chunk, views),
            EventBody::ViewFetched { name, rationale, sql, error, page, .. } => {
                let empty = page.as_ref().is_some_and(|page| page.row_count == 0);
                let view = ViewAttempt {
                    name: name.clone(),
                    sql: sql.clone(),
                    rationale: rationale.clone(),
                    depends_on: Vec::new(),
                    status: match error {
                        Some(_) => ViewStatus::Error,
                        None if empty => ViewStatus::Empty,
                        None => ViewStatus::Valid,
                    },
                    repairs: Vec::new(),
                    error: error.clone(),
                    page: page.clone(),
                    distinct: Vec::new(),
                };
                // Fetched views belong to the whole schema instead of a chunk, and valid ones are passed on.
                self.apply_views(1, &[view]);
                let fetched = |view: &&mut ViewReport| view.last.name == *name;
                self.views.iter_mut().filter(fetched).for_each(|view| view.kept = view.last.error.is_none());
            }
            EventBody::ChunkFinished { chunk, kept_views, .. } => {
                for view in self.views.iter_mut().filter(|v| v.chunk == *chunk) {
                    view.kept = kept_views.contains(&view.last.name);
                }
            }
            EventBody::Aggregated { selection, .. } => self.selection.clone_from(selection),
            EventBody::SchemaLinked { kept, .. } => self.selection.clone_from(kept),
            EventBody::Planned { plan, .. } => self.plan = Some(plan.clone()),
            EventBody::CandidateChosen { sql, .. } => self.sql = Some(sql.clone()),
            EventBody::Revised { before, after, kept, .. } => self.revised = *kept && before != after,
            EventBody::ModelCallFinished { agent, usage, .. } => self.add_usage(*agent, *usage),
            EventBody::QueryExecuted { agent, ms, .. } => {
                self.add_usage(*agent, Usage { db_calls: 1, wall_ms: u64::from(*ms), ..Usage::default() });
            }
            EventBody::Warning { message, passing: false, .. } => self.warnings.push(message.clone()),
            EventBody::ReadingsOffered { readings, .. } => self.readings.clone_from(readings),
            EventBody::ReadingChosen { candidate, remembered, .. } => {
                let chosen = self.readings.iter().find(|reading| Some(reading.candidate) == *candidate);
                self.reading = chosen.map(|reading| ChosenReading {
                    meaning: reading.meaning.clone(),
                    chosen_at: remembered.as_ref().map(|choice| choice.chosen_at.clone()),
                });
            }
            EventBody::ResultReady { sql, code, page, headline, written, changes, variants, findings, .. } => {
                self.written.clone_from(written);
                self.changes.clone_from(changes);
                self.variants.clone_from(variants);
                self.findings.clone_from(findings);
                self.sql = Some(sql.clone());
                self.code.clone_from(code);
                self.page = Some(page.clone());
                self.headline.clone_from(headline);
                self.best_so_far = false;
            }
            EventBody::BestSoFar { sql, page, .. } => {
                self.sql = Some(sql.clone());
                self.page = Some(page.clone());
                self.best_so_far = true;
            }
            EventBody::MetricsApplied { answer, .. } => self.metrics = Some((**answer).clone()),
            EventBody::CertaintyEstimated { certainty, .. } => self.certainty = Some(certainty.clone()),
            EventBody::Explained { explanation, .. } => self.explanation = Some(explanation.clone()),
            EventBody::RunFinished { error, usage, usage_by_agent } => {
                self.finished = Some(error.clone());
                self.usage = *usage;
                self.usage_by_agent.clone_from(usage_by_agent);
            }
            _ => {}
        }
    }

    fn add_usage(&mut self, agent: Agent, usage: Usage) {
        self.usage += usage;
        *self.usage_by_agent.entry(agent).or_default() += usage;
    }

    fn apply_views(&mut self, chunk: u32, views: &[ViewAttempt]) {
        for view in views {
            match self.views.iter_mut().find(|v| v.chunk == chunk && v.last.name == view.name) {
                Some(known) => {
                    known.attempts += 1;
                    // A later failed attempt does not hide an earlier one that ran.
                    if view.status != ViewStatus::Error || known.last.status == ViewStatus::Error {
                        known.last = view.clone();
                    }
                }
                None => self.views.push(ViewReport { chunk, last: view.clone(), attempts: 1, kept: false }),
            }
        }
    }

    /// Returns the JSON object of `vitrine ask --json`. Its field names are a stable interface for other programs.
    pub fn to_json(&self) -> Value {
        let explanation = self.explanation.as_ref();
        let views: Vec<Value> = self
            .views
            .iter()
            .map(|v| {
                let page = v.last.page.as_ref();
                json!({
                    "origin": "method",
                    "name": v.last.name,
                    "sql": v.last.sql,
                    "rationale": v.last.rationale,
                    "status": v.last.status,
                    "kept": v.kept,
                    "error": v.last.error,
                    "attempts": v.attempts,
                    "row_count": page.map(|p| p.row_count),
                    "columns": page.map(|p| p.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>()).unwrap_or_default(),
                    "depends_on": v.last.depends_on,
                })
            })
            .chain(explanation.into_iter().flat_map(|explanation| &explanation.steps).map(computed_view))
            .collect();
        let result = self.page.as_ref().map(|page| {
            json!({
                "columns": page.columns.iter().map(|c| json!({"name": c.name, "type": c.cell_type})).collect::<Vec<_>>(),
                "rows": page.json_rows(),
                "row_count": page.row_count,
                "truncated": page.truncated,
            })
        });
        let mut usage = serde_json::to_value(self.usage).unwrap_or_default();
        usage["usd"] = json!(self.total_usage().cost_micro_usd().map(|micro_usd| micro_usd as f64 / 1e6));
        usage["by_agent"] = serde_json::to_value(&self.usage_by_agent).unwrap_or_default();
        let error = self.finished.as_ref().and_then(|e| e.as_ref());
        json!({
            "run_id": self.run_id,
            "question": self.question,
            "strategy": self.strategy,
            "models": self.models,
            "dialect": self.dialect,
            "status": if self.status() == RunStatus::Answered { "answered" } else { "failed" },
            "error": error,
            "rewritten": self.rewritten_json(),
            "selection": self.selection_json(),
            "views": views,
            "plan": self.plan,
            "sql": self.sql,
            "code": self.code,
            "best_so_far": self.best_so_far,
            "revised": self.revised,
            "result": result,
            "usage": usage,
            "phases": self.phases,
            "certainty": self.certainty,
            "reading": self.reading.as_ref().map(|reading| json!({ "meaning": reading.meaning, "chosen_at": reading.chosen_at })),
            "metrics": self.metrics,
            "written": self.written,
            "changes": self.changes,
            "variants": self.variants,
            "findings": self.findings,
            "explanation": explanation.map(Explanation::to_json),
            "warnings": self.warnings,
        })
    }

    /// Returns the rewritten question of the method, or the one computed from the final query.
    fn rewritten_json(&self) -> Value {
        let computed = self.explanation.as_ref().map(|explanation| (&explanation.rewritten, "computed"));
        let (rewritten, origin) = self.rewritten.as_ref().map(|rewritten| (rewritten, "method")).or(computed).unzip();
        let mut value = serde_json::to_value(rewritten.cloned().unwrap_or_default()).unwrap_or_default();
        value["origin"] = json!(origin);
        value
    }

    /// Returns the selection of the method, or the tables and columns that the final query reads.
    fn selection_json(&self) -> Value {
        let computed = self.explanation.as_ref().map(|explanation| (explanation.schema_selection(), "computed"));
        let method = (!self.selection.is_empty()).then(|| (self.selection.clone(), "method"));
        let (selection, origin) = method.or(computed).unzip();
        let mut value = serde_json::to_value(selection.unwrap_or_default()).unwrap_or_default();
        value["origin"] = json!(origin);
        value
    }
}

/// Converts a step of the final query to a view of the report.
fn computed_view(step: &ExplainedStep) -> Value {
    json!({
        "origin": "computed",
        "name": step.name,
        "sql": step.sql,
        "rationale": step.note,
        "status": step.rows.map(|rows| if rows == 0 { ViewStatus::Empty } else { ViewStatus::Valid }),
        "kept": true,
        "error": null,
        "attempts": 1,
        "row_count": step.rows,
        "columns": step.columns.iter().map(|column| &column.name).collect::<Vec<_>>(),
        "depends_on": step.reads,
    })
}
