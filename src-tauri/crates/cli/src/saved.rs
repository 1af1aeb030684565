//! `vitrine saved`

use crate::args::{AddSavedArgs, EditSavedArgs, SavedCommand, WhichSaved};
use crate::end::End;
use crate::export::{about_query, write_result};
use crate::input::stdin_text;
use crate::last_run::resolve_run_id;
use crate::output::{format_page, in_rows, print_json, print_note, print_text, sanitize_text, text_table};
use crate::stop::Stop;
use crate::watch;
use serde_json::{Value, json};
use vitrine_api::{App, SavedDraft, SavedQuestion, SavedStatus};
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::{plural, tr};

pub(crate) async fn run(app: &App, command: SavedCommand, stop: &Stop) -> Result<(), End> {
    match command {
        SavedCommand::List { which, drift, json } => print_saved_questions(app, which, drift, json).await?,
        SavedCommand::Show { saved, json } => print_saved_question(app, &saved, json).await?,
        SavedCommand::Add(args) => add_saved_question(app, args).await?,
        SavedCommand::Edit(args) => edit_saved_question(app, args).await?,
        SavedCommand::Run { due: true, until, no_notify, json, .. } => {
            return watch::run_due(app, until, (!no_notify, json), stop).await;
        }
        SavedCommand::Watch(args) => return watch::run(app, *args, stop).await,
        SavedCommand::Timer(command) => watch::run_timer_command(app, command).await?,
        SavedCommand::Run { saved, params, limit, out, json, .. } => {
            let question = app.saved_named(&saved.unwrap_or_default()).await?;
            warn_of_drift(app, &question).await?;
            if question.code.is_some() {
                return Err(AppError::new(
                    ErrorCode::Usage,
                    tr!("This saved question is answered by code, not by a query"),
                )
                .with_hint(tr!("Open it in the window to run its code"))
                .into());
            }
            let sql = app.filled_query(question.id.clone(), params.into_iter().collect()).await?;
            if let Some(file) =
                out.export_file(app.settings().await?.csv_style(), || about_query(&question.warehouse, &sql))
            {
                return Ok(write_result(app, &question.warehouse, &sql, file, stop).await?);
            }
            let rows = app.query_page(question.warehouse.clone(), sql.clone(), limit, stop.token()).await?;
            if json {
                print_json(&json!({
                    "saved": question.id,
                    "sql": sql,
                    "columns": rows.columns.iter().map(|c| json!({"name": c.name, "type": c.cell_type})).collect::<Vec<_>>(),
                    "rows": rows.json_rows(),
                    "row_count": rows.row_count,
                    "truncated": rows.truncated,
                }));
            } else {
                print_text(&format_page(&rows));
            }
        }
        SavedCommand::Verify { saved, status, by } => {
            let question = app.saved_named(&saved).await?;
            let checked = app.check_saved(question.id, status.into(), by, stop.token()).await?;
            print_note(&sanitize_text(&describe_review(&checked.question), false));
            if let Some(result) = checked.question.filing.checked.as_ref().and_then(|checked| checked.result.as_ref()) {
                print_note(&match checked.same {
                    Some(true) => tr!("{rows}, the same as when it was checked before", rows = in_rows(result.rows)),
                    Some(false) => {
                        tr!("{rows}, not the same as when it was checked before", rows = in_rows(result.rows))
                    }
                    None => in_rows(result.rows),
                });
            }
        }
        SavedCommand::Export { root, which, json } => {
            let chosen = find_saved_questions(app, which).await?;
            let done = app.export_saved(chosen, root.clone()).await?;
            if json {
                print_json(&done);
            }
            for removed in &done.removed {
                print_note(&tr!(
                    "removed {path}: the question has another name or folder now",
                    path = removed.display()
                ));
            }
            print_note(&plural!(
                done.written.len(),
                "{n} file written to {path}, {unchanged} unchanged",
                "{n} files written to {path}, {unchanged} unchanged",
                path = root.display(),
                unchanged = done.unchanged
            ));
        }
        SavedCommand::Import { path, overwrite, json } => {
            let done = app.import_saved(path, overwrite).await?;
            if json {
                print_json(&done);
            }
            done.notes.iter().chain(&done.refused).for_each(|line| print_note(&sanitize_text(line, false)));
            print_note(&tr!(
                "{added} new, {changed} changed, {unchanged} unchanged",
                added = done.added.len(),
                changed = done.changed.len(),
                unchanged = done.unchanged
            ));
            if !done.refused.is_empty() {
                let what = plural!(done.refused.len(), "{n} file could not be read", "{n} files could not be read");
                return Err(AppError::new(ErrorCode::Usage, what).with_hint(tr!("Fix the errors above")).into());
            }
        }
        SavedCommand::Rm { saved } => app.delete_saved(app.saved_named(&saved).await?.id).await?,
    }
    Ok(())
}

