//! Import of an exported workspace. Each record is checked separately: invalid records are refused and reported, and existing records are
//! not changed.

use super::policy::Tightening;
use super::read::WorkspaceFile;
use super::{DATABASES, DRIVERS, DriverRecord, MODELS, RUNS, SAVED, SETTINGS, is_usable_address};
use crate::app::App;
use crate::code::check_view_name;
use crate::connections::{normalize_schemas, usable_name};
use crate::library::{remove_stale_check, usable_folder, usable_tags};
use crate::settings;
use crate::sign_in::FOREIGN;
use crate::sources::redact_sources;
use crate::state::work::run_blocking;
use crate::types::{ImportChoice, ImportCount, Settings, WorkspaceImport};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, EventBody, is_run_id};
use vitrine_store::{
    Additions, Connection, DatabaseRecord, ImportOutcome, Intake, ModelRecord, RunRecord, SavedQuestion, SavedRecord,
};
use vitrine_warehouse::WarehouseUri;
use vitrine_words::{plural, tr};

/// Maximum number of notes of one kind; further ones are only counted.
const MOST_TOLD: usize = 50;

impl App {
    /// Imports a workspace that was exported elsewhere, or previews the import. `progress` receives the number of processed records and
    /// their total.
    ///
    /// # Errors
    /// When the file is not a complete workspace file, or `cancel` is cancelled. Then nothing has changed.
    pub async fn read_workspace(
        &self,
        path: PathBuf,
        choice: ImportChoice,
        progress: impl Fn(u64, u64) + Send + 'static,
        cancel: CancellationToken,
    ) -> Result<WorkspaceImport, AppError> {
        Ok(self.taken_in(path, choice, progress, cancel).await?.0)
    }

    /// Same as [`App::read_workspace`], and also returns the added records.
    pub(super) async fn taken_in(
        &self,
        path: PathBuf,
        choice: ImportChoice,
        progress: impl Fn(u64, u64) + Send + 'static,
        cancel: CancellationToken,
    ) -> Result<(WorkspaceImport, Additions), AppError> {
        let (store, sample, apply) = (Arc::clone(&self.inner.store), self.sample_uri(), choice.apply);
        let (done, added) = run_blocking(move || {
            let mut file = WorkspaceFile::open(&path)?;
            let all = file.manifest.parts.values().sum();
            let mut work = |intake: &mut Intake<'_>| {
                let (theirs, results) = (file.manifest.sample.clone(), file.manifest.results);
                let done = WorkspaceImport {
                    program: file.manifest.program.chars().take(MOST_TOLD).collect(),
                    written_at: file.manifest.written_at.chars().take(MOST_TOLD).collect(),
                    results,
                    ..WorkspaceImport::default()
                };
                let (progress, cancel) = (&progress, &cancel);
                let sample = (theirs, sample.clone());
                let mut import =
                    Import { intake, done, sample, results, untold: (0, 0), step: 0, all, progress, cancel };
                import.all_of(&mut file, &choice)?;
                Ok(import.done)
            };
            if choice.apply {
                store.take_in(work)
            } else {
                store.look_at::<_, AppError>(&mut work).map(|done| (done, Additions::default()))
            }
        })
        .await?;
        if done.settings_taken {
            self.inner.models.forget_local().await;
        }
        if apply {
            done.looser.iter().for_each(|part| {
                self.create_auditor(&part.address, None).record_policy_decision(&part.what, part.taken)
            });
        }
        Ok((done, added))
    }
}

struct Import<'a, 'b> {
    intake: &'a mut Intake<'b>,
    done: WorkspaceImport,
    /// The sample's address on the other computer and on this one.
    sample: (String, String),
    results: bool,
    /// Numbers of notes and refusals beyond the maximum.
    untold: (u64, u64),
    step: u64,
    all: u64,
    progress: &'a dyn Fn(u64, u64),
    cancel: &'a CancellationToken,
}

