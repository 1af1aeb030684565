//! Saved questions: answers that a user keeps, with their SQL.

use crate::runs::{name_of, read_json_column, read_variant_column, to_json};
use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// The extent to which users have checked a saved question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SavedStatus {
    /// The question has not been checked.
    Draft,
    /// A user has read the SQL.
    Reviewed,
    /// A user has checked the numbers.
    Verified,
}

/// The code of an answer, with the views that it reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedCode {
    /// Python code that assigns the variable `result`.
    pub code: String,
    /// The views, which are variables of the code.
    pub views: Vec<SavedView>,
}

/// A view that the code reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// The name of the variable in the code.
    pub name: String,
    /// The query that fetches the view.
    pub sql: String,
}

/// A saved question with its SQL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedQuestion {
    /// The id, which the caller assigns.
    pub id: String,
    /// The title that users see.
    pub title: String,
    /// The question as the user asked it.
    pub question: String,
    /// The SQL that answers it; with `code`, the SQL of its views, for readers.
    pub sql: String,
    /// The code that computes the answer, unless the SQL alone does.
    pub code: Option<SavedCode>,
    /// The address of the warehouse.
    pub warehouse: String,
    /// The extent to which users have checked it.
    pub status: SavedStatus,
    /// The run that it was created from; `None` if that was deleted.
    pub run_id: Option<String>,
    /// Notes of the user about the question.
    pub notes: String,
    /// The time of creation; RFC 3339, UTC.
    pub created_at: String,
    /// The time of the last change; RFC 3339, UTC.
    pub updated_at: String,
    /// Its place in the library and metadata of its query.
    #[serde(default)]
    pub filing: Filing,
}

/// The place of a saved question in the library, and metadata of its query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default, rename_all = "camelCase")]
pub struct Filing {
    /// The folder, such as `Sales/Monthly`; empty for the top level.
    pub folder: String,
    /// Tags for searching, without duplicates.
    pub tags: Vec<String>,
    /// The interpretation that the query answers, in short phrases, if the question has several.
    pub readings: Vec<String>,
    /// The last check by a user; `None` for a draft.
    pub checked: Option<Checked>,
    /// The tables and columns that the query uses, with their types at the time of writing; `None` if unknown.
    pub schema: Option<UsedSchema>,
    /// Names of the constants whose values are requested before each execution.
    pub parameters: Vec<String>,
}

/// The columns that a query uses with their declared types, by table.
pub type UsedSchema = BTreeMap<String, BTreeMap<String, String>>;

/// A user's statement that the answer of a saved question is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// The name of the user; empty if unknown.
    #[serde(deserialize_with = "known_name")]
    #[specta(type = String)]
    pub by: String,
    /// The time of the check; RFC 3339, UTC.
    pub at: String,
    /// SHA-256 of the checked text: the code if there is one, otherwise the query.
    pub sql_sha256: String,
    /// The result at that time, if the query was executed for the check.
    pub result: Option<ResultCheck>,
}

/// Earlier versions stored this word for accounts without a name, and it was displayed as a name.
fn known_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(if name == "unknown" { String::new() } else { name })
}

/// A fingerprint of a result, to detect changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultCheck {
    /// Number of rows in the result.
    #[specta(type = f64)]
    pub rows: u64,
    /// SHA-256 of its columns and rows, independent of their order.
    pub sha256: String,
}

pub(crate) const COLUMNS: &str = "SELECT id, title, question, sql, warehouse, status, run_id, notes, created_at, updated_at, code, \
                       views, filing FROM saved_questions";

pub(crate) fn read_saved_row(row: &Row<'_>) -> rusqlite::Result<SavedQuestion> {
    Ok(SavedQuestion {
        id: row.get(0)?,
        title: row.get(1)?,
        question: row.get(2)?,
        sql: row.get(3)?,
        warehouse: row.get(4)?,
        status: read_variant_column(row, 5)?,
        run_id: row.get(6)?,
        notes: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
        code: read_saved_code(row)?,
        filing: match row.get::<_, Option<String>>(12)? {
            Some(_) => read_json_column(row, 12)?,
            None => Filing::default(),
        },
    })
}

fn read_saved_code(row: &Row<'_>) -> rusqlite::Result<Option<SavedCode>> {
    let Some(code) = row.get(10)? else { return Ok(None) };
    let views: String = row.get(11)?;
    let views = serde_json::from_str(&views)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(11, rusqlite::types::Type::Text, Box::new(error)))?;
    Ok(Some(SavedCode { code, views }))
}

impl Store {
    /// Stores a question, replacing the one with its id but keeping its creation time. Returns the stored question.
    pub fn save_question(&self, question: &SavedQuestion) -> Result<SavedQuestion, StoreError> {
        self.with_transaction(|transaction| Ok(put_question(transaction, question)?))
    }

    /// Returns the saved question with an id.
    pub fn saved_question(&self, id: &str) -> Result<SavedQuestion, StoreError> {
        self.with_reader(|connection| {
            connection.query_row(&format!("{COLUMNS} WHERE id = ?1"), [id], read_saved_row).optional()
        })?
        .ok_or_else(|| StoreError::not_found("saved question", id))
    }

    /// Returns saved questions whose title, question, SQL, notes, code, folder and tags together contain every word of
    /// `search`, last changed first.
    pub fn saved_questions(&self, search: &str) -> Result<Vec<SavedQuestion>, StoreError> {
        self.with_reader(|connection| {
            let text = "title || ' ' || question || ' ' || sql || ' ' || notes || ' ' || coalesce(code, '') || ' ' ||
                        coalesce(filing ->> 'folder', '') || ' ' || coalesce(filing ->> 'tags', '')";
            let sql = format!("{COLUMNS} WHERE holds({text}, ?1) ORDER BY updated_at DESC, id DESC");
            connection.prepare_cached(&sql)?.query_map([search], read_saved_row)?.collect()
        })
    }

    /// Deletes a saved question; its run is kept.
    pub fn delete_saved_question(&self, id: &str) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            match transaction.execute("DELETE FROM saved_questions WHERE id = ?1", [id])? {
                0 => Err(StoreError::not_found("saved question", id).into()),
                _ => Ok(()),
            }
        })
    }
}

/// Writes a question, replacing the one with its id, and returns the stored question.
pub(crate) fn put_question(db: &Connection, question: &SavedQuestion) -> rusqlite::Result<SavedQuestion> {
    let code = question.code.as_ref().map(|code| &code.code);
    let views = question.code.as_ref().map(|code| to_json(&code.views));
    // The run may have been deleted while the dialog was open; the question is then stored without the link.
    db.execute(
        "INSERT INTO saved_questions (id, title, question, sql, warehouse, status, run_id, notes, created_at,
         updated_at, code, views, filing)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT run_id FROM runs WHERE run_id = ?7), ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (id) DO UPDATE SET title = excluded.title, question = excluded.question, sql = excluded.sql,
         warehouse = excluded.warehouse, status = excluded.status, run_id = excluded.run_id, notes = excluded.notes,
         updated_at = excluded.updated_at, code = excluded.code, views = excluded.views,
         filing = excluded.filing",
        params![
            question.id,
            question.title,
            question.question,
            question.sql,
            question.warehouse,
            name_of(question.status),
            question.run_id,
            question.notes,
            question.created_at,
            question.updated_at,
            code,
            views,
            to_json(&question.filing)
        ],
    )?;
    db.query_row(&format!("{COLUMNS} WHERE id = ?1"), [&question.id], read_saved_row)
}
