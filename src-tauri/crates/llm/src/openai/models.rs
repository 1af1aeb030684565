//! Reads the model lists of OpenAI and compatible servers, each with its own extensions: vLLM, llama.cpp, Ollama,
//! OpenRouter, Groq, Mistral.

use super::endpoint::{OpenAiKind, build_versioned_url};
use crate::LlmError;
use crate::families::by_size;
use crate::http::ServerConfig;
use crate::http::served::{Details, ServedModel};
use reqwest::Url;
use serde_json::{Value, json};
use vitrine_domain::{Price, ProfileFacts, Reasoning, SchemaSupport};

/// Name parts of models without chat; OpenAI lists them together with chat models.
const OTHER_KINDS: [&str; 11] = [
    "embedding",
    "whisper",
    "tts",
    "dall-e",
    "image",
    "moderation",
    "realtime",
    "audio",
    "transcribe",
    "sora",
    "davinci",
];

pub(super) fn build_models_url(kind: OpenAiKind, config: &ServerConfig) -> Result<Url, LlmError> {
    build_versioned_url(kind, config, "models")
}

pub(super) fn read_models(kind: OpenAiKind, page: &Value) -> Vec<ServedModel> {
    let list = page["data"].as_array().or_else(|| page["models"].as_array()).or_else(|| page.as_array());
    let chats = |id: &str| kind == OpenAiKind::Compatible || !OTHER_KINDS.iter().any(|part| id.contains(part));
    list.into_iter().flatten().filter_map(parse_model).filter(|model| chats(&model.id)).collect()
}

fn parse_model(entry: &Value) -> Option<ServedModel> {
    let id = entry["id"].as_str().or_else(|| entry["name"].as_str())?.to_owned();
    let number = |paths: &[&str]| paths.iter().find_map(|path| entry.pointer(path)?.as_u64()?.try_into().ok());
    let mut facts = by_size(entry["meta"]["n_params"].as_f64().map(|parameters| parameters / 1e9));
    facts.context_tokens = number(&[
        "/max_model_len",
        "/meta/n_ctx",
        "/top_provider/context_length",
        "/context_length",
        "/context_window",
        "/max_context_length",
        "/meta/n_ctx_train",
    ]);
    facts.reply_tokens =
        number(&["/top_provider/max_completion_tokens", "/max_completion_tokens", "/max_output_length"]);
    facts.price = parse_price(&entry["pricing"]);
    if let Some(taken) = entry["supported_parameters"].as_array() {
        let takes = |name: &str| taken.iter().any(|parameter| parameter == name);
        let schema = if takes("structured_outputs") { SchemaSupport::Lenient } else { SchemaSupport::None };
        facts.schema = Some(schema);
        facts.stop = Some(takes("stop"));
        facts.token_probabilities = Some(takes("logprobs"));
    }
    let title = entry["name"].as_str().filter(|name| *name != id).map(str::to_owned);
    Some(ServedModel { id, title, facts, owner: entry["owned_by"].as_str().unwrap_or_default().to_owned() })
}

/// Parses prices, which are given as text in dollars per token.
fn parse_price(pricing: &Value) -> Option<Price> {
    let per_million = |name: &str| {
        let text = pricing[name].as_str()?;
        // 0.000003 times one million is not exactly 3 in binary.
        text.parse::<f64>().ok().filter(|price| *price >= 0.0).map(|price| (price * 1e12).round() / 1e6)
    };
    let input = per_million("prompt")?;
    Some(Price {
        input,
        cached: per_million("input_cache_read").unwrap_or(input),
        output: per_million("completion")?,
        cache_write: per_million("input_cache_write"),
    })
}

/// Returns the request for details: llama.cpp reports its running context size, Ollama the properties of a model.
pub(super) fn build_details_request(config: &ServerConfig, model: &ServedModel) -> Option<Details> {
    let mut url = build_versioned_url(OpenAiKind::Compatible, config, "").ok()?;
    let root = url.path().trim_end_matches('/').trim_end_matches("/v1").to_owned();
    url.set_query(None);
    match model.owner.as_str() {
        "llamacpp" => {
            url.set_path(&format!("{root}/props"));
            Some(Details { url, body: None })
        }
        "library" => {
            url.set_path(&format!("{root}/api/show"));
            Some(Details { url, body: Some(json!({ "model": model.id })) })
        }
        _ => None,
    }
}

pub(super) fn read_details(said: &Value, model: &mut ServedModel) {
    let tokens = |value: &Value| value.as_u64().and_then(|tokens| u32::try_from(tokens).ok());
    let running = tokens(&said["default_generation_settings"]["n_ctx"]);
    let info = &said["model_info"];
    let of = |name: &str| info["general.architecture"].as_str().map(|family| &info[format!("{family}.{name}")]);
    // `num_ctx 4096` among the parameters overrides the context that the model was trained with.
    let parameters = said["parameters"].as_str().unwrap_or_default().lines();
    let set = parameters.filter_map(|line| line.trim().strip_prefix("num_ctx")?.trim().parse().ok()).next_back();
    let mut facts = ProfileFacts {
        context_tokens: running.or(set).or_else(|| of("context_length").and_then(tokens)),
        ..by_size(info["general.parameter_count"].as_f64().map(|parameters| parameters / 1e9))
    };
    if said["capabilities"].as_array().is_some_and(|can| can.iter().any(|word| word == "thinking")) {
        facts.reasoning = Some(Reasoning::Hidden);
    }
    model.facts.add(&facts);
}
