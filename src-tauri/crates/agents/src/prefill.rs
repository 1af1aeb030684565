//! Prefill: lets the model read the schema before the first question, so that its answer starts as fast as later ones.

use crate::schema::pages::opening_with_pages;
use crate::schema::reading::{ChunkOptions, split_schema};
use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::RenderOptions;
use vitrine_domain::{Caching, Catalog, Profile};
use vitrine_llm::{ChatModel, LlmError, Request};

/// Sends the schema prefix of later requests to a model. Only for models that keep their prompt state and have no price; does nothing for
/// others. `budget` is the chunk budget in tokens, by default the model's own.
///
/// # Errors
/// Fails if the model fails or `cancel` stops it.
pub async fn prefill_schema(
    catalog: &Catalog,
    profile: &Profile,
    model: &dyn ChatModel,
    budget: Option<u32>,
    cancel: CancellationToken,
) -> Result<(), LlmError> {
    let model_profile = model.profile();
    if model_profile.caching != Caching::Kept || catalog.tables.is_empty() {
        return Ok(());
    }
    let budget = budget.unwrap_or(model_profile.chunk_budget);
    let options = ChunkOptions { budget, filled_only: false, render: RenderOptions::for_model(&model_profile) };
    let compressed = vitrine_catalog::compress_catalog(catalog);
    let read = split_schema(compressed, profile, model, options).await?;
    let request =
        Request { max_tokens: 1, ..opening_with_pages(&model_profile, profile, &read.chunks[0].text, catalog) };
    let mut events = model.stream(request, cancel).await?;
    while let Some(event) = events.next().await {
        event?;
    }
    Ok(())
}
