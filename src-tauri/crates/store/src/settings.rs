//! Settings: JSON values by name.

use crate::runs::to_json;
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Serialize, de::DeserializeOwned};

impl Store {
    /// Returns the value of a setting. A value that does not match its type (an older version wrote it) is ignored.
    pub fn setting<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StoreError> {
        let select = "SELECT value FROM settings WHERE key = ?1";
        let text: Option<String> =
            self.with_reader(|connection| connection.query_row(select, [key], |row| row.get(0)).optional())?;
        Ok(text.and_then(|text| match serde_json::from_str(&text) {
            Ok(value) => Some(value),
            Err(error) => {
                tracing::warn!(key, %error, "a stored setting does not fit; the default is used");
                None
            }
        }))
    }

    /// Stores the value of a setting.
    pub fn set_setting<T: Serialize>(&self, key: &str, value: &T) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            put_setting(transaction, key, value)?;
            Ok(())
        })
    }

    /// Deletes the value of a setting.
    pub fn delete_setting(&self, key: &str) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            Ok(transaction.execute("DELETE FROM settings WHERE key = ?1", [key]).map(drop)?)
        })
    }
}

/// Writes the value of a setting.
pub(crate) fn put_setting(db: &Connection, key: &str, value: &impl Serialize) -> rusqlite::Result<()> {
    let upsert = "INSERT INTO settings VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    db.execute(upsert, params![key, to_json(value)])?;
    Ok(())
}
