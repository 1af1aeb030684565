//! `vitrine`, the command line: a thin adapter over the api. Standard output carries only a command's result; progress and
//! messages go to standard error.

mod approvals;
mod args;
mod ask;
mod audit;
mod bundle;
mod choice;
mod compare;
mod connections;
mod data;
mod definitions;
mod drivers;
mod egress;
mod end;
mod eval;
mod explain;
mod export;
mod files;
mod google;
mod headline;
mod input;
mod keys;
mod last_run;
mod mcp;
mod metric_change;
mod metrics;
mod models;
mod named;
mod notes;
mod output;
mod password;
mod python;
mod readings;
mod rerun;
mod rules;
mod runs;
mod safety;
mod sample;
mod saved;
mod scans;
mod sources;
mod stages;
mod stop;
mod typing;
mod usage;
mod watch;
mod workspace;

use args::{Cli, Command, RunsCommand};
use clap::Parser;
use end::{End, status_of};
use stop::Stop;
use vitrine_api::{App, AppOptions, Patience};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

fn main() {
    vitrine_api::run_worker_if_asked();
    // Usage errors end here, with status 2.
    let cli = Cli::try_parse().unwrap_or_else(|error| usage::hide_passwords(error).exit());
    let level = tracing_subscriber::EnvFilter::try_from_env("VITRINE_LOG").unwrap_or_else(|_| "error".into());
    tracing_subscriber::fmt().with_env_filter(level).with_writer(std::io::stderr).without_time().init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::print_error(
                &AppError::new(ErrorCode::Internal, tr!("The program cannot start its threads")).with_detail(error),
            );
            std::process::exit(4);
        }
    };
    let status = match runtime.block_on(run(cli)) {
        Ok(()) => 0,
        Err(End::Told(status)) => status,
        Err(End::Error(error)) => {
            output::print_error(&error);
            status_of(error.code)
        }
    };
    // The process exits explicitly, because a blocked thread must not delay the end.
    std::process::exit(status);
}

async fn run(cli: Cli) -> Result<(), End> {
    // Replies to agents are read by other programs, so they stay in English.
    if !matches!(cli.command, Command::Mcp(_)) {
        vitrine_api::take_language_of_environment()?;
    }
    let app = App::open(AppOptions::from_environment(Patience::TERMINAL)?).await?;
    let stop = Stop::listen_for_signals();
    let done = run_command(&app, cli.command, &stop).await;
    app.shutdown().await;
    done
}

async fn run_command(app: &App, mut command: Command, stop: &Stop) -> Result<(), End> {
    stop.or_cancelled(sources::join_sources(app, &mut command)).await?;
    if let Some(uri) = command.warehouse_mut() {
        *uri = app.address_of(uri).await?;
        // The user typed the address, which confirms the warehouse.
        app.confirm_warehouse(uri).await;
        stop.or_cancelled(password::offer_password_prompt(app, uri)).await?;
    }
    match command {
        Command::Ask(args) => ask::run(app, args, stop).await,
        Command::Query(args) => data::run_query(app, args, stop).await,
        Command::Explain(args) => stop.or_cancelled(explain::run(app, args)).await,
        Command::Connections(command) => connections::run(app, command, stop).await,
        Command::Approvals(command) => stop.or_cancelled(approvals::run(app, command)).await,
        Command::Definitions(command) => stop.or_cancelled(definitions::run(app, command)).await,
        Command::Metrics(command) => metrics::run(app, command, stop).await,
        Command::Readings(command) => readings::run(app, command, stop).await,
        Command::Schema(args) => stop.or_cancelled(data::print_schema(app, args)).await,
        Command::Keys(args) => stop.or_cancelled(keys::run(app, args)).await,
        Command::Files(args) => stop.or_cancelled(files::run(app, args)).await,
        Command::Profile(args) => stop.or_cancelled(data::print_profile(app, args)).await,
        Command::Prepare(args) => stop.or_cancelled(data::prepare_warehouse(app, &args.uri)).await,
        Command::Values(args) => stop.or_cancelled(data::run_values(app, args)).await,
        Command::Safety { uri, json } => stop.or_cancelled(safety::run(app, uri, json)).await,
        Command::Egress(args) => stop.or_cancelled(egress::run(app, args)).await,
        Command::Rules { json } => Ok(rules::print_rules(app, json).await?),
        Command::Audit(command) => stop.or_cancelled(audit::run(app, command)).await,
        // The command stops the run and reports it.
        Command::Runs(command @ RunsCommand::Rerun(_)) => runs::run(app, command, stop).await,
        Command::Runs(command) => stop.or_cancelled(runs::run(app, command, stop)).await,
        Command::Bundle(command) => bundle::run(app, command, stop).await,
        Command::Saved(command) => saved::run(app, command, stop).await,
        Command::Workspace(command) => workspace::run(app, command, stop).await,
        Command::Models(command) => models::run(app, command, stop).await,
        Command::Python(command) => python::run(app, command, stop).await,
        Command::Drivers(command) => drivers::run(app, command, stop).await,
        Command::Mcp(args) => mcp::run(app, *args, stop).await,
        Command::Eval(args) => eval::run(app, *args, stop).await,
    }
}
