//! `vitrine drivers`

use crate::args::DriversCommand;
use crate::end::End;
use crate::models::told;
use crate::output::{note, number, print, print_json, text_table};
use crate::stop::Stop;
use vitrine_api::{App, DriverInfo};
use vitrine_domain::{AppError, CellType, ErrorCode};

/// The driver that is got by its name.
const KNOWN: &str = "snowflake";

pub(crate) async fn run(app: &App, command: DriversCommand, stop: &Stop) -> Result<(), End> {
    match command {
        DriversCommand::List { json } => list(&app.drivers().await?, json),
        DriversCommand::Add { driver, name: None } if driver == KNOWN => {
            let progress = told(&driver);
            let got = app.pull_driver(&driver, |p| progress.tell(&p), stop.token()).await;
            progress.end();
            let got = got?;
            note(&format!("{} {} is here ({})", got.name, got.version, got.licence));
        }
        DriversCommand::Add { name: None, .. } => {
            let wrong = AppError::new(ErrorCode::Usage, "A driver that is added by its path needs a name");
            return Err(wrong.hint("vitrine drivers add PATH --name NAME; or: vitrine drivers add snowflake").into());
        }
        DriversCommand::Add { driver, name: Some(name) } => {
            let path = std::path::absolute(&driver).map_or(driver, |path| path.display().to_string());
            let added = app.add_driver(path, name).await?;
            note(&format!("Added; open a database with: adbc:{}?uri=...", added.name));
            note("Preview: there is no engine-level proof of read-only. Use a login that may only read.");
        }
        DriversCommand::Rm { name } => app.remove_driver(name).await?,
    }
    Ok(())
}

fn list(drivers: &[DriverInfo], json: bool) {
    if json {
        return print_json(&drivers);
    }
    let rows: Vec<Vec<String>> = drivers
        .iter()
        .map(|driver| {
            let state = match (driver.present, driver.preview) {
                (true, false) => "here",
                (true, true) => "here, preview",
                (false, false) => "not here",
                (false, true) => "gone or changed",
            };
            vec![
                driver.name.clone(),
                driver.version.clone(),
                format!("{} MB", number(driver.bytes / 1_000_000)),
                driver.licence.clone(),
                state.to_owned(),
                driver.from.clone(),
                driver.sha256.chars().take(12).collect::<String>() + "…",
            ]
        })
        .collect();
    let text = CellType::Text;
    let head = [
        ("driver", text),
        ("version", text),
        ("size", CellType::Integer),
        ("licence", text),
        ("state", text),
        ("from", text),
        ("sha256", text),
    ];
    print(&text_table(&head, &rows));
}
