//! Import of records. They are added to the workspace and never replace existing ones.

use super::undo::{Additions, Kind};
use super::{DatabaseRecord, ModelRecord, ReadingRecord, RunRecord, SavedRecord};
use crate::connections::{parse_or_default, put_connection, put_definitions, read_connection_row};
use crate::egress::egress_of;
use crate::models::put_model;
use crate::profiles::put_facts;
use crate::readings::put_reading;
use crate::runs::{insert_event, read_events, run_exists, to_json};
use crate::saved::{put_question, read_saved_row};
use crate::saved_result::put_result;
use crate::settings::put_setting;
use crate::warehouses::{files_of, keys_of};
use crate::{Connection, QuestionKey, SavedQuestion, Store, StoreError};
use rusqlite::{OptionalExtension, Params, Row, TransactionBehavior, params, params_from_iter};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use vitrine_domain::{Definitions, EgressPolicy};
use vitrine_words::tr;

/// The outcome of importing a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportOutcome {
    /// The workspace already contains an identical record.
    Here,
    /// A different record exists and is kept.
    Differs,
    /// The record was added to the workspace.
    Added,
}

/// Imports records, or only determines the outcome.
pub struct Intake<'a> {
    db: &'a rusqlite::Connection,
    path: &'a Path,
    applies: bool,
    added: Additions,
    /// Folders and titles of saved questions, loaded on first use; includes imported ones.
    titles: Option<HashSet<(String, String)>>,
}

impl Store {
    /// Imports the records that `work` passes, in one transaction that is rolled back if it fails. Also returns the
    /// additions.
    ///
    /// # Errors
    /// Returns errors of `work` and of the workspace.
    pub fn take_in<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut Intake<'_>) -> Result<T, E>,
    ) -> Result<(T, Additions), E> {
        let mut writer = self.writer();
        let begun = writer.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(|error| self.sqlite_error(&error))?;
        let mut intake = Intake::new(&transaction, self.path(), true);
        let value = work(&mut intake)?;
        let added = intake.added;
        transaction.commit().map_err(|error| self.sqlite_error(&error))?;
        Ok((value, added))
    }

    /// Determines the outcome of an import without changing the workspace or blocking others.
    ///
    /// # Errors
    /// Returns errors of `work` and of the workspace.
    pub fn look_at<T, E: From<StoreError>>(&self, work: impl FnOnce(&mut Intake<'_>) -> Result<T, E>) -> Result<T, E> {
        let reader = self.further_reader()?;
        work(&mut Intake::new(&reader, self.path(), false))
    }
}

impl<'a> Intake<'a> {
    fn new(db: &'a rusqlite::Connection, path: &'a Path, applies: bool) -> Self {
        Self { db, path, applies, added: Additions::default(), titles: None }
    }

    fn saved_titles(&mut self) -> Result<&mut HashSet<(String, String)>, StoreError> {
        if self.titles.is_none() {
            let select = "SELECT coalesce(filing ->> 'folder', ''), title FROM saved_questions";
            let read = |row: &Row<'_>| Ok((row.get(0)?, normalize_title(&row.get::<_, String>(1)?)));
            self.titles = Some(self.run_read(|db| db.prepare(select)?.query_map([], read)?.collect())?);
        }
        Ok(self.titles.as_mut().expect("just read"))
    }

    /// Imports a run. An existing run with its id is kept. `abridged` marks a log with omissions, which equals any run
    /// with its id.
    ///
    /// # Errors
    /// Fails if the run is incomplete.
    pub fn import_run(&mut self, record: &RunRecord, abridged: bool) -> Result<ImportOutcome, StoreError> {
        let run_id = record.checked_id().map_err(|message| StoreError::Invalid { message })?;
        if self.run_read(|db| run_exists(db, run_id))? {
            let same = abridged || self.run_read(|db| read_events(db, run_id, 0))? == record.events;
            return Ok(if same { ImportOutcome::Here } else { ImportOutcome::Differs });
        }
        if self.applies {
            for event in &record.events {
                insert_event(self.db, event, None).map_err(|problem| problem.into_store_error(self.path))?;
            }
            let named = "UPDATE runs SET title = ?2, pinned = ?3 WHERE run_id = ?1";
            self.run_read(|db| db.execute(named, params![run_id, record.title, record.pinned]))?;
            self.added.rows.push((Kind::Run, run_id.to_owned()));
        }
        Ok(ImportOutcome::Added)
    }

