//! Semantic search: embedded values of small columns, and the search among them.

use crate::ValuesError;
use crate::embed::cosine_similarity;
use crate::storage::{self, StoredColumn};
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};

/// Maximum number of values of a column that is embedded.
pub const SMALL_DOMAIN: u64 = 200;
/// Maximum number of distinct texts that are embedded per database: about ten seconds of work and eight megabytes.
pub const EMBEDDED_TEXTS: usize = 5_000;
/// Key of the note that stores the model of the vectors.
pub(crate) const MODEL: &str = "embedder";

/// Returns the ids and texts of a column.
pub(crate) fn load_values(connection: &Connection, column: &StoredColumn) -> Result<Vec<(i64, String)>, ValuesError> {
    let mut statement =
        connection.prepare_cached("SELECT id, text FROM value WHERE id >= ?1 AND id < ?2 ORDER BY id")?;
    let rows = statement.query_map([column.first, column.end_value_id()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The embedded values in memory.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    /// Name of the model that created the vectors.
    pub model: String,
    texts: Vec<String>,
    vectors: Vec<f32>,
    width: usize,
    ids: Vec<Vec<i64>>,
    rows: HashMap<String, usize>,
}

impl Domains {
    /// Loads the vectors from the file.
    pub fn load(connection: &Connection, columns: &[StoredColumn]) -> Result<Self, ValuesError> {
        let mut domains = Self { model: storage::read_note(connection, MODEL)?.unwrap_or_default(), ..Self::default() };
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
            for (id, text) in load_values(connection, column)? {
                if let Some(&row) = domains.rows.get(&text) {
                    domains.ids[row].push(id);
                }
            }
        }
        Ok(domains)
    }

    /// Returns the vector of a stored text.
    pub fn find_vector(&self, text: &str) -> Option<&[f32]> {
        self.rows.get(text).map(|&row| self.row_vector(row))
    }

    /// Returns the texts whose similarity reaches the threshold, with their ids, most similar first. Ties are sorted by
    /// text.
    pub fn find_nearest(&self, vector: &[f32], threshold: f64) -> Vec<(f64, &str, &[i64])> {
        let rows = (0..self.texts.len()).map(|row| {
            (cosine_similarity(self.row_vector(row), vector), self.texts[row].as_str(), self.ids[row].as_slice())
        });
        let mut near: Vec<_> = rows.filter(|(cosine, _, ids)| *cosine >= threshold && !ids.is_empty()).collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        near
    }

    fn row_vector(&self, row: usize) -> &[f32] {
        &self.vectors[row * self.width..(row + 1) * self.width]
    }
}
