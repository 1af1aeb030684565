//! A run as one JSON file, to be opened in another installation of Vitrine.

use crate::runs::{end_interrupted_run, insert_event, read_events, run_exists};
use crate::{Store, StoreError};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;
use vitrine_domain::{RunEvent, is_run_id};

const FORMAT: &str = "vitrine-run";
const VERSION: u32 = 1;

/// The content of a run's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// The format's name, always `vitrine-run`.
    pub format: String,
    /// The version of the format, 1.
    pub version: u32,
    /// All events of the run.
    pub events: Vec<RunEvent>,
}

/// The part that is parsed before the events, which a newer version may write in an incompatible way.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// Maximum length of messages about a file; they repeat content of the file, which is arbitrary.
const TOLD: usize = 300;

fn shorten_message(message: String) -> String {
    match message.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}...", &message[..end]),
        None => message,
    }
}

impl Store {
    /// Returns a run as file content.
    pub fn exported_run(&self, run_id: &str) -> Result<RunFile, StoreError> {
        Ok(RunFile { format: FORMAT.to_owned(), version: VERSION, events: self.events(run_id, 0)? })
    }

    /// Writes a run to one JSON file, atomically.
    pub fn export_run(&self, run_id: &str, path: &Path) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(&self.exported_run(run_id)?).expect("plain data") + "\n";
        let mut draft = path.as_os_str().to_owned();
        draft.push(".part");
        let draft = Path::new(&draft);
        let write = || {
            let mut file = vitrine_domain::create_private(draft)?;
            file.write_all(text.as_bytes())?;
            // Some file systems report a full disk only here, and a file that is renamed before may be empty after a
            // power cut.
            file.sync_all()
        };
        write().and_then(|()| std::fs::rename(draft, path)).map_err(|error| {
            let _ = std::fs::remove_file(draft);
            StoreError::from_io(path, &error)
        })
    }

    /// Imports a run from a file that [`Store::export_run`] wrote, and returns its id. An existing run is left
    /// unchanged; a different run with the same id is rejected. A run that was exported while running is ended as
    /// interrupted.
    pub fn import_run(&self, path: &Path) -> Result<String, StoreError> {
        let not_a_run =
            |message: String| StoreError::NotARun { path: path.to_owned(), message: shorten_message(message) };
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => not_a_run("it is not text".to_owned()),
            _ => StoreError::from_io(path, &error),
        })?;
        let head: Head = serde_json::from_str(&text).map_err(|error| not_a_run(error.to_string()))?;
        if head.format != FORMAT {
            return Err(not_a_run(format!("its format is '{}'", head.format)));
        }
        if head.version > VERSION {
            return Err(not_a_run(format!("a newer version of Vitrine wrote it (version {})", head.version)));
        }
        let file: RunFile = serde_json::from_str(&text).map_err(|error| not_a_run(error.to_string()))?;
        let Some(first) = file.events.first() else { return Err(not_a_run("it holds no event".to_owned())) };
        let run_id = first.run_id.clone();
        // The id is used as a folder name.
        if !is_run_id(&run_id) {
            return Err(not_a_run(format!("its runId '{run_id}' is not the id of a run, which is a UUID")));
        }
        if file.events.iter().any(|event| event.run_id != run_id) {
            return Err(not_a_run("it holds events of several runs".to_owned()));
        }
        let imported = self.with_transaction(|transaction| {
            if run_exists(transaction, &run_id)? {
                // An imported interrupted run has one event more here.
                let here = read_events(transaction, &run_id, 0)?;
                if here.starts_with(&file.events) {
                    return Ok(());
                }
                let message = format!("another run with the same id, {run_id}, is here already");
                return Err(not_a_run(message).into());
            }
            for event in &file.events {
                insert_event(transaction, event, None)?;
            }
            let running = "SELECT status = 'running' FROM runs WHERE run_id = ?1";
            if transaction.query_row(running, [&run_id], |row| row.get(0))? {
                end_interrupted_run(transaction, &run_id)?;
            }
            Ok(())
        });
        imported.map_err(|error| match error {
            StoreError::OutOfOrder { .. } | StoreError::Misplaced { .. } => not_a_run(error.to_string()),
            other => other,
        })?;
        Ok(run_id)
    }
}