async fn find_saved_questions(app: &App, which: WhichSaved) -> Result<Vec<SavedQuestion>, AppError> {
    let mut found = app.saved(which.search).await?;
    if let Some(warehouse) = which.warehouse {
        let address = app.full_address(&warehouse).await?;
        found.retain(|question| question.warehouse == address);
    }
    if let Some(folder) = which.folder.map(|folder| folder.trim_matches('/').to_lowercase()) {
        found.retain(|question| {
            let own = question.filing.folder.to_lowercase();
            folder.is_empty() || own == folder || own.starts_with(&format!("{folder}/"))
        });
    }
    if let Some(tag) = which.tag {
        found.retain(|question| question.filing.tags.iter().any(|own| own.to_lowercase() == tag.to_lowercase()));
    }
    if let Some(status) = which.status.map(SavedStatus::from) {
        found.retain(|question| question.status == status);
    }
    Ok(found)
}

async fn print_saved_questions(app: &App, which: WhichSaved, drift: bool, json: bool) -> Result<(), AppError> {
    let found = find_saved_questions(app, which).await?;
    let mut drifts: Vec<Option<Vec<String>>> = Vec::new();
    if drift {
        for question in &found {
            // If one database is unreachable, the others are still reported.
            drifts.push(match app.saved_drift(question.id.clone()).await {
                Ok(changes) => changes,
                Err(error) => Some(vec![tr!("Its database cannot be read: {reason}", reason = error.message)]),
            });
        }
    }
    if json {
        let with_drift = found.iter().enumerate().map(|(at, question)| {
            let mut value = serde_json::to_value(question).expect("plain data");
            if drift {
                value["drift"] = json!(drifts[at]);
            }
            value
        });
        print_json(&with_drift.collect::<Vec<Value>>());
        return Ok(());
    }
    let rows = found.iter().map(|question| {
        vec![
            question.id.clone(),
            status_label(question.status),
            question.filing.folder.clone(),
            question.title.clone(),
            question.filing.tags.join(", "),
            question.updated_at.chars().take(10).collect(),
        ]
    });
    let heads = [
        tr!(context "heading", "id"),
        tr!(context "heading", "status"),
        tr!(context "heading", "folder"),
        tr!(context "heading", "title"),
        tr!(context "heading", "tags"),
        tr!(context "heading", "changed"),
    ];
    let head = heads.map(|name| (name, CellType::Text));
    print_text(&text_table(&head, &rows.collect::<Vec<_>>()));
    for (question, changes) in found.iter().zip(drifts) {
        for change in changes.into_iter().flatten() {
            print_note(&sanitize_text(&format!("{}: {change}", question.title), false));
        }
    }
    Ok(())
}

async fn print_saved_question(app: &App, saved: &str, json: bool) -> Result<(), AppError> {
    let question = app.saved_named(saved).await?;
    let drift = app.saved_drift(question.id.clone()).await;
    let parameters = app.query_parameters(question.warehouse.clone(), question.sql.clone()).await.unwrap_or_default();
    if json {
        let mut value = serde_json::to_value(&question).expect("plain data");
        value["drift"] = json!(drift.ok().flatten());
        value["parameters"] = json!(parameters);
        print_json(&value);
        return Ok(());
    }
    let mut out = format!("{}\n", sanitize_text(&question.title, false));
    let mut add = |head: &str, text: &str| {
        if !text.trim().is_empty() {
            out += &format!("\n{head}\n  {}\n", sanitize_text(text.trim(), true).replace('\n', "\n  "));
        }
    };
    add(&tr!(context "heading", "Question"), &question.question);
    add(&tr!(context "heading", "Meaning"), &question.filing.readings.join(", "));
    add(&tr!(context "heading", "Warehouse"), &question.warehouse);
    add(&tr!(context "heading", "Status"), &describe_review(&question));
    add(&tr!(context "heading", "Folder"), &question.filing.folder);
    add(&tr!(context "heading", "Tags"), &question.filing.tags.join(", "));
    add(&tr!(context "heading", "Notes"), &question.notes);
    add(&tr!(context "heading", "SQL"), &question.sql);
    add(&tr!(context "heading", "Code"), question.code.as_ref().map_or("", |code| code.code.as_str()));
    let uses = question.filing.schema.iter().flatten().map(|(table, columns)| {
        let columns: Vec<&str> = columns.keys().map(String::as_str).collect();
        format!("{table}: {}", columns.join(", "))
    });
    add(&tr!(context "heading", "Uses"), &uses.collect::<Vec<_>>().join("\n"));
    let parameters = parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.value));
    add(&tr!(context "heading", "Parameters"), &parameters.collect::<Vec<_>>().join("\n"));
    match drift {
        Ok(Some(changes)) => add(&tr!(context "heading", "Changed since then"), &changes.join("\n")),
        Ok(None) => {}
        Err(error) => {
            add(&tr!(context "heading", "Changed since then"), &tr!("Unknown: {reason}", reason = error.message))
        }
    }
    print_text(&out);
    Ok(())
}

