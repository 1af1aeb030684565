//! Anthropic's JSON: a request written, a stream of events read.

use crate::http::budget::with_thinking;
use crate::http::failure::Failure;
use crate::http::format::{Features, Format};
use crate::http::keywords::Keywords;
use crate::http::part::{Part, asked_in_words, number, wants_schema};
use crate::http::quirks::Feature;
use crate::http::reply::{Reply, not_in_format, unusable};
use crate::http::{ServerConfig, parsed};
use crate::{FinishReason, LlmError, OutputFormat, Request};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What schemas may hold: no bounds of numbers and lengths, every object closed.
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

/// The format of messages.
#[derive(Debug)]
pub(super) struct Messages;

impl Format for Messages {
    fn endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError> {
        let mut url = parsed(&config.base_url)?;
        let path = url.path().trim_end_matches('/').trim_end_matches("/messages").to_owned();
        // Addresses are given without the version, as to the provider's own clients, or with it.
        let path = if path.ends_with("/v1") { path } else { format!("{path}/v1") };
        url.set_path(&format!("{path}/messages"));
        Ok(url)
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn lacks(&self) -> &'static [Feature] {
        &[Feature::Samples, Feature::Seed, Feature::Probabilities]
    }

    fn words(&self, feature: Feature) -> &'static [&'static str] {
        match feature {
            Feature::Schema => &["output_config", "output format", "structured output", "schema"],
            Feature::Temperature => &["temperature"],
            Feature::Stop => &["stop_sequences", "stop sequences"],
            Feature::ThinkingRoom => &["max_tokens"],
            Feature::Prefill => &["prefill", "must end with a user message"],
            Feature::Samples
            | Feature::StreamUsage
            | Feature::Seed
            | Feature::FirstLimitName
            | Feature::Probabilities => &[],
        }
    }

    fn body(&self, config: &ServerConfig, request: &Request, part: Part, features: &mut Features) -> Value {
        let mut body = Map::new();
        let with_schema = features.uses(Feature::Schema, wants_schema(request));
        // Newer models take no beginning of their reply, and none does beside a schema.
        let begins = !wants_schema(request) && !request.assistant_prefix.trim().is_empty();
        let prefilled = features.uses(Feature::Prefill, begins);
        body.insert("model".into(), config.model.clone().into());
        let limit = match features.uses(Feature::ThinkingRoom, true) {
            true => with_thinking(config.profile.context_tokens, request),
            false => request.max_tokens,
        };
        body.insert("max_tokens".into(), limit.into());
        if !request.system.trim().is_empty() {
            body.insert("system".into(), request.system.clone().into());
        }
        body.insert("messages".into(), messages(request, with_schema, prefilled));
        body.insert("stream".into(), true.into());
        // Newer models refuse `top_p` beside it, and the newest refuse both.
        if features.uses(Feature::Temperature, true) {
            body.insert("temperature".into(), number(part.temperature(request).clamp(0.0, 1.0)));
        }
        // A reply that is only asked to begin with a fence would end at its first token where the fence is a stop, too.
        let stop: Vec<&String> = request.stop.iter().filter(|text| !text.trim().is_empty()).collect();
        let stops = !stop.is_empty() && (prefilled || request.assistant_prefix.is_empty());
        if features.uses(Feature::Stop, stops) {
            body.insert("stop_sequences".into(), json!(stop));
        }
        if let OutputFormat::JsonSchema { schema, .. } = &request.output
            && with_schema
        {
            let format = json!({ "type": "json_schema", "schema": closed(KEYWORDS.only(schema)) });
            body.insert("output_config".into(), json!({ "format": format }));
        }
        Value::Object(body)
    }

    fn read(&self, data: &str, reply: &mut Reply) -> Result<(), Failure> {
        let event: Event = serde_json::from_str(data).map_err(|error| not_in_format("message", &error, data))?;
        match event.kind.as_str() {
            "message_start" => count(reply, &event.message.unwrap_or_default()["usage"]),
            // Thinking and its signature are no part of the answer.
            "content_block_delta" if event.delta["type"] == "text_delta" => {
                reply.text(0, event.delta["text"].as_str().unwrap_or_default());
            }
            "message_delta" => {
                count(reply, &event.usage);
                finish(reply, &event.delta["stop_reason"])?;
            }
            "message_stop" => reply.end(),
            // From a server that does not stream.
            "message" => {
                for block in event.content.iter().filter(|block| block["type"] == "text") {
                    reply.text(0, block["text"].as_str().unwrap_or_default());
                }
                count(reply, &event.usage);
                finish(reply, &event.stop_reason)?;
            }
            "error" => return Err(Failure::in_stream(&event.error, reply.context_tokens())),
            // `ping`, the ends of blocks, and what is still to be invented.
            _ => {}
        }
        Ok(())
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

fn messages(request: &Request, with_schema: bool, prefilled: bool) -> Value {
    let asked = asked_in_words(request, with_schema, prefilled);
    let end = |last: bool| if last { asked.as_str() } else { "" };
    let mut first = Vec::new();
    // What is read again and again ends here. Blocks without text are refused.
    if !request.prefix.trim().is_empty() {
        first.push(json!({ "type": "text", "text": request.prefix, "cache_control": { "type": "ephemeral" } }));
    }
    let tail = format!("{}{}", request.tail, end(request.turns.is_empty()));
    if !tail.trim().is_empty() || first.is_empty() {
        first.push(json!({ "type": "text", "text": said(&tail) }));
    }
    let mut messages = vec![json!({ "role": "user", "content": first })];
    for (index, (assistant, user)) in request.turns.iter().enumerate() {
        messages.push(json!({ "role": "assistant", "content": said(assistant) }));
        let user = format!("{user}{}", end(index + 1 == request.turns.len()));
        messages.push(json!({ "role": "user", "content": said(&user) }));
    }
    if prefilled {
        // White space at its end is refused.
        messages.push(json!({ "role": "assistant", "content": request.assistant_prefix.trim_end() }));
    }
    Value::Array(messages)
}

/// A text, or a word for none: messages without text are refused.
fn said(text: &str) -> &str {
    if text.trim().is_empty() { "(empty)" } else { text }
}

/// The schema with every object closed, which is the only kind that is taken.
fn closed(mut schema: Value) -> Value {
    match &mut schema {
        Value::Array(items) => items.iter_mut().for_each(|item| *item = closed(item.take())),
        Value::Object(object) => {
            if object.get("type").is_some_and(|kind| kind == "object") {
                object.insert("additionalProperties".into(), false.into());
            }
            for (key, value) in object.iter_mut() {
                match (key.as_str(), value) {
                    ("properties" | "$defs", Value::Object(named)) => {
                        named.values_mut().for_each(|schema| *schema = closed(schema.take()));
                    }
                    ("enum" | "const" | "required", _) => {}
                    (_, value) => *value = closed(value.take()),
                }
            }
        }
        _ => {}
    }
    schema
}

fn finish(reply: &mut Reply, reason: &Value) -> Result<(), Failure> {
    match reason.as_str() {
        None => Ok(()),
        Some("refusal") => Err(unusable("the model refused to answer".to_owned())),
        Some("max_tokens" | "model_context_window_exceeded") => reply.finish(0, FinishReason::Length),
        Some(_) => reply.finish(0, FinishReason::Stop),
    }
}

/// Takes over counts, which come at the beginning and again, grown, at the end.
fn count(reply: &mut Reply, usage: &Value) {
    if !usage.is_object() {
        return;
    }
    let tokens = |name: &str| usage[name].as_u64().unwrap_or(0);
    let cached = tokens("cache_read_input_tokens");
    // `input_tokens` are only those behind the last mark.
    let prompt = tokens("input_tokens") + cached + tokens("cache_creation_input_tokens");
    let cost = reply.usage();
    cost.prompt_tokens = cost.prompt_tokens.max(prompt);
    cost.cached_prompt_tokens = cost.cached_prompt_tokens.max(cached);
    cost.completion_tokens = cost.completion_tokens.max(tokens("output_tokens"));
}
