//! Undo of an import.

use crate::settings::put_setting;
use crate::{Store, StoreError};
use rusqlite::Connection;
use serde_json::Value;

/// The rows and settings that an import added.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Additions {
    pub(super) rows: Vec<(Kind, String)>,
    /// Settings that were written, with their previous values.
    pub(super) settings: Vec<(String, Option<Value>)>,
}

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Run,
    Saved,
    Connection,
    Definitions,
    Reading,
    Model,
    Facts,
}

impl Kind {
    fn delete_statement(self) -> &'static str {
        match self {
            Self::Run => "DELETE FROM runs WHERE run_id = ?1",
            Self::Saved => "DELETE FROM saved_questions WHERE id = ?1",
            Self::Connection => "DELETE FROM connections WHERE id = ?1",
            Self::Definitions => "DELETE FROM definitions WHERE address = ?1",
            Self::Reading => "DELETE FROM readings WHERE id = ?1",
            Self::Model => "DELETE FROM remote_models WHERE id = ?1",
            Self::Facts => "DELETE FROM model_profiles WHERE id = ?1",
        }
    }
}

impl Additions {
    /// Returns `true` if the import added nothing.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.settings.is_empty()
    }
}

impl Store {
    /// Removes the additions of an import in one transaction, and restores settings. Rows that no longer exist are
    /// ignored.
    pub fn take_out(&self, added: &Additions) -> Result<(), StoreError> {
        self.with_transaction(|db| {
            for (kind, id) in added.rows.iter().rev() {
                db.prepare_cached(kind.delete_statement())?.execute([id])?;
            }
            // Reversed, so that the original value of a setting is restored last.
            for (key, before) in added.settings.iter().rev() {
                restore_setting(db, key, before.as_ref())?;
            }
            Ok(())
        })
    }
}

fn restore_setting(db: &Connection, key: &str, before: Option<&Value>) -> rusqlite::Result<()> {
    match before {
        Some(value) => put_setting(db, key, value),
        None => db.execute("DELETE FROM settings WHERE key = ?1", [key]).map(drop),
    }
}
