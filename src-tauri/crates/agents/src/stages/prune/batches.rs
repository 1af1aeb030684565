//! Parts of the schema that one request prunes. They begin as the chunks of the schema; when names are removed, neighbouring parts whose
//! remaining text fits into a chunk are merged, so that later rounds need fewer requests.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::schema::Schema;
use std::collections::{HashMap, HashSet};
use vitrine_catalog::{Chunk, CompressedTable};
use vitrine_domain::{Agent, SchemaSelection, SelectedTable, TableName};

/// A part of the schema: one or more chunks.
pub(super) struct Batch<'a> {
    chunks: Vec<&'a Chunk>,
    /// Columns that the chunks show, by table.
    columns: HashMap<TableName, HashSet<String>>,
}

/// Returns a part for each chunk of the linker's schema.
pub(super) fn from_chunks<'a>(context: &RunContext, schema: &'a Schema) -> Vec<Batch<'a>> {
    schema.for_agent(Agent::Linker).chunks.iter().map(|chunk| Batch::from_chunk(context, schema, chunk)).collect()
}

/// Merges neighbouring parts whose remaining text fits into a chunk; parts without remaining names are dropped.
///
/// # Errors
/// Fails if tokens cannot be counted.
pub(super) async fn pack_batches<'a>(
    context: &RunContext,
    schema: &Schema,
    batches: Vec<Batch<'a>>,
    left: &SchemaSelection,
) -> Result<Vec<Batch<'a>>, StageError> {
    if batches.len() < 2 {
        return Ok(batches);
    }
    let model = context.model(Agent::Linker);
    let budget = context.ask.options.settings.chunk_budget.unwrap_or_else(|| model.profile().chunk_budget);
    let mut packed: Vec<Batch<'a>> = Vec::new();
    for batch in batches.into_iter().filter(|batch| !batch.select_remaining(left).is_empty()) {
        let Some(last) = packed.last() else {
            packed.push(batch);
            continue;
        };
        let merged = last.merge(&batch);
        let text = merged.render_remaining(context, schema, left);
        let tokens = model.count_tokens(&[&text]).await?.first().copied().unwrap_or(u32::MAX);
        if tokens <= budget {
            packed.pop();
            packed.push(merged);
        } else {
            packed.push(batch);
        }
    }
    Ok(packed)
}

impl<'a> Batch<'a> {
    fn from_chunk(context: &RunContext, schema: &Schema, chunk: &'a Chunk) -> Self {
        let visible = schema.for_agent(Agent::Linker).chunk_catalog(&context.ask.data.catalog, chunk);
        let columns = visible.tables.into_iter().map(|table| {
            let columns = table.columns.into_iter().map(|column| column.name).collect();
            (table.name, columns)
        });
        Self { chunks: vec![chunk], columns: columns.collect() }
    }

    fn merge(&self, other: &Self) -> Self {
        let mut columns = self.columns.clone();
        for (table, more) in &other.columns {
            columns.entry(table.clone()).or_default().extend(more.iter().cloned());
        }
        Self { chunks: [&self.chunks[..], &other.chunks[..]].concat(), columns }
    }

    /// Iterates over the tables as indices into the compressed schema, each once.
    pub(super) fn tables(&self) -> impl Iterator<Item = usize> {
        let mut seen = HashSet::new();
        self.chunks.iter().flat_map(|chunk| &chunk.tables).copied().filter(move |&table| seen.insert(table))
    }

    /// Returns true if the part shows a column.
    pub(super) fn shows(&self, table: &TableName, column: &str) -> bool {
        self.columns.get(table).is_some_and(|columns| columns.contains(column))
    }

    /// Returns true if the part shows all remaining columns of a table.
    pub(super) fn shows_whole(&self, table: &CompressedTable, left: &SchemaSelection) -> bool {
        let name = &table.representative.name;
        let names = table.columns.iter().flat_map(|column| &column.members);
        names.filter(|column| left.contains(name, Some(column))).all(|column| self.shows(name, column))
    }

    /// Renders the remaining tables and columns. A single chunk that was shortened to fit remains unchanged: with values it would not fit.
    pub(super) fn render_remaining(&self, context: &RunContext, schema: &Schema, left: &SchemaSelection) -> String {
        let text = schema.for_agent(Agent::Linker).render_selection(context, &self.select_remaining(left));
        match self.chunks.as_slice() {
            [only] if text.len() > only.text.len() => only.text.clone(),
            _ => text,
        }
    }

    /// Selects the remaining names that the part shows, in the order of `left`.
    fn select_remaining(&self, left: &SchemaSelection) -> SchemaSelection {
        let by_name: HashMap<String, &HashSet<String>> =
            self.columns.iter().map(|(table, columns)| (table.to_string(), columns)).collect();
        let mut here = SchemaSelection::default();
        for table in &left.tables {
            let Some(shown) = by_name.get(&table.name) else { continue };
            let columns: Vec<String> = table.columns.iter().filter(|column| shown.contains(*column)).cloned().collect();
            if !columns.is_empty() {
                here.tables.push(SelectedTable { name: table.name.clone(), columns });
            }
        }
        here
    }
}
