//! The development host as a separate program, so that no shipped program listens on a port.
//!
//! `vitrine-devhost [--port N] [--ui DIR] [--files DIR]`: `--ui` is the folder of the built pages, `--files` the only
//! folder to which files are saved, without a dialog. `VITRINE_DEVHOST_TOKEN` sets the token that requests need.

use std::path::PathBuf;
use tokio_util::sync::CancellationToken;
use vitrine_api::{App, AppOptions, Patience};
use vitrine_devhost::{Devhost, Options};
use vitrine_domain::{AppError, ErrorCode};

fn main() {
    vitrine_api::run_worker_if_asked();
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    if let Err(error) = runtime.block_on(run_host()) {
        eprintln!("error: {error}");
        std::process::exit(4);
    }
}

async fn run_host() -> Result<(), AppError> {
    let options = parse_options(std::env::args().skip(1))?;
    let app = App::open(AppOptions::from_environment(Patience::WINDOW)?).await?;
    app.shows_approvals();
    let host = Devhost::bind(app.clone(), options).await?;
    eprintln!("Vitrine for browsers: {}", host.browser_url());
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    tokio::spawn(async move {
        let _ = wait_for_stop().await;
        stopped.cancel();
    });
    let served = host.serve_until_stopped(stop).await;
    app.shutdown().await;
    served
}

#[cfg(unix)]
async fn wait_for_stop() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut ended = signal(SignalKind::terminate())?;
    tokio::select! { _ = ended.recv() => Ok(()), interrupted = tokio::signal::ctrl_c() => interrupted }
}

#[cfg(not(unix))]
async fn wait_for_stop() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

fn parse_options(mut arguments: impl Iterator<Item = String>) -> Result<Options, AppError> {
    let wrong = |what: String| {
        AppError::new(ErrorCode::Usage, what).with_hint("vitrine-devhost [--port N] [--ui DIR] [--files DIR]")
    };
    let mut options = Options { port: 8787, ui: PathBuf::from("ui/dist"), files: None, token: None };
    options.token = std::env::var("VITRINE_DEVHOST_TOKEN").ok().filter(|token| !token.is_empty());
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| wrong(format!("{name} has no value")))?;
        match name.as_str() {
            "--port" => options.port = value.parse().map_err(|_| wrong(format!("'{value}' is not a port")))?,
            "--ui" => options.ui = value.into(),
            "--files" => options.files = Some(value.into()),
            _ => return Err(wrong(format!("'{name}' is not known here"))),
        }
    }
    Ok(options)
}
