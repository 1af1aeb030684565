//! `vitrine runs`

use crate::args::{RunReportArgs, RunsCommand};
use crate::compare;
use crate::egress;
use crate::end::End;
use crate::last_run::resolve_run_id;
use crate::output::{
    format_number, format_page, print_error, print_json, print_json_text, print_note, print_text, sanitize_text,
    text_table,
};
use crate::rerun;
use crate::stages::{Stages, format_summary};
use crate::stop::Stop;
use vitrine_api::{App, ReportRequest};
use vitrine_domain::{AppError, CellType, RunReport, RunStatus};
use vitrine_words::{plural, tr};

pub(crate) async fn run(app: &App, command: RunsCommand, stop: &Stop) -> Result<(), End> {
    match command {
        RunsCommand::List { search, limit, json } => {
            let runs = app.runs(search, limit, 0).await?;
            if json {
                print_json(&runs);
                return Ok(());
            }
            let rows: Vec<Vec<String>> = runs
                .iter()
                .map(|run| {
                    vec![
                        run.run_id.clone(),
                        run.started_at.chars().take(16).collect::<String>().replace('T', " "),
                        run.status.as_str().to_owned(),
                        run.strategy.as_str().to_owned(),
                        format!("{:.1}", run.wall_ms as f64 / 1000.0),
                        run.row_count.map(format_number).unwrap_or_default(),
                        run.question.clone(),
                    ]
                })
                .collect();
            let (text, whole) = (CellType::Text, CellType::Integer);
            let head = [
                (tr!(context "heading", "run"), text),
                (tr!(context "heading", "started"), text),
                (tr!(context "heading", "status"), text),
                (tr!(context "heading", "by"), text),
                (tr!(context "heading", "seconds"), whole),
                (tr!(context "heading", "rows"), whole),
                (tr!(context "heading", "question"), text),
            ];
            print_text(&text_table(&head, &rows));
        }
        RunsCommand::Show { id, json } => {
            let report = app.run_report(resolve_run_id(app, id).await?).await?;
            if json {
                print_json(&report.to_json());
            } else {
                print_text(&format_run(&report));
            }
        }
        RunsCommand::Replay { id, json } => {
            let events = app.run_events(resolve_run_id(app, id).await?, 0).await?;
            let mut stages = Stages::new();
            events.iter().for_each(|event| stages.report_event(event));
            stages.stop_spinner();
            let report = RunReport::from_events(&events);
            let (sql, cost) = format_summary(&report);
            if let Some(sql) = sql {
                print_note(&format!("\n{sql}\n"));
            }
            match (&report.page, json) {
                (_, true) => print_json(&report.to_json()),
                (Some(rows), false) => print_text(&format_page(rows)),
                (None, false) => {}
            }
            print_note(&cost);
            if let Some(Some(error)) = &report.finished {
                print_error(error);
            }
        }
        RunsCommand::Rerun(args) => return rerun::run(app, *args, stop).await,
        RunsCommand::Compare { id, other, json } => {
            let found = app.compare_runs(resolve_run_id(app, id).await?, resolve_run_id(app, other).await?).await?;
            if json {
                print_json(&found);
            } else {
                print_text(&compare::format_run_comparison(&found));
            }
        }
        RunsCommand::Sent { id, request, json } => {
            let events = app.run_events(resolve_run_id(app, id).await?, 0).await?;
            return egress::print_sent_requests(&events, request, json);
        }
        RunsCommand::Export { id, file } => {
            let id = resolve_run_id(app, id).await?;
            match file {
                Some(file) => {
                    app.write_run(id, file.clone()).await?;
                    print_note(&tr!("Written to {path}", path = file.display()));
                }
                None => print_json_text(&app.exported_run(id).await?),
            }
        }
        RunsCommand::Bundle { id, out, everything } => {
            let manifest = app.write_bundle(resolve_run_id(app, id).await?, out.clone(), everything).await?;
            if let Some(left_out) = &manifest.left_out {
                print_note(&tr!(
                    "Left out, as the policy of this warehouse says: {left_out}. See: vitrine egress WAREHOUSE",
                    left_out
                ));
            }
            print_note(&tr!("Written to {path}", path = out.display()));
        }
        RunsCommand::Report(args) => write_report(app, *args).await?,
        RunsCommand::Import { file } => print_text(&app.import_run(file.display().to_string()).await?),
        RunsCommand::Rm { id } => app.delete_run(resolve_run_id(app, id).await?).await?,
    }
    Ok(())
}

