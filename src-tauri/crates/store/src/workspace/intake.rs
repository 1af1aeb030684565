//! What comes in. It is added to what is here, and replaces none of it.

use super::undo::{Additions, Kind};
use super::{DatabaseRecord, ModelRecord, ReadingRecord, RunRecord, SavedRecord};
use crate::connections::{connection, fitting, put_connection, put_definitions};
use crate::egress::egress_of;
use crate::models::put_model;
use crate::profiles::put_facts;
use crate::readings::put_reading;
use crate::runs::{events, exists, insert, to_json};
use crate::saved::{put_question, saved};
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

/// What becomes of something that comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taken {
    /// It is here already.
    Here,
    /// It is here otherwise, and stays as it is here.
    Differs,
    /// It is new.
    Added,
}

/// Takes records in, or says what would become of them.
pub struct Intake<'a> {
    db: &'a rusqlite::Connection,
    path: &'a Path,
    applies: bool,
    added: Additions,
    /// Folders and titles of the saved questions, once they were read; those that come in, too.
    titles: Option<HashSet<(String, String)>>,
}

impl Store {
    /// Takes in what `work` hands over, in one transaction: nothing of it stays when that fails. Gives what was added, too.
    ///
    /// # Errors
    /// Those of `work`, and those of the workspace.
    pub fn take_in<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut Intake<'_>) -> Result<T, E>,
    ) -> Result<(T, Additions), E> {
        let mut writer = self.writer();
        let begun = writer.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(|error| self.failed(&error))?;
        let mut intake = Intake::new(&transaction, self.path(), true);
        let value = work(&mut intake)?;
        let added = intake.added;
        transaction.commit().map_err(|error| self.failed(&error))?;
        Ok((value, added))
    }

    /// The same, but only says what would become of it. Nothing is changed, and nobody waits for it.
    ///
    /// # Errors
    /// Those of `work`, and those of the workspace.
    pub fn look_at<T, E: From<StoreError>>(&self, work: impl FnOnce(&mut Intake<'_>) -> Result<T, E>) -> Result<T, E> {
        let reader = self.further_reader()?;
        work(&mut Intake::new(&reader, self.path(), false))
    }
}

impl<'a> Intake<'a> {
    fn new(db: &'a rusqlite::Connection, path: &'a Path, applies: bool) -> Self {
        Self { db, path, applies, added: Additions::default(), titles: None }
    }

    fn titles(&mut self) -> Result<&mut HashSet<(String, String)>, StoreError> {
        if self.titles.is_none() {
            let select = "SELECT coalesce(filing ->> 'folder', ''), title FROM saved_questions";
            let read = |row: &Row<'_>| Ok((row.get(0)?, lower(&row.get::<_, String>(1)?)));
            self.titles = Some(self.asked(|db| db.prepare(select)?.query_map([], read)?.collect())?);
        }
        Ok(self.titles.as_mut().expect("just read"))
    }

    /// A run, as one that comes from elsewhere. One with its id stays as it is here. `abridged` is a log from which something was left
    /// out: any run with its id is the same.
    ///
    /// # Errors
    /// When it is no whole run.
    pub fn run(&mut self, record: &RunRecord, abridged: bool) -> Result<Taken, StoreError> {
        let run_id = record.checked_id().map_err(|message| StoreError::Invalid { message })?;
        if self.asked(|db| exists(db, run_id))? {
            let same = abridged || self.asked(|db| events(db, run_id, 0))? == record.events;
            return Ok(if same { Taken::Here } else { Taken::Differs });
        }
        if self.applies {
            for event in &record.events {
                insert(self.db, event, None).map_err(|problem| problem.told(self.path))?;
            }
            let named = "UPDATE runs SET title = ?2, pinned = ?3 WHERE run_id = ?1";
            self.asked(|db| db.execute(named, params![run_id, record.title, record.pinned]))?;
            self.added.rows.push((Kind::Run, run_id.to_owned()));
        }
        Ok(Taken::Added)
    }

