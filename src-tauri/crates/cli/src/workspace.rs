//! `vitrine workspace`

use crate::args::WorkspaceCommand;
use crate::end::End;
use crate::output::{print_error, print_json, print_note, sanitize_text};
use crate::stop::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use vitrine_api::{App, ImportChoice, ImportCount, WorkspaceContent, WorkspaceImport};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::{plural, tr};

pub(crate) async fn run(app: &App, command: WorkspaceCommand, stop: &Stop) -> Result<(), End> {
    let bar = create_progress_bar();
    let shown = bar.clone();
    let progress = move |done, all| {
        shown.set_length(all);
        shown.set_position(done);
    };
    match command {
        WorkspaceCommand::Export { file, without_results, json } => {
            let written = app.write_workspace(file.clone(), !without_results, progress, stop.token()).await;
            bar.finish_and_clear();
            let content = written?;
            if json {
                print_json(&content);
            }
            print_note(&tr!("{content} written to {path}", content = format_content(&content), path = file.display()));
            print_note(&if without_results {
                tr!("Rows of results are not in it. Questions, queries and definitions are.")
            } else {
                tr!(
                    "Rows of results are in it: it is as confidential as the databases. Passwords and keys are not in it."
                )
            });
        }
        WorkspaceCommand::Import { file, preview, settings, confirm, json } => {
            let choice = ImportChoice { settings, apply: !preview, confirmed: confirm };
            let read = app.read_workspace(file, choice, progress, stop.token()).await;
            bar.finish_and_clear();
            let done = read?;
            if json {
                print_json(&done);
            }
            for line in format_import(&done, preview) {
                print_note(&line);
            }
            for part in &done.looser {
                let what = sanitize_text(&part.what, false);
                print_note(&match part.taken {
                    true => tr!("confirmed: {what}", what),
                    false => {
                        tr!("without effect until it is confirmed with --confirm {id}: {what}", id = part.id, what)
                    }
                });
            }
            done.notes.iter().chain(&done.refused).for_each(|line| print_note(&sanitize_text(line, false)));
            if !done.refused.is_empty() {
                let what = plural!(done.refused.len(), "{n} record could not be read", "{n} records could not be read");
                let error = AppError::new(ErrorCode::Usage, what);
                print_error(&if preview { error } else { error.with_hint(tr!("All others were imported")) });
                return Err(End::Told(2));
            }
        }
    }
    Ok(())
}

fn format_content(content: &WorkspaceContent) -> String {
    [
        plural!(content.runs, "{n} run", "{n} runs"),
        plural!(content.saved, "{n} saved question", "{n} saved questions"),
        plural!(content.connections, "{n} connection", "{n} connections"),
        plural!(content.models, "{n} model", "{n} models"),
    ]
    .join(", ")
}

/// Returns one line for each kind that has entries.
fn format_import(done: &WorkspaceImport, preview: bool) -> Vec<String> {
    let kinds = [
        (tr!("runs"), done.runs),
        (tr!("saved questions"), done.saved),
        (tr!("connections"), done.connections),
        (tr!("descriptions of databases"), done.descriptions),
        (tr!("readings"), done.readings),
        (tr!("models"), done.models),
    ];
    let there = |count: &ImportCount| count.added + count.here + count.differs > 0;
    let mut lines: Vec<String> = kinds
        .into_iter()
        .filter(|(_, count)| there(count))
        .map(|(kind, ImportCount { added, here, differs })| {
            tr!("{kind}: {added} new, {here} already here, {differs} different here", kind, added, here, differs)
        })
        .collect();
    if done.settings_taken {
        lines.push(if preview {
            tr!("the settings of the file would replace yours")
        } else {
            tr!("the settings of the file are used")
        });
    } else if done.settings_differ {
        lines.push(tr!("your settings are kept; --settings imports those of the file"));
    }
    if preview {
        lines.push(tr!("nothing was imported; without --preview it would be"));
    }
    lines
}

/// Creates a progress bar, hidden without a terminal.
fn create_progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    ProgressBar::no_length().with_style(ProgressStyle::with_template("{bar:30} {pos}/{len}").expect("template"))
}