async fn write_report(app: &App, args: RunReportArgs) -> Result<(), AppError> {
    let mut runs = Vec::new();
    for id in args.ids {
        runs.push(resolve_run_id(app, id).await?);
    }
    let (thread, title, rows, everything) = (args.thread, args.title, args.rows, args.everything);
    let request = ReportRequest { runs, thread, title, rows, everything, ..ReportRequest::default() };
    let written = app.write_report(request, args.out.clone(), args.force).await?;
    if written.unanswered > 0 {
        print_note(&plural!(
            written.unanswered,
            "Left out: {n} question of the thread without an answer",
            "Left out: {n} questions of the thread without an answer"
        ));
    }
    if written.withheld {
        print_note(&tr!(
            "Some values are withheld by the privacy settings of the warehouse. See: vitrine egress WAREHOUSE"
        ));
    }
    print_note(&plural!(
        written.answers,
        "{n} answer written to {path}",
        "{n} answers written to {path}",
        path = args.out.display()
    ));
    Ok(())
}

/// Formats a run for the terminal.
fn format_run(report: &RunReport) -> String {
    let mut out = format!("{}\n", sanitize_text(&report.question, true));
    let mut add = |head: &str, text: &str| {
        if !text.trim().is_empty() {
            out += &format!("\n{head}\n  {}\n", sanitize_text(text.trim(), true).replace('\n', "\n  "));
        }
    };
    add(&tr!(context "heading", "Warehouse"), &report.warehouse);
    add(&tr!(context "heading", "Status"), report.status().as_str());
    if let Some(Some(error)) = &report.finished {
        add(&tr!(context "heading", "Error"), &error.to_string());
    }
    if let Some(rewritten) = &report.rewritten {
        let parts = [
            vec![rewritten.task.clone()],
            rewritten.outputs.clone(),
            rewritten.filters.clone(),
            vec![rewritten.ordering.clone()],
        ];
        add(&tr!(context "heading", "Rewritten"), &parts.concat().join("\n"));
    }
    let tables: Vec<String> =
        report.selection.tables.iter().map(|t| format!("{}: {}", t.name, t.columns.join(", "))).collect();
    add(&tr!(context "heading", "Selection"), &tables.join("\n"));
    for view in &report.views {
        let status =
            serde_json::to_value(view.last.status).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default();
        let head = tr!(
            "View {name} ({status}, {attempts} attempts)",
            name = sanitize_text(&view.last.name, false),
            status,
            attempts = view.attempts
        );
        add(&head, &format!("{}\n{}", view.last.rationale, view.last.sql));
    }
    add(&tr!(context "heading", "Plan"), report.plan.as_deref().unwrap_or_default());
    add(&tr!(context "heading", "SQL"), report.sql.as_deref().unwrap_or_default());
    if let Some(rows) = &report.page {
        add(&tr!(context "heading", "Result"), &format_page(rows));
    }
    if let Some(certainty) = &report.certainty {
        add(&tr!(context "heading", "Certainty"), &crate::notes::certainty_line(certainty));
    }
    for line in crate::notes::rule_lines(report) {
        add(&tr!(context "heading", "Rule"), &line);
    }
    for warning in &report.warnings {
        add(&tr!(context "heading", "Warning"), warning);
    }
    if report.status() == RunStatus::Running {
        add(&tr!(context "heading", "Note"), &tr!("The run has not finished."));
    }
    add(&tr!(context "heading", "Cost"), &format_summary(report).1);
    out
}
