//! View generation by agents (AV-SQL, 4.3, Algorithm 1): for each schema chunk, CTE views with rationale and a JSON selection, then rounds
//! of value retrieval, execution, consistency checking and repair.

mod check;
mod chunk_views;
mod consistency;
mod earlier;
mod unite;

pub use consistency::Consistency;

use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::{GenerateViews, Prompt, ViewFeedback};
use crate::question::context::QuestionContext;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::pages::opening_with_pages;
use crate::schema::{Schema, reply};
use crate::stages::views::check::{Checked, ViewCheck};
use crate::stages::views::chunk_views::ChunkViews;
use futures::{FutureExt, StreamExt};
use vitrine_catalog::Chunk;
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{Agent, Catalog, EventBody, NodeId, SchemaSelection, StageKind, Switch, ValueMatch, ViewAttempt};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{plural, tr};

/// Processes every chunk and unites the consistent results (equations 8 and 9).
///
/// # Errors
/// Fails if the model or the connection fails; chunks without a usable view do not fail the stage.
pub async fn generate_views(
    context: &RunContext,
    schema: &Schema,
    understood: &QuestionContext,
    consistency: Consistency,
) -> Result<Views, StageError> {
    let results: Vec<(u32, Result<ChunkViews, StageError>)> = match earlier::replay_chunks(context, consistency).await {
        Some(taken) => taken,
        None => {
            futures::stream::iter(&schema.for_agent(Agent::ViewGenerator).chunks)
                .map(|chunk| {
                    work_on_chunk(context, schema, chunk, understood, consistency).map(|found| (chunk.index, found))
                })
                .buffered(CALLS_AT_ONCE)
                .collect()
                .await
        }
    };
    if context.replay_stage(nodes::SELECTION) {
        let mut united = unite_all(context, results)?;
        earlier::as_passed_on(context, &mut united);
        return Ok(united);
    }
    let inputs: Vec<NodeId> = results.iter().map(|(index, _)| node_of(*index)).collect();
    context.begin_stage(
        nodes::SELECTION,
        StageKind::Selection,
        tr!("Combine views and selections"),
        &inputs.iter().collect::<Vec<_>>(),
    );
    let mut united = unite_all(context, results)?;
    earlier::change_selection(context, &mut united);
    context.emit(EventBody::Aggregated {
        node: nodes::SELECTION.to_owned(),
        selection: united.selection.clone(),
        views: united.views.iter().map(|v| v.name.clone()).collect(),
    });
    context.finish_stage(
        nodes::SELECTION,
        format!(
            "{}, {}",
            plural!(united.selection.tables.len(), "{n} table", "{n} tables"),
            plural!(united.views.len(), "{n} view", "{n} views")
        ),
    );
    Ok(united)
}

/// Unites the results of the chunks in the order of their numbers.
fn unite_all(context: &RunContext, results: Vec<(u32, Result<ChunkViews, StageError>)>) -> Result<Views, StageError> {
    let mut united = Views::default();
    for (index, result) in results {
        let found = result?;
        united.selection.merge_selection(&found.selection);
        unite::add(context, &mut united.views, found.views, index);
        united.values.extend(found.values);
    }
    Ok(united)
}

/// Returns the graph node of a chunk, by its number.
fn node_of(index: u32) -> NodeId {
    format!("chunk-{index}").into()
}

async fn work_on_chunk(
    context: &RunContext,
    schema: &Schema,
    chunk: &Chunk,
    understood: &QuestionContext,
    consistency: Consistency,
) -> Result<ChunkViews, StageError> {
    let node = node_of(chunk.index);
    let reading = schema.for_agent(Agent::ViewGenerator);
    let parts = reading.chunks.len();
    let title = if parts == 1 {
        tr!("Write views")
    } else {
        tr!("Write views, part {part} of {parts}", part = chunk.index, parts)
    };
    context.begin_stage(&node, StageKind::Chunk, title, &[nodes::SCHEMA, nodes::REWRITER]);
    let visible = reading.chunk_catalog(&context.ask.data.catalog, chunk);
    let work = ChunkWork { node: &node, chunk, parts, visible: &visible, consistency };
    let result = attempt_rounds(context, work, understood).await?;
    context.finish_stage(
        &node,
        match result.outcome {
            ChunkOutcome::Irrelevant => tr!("Not needed"),
            ChunkOutcome::Failed => tr!("No usable view"),
            _ => plural!(result.views.len(), "{n} view kept", "{n} views kept"),
        },
    );
    Ok(result)
}

/// A chunk of the schema with its node.
#[derive(Clone, Copy)]
struct ChunkWork<'a> {
    node: &'a NodeId,
    chunk: &'a Chunk,
    /// Number of chunks of the schema.
    parts: usize,
    /// Tables and columns of the chunk.
    visible: &'a Catalog,
    /// Treatment of a selection that lacks names of its views.
    consistency: Consistency,
}

