//! The schema as the prompts of a run use it (AV-SQL, 4.1.1 and 4.1.2): look-alike tables merged, split into chunks of
//! whole tables. The files below select from it and read a model's selection.

pub mod pages;
pub mod prompt_schema;
pub mod reply;
pub mod selection;

use crate::run::context::RunContext;
use parking_lot::Mutex;
use std::borrow::Cow;
use vitrine_catalog::{Budget, Chunk, Compressed, CompressedTable, RenderOptions};
use vitrine_domain::{Catalog, Profile, SchemaSelection, SelectedTable, SemanticKind, Table, TableName};
use vitrine_llm::{ChatModel, LlmError};

/// The schema as the run's prompts use it.
pub struct Schema {
    /// The schema with look-alike tables merged.
    pub compressed: Compressed,
    /// Chunks of whole tables, each below the token budget; never empty.
    pub chunks: Vec<Chunk>,
    options: RenderOptions,
    /// Whether chunks and selections leave out columns without any value (DSR-SQL, 3.2.1).
    filled_only: bool,
}

impl Schema {
    /// Whether one chunk holds the whole schema, so that all agents can share one prompt prefix.
    pub fn is_whole(&self) -> bool {
        self.chunks.len() == 1
    }

    /// The text of the selected tables and columns.
    pub fn render_selection(&self, context: &RunContext, selection: &SchemaSelection) -> String {
        vitrine_catalog::render(&self.compressed, Some(context.shown_profile()), Some(selection), &self.options)
    }

    /// Everything but columns without any value (DSR-SQL, 3.2.1); `None` where every column has values, or is not
    /// profiled yet.
    pub fn filled(&self, context: &RunContext) -> Option<SchemaSelection> {
        let ask = &context.ask;
        let mut filled = SchemaSelection::default();
        let mut left_out = false;
        for table in &ask.catalog.tables {
            let profile = ask.profile.table(&table.name).filter(|profile| profile.profiled_rows > 0);
            let empty =
                |name: &str| profile.and_then(|p| p.column(name)).is_some_and(|c| c.kind == SemanticKind::Empty);
            let name = table.name.to_string();
            filled.add(&name, None);
            for column in &table.columns {
                match empty(&column.name) {
                    true => left_out = true,
                    false => filled.add(&name, Some(&column.name)),
                }
            }
        }
        left_out.then_some(filled)
    }

    /// A selection without columns that hold no value, where the schema is shown without them. A table without any value
    /// stays whole.
    pub fn refined(&self, context: &RunContext, selection: SchemaSelection) -> SchemaSelection {
        let Some(filled) = self.filled(context).filter(|_| self.filled_only) else { return selection };
        let mut refined = SchemaSelection::default();
        for table in &selection.tables {
            let known = filled.tables.iter().find(|known| known.name.eq_ignore_ascii_case(&table.name));
            refined.add(&table.name, None);
            let has = |column: &&String| {
                let listed = |known: &SelectedTable| known.columns.iter().any(|c| c.eq_ignore_ascii_case(column));
                known.is_none_or(|known| known.columns.is_empty() || listed(known))
            };
            match known {
                Some(known) if table.columns.is_empty() => {
                    known.columns.iter().for_each(|column| refined.add(&table.name, Some(column)));
                }
                _ => table.columns.iter().filter(has).for_each(|column| refined.add(&table.name, Some(column))),
            }
        }
        refined
    }

    /// The whole text, or that of a selection, with tables and columns in a seeded random order (CHASE-SQL, 3.3), and the
    /// tables in this order.
    pub fn shuffled(&self, context: &RunContext, only: Option<&SchemaSelection>, seed: u64) -> (String, Vec<String>) {
        let mut shuffled = self.compressed.clone();
        shuffled.tables.sort_by_cached_key(|table| place(seed, &table.pattern));
        for table in &mut shuffled.tables {
            table.columns.sort_by_cached_key(|column| place(seed, &column.column.name));
        }
        let text = vitrine_catalog::render(&shuffled, Some(context.shown_profile()), only, &self.options);
        let shown = |table: &CompressedTable| {
            only.is_none_or(|only| table.members.iter().any(|member| only.contains(member, None)))
        };
        (text, shuffled.tables.into_iter().filter(shown).map(|table| table.pattern).collect())
    }

    /// The part of the catalog that one chunk shows, look-alike tables and keys included.
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

/// Splits a schema below `budget` tokens of a model, written as `options` say, with columns that hold no value left out where
/// `filled_only`. The text depends on the arguments alone.
pub async fn split(
    compressed: Compressed,
    profile: &Profile,
    model: &dyn ChatModel,
    budget: u32,
    filled_only: bool,
    options: RenderOptions,
) -> Result<Schema, LlmError> {
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
        vitrine_catalog::chunk(&shown, Some(profile), budget, count, &options).await
    };
    match failure.into_inner() {
        Some(error) => Err(error),
        None => Ok(Schema { compressed, chunks, options, filled_only }),
    }
}

/// The same tables without columns that hold no value; a table without any value stays whole.
fn without_empty(compressed: &Compressed, profile: &Profile) -> Compressed {
    let mut shown = compressed.clone();
    for table in &mut shown.tables {
        let known = profile.table(&table.representative.name).filter(|known| known.profiled_rows > 0);
        let is_empty =
            |name: &String| known.and_then(|k| k.column(name)).is_some_and(|c| c.kind == SemanticKind::Empty);
        if !table.columns.iter().all(|column| column.members.iter().all(is_empty)) {
            table.columns.retain(|column| !column.members.iter().all(is_empty));
        }
    }
    shown
}

/// The place of a text in a seeded order: by its hash under the seed.
fn place(seed: u64, text: &str) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    *blake3::keyed_hash(&key, text.as_bytes()).as_bytes()
}
