//! `vitrine python`

use crate::args::PythonCommand;
use crate::end::End;
use crate::output::{format_number, print_json, print_note, print_text};
use crate::stop::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use vitrine_api::{App, AppEvent, JobState};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, command: PythonCommand, stop: &Stop) -> Result<(), End> {
    match command {
        PythonCommand::Status { json } => print_status(app, json).await?,
        PythonCommand::Install => install_python(app, stop).await?,
        PythonCommand::Remove => {
            app.remove_python().await?;
            print_note(&tr!("Removed"));
        }
    }
    Ok(())
}

fn format_megabytes(bytes: u64) -> String {
    format!("{} MB", format_number(bytes / 1_000_000))
}

async fn print_status(app: &App, json: bool) -> Result<(), AppError> {
    let status = app.python().await?;
    if json {
        print_json(&status);
        return Ok(());
    }
    match (&status.unavailable, status.installed) {
        (Some(why), _) => print_text(&tr!("Python analysis stays off here: {why}", why)),
        (None, true) => print_text(&tr!("Python is set up, {size} on disk", size = format_megabytes(status.bytes))),
        (None, false) => {
            print_text(&tr!(
                "Python is not set up; it needs about {size} on disk",
                size = format_megabytes(status.needed_bytes)
            ));
            print_note(&tr!("Set it up with: vitrine python install"));
        }
    }
    Ok(())
}

async fn install_python(app: &App, stop: &Stop) -> Result<(), AppError> {
    let status = app.python().await?;
    if status.installed {
        print_note(&tr!("Python is set up already, {size} on disk", size = format_megabytes(status.bytes)));
        return Ok(());
    }
    let needed = status.needed_bytes;
    print_note(&tr!(
        "Setting up Python with pandas, polars, pyarrow and numpy, about {size} on disk …",
        size = format_megabytes(needed)
    ));
    let mut events = app.subscribe_to_events();
    let job = app.install_python().await?;
    let bar = ProgressBar::new(needed);
    bar.set_style(ProgressStyle::with_template("{bar:30} {bytes} of about {total_bytes}").expect("a template"));
    let token = stop.token();
    let mut stopping = false;
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            () = token.cancelled(), if !stopping => {
                stopping = true;
                app.cancel_job(job.clone()).await?;
                continue;
            }
        };
        let event = event
            .map_err(|error| AppError::new(ErrorCode::Internal, tr!("The progress was lost")).with_detail(error))?;
        let AppEvent::Job(state) = event else { continue };
        if state.job_id != job {
            continue;
        }
        bar.set_position(state.done);
        match state.state {
            JobState::Running => {}
            JobState::Done => {
                bar.finish_and_clear();
                print_note(&tr!("Python is set up, {size} on disk", size = format_megabytes(state.done)));
                return Ok(());
            }
            JobState::Cancelled => {
                return Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped; nothing was changed")));
            }
            JobState::Failed => {
                bar.finish_and_clear();
                return Err(state.error.unwrap_or_else(|| AppError::new(ErrorCode::Internal, tr!("It failed"))));
            }
        }
    }
}