    /// Imports a saved question. An existing one with its id or the same content is kept; if its folder already has the
    /// title, it gets a new one, which is returned.
    pub fn import_saved_question(
        &mut self,
        record: &SavedRecord,
    ) -> Result<(ImportOutcome, Option<String>), StoreError> {
        let question = &record.question;
        let known = |condition: &str, with: &[&str]| -> Result<Vec<SavedQuestion>, StoreError> {
            let select = format!("{} WHERE {condition}", crate::saved::COLUMNS);
            self.run_read(|db| db.prepare_cached(&select)?.query_map(params_from_iter(with), read_saved_row)?.collect())
        };
        let same_id = known("id = ?1", &[&question.id])?;
        if let Some(mine) = same_id.first() {
            return Ok((
                if same_question(mine, question) { ImportOutcome::Here } else { ImportOutcome::Differs },
                None,
            ));
        }
        let same_query = known("warehouse = ?1 AND sql = ?2", &[&question.warehouse, &question.sql])?;
        if same_query.iter().any(|mine| mine.title == question.title && same_question(mine, question)) {
            return Ok((ImportOutcome::Here, None));
        }
        let folder = question.filing.folder.clone();
        let taken = self.saved_titles()?;
        let title = free_name(&question.title, |title| taken.contains(&(folder.clone(), normalize_title(title))));
        taken.insert((folder, normalize_title(&title)));
        let renamed = (title != question.title).then(|| title.clone());
        if self.applies {
            let kept = SavedQuestion { title, ..question.clone() };
            self.run_read(|db| put_question(db, &kept))?;
            if let Some(result) = &record.result {
                self.run_read(|db| put_result(db, &kept.id, &kept.sql, result))?;
            }
            self.added.rows.push((Kind::Saved, kept.id));
        }
        Ok((ImportOutcome::Added, renamed))
    }

    /// Imports a connection. An existing one with its address or id is kept; if its name is taken, it gets a new one,
    /// which is returned.
    pub fn import_connection(&mut self, theirs: &Connection) -> Result<(ImportOutcome, Option<String>), StoreError> {
        let select = format!(
            "SELECT {} FROM connections WHERE address = ?1 OR id = ?2 ORDER BY address = ?1 DESC",
            crate::connections::COLUMNS
        );
        if let Some(mine) = self.query_optional(&select, [&theirs.address, &theirs.id], read_connection_row)? {
            return Ok((
                if same_connection(&mine, theirs) { ImportOutcome::Here } else { ImportOutcome::Differs },
                None,
            ));
        }
        let names: Vec<String> = self.run_read(|db| {
            db.prepare_cached("SELECT name FROM connections")?.query_map([], |row| row.get(0))?.collect()
        })?;
        let taken: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let name = free_name(&theirs.name, |name| taken.contains(&name.to_lowercase()));
        let renamed = (name != theirs.name).then(|| name.clone());
        if self.applies {
            // The connection has not been used in this workspace.
            let kept = Connection { name, used_at: None, ..theirs.clone() };
            self.run_read(|db| put_connection(db, &kept))?;
            self.added.rows.push((Kind::Connection, kept.id));
        }
        Ok((ImportOutcome::Added, renamed))
    }

    /// Returns the egress policy and the definitions that this workspace has for an address.
    ///
    /// # Errors
    /// Fails if the workspace cannot be read.
    pub fn policy_and_definitions(
        &self,
        address: &str,
    ) -> Result<(Option<EgressPolicy>, Option<Definitions>), StoreError> {
        let select = "SELECT body FROM definitions WHERE address = ?1";
        let definitions: Option<String> = self.query_optional(select, [address], |row| row.get(0))?;
        // An unreadable policy is kept and equals no other.
        let policy = self.setting(&egress_of(address))?.map(|kept| serde_json::from_value(kept).unwrap_or_default());
        Ok((policy, definitions.map(|body| parse_or_default(&body))))
    }

    /// Imports definitions, egress policy, table options and decided keys of an address. Existing ones are kept.
    pub fn import_database(&mut self, theirs: &DatabaseRecord) -> Result<Option<ImportOutcome>, StoreError> {
        let address = &theirs.address;
        let mut all = None;
        if let Some(known) = &theirs.definitions {
            let select = "SELECT body FROM definitions WHERE address = ?1";
            let mine: Option<String> = self.query_optional(select, [address], |row| row.get(0))?;
            let taken = match mine {
                Some(mine) if parse_or_default::<Definitions>(&mine) == *known => ImportOutcome::Here,
                Some(_) => ImportOutcome::Differs,
                None => {
                    if self.applies {
                        self.run_read(|db| put_definitions(db, address, known))?;
                        self.added.rows.push((Kind::Definitions, address.clone()));
                    }
                    ImportOutcome::Added
                }
            };
            all = Some(taken);
        }
        let egress = theirs.egress.as_ref().map(to_value);
        let tables = (!theirs.tables.is_empty()).then(|| to_value(&theirs.tables));
        let keys = (!theirs.keys.is_empty()).then(|| to_value(&theirs.keys));
        for (key, value) in [(egress_of(address), egress), (files_of(address), tables), (keys_of(address), keys)] {
            let Some(value) = value else { continue };
            let taken = match self.setting(&key)? {
                Some(mine) if mine == value => ImportOutcome::Here,
                Some(_) => ImportOutcome::Differs,
                None => {
                    self.set_setting(&key, &value)?;
                    ImportOutcome::Added
                }
            };
            all = all.max(Some(taken));
        }
        Ok(all)
    }

