//! Reports of answers: one HTML file for readers without the program. Because a report leaves the computer, it contains only what the
//! privacy settings of the warehouse permit, unless the user decides otherwise.

mod disclosed;
mod file;
mod thread;

use crate::app::App;
use crate::runs::check_run_id;
use crate::sources::parse_joined;
use crate::state::work::current_timestamp;
use crate::types::{ReportRequest, WrittenReport};
use disclosed::Disclosed;
pub(crate) use file::write_report_file;
use std::path::PathBuf;
use vitrine_domain::{AppError, ErrorCode, EventBody, ExplanationCheck, Page, RuleNote, RunEvent, RunReport};
use vitrine_report::{Chart, NoteGroup, Report, ReportedAnswer, choose_chart, render_html};
use vitrine_words::{format_date, plural, tr};

/// Number of rows of a table, unless requested otherwise.
const USUAL_ROWS: u32 = 200;
/// Maximum number of rows of a table: a page with more is slow to open.
const MOST_ROWS: u32 = 10_000;
/// Maximum number of answers of a report.
const MOST_ANSWERS: usize = 200;

impl App {
    /// Writes a report to a path that the caller may choose freely. An existing file is replaced only with `replace`.
    ///
    /// # Errors
    /// When a run has no answer, its database cannot be opened to determine which values may leave, or the file cannot be written.
    pub async fn write_report(
        &self,
        request: ReportRequest,
        path: PathBuf,
        replace: bool,
    ) -> Result<WrittenReport, AppError> {
        file::check_report_path(&path, replace)?;
        let (html, written) = self.render_report(request).await?;
        file::write_report_file(path, html, replace).await?;
        Ok(written)
    }

    /// Writes a report to the file that the user chose; `file` is its token.
    ///
    /// # Errors
    /// When no file was chosen, or as for [`App::write_report`].
    pub async fn export_report(&self, request: ReportRequest, file: String) -> Result<WrittenReport, AppError> {
        let path = self.take_chosen_file(&file)?;
        // The dialog has asked about an existing file.
        let written = self.write_report(request, path.clone(), true).await?;
        self.inner.chosen.note_written(&file, path);
        Ok(written)
    }

    async fn render_report(&self, request: ReportRequest) -> Result<(String, WrittenReport), AppError> {
        let mut runs = Vec::new();
        for run in &request.runs {
            check_run_id(run)?;
            let own = if request.thread { self.thread_runs(run).await? } else { vec![run.clone()] };
            own.into_iter().for_each(|id| {
                if !runs.contains(&id) {
                    runs.push(id);
                }
            });
        }
        if runs.len() > MOST_ANSWERS {
            let message = plural!(runs.len(), "A report cannot hold {n} answer", "A report cannot hold {n} answers");
            return Err(AppError::new(ErrorCode::Usage, message)
                .with_hint(tr!("Choose at most {most} runs", most = MOST_ANSWERS)));
        }
        let mut written = WrittenReport::default();
        let mut answers = Vec::new();
        for id in runs {
            let events = self.run_events(id.clone(), 0).await?;
            let report = RunReport::from_events(&events);
            match report.page.clone() {
                Some(page) => {
                    let answer = self.report_answer(&request, &events, report, page).await?;
                    written.withheld |= answer.withheld.is_some();
                    answers.push(answer);
                }
                // A thread may contain failed attempts, but a chosen run must be in the report.
                None if request.thread && !request.runs.contains(&id) => written.unanswered += 1,
                None => return Err(no_answer_error(&report)),
            }
        }
        written.answers = answers.len() as u32;
        let notes = match written.unanswered {
            0 => Vec::new(),
            count => vec![plural!(
                count,
                "{n} question of this thread has no answer and is left out",
                "{n} questions of this thread have no answer and are left out"
            )],
        };
        let written_at = format_time(&current_timestamp());
        let html = self.render_answers(Report { title: request.title, written_at, notes, answers }).await?;
        Ok((html, written))
    }

    /// Renders a report; texts that a spreadsheet would evaluate are changed as the settings of exports say.
    pub(crate) async fn render_answers(&self, report: Report) -> Result<String, AppError> {
        let guards = self.settings().await?.csv_guard_formulas;
        let guard = move |text: &str| match guards {
            true => vitrine_warehouse::guard_formula(text).into_owned(),
            false => text.to_owned(),
        };
        crate::state::work::run_blocking(move || Ok(render_html(&report, &guard))).await
    }

