//! `vitrine readings`: the chosen interpretations of questions, as in the window.

use crate::args::ReadingsCommand;
use crate::ask::{Watch, finish_command, report_and_export, watch_run};
use crate::choice::{format_reading, somebody_is_there};
use crate::end::End;
use crate::last_run::resolve_run_id;
use crate::named::{is_same_name, resolve_address};
use crate::output::{date_part, print_json, print_note, print_text, sanitize_text, text_table};
use crate::stop::Stop;
use vitrine_api::{App, KeptReading};
use vitrine_domain::{AppError, CellType, ErrorCode, Reading, RunChange};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, command: ReadingsCommand, stop: &Stop) -> Result<(), End> {
    match command {
        ReadingsCommand::List { connection, json } => {
            let kept = load_kept_readings(app, &connection).await?;
            if json {
                print_json(&kept);
            } else if kept.is_empty() {
                print_note(&tr!("nothing yet: a choice is remembered when a question has several interpretations"));
            } else {
                print_kept_readings(&kept);
            }
        }
        ReadingsCommand::Choose { run, number } => choose_reading(app, run, number, stop).await?,
        ReadingsCommand::Forget { connection, question } => {
            let kept = load_kept_readings(app, &connection).await?;
            let meant: Vec<&KeptReading> = kept.iter().filter(|one| is_same_name(&one.question, &question)).collect();
            if meant.is_empty() {
                let what =
                    tr!("No interpretation was chosen for '{question}'", question = sanitize_text(&question, false));
                let hint = tr!("List the choices with: vitrine readings list CONNECTION");
                return Err(AppError::new(ErrorCode::NotFound, what).with_hint(hint).into());
            }
            for one in meant {
                app.forget_reading(one.id.clone()).await?;
                print_note(&format!("forgotten: {}", sanitize_text(&one.meaning, false)));
            }
        }
    }
    Ok(())
}

/// Answers with a reading that a run offered, or lists the offered readings.
async fn choose_reading(app: &App, run: String, number: Option<u32>, stop: &Stop) -> Result<(), End> {
    let id = resolve_run_id(app, run).await?;
    let offered = app.run_report(id.clone()).await?.readings;
    if offered.is_empty() {
        let what = tr!("This run's question has only one interpretation");
        return Err(AppError::new(ErrorCode::NotFound, what).with_hint(tr!("vitrine runs list shows the runs")).into());
    }
    let Some(number) = number else {
        print_readings(&offered);
        return Ok(());
    };
    let Some(reading) = (number as usize).checked_sub(1).and_then(|at| offered.get(at)) else {
        let what = tr!("Interpretation {number} not found: the run offered {offered}", number, offered = offered.len());
        return Err(AppError::new(ErrorCode::Usage, what)
            .with_hint(tr!("List them with: vitrine readings choose RUN"))
            .into());
    };
    let approves = somebody_is_there();
    if approves {
        app.shows_approvals();
    }
    let change = RunChange::Reading { candidate: reading.candidate };
    let next = app.rerun_as(id, vec![change], approves).await?;
    let report = watch_run(app, next, Watch { approves, ..Watch::default() }, stop).await?;
    report_and_export(app, &report, &Default::default(), false, stop).await?;
    finish_command(report, false)
}

fn print_readings(offered: &[Reading]) {
    for (reading, number) in offered.iter().zip(1..) {
        format_reading(reading, number).iter().for_each(|line| print_text(&sanitize_text(line, false)));
    }
}

/// Returns the stored choices for a database.
async fn load_kept_readings(app: &App, connection: &str) -> Result<Vec<KeptReading>, AppError> {
    app.remembered_readings(resolve_address(app, connection).await?).await
}

fn print_kept_readings(kept: &[KeptReading]) {
    let line = |one: &KeptReading| -> Vec<String> {
        [date_part(&one.chosen_at), one.question.as_str(), one.meaning.as_str()]
            .map(|cell| sanitize_text(cell, false))
            .into()
    };
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "chosen"), text),
        (tr!(context "heading", "question"), text),
        (tr!(context "heading", "means"), text),
    ];
    print_text(&text_table(&head, &kept.iter().map(line).collect::<Vec<_>>()));
}
