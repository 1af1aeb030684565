//! Anthropic's JSON: writes requests and reads streams of events.

use super::models;
use crate::http::budget::{thinking_room, with_thinking};
use crate::http::failure::Failure;
use crate::http::format::{Features, Format};
use crate::http::keywords::Keywords;
use crate::http::part::{SampleRange, asked_in_words, number_to_json, wants_json, wants_schema};
use crate::http::quirks::Feature;
use crate::http::reply::{Reply, not_in_format, unusable_reply};
use crate::http::served::ServedModel;
use crate::http::{ServerConfig, parse_address};
use crate::{FinishReason, LlmError, OutputFormat, Request};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vitrine_domain::{Caching, Effort, ModelProfile};

/// JSON Schema keywords that Anthropic accepts: no bounds on numbers and lengths; every object must be closed.
const KEYWORDS: Keywords = Keywords(&[
    "type",
    "enum",
    "const",
    "anyOf",
    "allOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "$defs",
    "$ref",
    "description",
]);

/// The format of the Messages API.
#[derive(Debug)]
pub(super) struct Messages;

impl Format for Messages {
    fn call_endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError> {
        below_version(config, "messages")
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn fixed_headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn unsupported_features(&self) -> &'static [Feature] {
        &[Feature::Samples, Feature::Seed, Feature::Probabilities]
    }

    fn refusal_words(&self, feature: Feature) -> &'static [&'static str] {
        match feature {
            Feature::Schema => &["output_config", "output format", "structured output", "schema"],
            Feature::Temperature => &["temperature"],
            Feature::Stop => &["stop_sequences", "stop sequences"],
            Feature::ThinkingRoom => &["max_tokens"],
            Feature::Prefill => &["prefill", "must end with a user message"],
            Feature::Effort => &["adaptive", "effort", "thinking"],
            Feature::ThinkingBudget => &["budget_tokens", "thinking"],
            Feature::Samples
            | Feature::StreamUsage
            | Feature::Seed
            | Feature::FirstLimitName
            | Feature::Probabilities => &[],
        }
    }

    fn build_body(
        &self,
        config: &ServerConfig,
        request: &Request,
        part: SampleRange,
        features: &mut Features,
    ) -> Value {
        let mut body = Map::new();
        let profile = &config.profile;
        let with_schema = features.use_feature(Feature::Schema, wants_schema(request, profile));
        let thinking = Thinking::from_profile(profile, features);
        // Newer models reject a prefilled reply, and no model accepts one together with a schema or after thinking.
        let begins = profile.prefill && !wants_json(request) && !request.assistant_prefix.trim().is_empty();
        let prefilled = features.use_feature(Feature::Prefill, begins && !thinking.is_enabled());
        body.insert("model".into(), config.model.clone().into());
        let limit = match features.use_feature(Feature::ThinkingRoom, true) {
            true => with_thinking(profile, request),
            false => request.max_tokens,
        };
        let limit = thinking.raise_reply_limit(limit);
        body.insert("max_tokens".into(), limit.into());
        if !request.system.trim().is_empty() {
            body.insert("system".into(), request.system.clone().into());
        }
        body.insert("messages".into(), build_messages(request, with_schema, prefilled, profile.caching));
        body.insert("stream".into(), true.into());
        // Newer models reject `top_p` together with `temperature`; the newest reject both, as do all models while
        // thinking.
        if features.use_feature(Feature::Temperature, !thinking.is_enabled()) {
            body.insert("temperature".into(), number_to_json(part.sample_temperature(request).clamp(0.0, 1.0)));
        }
        // Without a prefill, a reply that begins with a code fence would stop at its first token if the fence is a stop
        // text.
        let stop: Vec<&String> = request.stop.iter().filter(|text| !text.trim().is_empty()).collect();
        let stops = profile.stop && !stop.is_empty() && (prefilled || request.assistant_prefix.is_empty());
        if features.use_feature(Feature::Stop, stops) {
            body.insert("stop_sequences".into(), json!(stop));
        }
        let mut output = Map::new();
        if let OutputFormat::JsonSchema { schema, .. } = &request.output
            && with_schema
        {
            let format = json!({ "type": "json_schema", "schema": close_objects(KEYWORDS.reduce_schema(schema)) });
            output.insert("format".into(), format);
        }
        thinking.write_fields(&mut body, &mut output);
        if !output.is_empty() {
            body.insert("output_config".into(), Value::Object(output));
        }
        Value::Object(body)
    }

    fn read_event(&self, data: &str, reply: &mut Reply) -> Result<(), Failure> {
        let event: Event = serde_json::from_str(data).map_err(|error| not_in_format("message", &error, data))?;
        match event.kind.as_str() {
            "message_start" => merge_usage(reply, &event.message.unwrap_or_default()["usage"]),
            // Thinking and its signature are not part of the answer.
            "content_block_delta" if event.delta["type"] == "text_delta" => {
                reply.push_text(0, event.delta["text"].as_str().unwrap_or_default());
            }
            "message_delta" => {
                merge_usage(reply, &event.usage);
                record_finish_reason(reply, &event.delta["stop_reason"])?;
            }
            "message_stop" => reply.mark_ended(),
            // A complete message, from a server that does not stream.
            "message" => {
                for block in event.content.iter().filter(|block| block["type"] == "text") {
                    reply.push_text(0, block["text"].as_str().unwrap_or_default());
                }
                merge_usage(reply, &event.usage);
                record_finish_reason(reply, &event.stop_reason)?;
            }
            "error" => return Err(Failure::in_stream(&event.error, reply.context_tokens())),
            // `ping`, ends of blocks and unknown event types are ignored.
            _ => {}
        }
        Ok(())
    }

    fn models_endpoint(&self, config: &ServerConfig, after: Option<&str>) -> Result<Url, LlmError> {
        let mut url = below_version(config, "models")?;
        url.query_pairs_mut().append_pair("limit", "1000");
        if let Some(after) = after {
            url.query_pairs_mut().append_pair("after_id", after);
        }
        Ok(url)
    }

    fn read_models(&self, page: &Value) -> (Vec<ServedModel>, Option<String>) {
        models::read_models(page)
    }
}

