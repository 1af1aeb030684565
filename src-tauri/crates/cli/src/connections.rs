//! `vitrine connections`

use crate::args::{AddArgs, ConnectionsCommand, OnOff};
use crate::end::End;
use crate::google;
use crate::output::{print_json, print_note, print_text, sanitize_text, text_table};
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
        ConnectionsCommand::Add(args) => stop.or_cancelled(add_connection(app, args)).await,
        ConnectionsCommand::List { json } => print_connections(app, json).await,
        ConnectionsCommand::Test { connection, full: true, json } => {
            run_conformance_suite(app, &connection, json, stop).await
        }
        ConnectionsCommand::Test { connection, full: false, json } => {
            test_connection(app, connection, json, stop).await
        }
        ConnectionsCommand::SignIn { connection, no_browser } => {
            google::sign_in(app, connection, no_browser, stop).await
        }
        ConnectionsCommand::Limit(args) => scans::set_limits(app, args).await,
        ConnectionsCommand::Spending { month, json } => scans::print_spending(app, month, json).await,
        ConnectionsCommand::Rm { name } => {
            let connection = app.find_connection(&name).await?;
            app.remove_connection(connection.id).await?;
            print_note(&tr!(
                "removed {name}; the database itself was not changed",
                name = sanitize_text(&connection.name, false)
            ));
            Ok(())
        }
        ConnectionsCommand::Approval { name, state } => {
            let connection = app.find_connection(&name).await?;
            let mut draft = to_draft(&connection);
            draft.settings.require_approval = state == OnOff::On;
            app.keep_connection(draft).await?;
            let name = sanitize_text(&connection.name, false);
            print_note(&match state {
                OnOff::On => tr!(
                    "{name} runs only SQL that was approved, also for the editor, exports and saved questions",
                    name
                ),
                OnOff::Off => tr!("{name} runs SQL without approval", name),
            });
            Ok(())
        }
        ConnectionsCommand::Rename { name, new_name } => {
            let connection = app.find_connection(&name).await?;
            let kept = app.keep_connection(ConnectionDraft { name: new_name, ..to_draft(&connection) }).await?;
            print_note(&tr!(
                "{before} is now {now}",
                before = sanitize_text(&connection.name, false),
                now = sanitize_text(&kept.connection.name, false)
            ));
            Ok(())
        }
    }
}

/// Returns a draft with the connection's current settings, to be saved with a change.
fn to_draft(connection: &Connection) -> ConnectionDraft {
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

async fn add_connection(app: &App, args: AddArgs) -> Result<(), End> {
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
    let name = sanitize_text(&kept.connection.name, false);
    print_note(&tr!("added {name}: {address}", name, address = sanitize_text(&kept.connection.address, false)));
    match kept.password {
        PasswordPlace::None => {}
        PasswordPlace::Keychain => print_note(&tr!("the password is in the system's keychain")),
        PasswordPlace::Session => {
            print_note(&match kept.note {
                Some(why) => tr!("the password was not stored: {why}", why),
                None => tr!("the password was not stored"),
            });
            let variable = WarehouseUri::parse_remote(&kept.connection.address).and_then(|uri| uri.password_variable());
            if let Some(name) = variable {
                print_note(&tr!("it is requested when needed, or read from {name}", name));
            }
        }
    }
    if kept.connection.address.starts_with("bigquery:")
        && app.google_secret_missing(&kept.connection.name).await.is_ok()
    {
        print_note(&tr!("sign in with: {command}", command = format!("vitrine connections sign-in {name:?}")));
    }
    print_note(&tr!("test it with: {command}", command = format!("vitrine connections test {name:?}")));
    Ok(())
}

async fn print_connections(app: &App, json: bool) -> Result<(), End> {
    let connections = app.connections().await?;
    if json {
        print_json(&connections);
        return Ok(());
    }
    if connections.is_empty() {
        print_note(&tr!("no connections yet: vitrine connections add NAME ADDRESS"));
        return Ok(());
    }
    let rows: Vec<Vec<String>> = connections
        .into_iter()
        .map(|connection| {
            let ahead = scans::describe_read_ahead(&connection);
            let environment = connection.environment.map(|environment| environment.name).unwrap_or_default();
            let schemas = connection.schemas.join(", ");
            let asks = if connection.settings.require_approval { tr!("yes") } else { String::new() };
            let used_at = connection.used_at.unwrap_or_default();
            vec![connection.name, environment, connection.address, schemas, ahead, asks, used_at]
        })
        .collect();
    let text = CellType::Text;
    print_text(&text_table(
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

async fn test_connection(app: &App, connection: String, json: bool, stop: &Stop) -> Result<(), End> {
    // Each stage is reported as soon as it ends.
    let printed = Mutex::new(0);
    let print_steps = |test: &ConnectionTest| {
        let mut printed = printed.lock().expect("nothing panics while it is held");
        let over = |step: &&TestStep| !matches!(step.state, TestState::Waiting | TestState::Running);
        let steps: Vec<&TestStep> = test.steps.iter().take_while(over).collect();
        for step in steps.iter().skip(*printed) {
            if !json {
                print_text(&format_test_step(step));
            }
        }
        *printed = steps.len().max(*printed);
    };
    let mut tested = app.inspect_connection(&connection, None, &print_steps, stop.token()).await?;
    if tested.password_wanted
        && !json
        && let Some(password) = password::ask_for_password().await
    {
        *printed.lock().expect("nothing panics while it is held") = 0;
        tested = app.inspect_connection(&connection, Some(password), &print_steps, stop.token()).await?;
    }
    if json {
        print_json(&tested);
    }
    if tested.failed_step().is_some() || stop.token().is_cancelled() { Err(End::Told(4)) } else { Ok(()) }
}

/// Runs the conformance suite and reports each check as it ends.
async fn run_conformance_suite(app: &App, connection: &str, json: bool, stop: &Stop) -> Result<(), End> {
    let mut told = |check: &ConformanceCheck| {
        let state = match check.outcome {
            Outcome::Passed => tr!("ok"),
            Outcome::Failed => tr!("failed"),
            Outcome::Skipped => tr!("skipped"),
        };
        if !json {
            let detail = sanitize_text(&check.detail, false);
            print_text(&format!("{:<12}  {state:<7}  {} ({detail}; {:.1} s)", check.name, check.what, check.seconds));
        }
    };
    let checks = app.run_conformance_suite(connection, None, &mut told, &stop.token()).await?;
    if json {
        print_json(&checks);
    }
    let failed = checks.iter().any(|check| check.outcome == Outcome::Failed);
    if failed || stop.token().is_cancelled() { Err(End::Told(4)) } else { Ok(()) }
}

fn format_test_step(step: &TestStep) -> String {
    let state = match step.state {
        TestState::Ok => tr!("ok"),
        TestState::Warning => tr!("warning"),
        TestState::Failed => tr!("failed"),
        _ => tr!("skipped"),
    };
    let mut text = format!(
        "{:<10}  {state:<7}  {}",
        translate_constant(step.stage.english_title()),
        sanitize_text(&step.message, false)
    );
    for line in &step.detail {
        text.push_str(&format!("\n{:21}  {}", "", sanitize_text(line, false)));
    }
    if let Some(advice) = &step.advice {
        text.push_str(&format!("\n{:21}  {}", "", tr!("next: {advice}", advice = sanitize_text(advice, false))));
    }
    text.trim_end().to_owned()
}
