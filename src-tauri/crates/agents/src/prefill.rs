//! Reading the schema before there is a question: the first answer then begins where every later one does.

use crate::prompt::request;
use crate::schema;
use futures::StreamExt;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Profile};
use vitrine_llm::{ChatModel, LlmError, Request};

/// Has a model read the schema that its requests will begin with. Only for models that keep what they have read and
/// cost nothing: for others it does nothing. `budget` is the chunk budget in tokens, `None` the model's own.
///
/// # Errors
/// When the model fails or `cancel` stops it.
pub async fn prefill(
    catalog: &Catalog,
    profile: &Profile,
    model: &dyn ChatModel,
    budget: Option<u32>,
    cancel: CancellationToken,
) -> Result<(), LlmError> {
    let traits = model.traits();
    if !traits.shared_prefill || catalog.tables.is_empty() {
        return Ok(());
    }
    let schema = schema::split(catalog, profile, model, budget.unwrap_or(traits.chunk_budget), true).await?;
    let request = Request { max_tokens: 1, ..request::opening(catalog.dialect, &schema.chunks[0].text) };
    let mut events = model.stream(request, cancel).await?;
    while let Some(event) = events.next().await {
        event?;
    }
    Ok(())
}
