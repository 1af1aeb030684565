//! Writes results to files, with facts about them.

use crate::notes::{certainty_line, rule_lines};
use crate::output::{in_rows, print_note};
use crate::stop::Stop;
use vitrine_api::{App, ExportFile, KeptTable, WarehouseUri};
use vitrine_domain::{AppError, ExportAbout, ExportFact, RunReport};
use vitrine_words::tr;

/// Writes a full result to a file and reports its size.
pub(crate) async fn write_result(
    app: &App,
    warehouse: &str,
    sql: &str,
    file: ExportFile,
    stop: &Stop,
) -> Result<(), AppError> {
    let path = file.path.clone();
    let rows = app.write_result(warehouse, sql, file, |_| {}, stop.token()).await?;
    print_note(&tr!("{rows} written to {path}", rows = in_rows(rows), path = path.display()));
    Ok(())
}

/// Writes the table that a run computed with code instead of a query.
pub(crate) async fn write_table(app: &App, run_id: &str, file: ExportFile, stop: &Stop) -> Result<(), AppError> {
    let table = KeptTable { owner: run_id.to_owned(), rerun: false };
    let path = file.path.clone();
    let rows = app.write_table(table, file, |_| {}, stop.token()).await?;
    print_note(&tr!("{rows} written to {path}", rows = in_rows(rows), path = path.display()));
    Ok(())
}

/// Returns the facts about an answer: the question, its certainty with reasons, its conditions, its query and its
/// source.
pub(crate) fn about_run(report: &RunReport) -> ExportAbout {
    let conditions = report.headline.iter().flat_map(|headline| headline.conditions.clone()).collect::<Vec<_>>();
    let notes: Vec<String> = rule_lines(report).into_iter().chain(report.warnings.clone()).collect();
    let certainty = report.certainty.as_ref().map(certainty_line).unwrap_or_default();
    make_export_about(
        tr!("About this answer"),
        vec![
            (tr!(context "heading", "Question"), report.question.clone()),
            (tr!(context "heading", "Asked"), report.started_at.clone()),
            (tr!(context "heading", "Certainty"), certainty),
            (tr!(context "heading", "Conditions"), conditions.join("\n")),
            (tr!(context "heading", "Notes"), notes.join("\n")),
            (tr!(context "heading", "SQL"), report.sql.clone().unwrap_or_default()),
            (tr!(context "heading", "Code"), report.code.clone().unwrap_or_default()),
            (tr!(context "heading", "Source"), report.warehouse.clone()),
        ],
    )
}

/// Returns the facts about the rows of a query.
pub(crate) fn about_query(warehouse: &str, sql: &str) -> ExportAbout {
    make_export_about(
        tr!("About these rows"),
        vec![
            (tr!(context "heading", "SQL"), sql.to_owned()),
            // A typed address may contain a password.
            (tr!(context "heading", "Source"), WarehouseUri::redact_address(warehouse)),
        ],
    )
}

fn make_export_about(title: String, facts: Vec<(String, String)>) -> ExportAbout {
    let known = facts.into_iter().filter(|(_, text)| !text.trim().is_empty());
    ExportAbout {
        title,
        facts: known.map(|(label, text)| ExportFact { label, text }).collect(),
        ..ExportAbout::default()
    }
}
