//! Preprocessing (AV-SQL, 4.1.1 and 4.1.2), in a node of its own: compress the schema, split it into chunks of whole tables.

use crate::prompt::format::count;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::{Schema, split};
use vitrine_catalog::{Compressed, RenderOptions};
use vitrine_domain::run::ChunkSummary;
use vitrine_domain::{Agent, EventBody, StageKind, Switch};

/// Compresses and splits the schema, and records it. `budget` is the paper's B in tokens of the given agent's model.
pub async fn prepare(context: &RunContext, agent: Agent, budget: u32) -> Result<Schema, StageError> {
    let options = RenderOptions::of(&context.model(agent).profile());
    read(context, agent, budget, false, options).await
}

/// The same without columns that hold no value (DSR-SQL, 3.2.1), before anything is selected, and as M-Schema (appendix B).
pub async fn refine(context: &RunContext, agent: Agent, budget: u32) -> Result<Schema, StageError> {
    let filled_only = context.ask.settings.with(Switch::Compression);
    let options = RenderOptions::m_schema(&context.model(agent).profile());
    read(context, agent, budget, filled_only, options).await
}

async fn read(
    context: &RunContext,
    agent: Agent,
    budget: u32,
    filled_only: bool,
    options: RenderOptions,
) -> Result<Schema, StageError> {
    let ask = &context.ask;
    context.begin(nodes::SCHEMA, StageKind::Schema, "Read the schema", &[]);
    let model = context.model(agent);
    let compressed = compressed(context, model.profile().deliberates);
    let schema = split(compressed, context.shown_profile(), model.as_ref(), budget, filled_only, options).await?;
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

/// The schema with look-alikes merged, if they are to be. Of a group a model that deliberates is shown the member that the
/// question names: its values, and no name to be put together. Another keeps what it has read for every question.
fn compressed(context: &RunContext, deliberates: bool) -> Compressed {
    let ask = &context.ask;
    if !ask.settings.with(Switch::Compression) {
        return Compressed::as_it_is(&ask.catalog);
    }
    let compressed = vitrine_catalog::compress(&ask.catalog);
    if !deliberates {
        return compressed;
    }
    let texts = [Some(ask.question.as_str()), ask.knowledge.as_deref()];
    compressed.showing(&texts.into_iter().flatten().collect::<Vec<_>>().join("\n"), &ask.catalog)
}

/// Estimated tokens of the uncompressed text, from the share of names and types that compression removed.
fn raw_tokens(compressed: &Compressed, tokens: u32) -> u32 {
    let raw: usize =
        compressed.expand().iter().flat_map(|(_, columns)| columns).map(|(name, kind)| name.len() + kind.len()).sum();
    let kept: usize =
        compressed.tables.iter().flat_map(|t| &t.columns).map(|c| c.column.name.len() + c.column.data_type.len()).sum();
    (u64::from(tokens) * raw as u64 / (kept.max(1) as u64)) as u32
}
