//! The schema in the format for one model. Models differ in the format that suits them, in the statistics of columns, in the shown member
//! of a group of look-alike tables, and in the size of a prompt.

use crate::run::context::RunContext;
use parking_lot::Mutex;
use std::borrow::Cow;
use vitrine_catalog::{Budget, Chunk, Compressed, CompressedTable, RenderOptions};
use vitrine_domain::{Catalog, Profile, SchemaSelection, SemanticKind, Table, TableName, TableProfile};
use vitrine_llm::{ChatModel, LlmError};

/// The schema in the format for one model.
#[derive(Clone)]
pub struct ChunkedSchema {
    /// Schema with look-alike tables merged.
    pub compressed: Compressed,
    /// Chunks of whole tables, each below the token budget; never empty.
    pub chunks: Vec<Chunk>,
    options: RenderOptions,
}

impl ChunkedSchema {
    /// Returns true if one chunk holds the whole schema, so that all agents with this model can share one prompt prefix.
    pub fn is_whole(&self) -> bool {
        self.chunks.len() == 1
    }

    /// Returns the number of tokens of the whole text.
    pub fn tokens(&self) -> u32 {
        self.chunks.iter().map(|chunk| chunk.tokens).sum()
    }

    /// Returns the text of the selected tables and columns.
    pub fn render_selection(&self, context: &RunContext, selection: &SchemaSelection) -> String {
        vitrine_catalog::render_schema(&self.compressed, Some(context.shown_profile()), Some(selection), &self.options)
    }

    /// Returns the text of the schema or a selection, with tables and columns in a seeded random order (CHASE-SQL, 3.3), and the tables in
    /// this order.
    pub fn render_shuffled(
        &self,
        context: &RunContext,
        only: Option<&SchemaSelection>,
        seed: u64,
    ) -> (String, Vec<String>) {
        let mut shuffled = self.compressed.clone();
        shuffled.tables.sort_by_cached_key(|table| seeded_rank(seed, &table.pattern));
        for table in &mut shuffled.tables {
            table.columns.sort_by_cached_key(|column| seeded_rank(seed, &column.column.name));
        }
        let text = vitrine_catalog::render_schema(&shuffled, Some(context.shown_profile()), only, &self.options);
        let shown = |table: &CompressedTable| {
            only.is_none_or(|only| table.members.iter().any(|member| only.contains(member, None)))
        };
        (text, shuffled.tables.into_iter().filter(shown).map(|table| table.pattern).collect())
    }

    /// Returns the part of the catalog that one chunk shows, including look-alike tables and keys.
    pub fn chunk_catalog(&self, catalog: &Catalog, chunk: &Chunk) -> Catalog {
        let shown: std::collections::HashSet<&TableName> =
            chunk.tables.iter().flat_map(|&index| self.compressed.tables[index].members.iter()).collect();
        let mut tables: Vec<Table> = catalog.tables.iter().filter(|t| shown.contains(&t.name)).cloned().collect();
        if let Some(columns) = &chunk.columns {
            let columns: std::collections::HashSet<&String> = columns.iter().collect();
            for table in &mut tables {
                let keys = table.foreign_keys.iter().flat_map(|key| &key.columns).chain(&table.primary_key);
                let keys: Vec<String> = keys.cloned().collect();
                table.columns.retain(|column| columns.contains(&column.name) || keys.contains(&column.name));
            }
        }
        Catalog { tables, ..catalog.clone() }
    }
}

/// Size and format of the chunks of a schema.
pub struct ChunkOptions {
    /// Maximum number of tokens of a chunk.
    pub budget: u32,
    /// True if columns without values are omitted.
    pub filled_only: bool,
    /// Format of the text.
    pub render: RenderOptions,
}

/// Splits a schema into chunks for a model. The text depends on the arguments alone.
pub async fn split_schema(
    compressed: Compressed,
    profile: &Profile,
    model: &dyn ChatModel,
    ChunkOptions { budget, filled_only, render: options }: ChunkOptions,
) -> Result<ChunkedSchema, LlmError> {
    let shown = if filled_only { Cow::Owned(without_empty(&compressed, profile)) } else { Cow::Borrowed(&compressed) };
    let failure: Mutex<Option<LlmError>> = Mutex::new(None);
    let chunks = {
        let count = async |texts: &[&str]| match model.count_tokens(texts).await {
            Ok(counts) => counts,
            Err(error) => {
                *failure.lock() = Some(error);
                vec![0; texts.len()]
            }
        };
        let budget = Budget::new(budget, model.profile().context_tokens);
        vitrine_catalog::chunk_schema(&shown, Some(profile), budget, count, &options).await
    };
    match failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(ChunkedSchema { compressed, chunks, options }),
    }
}

/// Returns true if a profile covers all rows: a column that is empty in the first rows may have values in the others.
pub(super) fn tells_empty(profile: &TableProfile) -> bool {
    profile.profiled_rows > 0 && profile.is_whole()
}

/// Returns the same tables without columns that have no value; a table without any values remains whole.
fn without_empty(compressed: &Compressed, profile: &Profile) -> Compressed {
    let mut shown = compressed.clone();
    for table in &mut shown.tables {
        let known = profile.find_table(&table.representative.name).filter(|known| tells_empty(known));
        let is_empty =
            |name: &String| known.and_then(|k| k.find_column(name)).is_some_and(|c| c.kind == SemanticKind::Empty);
        if !table.columns.iter().all(|column| column.members.iter().all(is_empty)) {
            table.columns.retain(|column| !column.members.iter().all(is_empty));
        }
    }
    shown
}

/// Returns the rank of a text in a seeded order: its hash under the seed.
pub(super) fn seeded_rank(seed: u64, text: &str) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    *blake3::keyed_hash(&key, text.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_table::one_table;
    use vitrine_catalog::compress_catalog;
    use vitrine_domain::{ColumnProfile, Dialect};

    #[test]
    fn a_column_goes_only_where_all_rows_were_read_and_none_has_a_value() {
        let catalog = one_table(Dialect::Clickhouse, "visits", &["city", "note"]);
        let known = |name: &str, kind| ColumnProfile { name: name.into(), kind, ..ColumnProfile::default() };
        let shown = |row_count: Option<u64>, profiled_rows: u64| {
            let columns = vec![known("city", SemanticKind::Dimension), known("note", SemanticKind::Empty)];
            let tables =
                vec![TableProfile { table: catalog.tables[0].name.clone(), row_count, profiled_rows, columns }];
            let profile = Profile { tables, ..Profile::default() };
            without_empty(&compress_catalog(&catalog), &profile).tables[0].columns.len()
        };
        assert_eq!(shown(Some(1_000), 1_000), 1, "no row has a note");
        assert_eq!(shown(Some(5_000), 1_000), 2, "a row that was not read may have one");
        assert_eq!(shown(None, 1_000), 2, "nobody knows how many rows there are");
        assert_eq!(shown(Some(0), 0), 2, "a table without rows stays whole");
    }
}
