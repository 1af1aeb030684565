//! Interpretations that the user chose for questions, by address and question.

use crate::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use specta::Type;

/// An interpretation that the user chose for a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeptReading {
    /// The id of the stored choice.
    pub id: String,
    /// The address of the database.
    pub warehouse: String,
    /// The question as the user asked it.
    pub question: String,
    /// The meaning of the question in plain words.
    pub meaning: String,
    /// The SQL of the interpretation.
    pub sql: String,
    /// The run in which it was chosen; it may have been deleted.
    pub run_id: String,
    /// The candidate of the interpretation in that run.
    pub candidate: u32,
    /// The time of the choice; RFC 3339, UTC.
    pub chosen_at: String,
}

/// The key of a stored interpretation: the normalized question and the background knowledge in its prompt.
#[derive(Debug, Clone, Copy)]
pub struct QuestionKey<'a> {
    /// The address of the database.
    pub warehouse: &'a str,
    /// The question's text after normalization.
    pub question: &'a str,
    /// Definitions and other background of the question.
    pub knowledge: &'a str,
}

pub(crate) const COLUMNS: &str = "id, address, question, meaning, sql, run_id, candidate, chosen_at";

impl Store {
    /// Stores an interpretation, replacing an earlier choice for the same question.
    pub fn keep_reading(&self, key: QuestionKey<'_>, reading: &KeptReading) -> Result<(), StoreError> {
        self.with_transaction(|db| {
            db.execute(
                "DELETE FROM readings WHERE address = ?1 AND question_key = ?2 AND knowledge = ?3",
                [key.warehouse, key.question, key.knowledge],
            )?;
            put_reading(db, key, reading)?;
            Ok(())
        })
    }

    /// Returns the interpretation that was chosen for this question.
    pub fn reading_of(&self, key: QuestionKey<'_>) -> Result<Option<KeptReading>, StoreError> {
        let select = format!(
            "SELECT {COLUMNS} FROM readings WHERE address = ?1 AND question_key = ?2 AND knowledge = ?3 AND NOT forgotten"
        );
        self.with_reader(|db| {
            db.query_row(&select, [key.warehouse, key.question, key.knowledge], read_reading_row).optional()
        })
    }

    /// Returns the interpretations for an address, latest first.
    pub fn readings(&self, address: &str) -> Result<Vec<KeptReading>, StoreError> {
        let select =
            format!("SELECT {COLUMNS} FROM readings WHERE address = ?1 AND NOT forgotten ORDER BY chosen_at DESC, id");
        self.with_reader(|db| db.prepare_cached(&select)?.query_map([address], read_reading_row)?.collect())
    }

    /// Forgets an interpretation. This can be undone until another one is forgotten.
    pub fn forget_reading(&self, id: &str) -> Result<(), StoreError> {
        self.with_transaction(|db| {
            db.execute("DELETE FROM readings WHERE forgotten AND id <> ?1", [id])?;
            match db.execute("UPDATE readings SET forgotten = 1 WHERE id = ?1", [id])? {
                0 => Err(StoreError::not_found("reading", id).into()),
                _ => Ok(()),
            }
        })
    }

    /// Undoes [`Store::forget_reading`] for the last forgotten interpretation.
    pub fn restore_reading(&self, id: &str) -> Result<(), StoreError> {
        self.with_transaction(|db| match db.execute("UPDATE readings SET forgotten = 0 WHERE id = ?1", [id])? {
            0 => Err(StoreError::not_found("reading", id).into()),
            _ => Ok(()),
        })
    }
}

/// Inserts an interpretation; the question must not have one.
pub(crate) fn put_reading(db: &Connection, key: QuestionKey<'_>, reading: &KeptReading) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO readings (id, address, question_key, knowledge, question, meaning, sql, run_id, candidate, chosen_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            reading.id,
            key.warehouse,
            key.question,
            key.knowledge,
            reading.question,
            reading.meaning,
            reading.sql,
            reading.run_id,
            reading.candidate,
            reading.chosen_at,
        ],
    )?;
    Ok(())
}

pub(crate) fn read_reading_row(row: &Row<'_>) -> rusqlite::Result<KeptReading> {
    Ok(KeptReading {
        id: row.get(0)?,
        warehouse: row.get(1)?,
        question: row.get(2)?,
        meaning: row.get(3)?,
        sql: row.get(4)?,
        run_id: row.get(5)?,
        candidate: row.get(6)?,
        chosen_at: row.get(7)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_reading(id: &str, chosen_at: &str) -> KeptReading {
        KeptReading {
            id: id.into(),
            warehouse: "sqlite:/a.db".into(),
            question: "How many customers?".into(),
            meaning: "Number of rows of customers".into(),
            sql: "SELECT count(*) FROM customers".into(),
            run_id: "r".into(),
            candidate: 2,
            chosen_at: chosen_at.into(),
        }
    }

    fn make_key<'a>(question: &'a str, knowledge: &'a str) -> QuestionKey<'a> {
        QuestionKey { warehouse: "sqlite:/a.db", question, knowledge }
    }

    #[test]
    fn a_reading_is_of_one_question_of_one_database() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("w.db")).unwrap();
        store.keep_reading(make_key("how many customers", ""), &make_reading("1", "2026-01-01T00:00:00Z")).unwrap();
        assert_eq!(store.reading_of(make_key("how many customers", "")).unwrap().unwrap().id, "1");
        assert_eq!(store.reading_of(make_key("how many customers", "Customers are paying")).unwrap(), None);
        assert_eq!(store.reading_of(make_key("how many orders", "")).unwrap(), None);
        let elsewhere = QuestionKey { warehouse: "sqlite:/b.db", ..make_key("how many customers", "") };
        assert_eq!(store.reading_of(elsewhere).unwrap(), None);
        // A new choice replaces the earlier one.
        store.keep_reading(make_key("how many customers", ""), &make_reading("2", "2026-01-02T00:00:00Z")).unwrap();
        let ids: Vec<String> = store.readings("sqlite:/a.db").unwrap().into_iter().map(|one| one.id).collect();
        assert_eq!(ids, ["2"]);
    }

    #[test]
    fn the_last_one_that_was_forgotten_can_be_had_back() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("w.db")).unwrap();
        store.keep_reading(make_key("a", ""), &make_reading("1", "2026-01-01T00:00:00Z")).unwrap();
        store.keep_reading(make_key("b", ""), &make_reading("2", "2026-01-02T00:00:00Z")).unwrap();
        store.forget_reading("1").unwrap();
        assert_eq!(store.reading_of(make_key("a", "")).unwrap(), None);
        store.restore_reading("1").unwrap();
        assert_eq!(store.reading_of(make_key("a", "")).unwrap().unwrap().id, "1");
        store.forget_reading("1").unwrap();
        store.forget_reading("2").unwrap();
        assert!(store.restore_reading("1").is_err(), "it is gone");
        assert!(store.readings("sqlite:/a.db").unwrap().is_empty());
        // After a new choice, the forgotten one cannot be restored.
        store.keep_reading(make_key("b", ""), &make_reading("3", "2026-01-03T00:00:00Z")).unwrap();
        assert!(store.restore_reading("2").is_err());
    }
}
