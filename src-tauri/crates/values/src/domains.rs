//! Meaning: embeddings of the values of small columns, and the search among them.
//!
//! The whole domain of a small column is embedded, so that "United States" finds "USA" where no letters agree. Columns
//! are taken from the smallest up until the bound is reached; equal texts of several columns are embedded once and survive
//! a rebuild of their column.

use crate::embed::{Embedder, cosine};
use crate::storage::{self, StoredColumn};
use crate::{ValueIndex, ValuesError};
use rusqlite::{Connection, params};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Most values of a column whose domain is embedded.
pub const SMALL_DOMAIN: u64 = 200;
/// Most distinct texts embedded per database: about ten seconds of work, eight megabytes.
pub const EMBEDDED_TEXTS: usize = 5_000;
/// Texts per commit.
const BATCH: usize = 128;
/// The note that names the model of the vectors.
const MODEL: &str = "embedder";

impl ValueIndex {
    /// Embeds the values of small columns that have no vector yet. Optional, after `build`: without it, matches are found
    /// by spelling alone. Resumable; gives the number of texts embedded now. `progress` gets (texts done, texts in all).
    pub async fn embed_domains(
        &self,
        embedder: Arc<dyn Embedder>,
        progress: impl Fn(usize, usize) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<usize, ValuesError> {
        let _one_at_a_time = self.building.lock().await;
        let (path, model) = (self.path.clone(), embedder.id().to_owned());
        let (mut connection, missing) = tokio::task::spawn_blocking(move || {
            let mut connection = storage::connect(&path)?;
            let missing = prepare(&mut connection, &model)?;
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
                let vectors = embedder.embed(&batch.iter().map(String::as_str).collect::<Vec<_>>())?;
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

/// Chooses the columns, forgets vectors that no longer belong to any, and gives the texts that lack one.
fn prepare(connection: &mut Connection, model: &str) -> Result<Vec<String>, ValuesError> {
    let transaction = connection.transaction()?;
    if storage::note(&transaction, MODEL)?.as_deref() != Some(model) {
        transaction.execute("DELETE FROM vector", [])?;
        storage::set_note(&transaction, MODEL, Some(model))?;
    }
    let mut columns = storage::columns(&transaction)?;
    columns.retain(|c| c.count > 0 && c.count as u64 <= SMALL_DOMAIN);
    columns.sort_by(|a, b| (a.count, &a.table, &a.name).cmp(&(b.count, &b.table, &b.name)));
    transaction.execute("DELETE FROM embedded", [])?;
    let mut wanted = BTreeSet::new();
    for column in columns {
        let texts: BTreeSet<String> =
            values(&transaction, &column)?.into_iter().map(|(_, t)| t).filter(|t| has_meaning(t)).collect();
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

/// The ids and texts of a column.
pub(crate) fn values(connection: &Connection, column: &StoredColumn) -> Result<Vec<(i64, String)>, ValuesError> {
    let mut statement =
        connection.prepare_cached("SELECT id, text FROM value WHERE id >= ?1 AND id < ?2 ORDER BY id")?;
    let rows = statement.query_map([column.first, column.past()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The embedded values, in memory.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    /// The model that made the vectors.
    pub model: String,
    texts: Vec<String>,
    vectors: Vec<f32>,
    width: usize,
    ids: Vec<Vec<i64>>,
    rows: HashMap<String, usize>,
}

impl Domains {
    /// Reads them from the file.
    pub fn load(connection: &Connection, columns: &[StoredColumn]) -> Result<Self, ValuesError> {
        let mut domains = Self { model: storage::note(connection, MODEL)?.unwrap_or_default(), ..Self::default() };
        let mut statement = connection.prepare("SELECT text, data FROM vector ORDER BY text")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (text, data): (String, Vec<u8>) = (row.get(0)?, row.get(1)?);
            let (floats, _) = data.as_chunks::<4>();
            if domains.width == 0 {
                domains.width = floats.len();
            }
            if floats.len() == domains.width && domains.width > 0 {
                domains.rows.insert(text.clone(), domains.texts.len());
                domains.texts.push(text);
                domains.vectors.extend(floats.iter().map(|f| f32::from_le_bytes(*f)));
                domains.ids.push(Vec::new());
            }
        }
        let embedded: HashSet<i64> = connection
            .prepare("SELECT source FROM embedded")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for column in columns.iter().filter(|c| embedded.contains(&c.id)) {
            for (id, text) in values(connection, column)? {
                if let Some(&row) = domains.rows.get(&text) {
                    domains.ids[row].push(id);
                }
            }
        }
        Ok(domains)
    }

    /// The vector of a stored text.
    pub fn vector(&self, text: &str) -> Option<&[f32]> {
        self.rows.get(text).map(|&row| self.row(row))
    }

    /// Texts at least as near as the threshold with their ids, nearest first, equally near by text.
    pub fn near(&self, vector: &[f32], threshold: f64) -> Vec<(f64, &str, &[i64])> {
        let rows = (0..self.texts.len())
            .map(|row| (cosine(self.row(row), vector), self.texts[row].as_str(), self.ids[row].as_slice()));
        let mut near: Vec<_> = rows.filter(|(cosine, _, ids)| *cosine >= threshold && !ids.is_empty()).collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.vectors[row * self.width..(row + 1) * self.width]
    }
}
