//! Embeds the values of small columns.
//!
//! All values of a small column are embedded, so that "United States" finds "USA" although the letters differ. Columns
//! are processed from the smallest up to the limit. Equal texts of several columns are embedded once, and their vectors
//! survive a rebuild of a column.

use crate::ValuesError;
use crate::domains::{EMBEDDED_TEXTS, MODEL, SMALL_DOMAIN, load_values};
use crate::embed::Embedder;
use crate::index::ValueIndex;
use crate::storage::{self};
use rusqlite::{Connection, params};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Number of texts per commit.
const BATCH: usize = 128;

impl ValueIndex {
    /// Embeds the values of small columns that have no vector yet. This step after `build` is optional: without it,
    /// only spelling is matched. Resumable. Returns the number of newly embedded texts. `progress` receives the number
    /// of embedded texts and the total.
    pub async fn embed_domains(
        &self,
        embedder: Arc<dyn Embedder>,
        progress: impl Fn(usize, usize) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<usize, ValuesError> {
        let _one_at_a_time = self.building.lock().await;
        let (path, model) = (self.path.clone(), embedder.id().to_owned());
        let (mut connection, missing) = tokio::task::spawn_blocking(move || {
            let mut connection = storage::open_connection(&path)?;
            let missing = prepare_texts(&mut connection, &model)?;
            Ok::<_, ValuesError>((connection, missing))
        })
        .await??;
        let mut done = 0;
        for batch in missing.chunks(BATCH) {
            if cancel.is_cancelled() {
                return Err(ValuesError::Cancelled);
            }
            progress(done, missing.len());
            let (embedder, batch) = (Arc::clone(&embedder), batch.to_vec());
            done += batch.len();
            connection = tokio::task::spawn_blocking(move || {
                let vectors = embedder.embed_texts(&batch.iter().map(String::as_str).collect::<Vec<_>>())?;
                let transaction = connection.transaction()?;
                {
                    let mut insert = transaction.prepare_cached("INSERT OR REPLACE INTO vector VALUES (?1, ?2)")?;
                    for (text, vector) in batch.iter().zip(vectors) {
                        let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
                        insert.execute(params![text, bytes])?;
                    }
                }
                transaction.commit()?;
                Ok::<_, ValuesError>(connection)
            })
            .await??;
        }
        progress(done, missing.len());
        Ok(done)
    }
}

/// Selects the columns, deletes vectors without a column, and returns the texts without a vector.
fn prepare_texts(connection: &mut Connection, model: &str) -> Result<Vec<String>, ValuesError> {
    let transaction = connection.transaction()?;
    if storage::read_note(&transaction, MODEL)?.as_deref() != Some(model) {
        transaction.execute("DELETE FROM vector", [])?;
        storage::set_note(&transaction, MODEL, Some(model))?;
    }
    let mut columns = storage::load_columns(&transaction)?;
    columns.retain(|c| c.count > 0 && c.count as u64 <= SMALL_DOMAIN);
    columns.sort_by(|a, b| (a.count, &a.table, &a.name).cmp(&(b.count, &b.table, &b.name)));
    transaction.execute("DELETE FROM embedded", [])?;
    let mut wanted = BTreeSet::new();
    for column in columns {
        let texts: BTreeSet<String> =
            load_values(&transaction, &column)?.into_iter().map(|(_, t)| t).filter(|t| has_meaning(t)).collect();
        if wanted.union(&texts).count() <= EMBEDDED_TEXTS {
            wanted.extend(texts);
            transaction.execute("INSERT INTO embedded VALUES (?1)", [column.id])?;
        }
    }
    let known: HashSet<String> =
        transaction.prepare("SELECT text FROM vector")?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for stale in known.iter().filter(|t| !wanted.contains(*t)) {
        transaction.execute("DELETE FROM vector WHERE text = ?1", [stale])?;
    }
    transaction.commit()?;
    Ok(wanted.into_iter().filter(|t| !known.contains(t)).collect())
}

fn has_meaning(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}
