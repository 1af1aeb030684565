//! Gemini's list of models, which includes limits.

use crate::http::served::ServedModel;
use serde_json::Value;
use vitrine_domain::{ProfileFacts, Reasoning};

pub(super) fn read_models(page: &Value) -> (Vec<ServedModel>, Option<String>) {
    let models = page["models"].as_array().into_iter().flatten().filter_map(parse_model).collect();
    let next = page["nextPageToken"].as_str().filter(|token| !token.is_empty()).map(str::to_owned);
    (models, next)
}

fn parse_model(entry: &Value) -> Option<ServedModel> {
    let methods = entry["supportedGenerationMethods"].as_array()?;
    if !methods.iter().any(|method| method == "generateContent") {
        return None;
    }
    let id = entry["name"].as_str()?.trim_start_matches("models/").to_owned();
    let tokens = |name: &str| entry[name].as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|n| *n > 0);
    let facts = ProfileFacts {
        context_tokens: tokens("inputTokenLimit"),
        reply_tokens: tokens("outputTokenLimit"),
        reasoning: (entry["thinking"] == true).then_some(Reasoning::Hidden),
        ..ProfileFacts::default()
    };
    let title = entry["displayName"].as_str().filter(|name| *name != id).map(str::to_owned);
    Some(ServedModel { id, title, facts, owner: String::new() })
}