/// Describes the review status of a question, with reviewer and date.
fn describe_review(question: &SavedQuestion) -> String {
    match &question.filing.checked {
        Some(checked) => {
            let day: String = checked.at.chars().take(10).collect();
            let status = status_label(question.status);
            match checked.by.as_str() {
                "" => tr!("{status} on {day}", status, day),
                by => tr!("{status} by {by} on {day}", status, by, day),
            }
        }
        None => status_label(question.status),
    }
}

fn status_label(status: SavedStatus) -> String {
    match status {
        SavedStatus::Draft => tr!(context "status", "draft"),
        SavedStatus::Reviewed => tr!(context "status", "reviewed"),
        SavedStatus::Verified => tr!(context "status", "verified"),
    }
}

async fn warn_of_drift(app: &App, question: &SavedQuestion) -> Result<(), AppError> {
    for change in app.saved_drift(question.id.clone()).await?.into_iter().flatten() {
        print_note(&sanitize_text(&tr!("since this question was saved: {change}", change), false));
    }
    Ok(())
}

async fn add_saved_question(app: &App, args: AddSavedArgs) -> Result<(), AppError> {
    let (question, sql, warehouse, run_id) = match args.run {
        Some(run) => {
            let report = app.run_report(resolve_run_id(app, run).await?).await?;
            let Some(sql) = report.sql.filter(|_| report.code.is_none()) else {
                return Err(AppError::new(ErrorCode::Usage, tr!("This run's answer is not a query"))
                    .with_hint(tr!("Choose another run, or save an answer of code in the window")));
            };
            (args.question.unwrap_or(report.question), sql, report.warehouse, Some(report.run_id))
        }
        None => {
            let sql = args.sql.expect("the parser asks for it");
            let sql = if sql == "-" { stdin_text()? } else { sql };
            let warehouse = app.address_of(&args.warehouse.expect("the parser asks for it")).await?;
            // The user typed the address, so the warehouse is opened and remembered.
            let warehouse = app.open_warehouse(warehouse).await?.uri;
            (args.question.unwrap_or_default(), sql, warehouse, None)
        }
    };
    // Checks the query before it is saved, so that errors are reported and its tables are known.
    app.check_sql(sql.clone(), warehouse.clone()).await?;
    let draft = SavedDraft {
        id: None,
        title: args.title.unwrap_or_default(),
        question,
        sql,
        code: None,
        warehouse,
        status: SavedStatus::Draft,
        run_id,
        notes: args.notes,
    };
    let saved = app.save_question(draft).await?;
    let saved = app.file_saved(saved.id, args.folder, args.tags).await?;
    print_text(&saved.id);
    Ok(())
}

async fn edit_saved_question(app: &App, args: EditSavedArgs) -> Result<(), AppError> {
    let before = app.saved_named(&args.saved).await?;
    let sql = match args.sql.as_deref() {
        Some("-") => Some(stdin_text()?),
        other => other.map(str::to_owned),
    };
    let changes_query = sql.as_ref().is_some_and(|sql| sql.trim() != before.sql.trim());
    if changes_query {
        app.check_sql(sql.clone().expect("some"), before.warehouse.clone()).await?;
    }
    let draft = SavedDraft {
        id: Some(before.id.clone()),
        title: args.title.unwrap_or(before.title),
        question: args.question.unwrap_or(before.question),
        sql: sql.unwrap_or(before.sql),
        code: if changes_query { None } else { before.code },
        warehouse: before.warehouse,
        status: if changes_query { SavedStatus::Draft } else { before.status },
        run_id: before.run_id,
        notes: args.notes.unwrap_or(before.notes),
    };
    let saved = app.save_question(draft).await?;
    let mut tags = saved.filing.tags;
    tags.retain(|tag| !args.untags.contains(tag));
    tags.extend(args.tags);
    let saved = app.file_saved(saved.id, args.folder.unwrap_or(saved.filing.folder), tags).await?;
    if !args.ask_for.is_empty() {
        let names = args.ask_for.into_iter().filter(|name| name != "none").collect();
        app.set_parameters(saved.id.clone(), names).await?;
    }
    if before.status != saved.status {
        print_note(&tr!(
            "it is a draft again: the query is not the one that was {status}",
            status = status_label(before.status)
        ));
    }
    Ok(())
}