/// Builds an address below the API version. Base addresses may include `/v1` or omit it, as Anthropic's own clients do.
fn below_version(config: &ServerConfig, end: &str) -> Result<Url, LlmError> {
    let mut url = parse_address(&config.base_url)?;
    let path = url.path().trim_end_matches('/').trim_end_matches("/messages").to_owned();
    let path = if path.ends_with("/v1") { path } else { format!("{path}/v1") };
    url.set_path(&format!("{path}/{end}"));
    Ok(url)
}

/// The way a model is asked to think: an effort level for newer models, a token budget for older ones.
#[derive(Debug, Clone, Copy)]
enum Thinking {
    /// Nothing is sent, so the model uses its default.
    Unsaid,
    Disabled,
    Adaptive(Effort),
    Budget(u32),
}

/// The smallest budget that Anthropic accepts, and the tokens that a budget must leave for the reply.
const LEAST_BUDGET: u32 = 1_024;

impl Thinking {
    fn from_profile(profile: &ModelProfile, features: &mut Features) -> Self {
        match profile.effort {
            None => Self::Unsaid,
            Some(Effort::None) if features.use_feature(Feature::Effort, true) => Self::Disabled,
            Some(Effort::None) => Self::Unsaid,
            Some(effort) if features.use_feature(Feature::Effort, true) => Self::Adaptive(effort),
            effort if features.use_feature(Feature::ThinkingBudget, true) => Self::Budget(thinking_room(effort)),
            _ => Self::Unsaid,
        }
    }

    fn is_enabled(self) -> bool {
        matches!(self, Self::Adaptive(_) | Self::Budget(_))
    }

    /// Returns the reply limit, which has to exceed the thinking budget.
    fn raise_reply_limit(self, limit: u32) -> u32 {
        match self {
            Self::Budget(_) => limit.max(2 * LEAST_BUDGET),
            _ => limit,
        }
    }

    fn write_fields(self, body: &mut Map<String, Value>, output: &mut Map<String, Value>) {
        let thinking = match self {
            Self::Unsaid => return,
            Self::Disabled => json!({ "type": "disabled" }),
            Self::Adaptive(effort) => {
                // Anthropic has no level below `low`.
                output.insert("effort".into(), json!(effort.max(Effort::Low)));
                json!({ "type": "adaptive" })
            }
            Self::Budget(tokens) => {
                let limit = body["max_tokens"].as_u64().and_then(|limit| u32::try_from(limit).ok()).unwrap_or(u32::MAX);
                let tokens = tokens.min(limit - LEAST_BUDGET).max(LEAST_BUDGET);
                json!({ "type": "enabled", "budget_tokens": tokens })
            }
        };
        body.insert("thinking".into(), thinking);
    }
}

