//! The desktop shell: windows around the api. Every command is a one-line adapter, and every event is passed on unchanged.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod bindings;
mod commands;
mod context;
mod dialogs;
mod page_process;
mod start;
mod walls;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use tauri::ipc::Invoke;
use tauri::{Emitter, Manager, RunEvent};
use tokio::sync::broadcast::error::RecvError;
use vitrine_api::{App, AppOptions, Patience};
use vitrine_domain::AppError;

/// Name of the window's only event; its payload is an `AppEvent`.
const EVENT: &str = "app-event";

fn main() {
    vitrine_api::run_worker_if_asked();
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|argument| argument == "--write-bindings") {
        let path = arguments.next().map_or_else(|| PathBuf::from("bindings.ts"), PathBuf::from);
        if let Err(error) = bindings::write_bindings(&path) {
            exit_with_error(&format!("the bindings cannot be written to {}: {error}", path.display()));
        }
        return;
    }
    if !has_display() {
        exit_with_error(
            "there is no display, so no window can open.\nhint: ask in the terminal instead (in a checkout `npm run ask --` takes the place of `vitrine ask`):\n  vitrine ask \"How many customers do we have?\"",
        );
    }
    let level = tracing_subscriber::EnvFilter::try_from_env("VITRINE_LOG").unwrap_or_else(|_| "error".into());
    tracing_subscriber::fmt().with_env_filter(level).with_writer(std::io::stderr).init();
    // Opened before the window, so that an error of the workspace is shown as text instead of an empty window.
    let app = match tauri::async_runtime::block_on(open_app()) {
        Ok(app) => app,
        Err(error) => start::show_error_and_exit(&error),
    };
    run_window(app);
}

async fn open_app() -> Result<App, AppError> {
    let app = App::open(AppOptions::from_environment(Patience::WINDOW)?).await?;
    app.shows_approvals();
    Ok(app)
}

fn run_window(app: App) {
    let ending = app.clone();
    // A display that does not respond causes a panic in the window library, whose message does not help the user.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(AssertUnwindSafe(|| build_app(app)));
    std::panic::set_hook(hook);
    match built {
        Ok(Ok(built)) => built.run(move |_, event| {
            if matches!(event, RunEvent::Exit) {
                tauri::async_runtime::block_on(ending.shutdown());
            }
        }),
        Ok(Err(error)) => exit_with_error(&format!("the window cannot open: {error}")),
        Err(_) => exit_with_error(
            "the window cannot open: the display does not answer.\nhint: check DISPLAY, or ask in the terminal: vitrine ask",
        ),
    }
}

fn build_app(app: App) -> tauri::Result<tauri::App> {
    tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_store::Builder::default().build())
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .invoke_handler(with_shell(commands::builder().invoke_handler()))
        .setup(move |window| {
            let mut events = app.subscribe_to_events();
            let handle = window.handle().clone();
            tauri::async_runtime::spawn(async move {
                loop {
                    match events.recv().await {
                        // A window that is closing receives no more events.
                        Ok(event) => drop(handle.emit(EVENT, event)),
                        // The pages detect the gap in the numbers and read the run log.
                        Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => break,
                    }
                }
            });
            app.set_dialogs(Arc::new(dialogs::WindowDialogs(window.handle().clone())));
            app.set_browser(vitrine_api::open_page);
            window.manage(app);
            Ok(walls::open_first(window)?)
        })
        .build(context::build_context())
}

/// Combines the api's commands with the shell's own command.
fn with_shell(api: impl Fn(Invoke) -> bool + Send + Sync + 'static) -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    let shell: fn(Invoke) -> bool = tauri::generate_handler![walls::open_window];
    move |invoke| if invoke.message.command() == "open_window" { shell(invoke) } else { api(invoke) }
}

/// Returns true if a window can open; only Linux may have no display.
fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn exit_with_error(message: &str) -> ! {
    eprintln!("error: {message}");
    std::process::exit(4);
}