    /// A saved question. One with its id, or of the same content, stays as it is here; beside another one of its title in its
    /// folder it gets a title of its own, which is given.
    pub fn saved(&mut self, record: &SavedRecord) -> Result<(Taken, Option<String>), StoreError> {
        let question = &record.question;
        let known = |condition: &str, with: &[&str]| -> Result<Vec<SavedQuestion>, StoreError> {
            let select = format!("{} WHERE {condition}", crate::saved::COLUMNS);
            self.asked(|db| db.prepare_cached(&select)?.query_map(params_from_iter(with), saved)?.collect())
        };
        let same_id = known("id = ?1", &[&question.id])?;
        if let Some(mine) = same_id.first() {
            return Ok((if same_question(mine, question) { Taken::Here } else { Taken::Differs }, None));
        }
        let same_query = known("warehouse = ?1 AND sql = ?2", &[&question.warehouse, &question.sql])?;
        if same_query.iter().any(|mine| mine.title == question.title && same_question(mine, question)) {
            return Ok((Taken::Here, None));
        }
        let folder = question.filing.folder.clone();
        let taken = self.titles()?;
        let title = free_name(&question.title, |title| taken.contains(&(folder.clone(), lower(title))));
        taken.insert((folder, lower(&title)));
        let renamed = (title != question.title).then(|| title.clone());
        if self.applies {
            let kept = SavedQuestion { title, ..question.clone() };
            self.asked(|db| put_question(db, &kept))?;
            if let Some(result) = &record.result {
                self.asked(|db| put_result(db, &kept.id, &kept.sql, result))?;
            }
            self.added.rows.push((Kind::Saved, kept.id));
        }
        Ok((Taken::Added, renamed))
    }

    /// The connection of an address. One to the address, or with its id, stays as it is here; beside another one of its name it gets
    /// a name of its own, which is given.
    pub fn connection(&mut self, theirs: &Connection) -> Result<(Taken, Option<String>), StoreError> {
        let select = format!(
            "SELECT {} FROM connections WHERE address = ?1 OR id = ?2 ORDER BY address = ?1 DESC",
            crate::connections::COLUMNS
        );
        if let Some(mine) = self.one(&select, [&theirs.address, &theirs.id], connection)? {
            return Ok((if same_connection(&mine, theirs) { Taken::Here } else { Taken::Differs }, None));
        }
        let names: Vec<String> = self.asked(|db| {
            db.prepare_cached("SELECT name FROM connections")?.query_map([], |row| row.get(0))?.collect()
        })?;
        let taken: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let name = free_name(&theirs.name, |name| taken.contains(&name.to_lowercase()));
        let renamed = (name != theirs.name).then(|| name.clone());
        if self.applies {
            // It was never opened here.
            let kept = Connection { name, used_at: None, ..theirs.clone() };
            self.asked(|db| put_connection(db, &kept))?;
            self.added.rows.push((Kind::Connection, kept.id));
        }
        Ok((Taken::Added, renamed))
    }

