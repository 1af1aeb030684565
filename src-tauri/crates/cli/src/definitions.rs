//! `vitrine definitions`: what is known of a database in words, as in the window.

use crate::args::{DefineArgs, DefinitionsCommand};
use crate::end::End;
use crate::input::stdin_text;
use crate::named::{address, same};
use crate::output::{clean, count, note, print, print_json, text_table};
use vitrine_api::App;
use vitrine_domain::{AppError, CellType, Definition, DefinitionSource, Definitions, ErrorCode};

pub(crate) async fn run(app: &App, command: DefinitionsCommand) -> Result<(), End> {
    match command {
        DefinitionsCommand::List { connection, json } => {
            let known = app.definitions(address(app, &connection).await?).await?;
            if json {
                print_json(&known);
                return Ok(());
            }
            if known == Definitions::default() {
                note("nothing yet: vitrine definitions add CONNECTION TERM MEANING, or import");
                return Ok(());
            }
            if !known.text.is_empty() {
                print(&format!("{}\n", clean(&known.text, true)));
            }
            show(&known.entries);
        }
        DefinitionsCommand::Add(args) => add(app, args).await?,
        DefinitionsCommand::Text { connection, text } => {
            let text = if text == "-" { stdin_text()? } else { text };
            let uri = address(app, &connection).await?;
            let known = app.definitions(uri.clone()).await?;
            let kept = app.set_definitions(uri, Definitions { text, ..known }).await?;
            note(if kept.text.is_empty() { "questions are told no text" } else { "every question is told this text" });
        }
        DefinitionsCommand::Rm { connection, term, subject } => {
            let uri = address(app, &connection).await?;
            let mut known = app.definitions(uri.clone()).await?;
            let before = known.entries.len();
            let is_meant = |entry: &Definition| {
                same(&entry.term, &term)
                    && subject.as_ref().is_none_or(|name| entry.subject.as_ref().is_some_and(|own| same(own, name)))
            };
            known.entries.retain(|entry| !is_meant(entry));
            let removed = before - known.entries.len();
            if removed == 0 {
                let what = format!("There is no definition of '{}'", clean(&term, false));
                let hint = "List them with: vitrine definitions list CONNECTION";
                return Err(AppError::new(ErrorCode::NotFound, what).hint(hint).into());
            }
            app.set_definitions(uri, known).await?;
            note(&format!("{} removed", count(removed as u64, "definition")));
        }
        DefinitionsCommand::Import { connection, file, dry_run, json } => {
            let uri = address(app, &connection).await?;
            let path = file.map(|file| file.display().to_string());
            let found = app.import_definitions(uri.clone(), path).await?;
            if json {
                print_json(&found);
            } else if !found.found.is_empty() {
                show(&found.found);
            }
            for line in &found.notes {
                note(&clean(line, false));
            }
            let (new, known) = (count(found.found.len() as u64, "definition"), found.known);
            if dry_run {
                note(&format!("{new} would be taken over, {known} known already"));
                return Ok(());
            }
            let mut all = app.definitions(uri.clone()).await?;
            all.entries.extend(found.found);
            app.set_definitions(uri, all).await?;
            note(&format!("{new} taken over, {known} known already"));
        }
    }
    Ok(())
}

async fn add(app: &App, args: DefineArgs) -> Result<(), End> {
    let uri = address(app, &args.connection).await?;
    let mut known = app.definitions(uri.clone()).await?;
    let before = known.entries.len();
    let is_own = |entry: &Definition| entry.source == DefinitionSource::User && same(&entry.term, &args.term);
    known.entries.retain(|entry| !is_own(entry));
    let changed = known.entries.len() < before;
    let definition = Definition {
        term: args.term,
        synonyms: args.synonyms,
        meaning: args.meaning,
        condition: args.condition,
        always: args.always,
        subject: args.subject,
        source: DefinitionSource::User,
    };
    known.entries.insert(0, definition);
    let expected = known.entries.len();
    let kept = app.set_definitions(uri, known).await?;
    if kept.entries.len() < expected {
        let what = "This is no definition: a term is needed, and a meaning or a condition";
        return Err(AppError::new(ErrorCode::Usage, what).hint("See: vitrine definitions add --help").into());
    }
    note(if changed { "changed" } else { "added" });
    Ok(())
}

fn show(entries: &[Definition]) {
    let line = |entry: &Definition| {
        let source = match entry.source {
            DefinitionSource::User => "",
            DefinitionSource::Comment => "comment",
            DefinitionSource::Dbt => "dbt",
        };
        let (subject, condition) = (entry.subject.as_deref(), entry.condition.as_deref());
        let always = if entry.always { "yes" } else { "" };
        [
            entry.term.as_str(),
            &entry.synonyms.join(", "),
            subject.unwrap_or_default(),
            &entry.meaning,
            condition.unwrap_or_default(),
            always,
            source,
        ]
        .map(|cell| clean(cell, false))
        .into()
    };
    let text = CellType::Text;
    let head = [
        ("term", text),
        ("synonyms", text),
        ("of", text),
        ("meaning", text),
        ("condition", text),
        ("always", text),
        ("from", text),
    ];
    print(&text_table(&head, &entries.iter().map(line).collect::<Vec<Vec<String>>>()));
}
