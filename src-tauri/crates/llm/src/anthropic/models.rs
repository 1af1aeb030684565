//! Anthropic's list of models, which includes limits and capabilities.

use crate::http::served::ServedModel;
use serde_json::Value;
use vitrine_domain::{Effort, ProfileFacts, SchemaSupport};

const EFFORTS: [(&str, Effort); 5] = [
    ("low", Effort::Low),
    ("medium", Effort::Medium),
    ("high", Effort::High),
    ("xhigh", Effort::Xhigh),
    ("max", Effort::Max),
];

pub(super) fn read_models(page: &Value) -> (Vec<ServedModel>, Option<String>) {
    let entries = page["data"].as_array().into_iter().flatten();
    let models = entries.filter(|entry| entry["lifecycle"] != "retired").filter_map(parse_model).collect();
    let next = page["last_id"].as_str().filter(|_| page["has_more"] == true).map(str::to_owned);
    (models, next)
}

fn parse_model(entry: &Value) -> Option<ServedModel> {
    let id = entry["id"].as_str()?.to_owned();
    let tokens = |name: &str| entry[name].as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|n| *n > 0);
    let can = &entry["capabilities"];
    let supported = |capability: &Value| capability["supported"].as_bool();
    let levels = EFFORTS.iter().filter(|(name, _)| supported(&can["effort"][*name]) == Some(true));
    let facts = ProfileFacts {
        context_tokens: tokens("max_input_tokens"),
        reply_tokens: tokens("max_tokens"),
        efforts: supported(&can["effort"]).filter(|supported| *supported).map(|_| levels.map(|(_, e)| *e).collect()),
        schema: supported(&can["structured_outputs"])
            .map(|supported| if supported { SchemaSupport::Lenient } else { SchemaSupport::None }),
        ..ProfileFacts::default()
    };
    let title = entry["display_name"].as_str().filter(|name| *name != id).map(str::to_owned);
    Some(ServedModel { id, title, facts, owner: String::new() })
}
