//! Preprocessing (AV-SQL, 4.1.1 and 4.1.2): compress the schema, split it into chunks of whole tables.

use crate::prompt::format::count;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use std::sync::Mutex;
use vitrine_catalog::{Budget, Chunk, Compressed, RenderOptions};
use vitrine_domain::run::ChunkSummary;
use vitrine_domain::{
    Agent, Catalog, EventBody, Profile, SchemaSelection, SemanticKind, StageKind, Switch, Table, TableName,
};
use vitrine_llm::{ChatModel, LlmError};

/// The schema as the run's prompts use it.
pub struct Schema {
    /// Look-alikes merged.
    pub compressed: Compressed,
    /// Whole tables, each chunk below the budget; never empty.
    pub chunks: Vec<Chunk>,
    options: RenderOptions,
}

impl Schema {
    /// Whether one chunk holds everything, so that all agents can share one prompt prefix.
    pub fn is_whole(&self) -> bool {
        self.chunks.len() == 1
    }

    /// The text of the selected tables and columns only.
    pub fn render_selection(&self, context: &RunContext, selection: &SchemaSelection) -> String {
        vitrine_catalog::render(&self.compressed, Some(context.shown_profile()), Some(selection), &self.options)
    }

    /// Everything but the columns without any value (DSR-SQL, 3.2.1); `None` where every column has values, or is not
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

    /// The whole text with tables and columns in an order that the seed decides (CHASE-SQL, 3.3), and the tables so ordered.
    pub fn shuffled(&self, context: &RunContext, seed: u64) -> (String, Vec<String>) {
        let place = |name: &str| *blake3::keyed_hash(&key(seed), name.as_bytes()).as_bytes();
        let mut shuffled = self.compressed.clone();
        shuffled.tables.sort_by_cached_key(|table| place(&table.pattern));
        for table in &mut shuffled.tables {
            table.columns.sort_by_cached_key(|column| place(&column.column.name));
        }
        let text = vitrine_catalog::render(&shuffled, Some(context.shown_profile()), None, &self.options);
        (text, shuffled.tables.into_iter().map(|table| table.pattern).collect())
    }

    /// The catalog as far as one chunk shows it, look-alike tables and keys included.
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

/// Compresses, unless look-alikes are not to be merged, and splits below `budget` tokens of a model. The text depends on the
/// arguments alone.
pub async fn split(
    catalog: &Catalog,
    profile: &Profile,
    model: &dyn ChatModel,
    budget: u32,
    merge: bool,
) -> Result<Schema, LlmError> {
    let compressed = if merge { vitrine_catalog::compress(catalog) } else { Compressed::as_it_is(catalog) };
    let options = RenderOptions::default();
    let failure: Mutex<Option<LlmError>> = Mutex::new(None);
    let chunks = {
        let count = async |texts: &[&str]| match model.count_tokens(texts).await {
            Ok(counts) => counts,
            Err(error) => {
                *failure.lock().expect("failure") = Some(error);
                vec![0; texts.len()]
            }
        };
        let budget = Budget::new(budget, model.traits().context_tokens);
        vitrine_catalog::chunk(&compressed, Some(profile), budget, count, &options).await
    };
    match failure.into_inner().expect("failure") {
        Some(error) => Err(error),
        None => Ok(Schema { compressed, chunks, options }),
    }
}

/// Compresses and splits, and says so. `budget` is the paper's B in tokens of the given agent's model.
pub async fn prepare(context: &RunContext, agent: Agent, budget: u32) -> Result<Schema, StageError> {
    let ask = &context.ask;
    context.begin(nodes::SCHEMA, StageKind::Schema, "Read the schema", &[]);
    let merge = ask.settings.with(Switch::Compression);
    let schema = split(&ask.catalog, context.shown_profile(), context.model(agent).as_ref(), budget, merge).await?;
    let Schema { compressed, chunks, .. } = &schema;
    let tokens: u32 = chunks.iter().map(|c| c.tokens).sum();
    let groups = compressed.group_count();
    context.emit(EventBody::SchemaPrepared {
        node: nodes::SCHEMA.to_owned(),
        tables: ask.catalog.tables.len() as u32,
        columns: ask.catalog.column_count() as u32,
        groups: groups as u32,
        chunks: chunks
            .iter()
            .map(|c| ChunkSummary {
                index: c.index,
                tables: c.tables.iter().map(|&t| compressed.tables[t].pattern.clone()).collect(),
                tokens: c.tokens,
            })
            .collect(),
        tokens_compressed: tokens,
        tokens_raw: if groups == 0 { tokens } else { raw_tokens(compressed, tokens) },
    });
    context.finish(
        nodes::SCHEMA,
        format!("{} tables, {tokens} tokens in {}", ask.catalog.tables.len(), count(chunks.len(), "chunk")),
    );
    Ok(schema)
}

/// Tokens that the uncompressed text would have, by the share of names and types that compression left out.
fn raw_tokens(compressed: &Compressed, tokens: u32) -> u32 {
    let raw: usize =
        compressed.expand().iter().flat_map(|(_, columns)| columns).map(|(name, kind)| name.len() + kind.len()).sum();
    let kept: usize =
        compressed.tables.iter().flat_map(|t| &t.columns).map(|c| c.column.name.len() + c.column.data_type.len()).sum();
    (u64::from(tokens) * raw as u64 / (kept.max(1) as u64)) as u32
}

/// A seed as a hash key.
fn key(seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}
