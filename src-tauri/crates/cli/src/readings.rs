//! `vitrine readings`: what questions were chosen to mean, as in the window.

use crate::args::ReadingsCommand;
use crate::ask::{Watch, close, end, watch};
use crate::choice::{lines, somebody_is_there};
use crate::end::End;
use crate::last_run::resolve;
use crate::named::{address, same};
use crate::output::{clean, day, note, print, print_json, text_table};
use crate::stop::Stop;
use vitrine_api::{App, KeptReading};
use vitrine_domain::{AppError, CellType, ErrorCode, Reading, RunChange};
use vitrine_words::tr;

pub(crate) async fn run(app: &App, command: ReadingsCommand, stop: &Stop) -> Result<(), End> {
    match command {
        ReadingsCommand::List { connection, json } => {
            let kept = kept(app, &connection).await?;
            if json {
                print_json(&kept);
            } else if kept.is_empty() {
                note(&tr!("nothing yet: a choice is remembered where a question with several readings was asked"));
            } else {
                show(&kept);
            }
        }
        ReadingsCommand::Choose { run, number } => choose(app, run, number, stop).await?,
        ReadingsCommand::Forget { connection, question } => {
            let kept = kept(app, &connection).await?;
            let meant: Vec<&KeptReading> = kept.iter().filter(|one| same(&one.question, &question)).collect();
            if meant.is_empty() {
                let what = tr!("No reading was chosen for '{question}'", question = clean(&question, false));
                let hint = tr!("List the choices with: vitrine readings list CONNECTION");
                return Err(AppError::new(ErrorCode::NotFound, what).with_hint(hint).into());
            }
            for one in meant {
                app.forget_reading(one.id.clone()).await?;
                note(&format!("forgotten: {}", clean(&one.meaning, false)));
            }
        }
    }
    Ok(())
}

/// Answers with a reading that a run offered, or lists what it offered.
async fn choose(app: &App, run: String, number: Option<u32>, stop: &Stop) -> Result<(), End> {
    let id = resolve(app, run).await?;
    let offered = app.run_report(id.clone()).await?.readings;
    if offered.is_empty() {
        let what = tr!("This run's question was not found to have several readings");
        return Err(AppError::new(ErrorCode::NotFound, what).with_hint(tr!("vitrine runs list shows the runs")).into());
    }
    let Some(number) = number else {
        list(&offered);
        return Ok(());
    };
    let Some(reading) = (number as usize).checked_sub(1).and_then(|at| offered.get(at)) else {
        let what = tr!("There is no reading {number}: the run offered {offered}", number, offered = offered.len());
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
    let report = watch(app, next, Watch { approves, ..Watch::default() }, stop).await?;
    close(app, &report, &Default::default(), false, stop).await?;
    end(report, false)
}

fn list(offered: &[Reading]) {
    for (reading, number) in offered.iter().zip(1..) {
        lines(reading, number).iter().for_each(|line| print(&clean(line, false)));
    }
}

/// The choices for a database.
async fn kept(app: &App, connection: &str) -> Result<Vec<KeptReading>, AppError> {
    app.remembered_readings(address(app, connection).await?).await
}

fn show(kept: &[KeptReading]) {
    let line = |one: &KeptReading| -> Vec<String> {
        [day(&one.chosen_at), one.question.as_str(), one.meaning.as_str()].map(|cell| clean(cell, false)).into()
    };
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "chosen"), text),
        (tr!(context "heading", "question"), text),
        (tr!(context "heading", "means"), text),
    ];
    print(&text_table(&head, &kept.iter().map(line).collect::<Vec<_>>()));
}