    /// Imports an interpretation of a question. An existing one for the same question is kept.
    pub fn import_reading(&mut self, address: &str, record: &ReadingRecord) -> Result<ImportOutcome, StoreError> {
        let ReadingRecord { question_key, knowledge, reading } = record;
        let select = "SELECT sql FROM readings
             WHERE id = ?4 OR (address = ?1 AND question_key = ?2 AND knowledge = ?3 AND NOT forgotten)";
        let mine: Option<String> =
            self.query_optional(select, params![address, question_key, knowledge, reading.id], |row| row.get(0))?;
        if let Some(mine) = mine {
            return Ok(if mine == reading.sql { ImportOutcome::Here } else { ImportOutcome::Differs });
        }
        if self.applies {
            let key = QuestionKey { warehouse: address, question: question_key, knowledge };
            // A forgotten interpretation is deleted, as when the user chooses a new one.
            let forgotten =
                "DELETE FROM readings WHERE address = ?1 AND question_key = ?2 AND knowledge = ?3 AND forgotten";
            self.run_read(|db| db.execute(forgotten, [address, question_key, knowledge]))?;
            self.run_read(|db| put_reading(db, key, reading))?;
            self.added.rows.push((Kind::Reading, reading.id.clone()));
        }
        Ok(ImportOutcome::Added)
    }

    /// Imports a model. An existing one with its id is kept.
    pub fn import_model(&mut self, record: &ModelRecord) -> Result<ImportOutcome, StoreError> {
        let id = &record.id;
        let mut all = ImportOutcome::Here;
        if let Some(remote) = &record.remote {
            let select = "SELECT base_url || char(10) || model || char(10) || title FROM remote_models WHERE id = ?1";
            let mine: Option<String> = self.query_optional(select, [id], |row| row.get(0))?;
            all = match mine {
                Some(mine) if mine == [&*remote.base_url, &*remote.model, &*remote.title].join("\n") => {
                    ImportOutcome::Here
                }
                Some(_) => return Ok(ImportOutcome::Differs),
                None => {
                    if self.applies {
                        self.run_read(|db| put_model(db, remote))?;
                        self.added.rows.push((Kind::Model, id.clone()));
                    }
                    ImportOutcome::Added
                }
            };
        }
        if let Some(facts) = &record.facts {
            let select = "SELECT probed, said FROM model_profiles WHERE id = ?1";
            let mine = self.query_optional(select, [id], |row| Ok([row.get::<_, String>(0)?, row.get(1)?]))?;
            let taken = match mine {
                Some(mine) if mine == [to_json(&facts.probed), to_json(&facts.said)] => ImportOutcome::Here,
                Some(_) => ImportOutcome::Differs,
                None => {
                    if self.applies {
                        self.run_read(|db| put_facts(db, id, facts))?;
                        self.added.rows.push((Kind::Facts, id.clone()));
                    }
                    ImportOutcome::Added
                }
            };
            all = all.max(taken);
        }
        Ok(all)
    }

    /// Checks if an address was opened in this workspace before.
    pub fn is_used(&self, address: &str) -> Result<bool, StoreError> {
        let found: Option<bool> =
            self.query_optional("SELECT 1 FROM warehouses WHERE uri = ?1", [address], |row| row.get(0))?;
        Ok(found.is_some())
    }

    /// Returns the stored value of a setting.
    pub fn setting(&self, key: &str) -> Result<Option<Value>, StoreError> {
        let text: Option<String> =
            self.query_optional("SELECT value FROM settings WHERE key = ?1", [key], |row| row.get(0))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Stores the value of a setting, replacing an existing one.
    pub fn set_setting(&mut self, key: &str, value: &impl Serialize) -> Result<(), StoreError> {
        if self.applies {
            let before = self.setting(key)?;
            self.run_read(|db| put_setting(db, key, value))?;
            self.added.settings.push((key.to_owned(), before));
        }
        Ok(())
    }

    fn run_read<T>(&self, work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(self.db).map_err(|error| StoreError::from_sqlite(&error, self.path))
    }

    fn query_optional<T>(
        &self,
        select: &str,
        with: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.run_read(|db| db.prepare_cached(select)?.query_row(with, read).optional())
    }
}

/// Normalizes a title for comparison.
fn normalize_title(title: &str) -> String {
    title.trim().to_lowercase()
}

fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain data")
}

/// Compares two saved questions, ignoring filing and title.
fn same_question(mine: &SavedQuestion, theirs: &SavedQuestion) -> bool {
    mine.question == theirs.question
        && mine.sql.trim_end() == theirs.sql.trim_end()
        && mine.code == theirs.code
        && mine.warehouse == theirs.warehouse
        && mine.notes == theirs.notes
        && mine.status == theirs.status
        && mine.filing.checked == theirs.filing.checked
        && mine.filing.parameters == theirs.filing.parameters
}

/// Compares two connections, ignoring their names.
fn same_connection(mine: &Connection, theirs: &Connection) -> bool {
    mine.address == theirs.address
        && mine.environment == theirs.environment
        && mine.schemas == theirs.schemas
        && mine.settings == theirs.settings
}

/// Returns the name, or a variant with a suffix if it is taken.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let numbered = (2u32..).map(|number| tr!("{name} (imported {number})", name, number));
    let mut names = std::iter::once(tr!("{name} (imported)", name)).chain(numbered);
    names.find(|name| !is_taken(name)).expect("there is always a further number")
}