#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    message: Option<Value>,
    delta: Value,
    usage: Value,
    error: Value,
    content: Vec<Value>,
    stop_reason: Value,
}

fn build_messages(request: &Request, with_schema: bool, prefilled: bool, caching: Caching) -> Value {
    let asked = asked_in_words(request, with_schema, prefilled);
    let end = |last: bool| if last { asked.as_str() } else { "" };
    let mut first = Vec::new();
    let mut tail = format!("{}{}", request.tail, end(request.turns.is_empty()));
    match caching {
        // The cached part of the prompt ends here. Empty text blocks are rejected.
        Caching::Marked if !request.prefix.trim().is_empty() => {
            first.push(json!({ "type": "text", "text": request.prefix, "cache_control": { "type": "ephemeral" } }));
        }
        // Without reuse, a cache write costs more than reading the text uncached.
        _ => tail.insert_str(0, &request.prefix),
    }
    if !tail.trim().is_empty() || first.is_empty() {
        first.push(json!({ "type": "text", "text": text_or_placeholder(&tail) }));
    }
    let mut messages = vec![json!({ "role": "user", "content": first })];
    for (index, (assistant, user)) in request.turns.iter().enumerate() {
        messages.push(json!({ "role": "assistant", "content": text_or_placeholder(assistant) }));
        let user = format!("{user}{}", end(index + 1 == request.turns.len()));
        messages.push(json!({ "role": "user", "content": text_or_placeholder(&user) }));
    }
    if prefilled {
        // A prefill that ends in white space is rejected.
        messages.push(json!({ "role": "assistant", "content": request.assistant_prefix.trim_end() }));
    }
    Value::Array(messages)
}

/// Returns the text, or a placeholder if it is blank, because empty messages are rejected.
fn text_or_placeholder(text: &str) -> &str {
    if text.trim().is_empty() { "(empty)" } else { text }
}

/// Closes every object of a schema, because Anthropic rejects open objects.
fn close_objects(mut schema: Value) -> Value {
    match &mut schema {
        Value::Array(items) => items.iter_mut().for_each(|item| *item = close_objects(item.take())),
        Value::Object(object) => {
            if object.get("type").is_some_and(|kind| kind == "object") {
                object.insert("additionalProperties".into(), false.into());
            }
            for (key, value) in object.iter_mut() {
                match (key.as_str(), value) {
                    ("properties" | "$defs", Value::Object(named)) => {
                        named.values_mut().for_each(|schema| *schema = close_objects(schema.take()));
                    }
                    ("enum" | "const" | "required", _) => {}
                    (_, value) => *value = close_objects(value.take()),
                }
            }
        }
        _ => {}
    }
    schema
}

fn record_finish_reason(reply: &mut Reply, reason: &Value) -> Result<(), Failure> {
    match reason.as_str() {
        None => Ok(()),
        Some("refusal") => Err(unusable_reply("the model refused to answer".to_owned())),
        Some("max_tokens" | "model_context_window_exceeded") => reply.finish_sample(0, FinishReason::Length),
        Some(_) => reply.finish_sample(0, FinishReason::Stop),
    }
}

/// Merges token counts, which arrive at the start of the stream and again, cumulated, at its end.
fn merge_usage(reply: &mut Reply, usage: &Value) {
    if !usage.is_object() {
        return;
    }
    let tokens = |name: &str| usage[name].as_u64().unwrap_or(0);
    let cached = tokens("cache_read_input_tokens");
    let put_in = tokens("cache_creation_input_tokens");
    // `input_tokens` excludes tokens that were read from or written to the cache.
    let prompt = tokens("input_tokens") + cached + put_in;
    let cost = reply.usage_mut();
    cost.prompt_tokens = cost.prompt_tokens.max(prompt);
    cost.cached_prompt_tokens = cost.cached_prompt_tokens.max(cached);
    cost.cache_write_tokens = cost.cache_write_tokens.max(put_in);
    cost.completion_tokens = cost.completion_tokens.max(tokens("output_tokens"));
    let reasoning = usage["output_tokens_details"]["thinking_tokens"].as_u64().unwrap_or(0);
    cost.reasoning_tokens = cost.reasoning_tokens.max(reasoning);
}
