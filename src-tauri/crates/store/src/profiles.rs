//! What probes found out about models and what the user says of them, by the model's id. What a table of known families says
//! is not kept: the table comes with the program.

use crate::runs::to_json;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use vitrine_domain::ProfileFacts;

/// What is kept about a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct KeptFacts {
    /// What probes found out.
    pub probed: ProfileFacts,
    /// The day on which they did.
    pub probed_on: Option<String>,
    /// What the user says.
    pub said: ProfileFacts,
}

impl Store {
    /// What is kept about a model; nothing where nobody said or asked anything.
    pub fn model_facts(&self, id: &str) -> Result<KeptFacts, StoreError> {
        let kept = self.read(|connection| {
            connection
                .prepare_cached("SELECT probed, probed_on, said FROM model_profiles WHERE id = ?1")?
                .query_row([id], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get::<_, String>(2)?)))
                .optional()
        })?;
        // Lines of a later version are passed over; what cannot be read at all is as good as unknown.
        let facts = |text: &str| serde_json::from_str(text).unwrap_or_default();
        Ok(kept.map_or_else(KeptFacts::default, |(probed, probed_on, said)| KeptFacts {
            probed: facts(&probed),
            probed_on,
            said: facts(&said),
        }))
    }

    /// Keeps what is known about a model anew.
    pub fn set_model_facts(&self, id: &str, facts: &KeptFacts) -> Result<(), StoreError> {
        self.write(|transaction| Ok(put_facts(transaction, id, facts)?))
    }

    /// Forgets what is known about a model.
    pub fn forget_model_facts(&self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM model_profiles WHERE id = ?1", [id])?;
            Ok(())
        })
    }
}

/// Writes what is known about a model.
pub(crate) fn put_facts(db: &Connection, id: &str, facts: &KeptFacts) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO model_profiles VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET
         probed = excluded.probed, probed_on = excluded.probed_on, said = excluded.said",
        params![id, to_json(&facts.probed), facts.probed_on, to_json(&facts.said)],
    )?;
    Ok(())
}
