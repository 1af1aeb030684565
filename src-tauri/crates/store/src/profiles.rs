//! Model properties that probes found and that the user set, by model id. The built-in table of model families is not
//! stored, because it is part of the program.

use crate::runs::to_json;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use vitrine_domain::ProfileFacts;

/// Stored properties of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct KeptFacts {
    /// The properties that probes determined.
    pub probed: ProfileFacts,
    /// The date of the probes.
    pub probed_on: Option<String>,
    /// Properties that the user set.
    pub said: ProfileFacts,
}

impl Store {
    /// Returns the stored properties of a model; empty if there are none.
    pub fn model_facts(&self, id: &str) -> Result<KeptFacts, StoreError> {
        let kept = self.with_reader(|connection| {
            connection
                .prepare_cached("SELECT probed, probed_on, said FROM model_profiles WHERE id = ?1")?
                .query_row([id], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get::<_, String>(2)?)))
                .optional()
        })?;
        // Fields of a later version are ignored; unreadable values are treated as unknown.
        let facts = |text: &str| serde_json::from_str(text).unwrap_or_default();
        Ok(kept.map_or_else(KeptFacts::default, |(probed, probed_on, said)| KeptFacts {
            probed: facts(&probed),
            probed_on,
            said: facts(&said),
        }))
    }

    /// Stores the properties of a model, replacing earlier ones.
    pub fn set_model_facts(&self, id: &str, facts: &KeptFacts) -> Result<(), StoreError> {
        self.with_transaction(|transaction| Ok(put_facts(transaction, id, facts)?))
    }

    /// Deletes the properties of a model.
    pub fn forget_model_facts(&self, id: &str) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            transaction.execute("DELETE FROM model_profiles WHERE id = ?1", [id])?;
            Ok(())
        })
    }
}

/// Writes the properties of a model.
pub(crate) fn put_facts(db: &Connection, id: &str, facts: &KeptFacts) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO model_profiles VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET
         probed = excluded.probed, probed_on = excluded.probed_on, said = excluded.said",
        params![id, to_json(&facts.probed), facts.probed_on, to_json(&facts.said)],
    )?;
    Ok(())
}
