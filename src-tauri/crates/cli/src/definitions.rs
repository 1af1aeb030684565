//! `vitrine definitions`: the definitions of a database, as in the window.

use crate::args::{DefineArgs, DefinitionsCommand};
use crate::end::End;
use crate::input::stdin_text;
use crate::named::{is_same_name, resolve_address};
use crate::output::{print_json, print_note, print_text, sanitize_text, text_table};
use vitrine_api::App;
use vitrine_domain::{AppError, CellType, Definition, DefinitionSource, Definitions, ErrorCode};
use vitrine_words::{plural, tr};

pub(crate) async fn run(app: &App, command: DefinitionsCommand) -> Result<(), End> {
    match command {
        DefinitionsCommand::List { connection, json } => {
            let known = app.definitions(resolve_address(app, &connection).await?).await?;
            if json {
                print_json(&known);
                return Ok(());
            }
            if known == Definitions::default() {
                print_note(&tr!("nothing yet: vitrine definitions add CONNECTION TERM MEANING, or import"));
                return Ok(());
            }
            if !known.text.is_empty() {
                print_text(&format!("{}\n", sanitize_text(&known.text, true)));
            }
            print_definitions(&known.entries);
        }
        DefinitionsCommand::Add(args) => add_definition(app, args).await?,
        DefinitionsCommand::Text { connection, text } => {
            let text = if text == "-" { stdin_text()? } else { text };
            let uri = resolve_address(app, &connection).await?;
            let known = app.definitions(uri.clone()).await?;
            let kept = app.set_definitions(uri, Definitions { text, ..known }).await?;
            print_note(&match kept.text.is_empty() {
                true => tr!("no text is sent with questions"),
                false => tr!("this text is sent with every question"),
            });
        }
        DefinitionsCommand::Rm { connection, term, subject } => {
            let uri = resolve_address(app, &connection).await?;
            let mut known = app.definitions(uri.clone()).await?;
            let before = known.entries.len();
            let is_meant = |entry: &Definition| {
                is_same_name(&entry.term, &term)
                    && subject
                        .as_ref()
                        .is_none_or(|name| entry.subject.as_ref().is_some_and(|own| is_same_name(own, name)))
            };
            known.entries.retain(|entry| !is_meant(entry));
            let removed = before - known.entries.len();
            if removed == 0 {
                let what = tr!("Definition '{term}' not found", term = sanitize_text(&term, false));
                let hint = tr!("List them with: vitrine definitions list CONNECTION");
                return Err(AppError::new(ErrorCode::NotFound, what).with_hint(hint).into());
            }
            app.set_definitions(uri, known).await?;
            print_note(&plural!(removed, "{n} definition removed", "{n} definitions removed"));
        }
        DefinitionsCommand::Import { connection, file, dry_run, json } => {
            let uri = resolve_address(app, &connection).await?;
            let path = file.map(|file| file.display().to_string());
            let found = app.import_definitions(uri.clone(), path).await?;
            if json {
                print_json(&found);
            } else if !found.found.is_empty() {
                print_definitions(&found.found);
            }
            for line in &found.notes {
                print_note(&sanitize_text(line, false));
            }
            let (new, known) = (found.found.len(), found.known);
            if dry_run {
                print_note(&plural!(
                    new,
                    "{n} definition would be taken over, {known} known already",
                    "{n} definitions would be taken over, {known} known already",
                    known
                ));
                return Ok(());
            }
            let mut all = app.definitions(uri.clone()).await?;
            all.entries.extend(found.found);
            app.set_definitions(uri, all).await?;
            print_note(&plural!(
                new,
                "{n} definition taken over, {known} known already",
                "{n} definitions taken over, {known} known already",
                known
            ));
        }
    }
    Ok(())
}

async fn add_definition(app: &App, args: DefineArgs) -> Result<(), End> {
    let uri = resolve_address(app, &args.connection).await?;
    let mut known = app.definitions(uri.clone()).await?;
    let before = known.entries.len();
    // One value may replace others in several columns.
    let merges = args.always && args.condition.is_none();
    let is_own = |entry: &Definition| {
        let is_same = entry.source == DefinitionSource::User && is_same_name(&entry.term, &args.term);
        is_same && (!merges || !entry.always || entry.subject == args.subject)
    };
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
        let what = tr!("This is not a definition: enter a term, and a meaning or a condition");
        return Err(AppError::new(ErrorCode::Usage, what).with_hint(tr!("See: vitrine definitions add --help")).into());
    }
    print_note(&if changed { tr!("changed") } else { tr!("added") });
    Ok(())
}

fn print_definitions(entries: &[Definition]) {
    let line = |entry: &Definition| {
        let source = match entry.source {
            DefinitionSource::User => String::new(),
            DefinitionSource::Comment => tr!("comment"),
            DefinitionSource::Dbt => "dbt".to_owned(),
        };
        let (subject, condition) = (entry.subject.as_deref(), entry.condition.as_deref());
        let always = if entry.always { tr!("yes") } else { String::new() };
        [
            entry.term.as_str(),
            &entry.synonyms.join(", "),
            subject.unwrap_or_default(),
            &entry.meaning,
            condition.unwrap_or_default(),
            &always,
            &source,
        ]
        .map(|cell| sanitize_text(cell, false))
        .into()
    };
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "term"), text),
        (tr!(context "heading", "synonyms"), text),
        (tr!(context "heading", "of"), text),
        (tr!(context "heading", "meaning"), text),
        (tr!(context "heading", "condition"), text),
        (tr!(context "heading", "always"), text),
        (tr!(context "heading", "from"), text),
    ];
    print_text(&text_table(&head, &entries.iter().map(line).collect::<Vec<Vec<String>>>()));
}
