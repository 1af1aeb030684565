//! `vitrine connections`

use crate::args::{AddArgs, ConnectionsCommand, OnOff};
use crate::end::End;
use crate::google;
use crate::output::{clean, note, print, print_json, text_table};
use crate::password;
use crate::scans;
use crate::stop::Stop;
use std::sync::Mutex;
use vitrine_api::conformance::{ConformanceCheck, Outcome};
use vitrine_api::{App, Connection, ConnectionDraft, ConnectionSettings, PasswordPlace, WarehouseUri};
use vitrine_domain::{CellType, ConnectionTest, TestState, TestStep};
use vitrine_words::{tr, translate_constant};

pub(crate) async fn run(app: &App, command: ConnectionsCommand, stop: &Stop) -> Result<(), End> {
    match command {
        ConnectionsCommand::Add(args) => stop.or(add(app, args)).await,
        ConnectionsCommand::List { json } => list(app, json).await,
        ConnectionsCommand::Test { connection, full: true, json } => full(app, &connection, json, stop).await,
        ConnectionsCommand::Test { connection, full: false, json } => test(app, connection, json, stop).await,
        ConnectionsCommand::SignIn { connection, no_browser } => {
            google::sign_in(app, connection, no_browser, stop).await
        }
        ConnectionsCommand::Limit(args) => scans::limit(app, args).await,
        ConnectionsCommand::Spending { month, json } => scans::spending(app, month, json).await,
        ConnectionsCommand::Rm { name } => {
            let connection = app.find_connection(&name).await?;
            app.remove_connection(connection.id).await?;
            note(&tr!("removed {name}; the database itself is as it was", name = clean(&connection.name, false)));
            Ok(())
        }
        ConnectionsCommand::Approval { name, state } => {
            let connection = app.find_connection(&name).await?;
            let mut draft = draft(&connection);
            draft.settings.require_approval = state == OnOff::On;
            app.keep_connection(draft).await?;
            let name = clean(&connection.name, false);
            note(&match state {
                OnOff::On => tr!("{name} runs only SQL that was approved; docs/safety.md says what that covers", name),
                OnOff::Off => tr!("{name} runs SQL without approval", name),
            });
            Ok(())
        }
        ConnectionsCommand::Rename { name, new_name } => {
            let connection = app.find_connection(&name).await?;
            let kept = app.keep_connection(ConnectionDraft { name: new_name, ..draft(&connection) }).await?;
            note(&tr!(
                "{before} is now {now}",
                before = clean(&connection.name, false),
                now = clean(&kept.connection.name, false)
            ));
            Ok(())
        }
    }
}

/// A connection as it is, to be kept with a change.
fn draft(connection: &Connection) -> ConnectionDraft {
    ConnectionDraft {
        id: Some(connection.id.clone()),
        name: connection.name.clone(),
        address: connection.address.clone(),
        environment: connection.environment.clone(),
        schemas: connection.schemas.clone(),
        settings: connection.settings.clone(),
        password: None,
        remember: false,
    }
}

async fn add(app: &App, args: AddArgs) -> Result<(), End> {
    let draft = ConnectionDraft {
        id: None,
        name: args.name,
        address: args.address,
        environment: args.environment,
        schemas: args.schemas,
        settings: ConnectionSettings { require_approval: args.require_approval, ..ConnectionSettings::default() },
        password: None,
        remember: true,
    };
    let kept = app.keep_connection(draft).await?;
    let name = clean(&kept.connection.name, false);
    note(&tr!("added {name}: {address}", name, address = clean(&kept.connection.address, false)));
    match kept.password {
        PasswordPlace::None => {}
        PasswordPlace::Keychain => note(&tr!("the password is in the system's keychain")),
        PasswordPlace::Session => {
            note(&match kept.note {
                Some(why) => tr!("the password was not kept: {why}", why),
                None => tr!("the password was not kept"),
            });
            let variable = WarehouseUri::parse_remote(&kept.connection.address).and_then(|uri| uri.password_variable());
            if let Some(name) = variable {
                note(&tr!("it is asked for when it is needed, or read from {name}", name));
            }
        }
    }
    if kept.connection.address.starts_with("bigquery:")
        && app.google_secret_missing(&kept.connection.name).await.is_ok()
    {
        note(&tr!("sign in with: {command}", command = format!("vitrine connections sign-in {name:?}")));
    }
    note(&tr!("test it with: {command}", command = format!("vitrine connections test {name:?}")));
    Ok(())
}

