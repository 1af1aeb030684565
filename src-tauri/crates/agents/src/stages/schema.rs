//! Preprocessing (AV-SQL, 4.1.1 and 4.1.2) in its own node: compresses the schema and splits it into chunks of whole tables.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::reading::{ChunkOptions, ChunkedSchema, split_schema};
use std::sync::Arc;
use vitrine_catalog::{Compressed, RenderOptions};
use vitrine_domain::run::ChunkSummary;
use vitrine_domain::{Agent, EventBody, LinkingPass, ModelProfile, StageKind, Switch};
use vitrine_words::{plural, tr};

/// Function that returns the rendering options for a model.
type Form = fn(&ModelProfile) -> RenderOptions;

/// Compresses and splits the schema, and records it. `budget` is the paper's B in tokens of the given agent's model.
pub async fn prepare_schema(context: &RunContext, agent: Agent, budget: u32) -> Result<Schema, StageError> {
    read_schema(context, agent, budget, false).await
}

/// Like [`prepare_schema`], without columns that have no value (DSR-SQL, 3.2.1), before the selection, and as M-Schema (appendix B).
pub async fn prepare_refined_schema(context: &RunContext, agent: Agent, budget: u32) -> Result<Schema, StageError> {
    read_schema(context, agent, budget, true).await
}

/// Adds the schemas for the models of further agents, if these differ from the models whose schema exists: in the format, with the
/// statistics and in chunks of the size that suit each model.
pub async fn read_by(
    context: &RunContext,
    mut schema: Schema,
    first: Agent,
    others: &[Agent],
) -> Result<Schema, StageError> {
    let model = |agent: Agent| context.model(agent);
    let mut left: Vec<Agent> =
        others.iter().copied().filter(|&agent| !Arc::ptr_eq(model(agent), model(first))).collect();
    while let Some(&agent) = left.first() {
        let (same, rest) = left.iter().partition(|&&other| Arc::ptr_eq(model(other), model(agent)));
        let budget = context.ask.options.settings.chunk_budget.unwrap_or(model(agent).profile().chunk_budget);
        let reading = chunk_schema(context, agent, budget, schema.refines).await?;
        schema.add(reading, same);
        left = rest;
    }
    Ok(schema)
}

/// Returns the schema in the format for an agent's model.
async fn chunk_schema(
    context: &RunContext,
    agent: Agent,
    budget: u32,
    refines: bool,
) -> Result<ChunkedSchema, StageError> {
    let model = context.model(agent);
    let profile = model.profile();
    let form: Form = if refines { RenderOptions::m_schema } else { RenderOptions::for_model };
    let compressed = compress_schema(context, profile.deliberates);
    let filled_only = refines && context.ask.options.settings.is_enabled(Switch::Compression);
    let render = form(&profile).with_question(context.ask.question_and_knowledge());
    let options = ChunkOptions { budget, filled_only, render };
    Ok(split_schema(compressed, context.shown_profile(), model.as_ref(), options).await?)
}

async fn read_schema(context: &RunContext, agent: Agent, budget: u32, refines: bool) -> Result<Schema, StageError> {
    let ask = &context.ask;
    context.begin_stage(nodes::SCHEMA, StageKind::Schema, tr!("Read the schema"), &[]);
    let reading = chunk_schema(context, agent, budget, refines).await?;
    let ChunkedSchema { compressed, chunks, .. } = &reading;
    let tokens = reading.tokens();
    let groups = compressed.group_count();
    context.emit(EventBody::SchemaPrepared {
        node: nodes::SCHEMA.to_owned(),
        tables: ask.data.catalog.tables.len() as u32,
        columns: ask.data.catalog.column_count() as u32,
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
    if let Some(given) = &ask.options.given_schema {
        context.emit(EventBody::SchemaLinked {
            node: nodes::SCHEMA.to_owned(),
            pass: LinkingPass::Given,
            round: 1,
            kept: given.clone(),
            changed: Vec::new(),
            tokens,
            verdicts: Vec::new(),
        });
    }
    context.finish_stage(nodes::SCHEMA, in_words(ask.data.catalog.tables.len(), tokens, chunks.len()));
    Ok(Schema::new(reading, refines))
}

/// Describes the size of the schema, with formatted numbers.
fn in_words(tables: usize, tokens: u32, parts: usize) -> String {
    let tables = plural!(tables, "{n} table", "{n} tables");
    let tokens = plural!(tokens, "{n} token", "{n} tokens");
    plural!(parts, "{tables}, {tokens} in {n} part", "{tables}, {tokens} in {n} parts", tables, tokens)
}

/// Compresses the schema and merges look-alike tables if that is enabled. A model that deliberates sees the member of a group that the
/// question names, with its values and its complete name. Other models see the same text for every question, which they can cache.
fn compress_schema(context: &RunContext, deliberates: bool) -> Compressed {
    let ask = &context.ask;
    if !ask.options.settings.is_enabled(Switch::Compression) {
        return Compressed::as_it_is(&ask.data.catalog);
    }
    let compressed = vitrine_catalog::compress_catalog(&ask.data.catalog);
    if !deliberates {
        return compressed;
    }
    compressed.with_mentioned_members(&ask.question_and_knowledge(), &ask.data.catalog)
}

/// Estimates the tokens of the uncompressed text, from the share of names and types that compression removed.
fn raw_tokens(compressed: &Compressed, tokens: u32) -> u32 {
    let raw: usize = compressed
        .expand_tables()
        .iter()
        .flat_map(|(_, columns)| columns)
        .map(|(name, kind)| name.len() + kind.len())
        .sum();
    let kept: usize =
        compressed.tables.iter().flat_map(|t| &t.columns).map(|c| c.column.name.len() + c.column.data_type.len()).sum();
    (u64::from(tokens) * raw as u64 / (kept.max(1) as u64)) as u32
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn what_was_read_is_told_as_people_write_numbers() {
        assert_eq!(in_words(1, 412, 1), "1 table, 412 tokens in 1 part");
        assert_eq!(in_words(1_250, 21_697, 3), "1,250 tables, 21,697 tokens in 3 parts");
    }
}
