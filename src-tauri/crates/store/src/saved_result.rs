//! Results of the last execution of saved questions.

use crate::runs::to_json;
use crate::{Store, StoreError, sha256_hex};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_domain::{Headline, Page};

/// The result of a saved question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedResult {
    /// The time of the execution; RFC 3339, UTC.
    pub at: String,
    /// The first rows of the result.
    pub page: Page,
    /// The headline of the result.
    pub headline: Option<Headline>,
}

impl Store {
    /// Stores the result of a query as the last result of a saved question, replacing an earlier one.
    pub fn keep_saved_result(&self, id: &str, sql: &str, result: &SavedResult) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            put_result(transaction, id, sql, result)?;
            Ok(())
        })
    }

    /// Returns the last result of a saved question, if it is a result of this query.
    pub fn saved_result(&self, id: &str, sql: &str) -> Result<Option<SavedResult>, StoreError> {
        let body: Option<String> = self.with_reader(|connection| {
            let found = "SELECT body FROM saved_results WHERE saved_id = ?1 AND sql_sha256 = ?2";
            connection.query_row(found, [id, &sha256_hex(sql.trim())], |row| row.get(0)).optional()
        })?;
        // The result of an older version may not parse; running the question again replaces it.
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
    }
}

/// Writes the last result of a saved question; does nothing if the question was deleted meanwhile.
pub(crate) fn put_result(db: &Connection, id: &str, sql: &str, result: &SavedResult) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO saved_results (saved_id, sql_sha256, body)
         SELECT id, ?2, ?3 FROM saved_questions WHERE id = ?1
         ON CONFLICT (saved_id) DO UPDATE SET sql_sha256 = excluded.sql_sha256, body = excluded.body",
        params![id, sha256_hex(sql.trim()), to_json(result)],
    )?;
    Ok(())
}
