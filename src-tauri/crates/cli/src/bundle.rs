//! `vitrine bundle`

use crate::args::BundleCommand;
use crate::end::End;
use crate::named::address;
use crate::output::{clean, count, fail, note, print, print_json};
use crate::stop::Stop;
use vitrine_api::{App, BundleCheck};
use vitrine_domain::{AppError, ErrorCode};

pub(crate) async fn run(app: &App, command: BundleCommand, stop: &Stop) -> Result<(), End> {
    let BundleCommand::Check { file, replay, warehouse, json } = command;
    let warehouse = match warehouse {
        Some(text) => Some(address(app, &text).await?),
        None => None,
    };
    let check = app.check_bundle(file, replay, warehouse, stop.token()).await?;
    if json {
        print_json(&check);
    } else {
        print(&clean(&told(&check), true));
    }
    if check.problems.is_empty() {
        return Ok(());
    }
    check.problems.iter().for_each(|problem| note(&clean(problem, false)));
    fail(&AppError::new(ErrorCode::Query, format!("{} found", count(check.problems.len() as u64, "difference"))));
    Err(End::Told(3))
}

/// What a bundle is, and what was looked at.
fn told(check: &BundleCheck) -> String {
    let manifest = &check.manifest;
    let mut lines = vec![
        check.question.clone(),
        String::new(),
        check.sql.clone(),
        String::new(),
        format!("asked       {} of {}", manifest.asked_at, manifest.warehouse),
        format!("written     {} by {}", manifest.written_at, manifest.program),
        format!("result      {}", count(manifest.rows, "row")),
    ];
    let mut models: Vec<String> = manifest.models.values().map(ToString::to_string).collect();
    models.sort();
    models.dedup();
    lines.push(format!("models      {}", models.join(", ")));
    if let Some(left_out) = &manifest.left_out {
        lines.push(format!("left out    {left_out}"));
    }
    let good = check.problems.is_empty();
    let outcome = |done: bool| match (done, good) {
        (false, _) => "not looked at",
        (true, true) => "as it was",
        (true, false) => "see the differences",
    };
    lines.push(format!("hashes      {}", outcome(true)));
    lines.push(format!("replay      {}", outcome(check.replayed)));
    lines.push(format!("query       {}", outcome(check.rerun)));
    lines.join("\n") + "\n"
}
