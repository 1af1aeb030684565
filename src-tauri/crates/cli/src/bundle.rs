//! `vitrine bundle`

use crate::args::BundleCommand;
use crate::end::End;
use crate::named::resolve_address;
use crate::output::{in_rows, print_error, print_json, print_note, print_text, sanitize_text};
use crate::stop::Stop;
use vitrine_api::{App, BundleCheck};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{plural, tr};

pub(crate) async fn run(app: &App, command: BundleCommand, stop: &Stop) -> Result<(), End> {
    let BundleCommand::Check { file, replay, warehouse, json } = command;
    let warehouse = match warehouse {
        Some(text) => Some(resolve_address(app, &text).await?),
        None => None,
    };
    let check = app.check_bundle(file, replay, warehouse, stop.token()).await?;
    if json {
        print_json(&check);
    } else {
        print_text(&sanitize_text(&format_bundle_check(&check), true));
    }
    if check.problems.is_empty() {
        return Ok(());
    }
    check.problems.iter().for_each(|problem| print_note(&sanitize_text(problem, false)));
    print_error(&AppError::new(
        ErrorCode::Query,
        plural!(check.problems.len(), "{n} difference found", "{n} differences found"),
    ));
    Err(End::Told(3))
}

/// Describes a bundle and the performed checks.
fn format_bundle_check(check: &BundleCheck) -> String {
    let manifest = &check.manifest;
    let line = |head: &str, text: &str| format!("{head:<11} {text}");
    let mut lines = vec![
        check.question.clone(),
        String::new(),
        check.sql.clone(),
        String::new(),
        line(
            &tr!(context "heading", "asked"),
            &tr!("{time} of {warehouse}", time = manifest.asked_at, warehouse = manifest.warehouse),
        ),
        line(
            &tr!(context "heading", "written"),
            &tr!("{time} by {program}", time = manifest.written_at, program = manifest.program),
        ),
        line(&tr!(context "heading", "result"), &in_rows(manifest.rows)),
    ];
    let mut models: Vec<String> = manifest.models.values().map(ToString::to_string).collect();
    models.sort();
    models.dedup();
    lines.push(line(&tr!(context "heading", "models"), &models.join(", ")));
    if let Some(left_out) = &manifest.left_out {
        lines.push(line(&tr!(context "heading", "left out"), left_out));
    }
    let good = check.problems.is_empty();
    let outcome = |done: bool| match (done, good) {
        (false, _) => tr!("not looked at"),
        (true, true) => tr!("as it was"),
        (true, false) => tr!("see the differences"),
    };
    lines.push(line(&tr!(context "heading", "hashes"), &outcome(true)));
    lines.push(line(&tr!(context "heading", "replay"), &outcome(check.replayed)));
    lines.push(line(&tr!(context "heading", "query"), &outcome(check.rerun)));
    lines.join("\n") + "\n"
}
