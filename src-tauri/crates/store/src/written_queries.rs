//! Queries that runs wrote, by their text, so that the audit log can record the author of a query that is executed
//! again later.

use crate::runs::{name_of, read_variant_column};
use crate::{QueryAuthor, Store, StoreError, sha256_hex};
use rusqlite::{OptionalExtension, params};

/// A query that a run wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenQuery {
    /// The author of the query in that run.
    pub author: QueryAuthor,
    /// The question of the run.
    pub question: String,
    /// The id of the run.
    pub run_id: String,
}

impl Store {
    /// Stores the author of a query. The latest author replaces earlier ones, except that `App` replaces none, because Vitrine
    /// repeats queries of others.
    pub fn keep_written(&self, warehouse: &str, sql: &str, written: &WrittenQuery) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO written_queries (warehouse, sql_sha256, author, question, run_id)
                     VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT (warehouse, sql_sha256) DO UPDATE
                     SET author = excluded.author, question = excluded.question, run_id = excluded.run_id
                     WHERE excluded.author <> 'app'",
                )?
                .execute(params![
                    warehouse,
                    sha256_hex(sql.trim()),
                    name_of(written.author),
                    written.question,
                    written.run_id
                ])?;
            Ok(())
        })
    }

    /// Returns the run that wrote exactly this text for a warehouse, with its author; `None` if no run did.
    pub fn written_query(&self, warehouse: &str, sql: &str) -> Result<Option<WrittenQuery>, StoreError> {
        let select = "SELECT author, question, run_id FROM written_queries WHERE warehouse = ?1 AND sql_sha256 = ?2";
        self.with_reader(|connection| {
            let found = connection.prepare_cached(select)?.query_row([warehouse, &sha256_hex(sql.trim())], |row| {
                Ok(WrittenQuery { author: read_variant_column(row, 0)?, question: row.get(1)?, run_id: row.get(2)? })
            });
            found.optional()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_that_of_its_last_author_and_vitrine_takes_it_from_none() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("w.db")).unwrap();
        let by = |author, run: &str| WrittenQuery { author, question: "How many?".into(), run_id: run.into() };
        let keep = |author, run: &str| store.keep_written("duckdb:/shop", " SELECT 1\n", &by(author, run)).unwrap();
        let written = |warehouse: &str, sql: &str| store.written_query(warehouse, sql).unwrap();
        assert_eq!(written("duckdb:/shop", "SELECT 1"), None);
        keep(QueryAuthor::App, "a");
        assert_eq!(written("duckdb:/shop", "SELECT 1"), Some(by(QueryAuthor::App, "a")));
        keep(QueryAuthor::Model, "b");
        keep(QueryAuthor::App, "c");
        assert_eq!(written("duckdb:/shop", "SELECT 1"), Some(by(QueryAuthor::Model, "b")));
        keep(QueryAuthor::User, "d");
        assert_eq!(written("duckdb:/shop", "SELECT 1"), Some(by(QueryAuthor::User, "d")));
        assert_eq!((written("duckdb:/shop", "SELECT  1"), written("duckdb:/other", "SELECT 1")), (None, None));
    }
}