impl Import<'_, '_> {
    fn all_of(&mut self, file: &mut WorkspaceFile, choice: &ImportChoice) -> Result<(), AppError> {
        let mut connections = Vec::new();
        file.for_each_record(DATABASES, |record| {
            self.next(record, |import, record| import.import_database(record, &mut connections, &choice.confirmed))
        })?;
        self.mark_foreign(&connections)?;
        file.for_each_record(MODELS, |record| self.next(record, Self::import_model))?;
        file.for_each_record(DRIVERS, |record| self.next(record, Self::import_driver))?;
        file.for_each_record(RUNS, |record| self.next(record, Self::import_run))?;
        // Imported after the runs, because a saved question refers to its run.
        file.for_each_record(SAVED, |record| self.next(record, Self::import_saved))?;
        file.for_each_record(SETTINGS, |record| {
            self.next(record, |import, record| import.import_settings(record, choice.settings))
        })?;
        (self.progress)(self.all, self.all);
        connections.retain(|(_, address)| signs_in(address));
        if !connections.is_empty() {
            let names: Vec<String> = connections.into_iter().map(|(name, _)| name).collect();
            self.add_note(tr!(
                "Passwords are not in the file. These connections ask for theirs when they are opened: {names}",
                names = names.join(", ")
            ));
        }
        let (notes, refused) = self.untold;
        for (lines, more) in [(&mut self.done.notes, notes), (&mut self.done.refused, refused)] {
            if more > 0 {
                lines.push(plural!(more, "and {n} more", "and {n} more"));
            }
        }
        Ok(())
    }

    /// Imports one record. A refused record is reported and does not stop the import.
    fn next<T>(
        &mut self,
        record: Result<T, String>,
        take: impl FnOnce(&mut Self, T) -> Result<(), Refusal>,
    ) -> Result<(), AppError> {
        if self.cancel.is_cancelled() {
            return Err(AppError::new(ErrorCode::Cancelled, tr!("Stopped; nothing was imported")));
        }
        (self.progress)(self.step, self.all);
        self.step += 1;
        let taken = match record {
            Ok(record) => take(self, record),
            Err(reason) => Err(Refusal::Record(reason)),
        };
        match taken {
            Ok(()) => Ok(()),
            Err(Refusal::Record(reason)) => {
                push_bounded(&mut self.done.refused, &mut self.untold.1, reason);
                Ok(())
            }
            Err(Refusal::Whole(error)) => Err(error),
        }
    }

    fn add_note(&mut self, note: String) {
        push_bounded(&mut self.done.notes, &mut self.untold.0, note);
    }

    /// Converts an address from the other computer to one on this computer.
    fn to_local_address(&self, address: &str) -> String {
        let (theirs, mine) = &self.sample;
        if address == theirs { mine.clone() } else { redact_sources(address) }
    }

    fn import_run(&mut self, mut record: RunRecord) -> Result<(), Refusal> {
        let about = |record: &RunRecord| match record.events.first().map(|event| &event.body) {
            Some(EventBody::RunStarted { question, .. }) => question.chars().take(80).collect(),
            _ => String::new(),
        };
        if let Some(EventBody::RunStarted { warehouse, .. }) = record.events.first_mut().map(|event| &mut event.body) {
            *warehouse = self.to_local_address(warehouse);
        }
        let question: String = about(&record);
        if let Err(reason) = record.checked_id() {
            return Err(Refusal::Record(tr!("The question '{question}': {reason}", question, reason)));
        }
        let taken = self.intake.import_run(&record, !self.results)?;
        if taken == ImportOutcome::Differs {
            self.add_note(tr!("The question '{question}' exists here with a different log; yours is kept", question));
        }
        self.done.runs.count_outcome(taken);
        Ok(())
    }

