//! Export of records.

use super::{DatabaseRecord, ModelRecord, ReadingRecord, RunRecord, SavedRecord};
use crate::readings::{COLUMNS, read_reading_row};
use crate::warehouses::{files_of, keys_of};
use crate::{SavedQuestion, Store, StoreError};
use std::collections::BTreeSet;
use vitrine_domain::Definitions;

impl Store {
    /// Returns the ids of all finished runs, oldest first.
    pub fn ended_runs(&self) -> Result<Vec<String>, StoreError> {
        let select = "SELECT run_id FROM runs WHERE status <> 'running' ORDER BY started_at, run_id";
        self.with_reader(|db| db.prepare_cached(select)?.query_map([], |row| row.get(0))?.collect())
    }

    /// Returns a run with its log.
    pub fn run_record(&self, run_id: &str) -> Result<RunRecord, StoreError> {
        let header = self.run_header(run_id)?;
        Ok(RunRecord { title: header.title, pinned: header.pinned, events: self.events(run_id, 0)? })
    }

    /// Returns a saved question, with its last result if `results` is set.
    pub fn saved_record(&self, question: SavedQuestion, results: bool) -> Result<SavedRecord, StoreError> {
        let result = if results { self.saved_result(&question.id, &question.sql)? } else { None };
        Ok(SavedRecord { question, result })
    }

    /// Returns the addresses that have user data.
    pub fn described_addresses(&self) -> Result<BTreeSet<String>, StoreError> {
        let select = "SELECT address FROM connections UNION SELECT address FROM definitions
             UNION SELECT address FROM readings WHERE NOT forgotten
             UNION SELECT substr(key, instr(key, ':') + 1) FROM settings
                   WHERE substr(key, 1, instr(key, ':')) IN ('egress:', 'files:', 'keys:')";
        self.with_reader(|db| db.prepare_cached(select)?.query_map([], |row| row.get(0))?.collect())
    }

    /// Returns all user data of an address.
    pub fn database_record(&self, address: &str) -> Result<DatabaseRecord, StoreError> {
        let definitions = Some(self.definitions(address)?).filter(|known| *known != Definitions::default());
        let decided = self.setting::<serde_json::Value>(&crate::egress::egress_of(address))?.is_some();
        let select = format!(
            "SELECT {COLUMNS}, question_key, knowledge FROM readings WHERE address = ?1 AND NOT forgotten ORDER BY id"
        );
        let readings = self.with_reader(|db| {
            db.prepare_cached(&select)?
                .query_map([address], |row| {
                    Ok(ReadingRecord {
                        question_key: row.get(8)?,
                        knowledge: row.get(9)?,
                        reading: read_reading_row(row)?,
                    })
                })?
                .collect()
        })?;
        Ok(DatabaseRecord {
            address: address.to_owned(),
            connection: self.connection_at(address)?,
            definitions,
            readings,
            egress: if decided { Some(self.egress_policy(address)?) } else { None },
            tables: self.setting(&files_of(address))?.unwrap_or_default(),
            keys: self.setting(&keys_of(address))?.unwrap_or_default(),
        })
    }

    /// Returns the known models: remote ones, and those with stored properties.
    pub fn model_records(&self) -> Result<Vec<ModelRecord>, StoreError> {
        let mut remote = self.remote_models()?;
        let known: BTreeSet<String> = self.with_reader(|db| {
            db.prepare_cached("SELECT id FROM model_profiles")?.query_map([], |row| row.get(0))?.collect()
        })?;
        let mut ids: BTreeSet<String> = known.clone();
        ids.extend(remote.iter().map(|model| model.id.clone()));
        let record = |id: String| {
            let facts = if known.contains(&id) { Some(self.model_facts(&id)?) } else { None };
            let at = remote.iter().position(|model| model.id == id);
            Ok(ModelRecord { remote: at.map(|at| remote.swap_remove(at)), facts, id })
        };
        ids.into_iter().map(record).collect()
    }
}
