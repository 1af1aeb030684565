//! `vitrine runs rerun`

use crate::args::RerunArgs;
use crate::ask::{Watch, finish_command, report_and_export, watch_run};
use crate::choice;
use crate::end::End;
use crate::last_run::resolve_run_id;
use crate::stop::Stop;
use std::path::Path;
use vitrine_api::App;
use vitrine_domain::{AppError, ErrorCode, RunChange};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, args: RerunArgs, stop: &Stop) -> Result<(), End> {
    let json = args.json;
    let id = resolve_run_id(app, args.id.clone()).await?;
    let changes = collect_changes(app, &id, args).await?;
    let asks = !json && choice::somebody_is_there();
    if asks {
        app.shows_approvals();
    }
    let run_id = app.rerun_as(id, changes, asks).await?;
    let report = watch_run(app, run_id, Watch { asks, approves: asks, json, ..Watch::default() }, stop).await?;
    report_and_export(app, &report, &Default::default(), json, stop).await?;
    finish_command(report, json)
}

/// Collects the changes given on the command line.
async fn collect_changes(app: &App, id: &str, args: RerunArgs) -> Result<Vec<RunChange>, AppError> {
    let mut changes = Vec::new();
    if let Some(text) = args.question {
        changes.push(RunChange::Question { text });
    }
    if let Some(task) = args.task {
        let rewritten = app.run_report(id.to_owned()).await?.rewritten.unwrap_or_default();
        changes.push(RunChange::Rewritten { rewritten: vitrine_domain::RewrittenQuestion { task, ..rewritten } });
    }
    let added = [args.add_table, args.add_column].concat();
    let dropped = [args.drop_table, args.drop_column].concat();
    if !added.is_empty() || !dropped.is_empty() {
        changes.push(RunChange::Tables { added, dropped });
    }
    for (name, file) in args.view {
        changes.push(RunChange::View { name, sql: read_file_text(&file)? });
    }
    if let Some(file) = args.plan {
        changes.push(RunChange::Plan { text: read_file_text(&file)? });
    }
    if let Some(file) = args.sql {
        changes.push(RunChange::Sql { sql: read_file_text(&file)? });
    }
    Ok(changes)
}

fn read_file_text(file: &Path) -> Result<String, AppError> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be read as text", path = file.display()))
            .with_hint(tr!("Name a text file in UTF-8"))
            .with_detail(error)
    })?;
    Ok(text.trim().to_owned())
}