    fn import_saved(&mut self, record: SavedRecord) -> Result<(), Refusal> {
        let SavedRecord { mut question, result } = record;
        let title: String = question.title.chars().take(80).collect();
        let refused = |reason: String| Refusal::Record(tr!("The saved question '{title}': {reason}", title, reason));
        let ids = std::iter::once(&question.id).chain(&question.run_id);
        if let Some(id) = ids.into_iter().find(|id| !is_run_id(id)) {
            let shown: String = id.chars().take(40).collect();
            return Err(refused(tr!("its id '{id}' is not a UUID", id = shown)));
        }
        for view in question.code.iter().flat_map(|code| &code.views) {
            check_view_name(&view.name, Path::new(&view.name)).map_err(|error| refused(error.message))?;
        }
        question.filing.folder = usable_folder(&question.filing.folder).map_err(|error| refused(error.message))?;
        question.filing.tags = usable_tags(&question.filing.tags).map_err(|error| refused(error.message))?;
        if question.title.trim().is_empty() {
            return Err(refused(tr!("it has no title")));
        }
        question.warehouse = self.to_local_address(&question.warehouse);
        let settled = remove_stale_check(&mut question);
        let result = result.filter(|_| question.code.is_none());
        let question = SavedQuestion { sql: question.sql.trim_end().to_owned(), ..question };
        let (taken, renamed) = self.intake.import_saved_question(&SavedRecord { question, result })?;
        if let Some(note) = settled.filter(|_| taken == ImportOutcome::Added) {
            self.add_note(tr!("The saved question '{title}': {reason}", title, reason = note));
        }
        if let Some(name) = renamed {
            self.add_note(tr!("The saved question '{title}' is called '{name}' here, beside your own", title, name));
        }
        if taken == ImportOutcome::Differs {
            self.add_note(tr!("The saved question '{title}' differs here; yours is kept", title));
        }
        self.done.saved.count_outcome(taken);
        Ok(())
    }

    fn import_database(
        &mut self,
        record: DatabaseRecord,
        connections: &mut Vec<(String, String)>,
        confirmed: &[String],
    ) -> Result<(), Refusal> {
        let address = self.to_local_address(&record.address);
        if address.trim().is_empty() || address.chars().any(char::is_control) {
            return Err(Refusal::Record(tr!("A database without a usable address")));
        }
        if let Some(theirs) = &record.connection {
            let name: String = theirs.name.chars().take(80).collect();
            let refused = |reason: String| Refusal::Record(tr!("The connection '{name}': {reason}", name, reason));
            if !is_run_id(&theirs.id) {
                return Err(refused(tr!("its id is not a UUID")));
            }
            let theirs = Connection {
                name: usable_name(&theirs.name).map_err(|error| refused(error.message))?,
                address: address.clone(),
                schemas: normalize_schemas(theirs.schemas.clone()),
                ..theirs.clone()
            };
            crate::scans::check_limits(&address, &theirs.settings.scans).map_err(|error| refused(error.message))?;
            let (taken, renamed) = self.intake.import_connection(&theirs)?;
            let shown = renamed.clone().unwrap_or_else(|| theirs.name.clone());
            if taken == ImportOutcome::Added {
                connections.push((shown, address.clone()));
            }
            if let Some(new) = renamed {
                self.add_note(tr!("The connection '{name}' is called '{new}' here, beside your own", name, new));
            }
            if taken == ImportOutcome::Differs {
                self.add_note(tr!("The connection '{name}' differs here; yours is kept", name));
            }
            self.done.connections.count_outcome(taken);
        }
        let mut record = DatabaseRecord { address: address.clone(), ..record };
        self.tighten_record(&mut record, confirmed)?;
        if let Some(taken) = self.intake.import_database(&record)? {
            if taken == ImportOutcome::Differs {
                self.add_note(tr!("The text about {address} differs here; yours is kept", address));
            }
            self.done.descriptions.count_outcome(taken);
        }
        for mut reading in record.readings {
            if !is_run_id(&reading.reading.id) {
                return Err(Refusal::Record(tr!("A reading whose id is not a UUID")));
            }
            reading.reading.warehouse.clone_from(&address);
            let taken = self.intake.import_reading(&address, &reading)?;
            self.done.readings.count_outcome(taken);
        }
        Ok(())
    }

