//! `vitrine drivers`

use crate::args::DriversCommand;
use crate::end::End;
use crate::models::start_download_progress;
use crate::output::{format_number, print_json, print_note, print_text, text_table};
use crate::stop::Stop;
use vitrine_api::{App, DriverInfo};
use vitrine_domain::{AppError, CellType, ErrorCode};
use vitrine_words::tr;

/// The driver that can be downloaded by its name.
const KNOWN: &str = "snowflake";

pub(crate) async fn run(app: &App, command: DriversCommand, stop: &Stop) -> Result<(), End> {
    match command {
        DriversCommand::List { json } => print_drivers(&app.drivers().await?, json),
        DriversCommand::Add { driver, name: None } if driver == KNOWN => {
            let progress = start_download_progress(&driver);
            let got = app.pull_driver(&driver, |p| progress.show_progress(&p), stop.token()).await;
            progress.clear_bar();
            let got = got?;
            print_note(&tr!(
                "{name} {version} is installed ({licence})",
                name = got.name,
                version = got.version,
                licence = got.licence
            ));
        }
        DriversCommand::Add { name: None, .. } => {
            let wrong = AppError::new(ErrorCode::Usage, tr!("A driver that is added by its path needs a name"));
            return Err(wrong
                .with_hint(tr!("vitrine drivers add PATH --name NAME; or: vitrine drivers add snowflake"))
                .into());
        }
        DriversCommand::Add { driver, name: Some(name) } => {
            let path = std::path::absolute(&driver).map_or(driver, |path| path.display().to_string());
            let added = app.add_driver(path, name).await?;
            print_note(&tr!("Added; open a database with: adbc:{name}?uri=...", name = added.name));
            print_note(&tr!("Preview: there is no engine-level proof of read-only. Use a login that may only read."));
        }
        DriversCommand::Rm { name } => app.remove_driver(name).await?,
    }
    Ok(())
}

fn print_drivers(drivers: &[DriverInfo], json: bool) {
    if json {
        return print_json(&drivers);
    }
    let rows: Vec<Vec<String>> = drivers
        .iter()
        .map(|driver| {
            let state = match (driver.present, driver.preview) {
                (true, false) => tr!("here"),
                (true, true) => tr!("here, preview"),
                (false, false) => tr!("not here"),
                (false, true) => tr!("gone or changed"),
            };
            vec![
                driver.name.clone(),
                driver.version.clone(),
                format!("{} MB", format_number(driver.bytes / 1_000_000)),
                driver.licence.clone(),
                state,
                driver.from.clone(),
                driver.sha256.chars().take(12).collect::<String>() + "…",
            ]
        })
        .collect();
    let text = CellType::Text;
    let head = [
        (tr!(context "heading", "driver"), text),
        (tr!(context "heading", "version"), text),
        (tr!(context "heading", "size"), CellType::Integer),
        (tr!(context "heading", "licence"), text),
        (tr!(context "heading", "state"), text),
        (tr!(context "heading", "from"), text),
        ("sha256".to_owned(), text),
    ];
    print_text(&text_table(&head, &rows));
}