/// Runs the loop of Algorithm 1 for one chunk.
async fn attempt_rounds(
    context: &RunContext,
    ChunkWork { node, chunk, parts, visible, consistency }: ChunkWork<'_>,
    understood: &QuestionContext,
) -> Result<ChunkViews, StageError> {
    let settings = &context.ask.options.settings;
    let profile = context.model(Agent::ViewGenerator).profile();
    let known = value_lines(&profile, &context.ask.data.catalog, &understood.values);
    let tail = GenerateViews {
        question: &understood.question,
        facts: &understood.facts,
        task: &understood.rewritten.task,
        filters: &understood.rewritten.filters,
        outputs: &understood.rewritten.outputs,
        values: &known,
        dialect: context.ask.data.catalog.dialect.sql().display_name(),
        part: if parts == 1 { 0 } else { chunk.index as usize },
        parts,
    }
    .render_for(&profile);
    let mut request = Request {
        tail,
        max_tokens: max_reply_tokens(&profile, Writing::Views),
        output: reply::views_format(ReplyFormat(&profile), visible, parts == 1),
        ..opening_with_pages(&profile, context.shown_profile(), &chunk.text, visible)
    };
    let rounds = if settings.is_enabled(Switch::ViewFeedback) { settings.max_rounds } else { 0 };
    // A small model was measured with a greedy first repair.
    let greedy = if profile.deliberates { 1 } else { 2 };
    let mut best: Option<(u32, Checked)> = None;
    let mut values: Vec<ValueMatch> = Vec::new();
    let mut attempt = 0;
    loop {
        // Greedy repairs would repeat the same mistake forever.
        request.temperature = if attempt < greedy { 0.0 } else { 0.6 };
        request.seed = settings.seed + u64::from(attempt);
        let replies = context.call_model(Agent::ViewGenerator, node, request.clone()).await?;
        let checked = ViewCheck { context, node, visible, attempt, consistency }
            .check_reply(reply::parse_reply(replies.first_reply(), chunk), &mut values)
            .await?;
        context.emit(EventBody::ViewsAttempted {
            node: node.to_owned(),
            chunk: chunk.index,
            attempt,
            views: checked.views.clone(),
            selection: checked.selection.clone(),
            consistent: checked.consistent,
            completed: checked.completed.clone(),
            feedback: checked.problems.clone(),
        });
        let done = checked.problems.is_empty();
        let hints = values_to_feed_back(&checked.value_hints, &values, profile.deliberates);
        let hints = value_lines(&profile, &context.ask.data.catalog, &hints);
        let feedback = ViewFeedback { problems: &checked.problems, values: &hints }.render_for(&profile);
        // A model that deliberates writes its next reply at another temperature, so two unreadable replies do not repeat each other.
        let comparable = !profile.deliberates || !checked.views.is_empty();
        let repeated = comparable
            && best
                .as_ref()
                .is_some_and(|(_, b)| b.views.iter().map(|v| &v.sql).eq(checked.views.iter().map(|v| &v.sql)));
        if best.as_ref().is_none_or(|(_, b)| checked.rank(consistency) >= b.rank(consistency)) {
            best = Some((attempt, checked));
        }
        if done || attempt >= rounds || repeated {
            break;
        }
        request.turns = vec![(replies.first_reply().to_owned(), feedback)];
        attempt += 1;
    }
    let (kept_attempt, kept) = best.expect("there is at least one attempt");
    let outcome = kept.outcome(consistency);
    let views: Vec<ViewAttempt> = if outcome == ChunkOutcome::Failed { Vec::new() } else { kept.views_that_run() };
    // If no view runs, the selection still counts (equation 8), provided that the model reads before it selects.
    let keeps = match outcome {
        ChunkOutcome::Irrelevant => false,
        ChunkOutcome::Failed => consistency.keeps_selection(profile.deliberates) && kept.consistent,
        _ => true,
    };
    let selection = if keeps { kept.selection } else { SchemaSelection::default() };
    context.emit(EventBody::ChunkFinished {
        node: node.to_owned(),
        chunk: chunk.index,
        outcome,
        kept_attempt: (outcome != ChunkOutcome::Failed).then_some(kept_attempt),
        kept_views: views.iter().map(|v| v.name.clone()).collect(),
    });
    let values = if outcome == ChunkOutcome::Irrelevant || (outcome == ChunkOutcome::Failed && !keeps) {
        Vec::new()
    } else {
        values
    };
    Ok(ChunkViews { outcome, selection, views, values })
}

/// Returns the stored values for the next round: those of this round's literals first, and for a model that deliberates also those of
/// earlier rounds (Algorithm 1, `L_D`).
fn values_to_feed_back(hints: &[ValueMatch], all: &[ValueMatch], deliberates: bool) -> Vec<ValueMatch> {
    let earlier = all.iter().filter(|found| deliberates && !hints.contains(found));
    hints.iter().chain(earlier).cloned().collect()
}