    /// Returns what is decided here to leave an address, and the definitions that it has here.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn decided(&self, address: &str) -> Result<(Option<EgressPolicy>, Option<Definitions>), StoreError> {
        let select = "SELECT body FROM definitions WHERE address = ?1";
        let definitions: Option<String> = self.one(select, [address], |row| row.get(0))?;
        // One that cannot be read is kept as it is, and equals none.
        let policy = self.setting(&egress_of(address))?.map(|kept| serde_json::from_value(kept).unwrap_or_default());
        Ok((policy, definitions.map(|body| fitting(&body))))
    }

    /// What else was said of an address, but for readings. What was said of the same thing here stays.
    pub fn description(&mut self, theirs: &DatabaseRecord) -> Result<Option<Taken>, StoreError> {
        let address = &theirs.address;
        let mut all = None;
        if let Some(known) = &theirs.definitions {
            let select = "SELECT body FROM definitions WHERE address = ?1";
            let mine: Option<String> = self.one(select, [address], |row| row.get(0))?;
            let taken = match mine {
                Some(mine) if fitting::<Definitions>(&mine) == *known => Taken::Here,
                Some(_) => Taken::Differs,
                None => {
                    if self.applies {
                        self.asked(|db| put_definitions(db, address, known))?;
                        self.added.rows.push((Kind::Definitions, address.clone()));
                    }
                    Taken::Added
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
                Some(mine) if mine == value => Taken::Here,
                Some(_) => Taken::Differs,
                None => {
                    self.set_setting(&key, &value)?;
                    Taken::Added
                }
            };
            all = all.max(Some(taken));
        }
        Ok(all)
    }

    /// A reading of a question. The one that was chosen here for the same question stays.
    pub fn reading(&mut self, address: &str, record: &ReadingRecord) -> Result<Taken, StoreError> {
        let ReadingRecord { question_key, knowledge, reading } = record;
        let select = "SELECT sql FROM readings
             WHERE id = ?4 OR (address = ?1 AND question_key = ?2 AND knowledge = ?3 AND NOT forgotten)";
        let mine: Option<String> =
            self.one(select, params![address, question_key, knowledge, reading.id], |row| row.get(0))?;
        if let Some(mine) = mine {
            return Ok(if mine == reading.sql { Taken::Here } else { Taken::Differs });
        }
        if self.applies {
            let key = QuestionKey { warehouse: address, question: question_key, knowledge };
            // One that was forgotten makes room, as when a reading is chosen anew.
            let forgotten =
                "DELETE FROM readings WHERE address = ?1 AND question_key = ?2 AND knowledge = ?3 AND forgotten";
            self.asked(|db| db.execute(forgotten, [address, question_key, knowledge]))?;
            self.asked(|db| put_reading(db, key, reading))?;
            self.added.rows.push((Kind::Reading, reading.id.clone()));
        }
        Ok(Taken::Added)
    }

    /// A model. One with its id stays as it is here.
    pub fn model(&mut self, record: &ModelRecord) -> Result<Taken, StoreError> {
        let id = &record.id;
        let mut all = Taken::Here;
        if let Some(remote) = &record.remote {
            let select = "SELECT base_url || char(10) || model || char(10) || title FROM remote_models WHERE id = ?1";
            let mine: Option<String> = self.one(select, [id], |row| row.get(0))?;
            all = match mine {
                Some(mine) if mine == [&*remote.base_url, &*remote.model, &*remote.title].join("\n") => Taken::Here,
                Some(_) => return Ok(Taken::Differs),
                None => {
                    if self.applies {
                        self.asked(|db| put_model(db, remote))?;
                        self.added.rows.push((Kind::Model, id.clone()));
                    }
                    Taken::Added
                }
            };
        }
        if let Some(facts) = &record.facts {
            let select = "SELECT probed, said FROM model_profiles WHERE id = ?1";
            let mine = self.one(select, [id], |row| Ok([row.get::<_, String>(0)?, row.get(1)?]))?;
            let taken = match mine {
                Some(mine) if mine == [to_json(&facts.probed), to_json(&facts.said)] => Taken::Here,
                Some(_) => Taken::Differs,
                None => {
                    if self.applies {
                        self.asked(|db| put_facts(db, id, facts))?;
                        self.added.rows.push((Kind::Facts, id.clone()));
                    }
                    Taken::Added
                }
            };
            all = all.max(taken);
        }
        Ok(all)
    }

    /// Whether an address was opened here before.
    pub fn is_used(&self, address: &str) -> Result<bool, StoreError> {
        let found: Option<bool> = self.one("SELECT 1 FROM warehouses WHERE uri = ?1", [address], |row| row.get(0))?;
        Ok(found.is_some())
    }

    /// The value under a name, as it is kept.
    pub fn setting(&self, key: &str) -> Result<Option<Value>, StoreError> {
        let text: Option<String> = self.one("SELECT value FROM settings WHERE key = ?1", [key], |row| row.get(0))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Keeps a value under a name, in place of the one that is there.
    pub fn set_setting(&mut self, key: &str, value: &impl Serialize) -> Result<(), StoreError> {
        if self.applies {
            let before = self.setting(key)?;
            self.asked(|db| put_setting(db, key, value))?;
            self.added.settings.push((key.to_owned(), before));
        }
        Ok(())
    }

    fn asked<T>(&self, work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(self.db).map_err(|error| StoreError::from_sqlite(&error, self.path))
    }

    fn one<T>(
        &self,
        select: &str,
        with: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.asked(|db| db.prepare_cached(select)?.query_row(with, read).optional())
    }
}

/// A title as titles are compared.
fn lower(title: &str) -> String {
    title.trim().to_lowercase()
}

fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain data")
}

/// Whether two saved questions are the same but for how they are filed and what they are called.
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

/// Whether two connections are the same but for what they are called.
fn same_connection(mine: &Connection, theirs: &Connection) -> bool {
    mine.address == theirs.address
        && mine.environment == theirs.environment
        && mine.schemas == theirs.schemas
        && mine.settings == theirs.settings
}

/// The name, or what is made of it where it is taken.
fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let numbered = (2u32..).map(|number| tr!("{name} (imported {number})", name, number));
    let mut names = std::iter::once(tr!("{name} (imported)", name)).chain(numbered);
    names.find(|name| !is_taken(name)).expect("there is always a further number")
}