    async fn report_answer(
        &self,
        request: &ReportRequest,
        events: &[RunEvent],
        report: RunReport,
        page: Page,
    ) -> Result<ReportedAnswer, AppError> {
        let disclosed = self.disclose_run(events, &report, page, request.everything).await?;
        let line = |text: &str| disclosed.redact_line(text);
        let lines = |texts: &[String]| texts.iter().map(|text| line(text)).collect::<Vec<_>>();
        let headline = report.headline.clone().filter(|headline| !disclosed.hides_measure(headline));
        let chart = match (&disclosed.page, request.charts.get(&report.run_id)) {
            (Some(_), Some(chosen)) => chosen.clone(),
            (Some(page), None) => choose_chart(page, headline.as_ref()),
            (None, _) => None,
        };
        let conditions = match (&headline, &report.explanation) {
            (Some(headline), _) => lines(&headline.conditions),
            (None, Some(explanation)) => lines(&explanation.rewritten.filters),
            (None, None) => Vec::new(),
        };
        let certainty = report.certainty.clone().map(|mut certainty| {
            certainty.reasons.iter_mut().for_each(|reason| reason.text = line(&reason.text));
            certainty
        });
        let headline = headline.map(|mut headline| {
            headline.conditions = lines(&headline.conditions);
            headline
        });
        Ok(ReportedAnswer {
            question: report.question.clone(),
            follows: find_previous_question(events),
            answered_at: format_time(&report.started_at),
            source: self.describe_source(&report.warehouse).await?,
            chart: chart.filter(|chart| !hides_chart(&disclosed, chart)),
            headline,
            most_rows: limit_rows(request.rows),
            conditions,
            certainty,
            is_saved: false,
            best_so_far: report.best_so_far,
            notes: list_notes(&report, &line),
            sql: report.sql.clone(),
            code: report.code.clone(),
            withheld: disclosed.describe_withheld(),
            page: disclosed.page,
        })
    }

    /// Returns the name of a connection with its address; the address alone without a name. Several sources are listed by name.
    pub(crate) async fn describe_source(&self, address: &str) -> Result<String, AppError> {
        let Some(sources) = parse_joined(address) else { return self.describe_connection(address).await };
        let mut described = Vec::new();
        for (name, own) in sources {
            described.push(format!("{name}: {}", self.describe_connection(&own).await?));
        }
        Ok(described.join("; "))
    }

    async fn describe_connection(&self, address: &str) -> Result<String, AppError> {
        let address = vitrine_warehouse::WarehouseUri::redact_address(address);
        let named = self.connections().await?.into_iter().find(|connection| connection.address == address);
        Ok(named.map_or_else(|| address.clone(), |connection| format!("{} ({address})", connection.name)))
    }
}

fn no_answer_error(report: &RunReport) -> AppError {
    let question = &report.question;
    let error = AppError::new(ErrorCode::NotFound, tr!("The question “{question}” has no answer to report", question))
        .with_hint(tr!("Choose a run that was answered: vitrine runs list"));
    match &report.finished {
        Some(Some(reason)) => error.with_detail(&reason.message),
        _ => error,
    }
}

fn hides_chart(disclosed: &Disclosed, chart: &Chart) -> bool {
    chart.along.iter().chain(&chart.by).chain([&chart.measure]).any(|at| disclosed.hides_column(*at as usize))
}

pub(crate) fn limit_rows(requested: u32) -> usize {
    let rows = if requested == 0 { USUAL_ROWS } else { requested.min(MOST_ROWS) };
    rows as usize
}

/// Formats a stored time for readers in any time zone.
pub(crate) fn format_time(stored: &str) -> String {
    match (stored.get(..10), stored.get(11..16)) {
        (Some(day), Some(time)) => format!("{} {time} UTC", format_date(day)),
        _ => stored.to_owned(),
    }
}

fn find_previous_question(events: &[RunEvent]) -> Option<String> {
    events.iter().find_map(|event| match &event.body {
        EventBody::RunStarted { follows, .. } => follows.as_ref().map(|follows| follows.question.clone()),
        _ => None,
    })
}

/// Lists what rules and checks say about an answer, in groups.
fn list_notes(report: &RunReport, line: &dyn Fn(&str) -> String) -> Vec<NoteGroup> {
    let rules = |notes: &[RuleNote]| notes.iter().map(|note| line(&note.note)).collect();
    let checks = report.explanation.iter().flat_map(|explanation| &explanation.checks);
    let check = |check: &ExplanationCheck| line(&check.text);
    let meaning = report.reading.iter().map(|reading| line(&reading.meaning)).filter(|meaning| !meaning.is_empty());
    let groups = [
        (tr!(context "heading", "Chosen meaning"), meaning.collect()),
        (tr!(context "heading", "Warnings"), report.warnings.iter().map(|text| line(text)).collect::<Vec<_>>()),
        (tr!(context "heading", "Worth checking"), checks.filter(|check| check.may_change).map(check).collect()),
        (tr!(context "heading", "Findings"), rules(&report.findings)),
        (tr!(context "heading", "Vitrine changed the query"), rules(&report.changes)),
        (
            tr!(context "heading", "Other possible meanings"),
            report.variants.iter().map(|variant| line(&variant.note)).collect(),
        ),
    ];
    groups.into_iter().map(|(heading, notes)| NoteGroup { heading, notes }).collect()
}