    /// Removes the parts of a record that would loosen a policy and are not confirmed. Existing policies are kept in any case.
    fn tighten_record(&mut self, record: &mut DatabaseRecord, confirmed: &[String]) -> Result<(), Refusal> {
        let mut tightening = Tightening { address: &record.address, confirmed, found: Vec::new() };
        let (my_policy, my_definitions) = self.intake.policy_and_definitions(&record.address)?;
        if let Some(policy) = record.egress.as_mut().filter(|policy| my_policy.as_ref() != Some(policy)) {
            tightening.tighten_egress(policy);
            tightening.found.retain(|_| my_policy.is_none());
        }
        let before = tightening.found.len();
        if let Some(known) = record.definitions.as_mut().filter(|known| my_definitions.as_ref() != Some(known)) {
            tightening.tighten_definitions(known);
            tightening.found.truncate(if my_definitions.is_none() { usize::MAX } else { before });
        }
        self.done.looser.append(&mut tightening.found);
        Ok(())
    }

    /// Marks imported addresses as foreign: they are connected to only after the user has opened them, and their options are not trusted
    /// like the user's own.
    fn mark_foreign(&mut self, added: &[(String, String)]) -> Result<(), AppError> {
        if added.is_empty() {
            return Ok(());
        }
        let mut foreign: Vec<String> =
            self.intake.setting(FOREIGN)?.and_then(|known| serde_json::from_value(known).ok()).unwrap_or_default();
        for (_, address) in added {
            // An address that the user has opened before remains the user's own.
            if !foreign.contains(address) && !self.intake.is_used(address)? {
                foreign.push(address.clone());
            }
        }
        Ok(self.intake.set_setting(FOREIGN, &foreign)?)
    }

    fn import_model(&mut self, record: ModelRecord) -> Result<(), Refusal> {
        let is_remote = record.remote.is_some();
        let id: String = record.id.chars().take(80).collect();
        if record.remote.as_ref().is_some_and(|remote| remote.id != record.id || !is_usable_address(&remote.base_url)) {
            return Err(Refusal::Record(tr!("The address of the model '{id}' cannot be used", id)));
        }
        let taken = self.intake.import_model(&record)?;
        match taken {
            ImportOutcome::Added if is_remote => {
                self.add_note(tr!("The model '{id}' needs its key again, if it has one", id))
            }
            ImportOutcome::Differs => self.add_note(tr!("The model '{id}' differs here; yours is kept", id)),
            _ => {}
        }
        self.done.models.count_outcome(taken);
        Ok(())
    }

    fn import_driver(&mut self, record: DriverRecord) -> Result<(), Refusal> {
        let short = |text: &str| -> String { text.chars().filter(|c| !c.is_control()).take(200).collect() };
        self.add_note(tr!(
            "The driver '{name}' was at {path} there. Drivers are programs and must be added by hand",
            name = short(&record.name),
            path = short(&record.path)
        ));
        Ok(())
    }

    fn import_settings(&mut self, theirs: Settings, wanted: bool) -> Result<(), Refusal> {
        let mine = self.intake.setting(settings::KEY)?.and_then(|kept| serde_json::from_value(kept).ok());
        let theirs = settings::normalize_settings(theirs);
        self.done.settings_differ = settings::normalize_settings(mine.unwrap_or_default()) != theirs;
        if wanted && self.done.settings_differ {
            settings::check_settings(&theirs).map_err(|error| Refusal::Record(error.message))?;
            self.intake.set_setting(settings::KEY, &theirs)?;
            self.done.settings_taken = true;
        }
        Ok(())
    }
}

/// The reason that a record is not imported.
enum Refusal {
    /// The record is invalid; the import continues.
    Record(String),
    /// The import as a whole fails.
    Whole(AppError),
}

impl<E: Into<AppError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Whole(error.into())
    }
}

impl ImportCount {
    fn count_outcome(&mut self, taken: ImportOutcome) {
        match taken {
            ImportOutcome::Added => self.added += 1,
            ImportOutcome::Here => self.here += 1,
            ImportOutcome::Differs => self.differs += 1,
        }
    }
}

/// Adds a line unless the maximum is reached, and counts it otherwise.
fn push_bounded(lines: &mut Vec<String>, untold: &mut u64, line: String) {
    if lines.len() < MOST_TOLD { lines.push(line) } else { *untold += 1 }
}

/// Returns true if opening the address requires a sign-in.
fn signs_in(address: &str) -> bool {
    WarehouseUri::parse_remote(address).is_some()
}