async fn list(app: &App, json: bool) -> Result<(), End> {
    let connections = app.connections().await?;
    if json {
        print_json(&connections);
        return Ok(());
    }
    if connections.is_empty() {
        note(&tr!("no connections yet: vitrine connections add NAME ADDRESS"));
        return Ok(());
    }
    let rows: Vec<Vec<String>> = connections
        .into_iter()
        .map(|connection| {
            let ahead = scans::ahead(&connection);
            let environment = connection.environment.map(|environment| environment.name).unwrap_or_default();
            let schemas = connection.schemas.join(", ");
            let asks = if connection.settings.require_approval { tr!("yes") } else { String::new() };
            let used_at = connection.used_at.unwrap_or_default();
            vec![connection.name, environment, connection.address, schemas, ahead, asks, used_at]
        })
        .collect();
    let text = CellType::Text;
    print(&text_table(
        &[
            (tr!(context "heading", "name"), text),
            (tr!(context "heading", "environment"), text),
            (tr!(context "heading", "address"), text),
            (tr!(context "heading", "schemas"), text),
            (tr!(context "heading", "read ahead"), text),
            (tr!(context "heading", "approval"), text),
            (tr!(context "heading", "last used"), text),
        ],
        &rows,
    ));
    Ok(())
}

async fn test(app: &App, connection: String, json: bool, stop: &Stop) -> Result<(), End> {
    // Each stage is told when it is over, not only all of them in the end.
    let told = Mutex::new(0);
    let tell = |test: &ConnectionTest| {
        let mut told = told.lock().expect("nothing panics while it is held");
        let over = |step: &&TestStep| !matches!(step.state, TestState::Waiting | TestState::Running);
        let steps: Vec<&TestStep> = test.steps.iter().take_while(over).collect();
        for step in steps.iter().skip(*told) {
            if !json {
                print(&line(step));
            }
        }
        *told = steps.len().max(*told);
    };
    let mut tested = app.inspect_connection(&connection, None, &tell, stop.token()).await?;
    if tested.password_wanted
        && !json
        && let Some(password) = password::asked().await
    {
        *told.lock().expect("nothing panics while it is held") = 0;
        tested = app.inspect_connection(&connection, Some(password), &tell, stop.token()).await?;
    }
    if json {
        print_json(&tested);
    }
    if tested.failed_step().is_some() || stop.token().is_cancelled() { Err(End::Told(4)) } else { Ok(()) }
}

/// The conformance suite, each check as it ends.
async fn full(app: &App, connection: &str, json: bool, stop: &Stop) -> Result<(), End> {
    let mut told = |check: &ConformanceCheck| {
        let state = match check.outcome {
            Outcome::Passed => tr!("ok"),
            Outcome::Failed => tr!("failed"),
            Outcome::Skipped => tr!("skipped"),
        };
        if !json {
            let detail = clean(&check.detail, false);
            print(&format!("{:<12}  {state:<7}  {} ({detail}; {:.1} s)", check.name, check.what, check.seconds));
        }
    };
    let checks = app.run_conformance_suite(connection, None, &mut told, &stop.token()).await?;
    if json {
        print_json(&checks);
    }
    let failed = checks.iter().any(|check| check.outcome == Outcome::Failed);
    if failed || stop.token().is_cancelled() { Err(End::Told(4)) } else { Ok(()) }
}

fn line(step: &TestStep) -> String {
    let state = match step.state {
        TestState::Ok => tr!("ok"),
        TestState::Warning => tr!("warning"),
        TestState::Failed => tr!("failed"),
        _ => tr!("skipped"),
    };
    let mut text =
        format!("{:<10}  {state:<7}  {}", translate_constant(step.stage.english_title()), clean(&step.message, false));
    for line in &step.detail {
        text.push_str(&format!("\n{:21}  {}", "", clean(line, false)));
    }
    if let Some(advice) = &step.advice {
        text.push_str(&format!("\n{:21}  {}", "", tr!("next: {advice}", advice = clean(advice, false))));
    }
    text.trim_end().to_owned()
}
